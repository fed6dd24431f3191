"""Four protocols, as a server speaks them: requests read into `Asked`, steps spelled as events and errors."""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from playproof_judges.testing.steps import Asked, Fail, Turn, Used

Event = tuple[str, Any]
"""The name of an event ("" for none) and its JSON."""

STATUS_KINDS = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
                413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"}


def protocol(path: str) -> str:
    bare = path.partition("?")[0]
    ends = {"/messages": "anthropic", "/chat/completions": "openai", "/responses": "openai-responses",
            ":streamGenerateContent": "gemini"}
    return next((name for end, name in ends.items() if bare.endswith(end)), "unknown")


def read(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Asked:
    name = protocol(path)
    key = headers.get("x-api-key") or headers.get("x-goog-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
    return READERS.get(name, _unknown)(Asked(name, path, headers, body, key, str(body.get("model", ""))))


def events(asked: Asked, turn: Turn, number: int) -> list[str]:
    """A turn as server-sent events."""
    return [_spelled(name, value) for name, value in SPEAKERS.get(asked.protocol, _chat)(asked, turn, number)]


def error(protocol: str, fail: Fail, words: str) -> str:
    kind = fail.kind or STATUS_KINDS.get(fail.status, "api_error")
    if protocol == "gemini":
        return json.dumps({"error": {"code": fail.status, "message": words, "status": fail.kind or "INTERNAL"}})
    if protocol == "anthropic":
        return json.dumps({"type": "error", "error": {"type": kind, "message": words}})
    return json.dumps({"error": {"message": words, "type": kind, "code": fail.kind or None, "param": None}})


def fault(protocol: str, kind: str, words: str) -> str:
    """The protocol's own word for a fault in the middle of a stream."""
    if protocol == "anthropic":
        return _spelled("error", {"type": "error", "error": {"type": kind, "message": words}})
    if protocol == "openai-responses":
        failed = {"id": "resp_0", "status": "failed", "error": {"code": kind, "message": words}}
        return _spelled("response.failed", {"type": "response.failed", "response": failed})
    if protocol == "gemini":
        code = next((status for status, name in STATUS_KINDS.items() if name == kind), 503)
        return _spelled("", {"error": {"code": code, "message": words, "status": kind}})
    return _spelled("", {"error": {"message": words, "type": kind, "code": None}})


def _spelled(name: str, value: Any) -> str:
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return (f"event: {name}\n" if name else "") + f"data: {said}\n\n"


def _pieces(turn: Turn) -> Sequence[str]:
    text = turn.text or ("" if turn.data is None else json.dumps(turn.data))
    step = max(1, -(-len(text) // max(1, turn.pieces)))
    return [text[at : at + step] for at in range(0, len(text), step)]


def _with(asked: Asked, parts: Iterable[tuple[str, Any]], **facts: Any) -> Asked:
    """`parts` are (what, value): a text, a picture in base64, a result as (id, text)."""
    found = list(parts)
    texts = [value[1] if what == "result" else value for what, value in found if what in ("text", "result")]
    pictures = [base64.b64decode(value) for what, value in found if what == "picture"]
    results = [value for what, value in found if what == "result"]
    return Asked(asked.protocol, asked.path, asked.headers, asked.body, asked.key, facts.pop("model", asked.model), texts=texts,
                 pictures=pictures, results=results, **facts)


def _unknown(asked: Asked) -> Asked:
    return asked


# --- Anthropic: Messages ----------------------------------------------------------------------------------------------


def _read_messages(asked: Asked) -> Asked:
    def parts(blocks: Any) -> Iterator[tuple[str, Any]]:
        given: list[Any] = [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks
        for block in given:
            if block["type"] == "text":
                yield "text", block["text"]
            elif block["type"] == "image":
                yield "picture", block["source"]["data"]
            elif block["type"] == "tool_result":
                inner = list(parts(block["content"]))
                yield "result", (block["tool_use_id"], "\n".join(value for what, value in inner if what == "text"))
                yield from (one for one in inner if one[0] == "picture")

    body = asked.body
    found = [part for message in body["messages"] for part in parts(message["content"])]
    return _with(asked, found, system=body.get("system", ""), tools=[one["name"] for one in body.get("tools", [])],
                 schema=body.get("output_config", {}).get("format", {}).get("schema"))


def _messages(asked: Asked, turn: Turn, number: int) -> Iterator[Event]:
    used = turn.used
    counts = {"input_tokens": used.input, "cache_read_input_tokens": used.cache_read, "cache_creation_input_tokens": used.cache_write}
    message: dict[str, Any] = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": asked.model,
                               "content": [], "stop_reason": None, "stop_sequence": None, "usage": {**counts, "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": message}
    yield "ping", {"type": "ping"}
    blocks: list[tuple[Mapping[str, Any], list[Mapping[str, Any]]]] = []
    if turn.thought:
        blocks.append(({"type": "thinking", "thinking": "", "signature": ""},
                       [{"type": "thinking_delta", "thinking": turn.thought}, {"type": "signature_delta", "signature": "c2lnbmVk"}]))
    if pieces := _pieces(turn):
        blocks.append(({"type": "text", "text": ""}, [{"type": "text_delta", "text": one} for one in pieces]))
    for place, (name, arguments) in enumerate(turn.calls):
        spelled = json.dumps(arguments) if arguments else ""
        blocks.append(({"type": "tool_use", "id": f"toolu_{number}_{place}", "name": name, "input": {}},
                       [{"type": "input_json_delta", "partial_json": one} for one in (spelled[:4], spelled[4:])]))
    for index, (block, deltas) in enumerate(blocks):
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": block}
        for delta in deltas:
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    stop = {"end": "end_turn", "calls": "tool_use", "length": "max_tokens", "refused": "refusal"}.get(turn.ends, turn.ends)
    yield "message_delta", {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
                            "usage": {"output_tokens": used.output, "output_tokens_details": {"thinking_tokens": used.reasoning}}}
    yield "message_stop", {"type": "message_stop"}


# --- OpenAI: Chat Completions -----------------------------------------------------------------------------------------


def _read_chat(asked: Asked) -> Asked:
    def parts(message: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        content = message.get("content") or ""
        blocks: list[Any] = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if message["role"] == "tool":
            yield "result", (message["tool_call_id"], "\n".join(one["text"] for one in blocks))
            return
        for block in blocks:
            if block["type"] == "image_url":
                yield "picture", block["image_url"]["url"].partition(",")[2]
            elif block["text"]:
                yield "text", block["text"]

    body = asked.body
    system = "\n".join(one["content"] for one in body["messages"] if one["role"] == "system")
    found = [part for one in body["messages"] if one["role"] != "system" for part in parts(one)]
    return _with(asked, found, system=system, tools=[one["function"]["name"] for one in body.get("tools", [])],
                 schema=body.get("response_format", {}).get("json_schema", {}).get("schema"))


def _chat(asked: Asked, turn: Turn, number: int) -> Iterator[Event]:
    base = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1, "model": asked.model}

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> Event:
        return "", {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": None}

    yield chunk({"role": "assistant", "content": None})
    if turn.thought:
        yield chunk({"reasoning_content": turn.thought})
    word = "refusal" if turn.stop == "refused" and turn.text else "content"
    for piece in _pieces(turn):
        yield chunk({word: piece})
    for place, (name, arguments) in enumerate(turn.calls):
        spelled = json.dumps(arguments) if arguments else ""
        yield chunk({"tool_calls": [{"index": place, "id": f"call_{number}_{place}", "type": "function",
                                     "function": {"name": name, "arguments": spelled[:4]}}]})
        yield chunk({"tool_calls": [{"index": place, "function": {"arguments": spelled[4:]}}]})
    stops = {"end": "stop", "calls": "tool_calls", "length": "length", "refused": "stop" if turn.text else "content_filter"}
    yield chunk({}, stops.get(turn.ends, turn.ends))
    yield "", {**base, "choices": [], "usage": _counts(turn.used, "prompt", "completion")}
    yield "", "[DONE]"


def _counts(used: Used, asked: str, answered: str) -> Mapping[str, Any]:
    given = used.input + used.cache_read + used.cache_write
    return {f"{asked}_tokens": given, f"{answered}_tokens": used.output, "total_tokens": given + used.output,
            f"{asked}_tokens_details": {"cached_tokens": used.cache_read, "cache_write_tokens": used.cache_write},
            f"{answered}_tokens_details": {"reasoning_tokens": used.reasoning}}


# --- OpenAI: Responses ------------------------------------------------------------------------------------------------


def _read_responses(asked: Asked) -> Asked:
    def parts(content: Any) -> Iterator[tuple[str, Any]]:
        given: list[Any] = [{"type": "input_text", "text": content}] if isinstance(content, str) else content
        for block in given:
            if block["type"] == "input_image":
                yield "picture", block["image_url"].partition(",")[2]
            else:
                yield "text", block["text"]

    found: list[tuple[str, Any]] = []
    given = asked.body["input"]
    for item in [{"content": given}] if isinstance(given, str) else given:
        inner = list(parts(item.get("content") or item.get("output") or []))
        if item.get("type") == "function_call_output":
            found.append(("result", (item["call_id"], "\n".join(value for what, value in inner if what == "text"))))
            inner = [one for one in inner if one[0] == "picture"]
        found += inner
    return _with(asked, found, system=asked.body.get("instructions", ""), tools=[one["name"] for one in asked.body.get("tools", [])],
                 schema=asked.body.get("text", {}).get("format", {}).get("schema"))


def _responses(asked: Asked, turn: Turn, number: int) -> Iterator[Event]:
    items: list[dict[str, Any]] = []
    if turn.thought:
        items.append({"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": f"sealed:{turn.thought}"})
    refused = turn.stop == "refused" and turn.text
    if text := "".join(_pieces(turn)):
        part = {"type": "refusal", "refusal": text} if refused else {"type": "output_text", "text": text, "annotations": []}
        items.append({"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed", "content": [part]})
    items += [{"type": "function_call", "id": f"fc_{number}_{place}", "call_id": f"call_{number}_{place}", "name": name,
               "arguments": json.dumps(arguments), "status": "completed"} for place, (name, arguments) in enumerate(turn.calls)]
    base = {"id": f"resp_{number}", "object": "response", "model": asked.model, "error": None, "incomplete_details": None}
    yield "response.created", {"type": "response.created", "response": {**base, "status": "in_progress", "output": [], "usage": None}}
    for index, item in enumerate(items):
        yield from _item(index, item, _pieces(turn))
    short = {"length": "max_output_tokens", "refused": "" if refused else "content_filter"}.get(turn.ends, "")
    end = "incomplete" if short else "completed"
    done = {**base, "status": end, "output": items, "usage": _counts(turn.used, "input", "output"),
            "incomplete_details": {"reason": short} if short else None}
    yield f"response.{end}", {"type": f"response.{end}", "response": done}


def _item(index: int, item: Mapping[str, Any], pieces: Sequence[str]) -> Iterator[Event]:
    def event(kind: str, **facts: Any) -> Event:
        return f"response.{kind}", {"type": f"response.{kind}", "output_index": index, "item_id": item["id"], **facts}

    blank: Mapping[str, Mapping[str, Any]] = {"message": {"content": []}, "function_call": {"arguments": ""}}
    yield event("output_item.added", item={**item, **blank.get(item["type"], {})})
    if item["type"] == "message":
        [part] = item["content"]
        kind, word = ("refusal", "refusal") if part["type"] == "refusal" else ("output_text", "text")
        yield event("content_part.added", content_index=0, part={**part, word: ""})
        for piece in pieces:
            yield event(f"{kind}.delta", content_index=0, delta=piece)
    if item["type"] == "function_call":
        yield event("function_call_arguments.delta", delta=item["arguments"])
    yield event("output_item.done", item=item)


# --- Gemini: streamGenerateContent ------------------------------------------------------------------------------------


def _read_gemini(asked: Asked) -> Asked:
    found: list[tuple[str, Any]] = []
    for part in (part for content in asked.body["contents"] for part in content["parts"]):
        if "text" in part:
            found.append(("text", part["text"]))
        elif "inlineData" in part:
            found.append(("picture", part["inlineData"]["data"]))
        elif "functionResponse" in part:
            given = part["functionResponse"]
            found.append(("result", (given.get("id", given["name"]), str(next(iter(given["response"].values()))))))
    system = "\n".join(part["text"] for part in asked.body.get("systemInstruction", {}).get("parts", []))
    tools = [one["name"] for tool in asked.body.get("tools", []) for one in tool["functionDeclarations"]]
    model = asked.path.partition("/models/")[2].partition(":")[0]
    return _with(asked, found, model=model, system=system, tools=tools,
                 schema=asked.body.get("generationConfig", {}).get("responseJsonSchema"))


def _gemini(asked: Asked, turn: Turn, number: int) -> Iterator[Event]:
    used = turn.used
    usage = {"promptTokenCount": used.input + used.cache_read, "cachedContentTokenCount": used.cache_read,
             "candidatesTokenCount": used.output - used.reasoning, "thoughtsTokenCount": used.reasoning}

    def chunk(parts: Sequence[Mapping[str, Any]], finish: str | None = None) -> Event:
        candidate = {"index": 0, "content": {"role": "model", "parts": parts}, **({"finishReason": finish} if finish else {})}
        return "", {"candidates": [candidate], "usageMetadata": usage, "modelVersion": asked.model, "responseId": f"r{number}"}

    if turn.ends == "refused" and turn.text == "blocked":
        yield "", {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": used.input}}
        return
    signature = {"thoughtSignature": "c2lnbmVk"} if turn.thought else {}
    if turn.thought:
        yield chunk([{"text": turn.thought, "thought": True}])
    for piece in _pieces(turn):
        yield chunk([{"text": piece}])
    for place, (name, arguments) in enumerate(turn.calls):
        yield chunk([{"functionCall": {"name": name, "args": arguments}, **(signature if place == 0 else {})}])
    if signature and not turn.calls:
        yield chunk([{"text": "", **signature}])
    stops = {"end": "STOP", "calls": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY"}
    yield chunk([], stops.get(turn.ends, turn.ends))


READERS = {"anthropic": _read_messages, "openai": _read_chat, "openai-responses": _read_responses, "gemini": _read_gemini}
SPEAKERS = {"anthropic": _messages, "openai": _chat, "openai-responses": _responses, "gemini": _gemini}
