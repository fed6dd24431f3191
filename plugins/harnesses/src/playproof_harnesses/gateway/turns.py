"""What was said in an exchange, whatever the protocol: a model's words, thoughts and calls, and what calls before it came to."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import Factory, define, frozen

Json = Mapping[str, Any]


@frozen
class ToolCall:
    id: str
    name: str
    arguments: Mapping[str, Any]


@define
class Turn:
    """A model's turn."""

    words: str = ""
    thought: str = ""
    calls: list[ToolCall] = Factory(list)


@frozen
class ToolResult:
    """What a call came to. Gemini gives no ids: then `id` is empty, and the order tells."""

    id: str
    text: str


def _table(value: Any) -> Json:
    return value if isinstance(value, Mapping) else {}


def _rows(value: Any) -> Iterator[Json]:
    yield from (one for one in value if isinstance(one, Mapping)) if isinstance(value, list) else ()


def _arguments(text: Any) -> Json:
    try:
        return _table(json.loads(text)) if isinstance(text, str) else _table(text)
    except (ValueError, RecursionError):
        return {"unreadable": str(text)[:1000]}


def _text(content: Any) -> str:
    """Of a text, or of blocks of which some are texts."""
    if isinstance(content, str):
        return content
    return "\n".join(str(one.get("text", "")) for one in _rows(content) if "text" in one)


def _place(index: Any, at: int) -> int:
    return index if isinstance(index, int) else at


# --- Anthropic --------------------------------------------------------------------------------------------------------


def _messages(values: Sequence[Json]) -> Turn:
    blocks: dict[int, dict[str, Any]] = {}
    for value in values:
        for at, block in enumerate(_rows(value.get("content"))):
            blocks[at] = dict(block)
        if value.get("type") == "content_block_start":
            blocks[_place(value.get("index"), 0)] = dict(_table(value.get("content_block"))) | {"json": ""}
        if value.get("type") == "content_block_delta" and _place(value.get("index"), 0) in blocks:
            block, delta = blocks[_place(value.get("index"), 0)], _table(value.get("delta"))
            for key, into in (("text", "text"), ("thinking", "thinking"), ("partial_json", "json")):
                block[into] = str(block.get(into) or "") + str(delta.get(key) or "")
    turn = Turn()
    for _, block in sorted(blocks.items()):
        if block.get("type") == "tool_use":
            turn.calls.append(ToolCall(str(block.get("id")), str(block.get("name")), _arguments(block.get("json") or block.get("input"))))
        turn.words += str(block.get("text") or "")
        turn.thought += str(block.get("thinking") or "")
    return turn


def _messages_results(body: Json) -> Iterator[ToolResult]:
    for message in _rows(body.get("messages")):
        for block in _rows(message.get("content")):
            if block.get("type") == "tool_result":
                yield ToolResult(str(block.get("tool_use_id")), _text(block.get("content")))


# --- OpenAI -----------------------------------------------------------------------------------------------------------


def _chat(values: Sequence[Json]) -> Turn:
    turn, calls = Turn(), dict[int, dict[str, str]]()
    for choice in (choice for value in values for choice in _rows(value.get("choices"))):
        said = _table(choice.get("delta") or choice.get("message"))
        turn.words += str(said.get("content") or "")
        turn.thought += str(said.get("reasoning_content") or said.get("reasoning") or "")
        for at, call in enumerate(_rows(said.get("tool_calls"))):
            known = calls.setdefault(_place(call.get("index"), at), {"id": "", "name": "", "arguments": ""})
            function = _table(call.get("function"))
            known["id"] = known["id"] or str(call.get("id") or "")
            known["name"] += str(function.get("name") or "")
            known["arguments"] += str(function.get("arguments") or "")
    turn.calls = [ToolCall(one["id"], one["name"], _arguments(one["arguments"] or "{}")) for _, one in sorted(calls.items())]
    return turn


def _chat_results(body: Json) -> Iterator[ToolResult]:
    for message in _rows(body.get("messages")):
        if message.get("role") == "tool":
            yield ToolResult(str(message.get("tool_call_id")), _text(message.get("content")))


def _responses(values: Sequence[Json]) -> Turn:
    done = [_table(value.get("item")) for value in values if value.get("type") == "response.output_item.done"]
    whole = [item for value in values for item in _rows(_table(value.get("response", value)).get("output"))]
    turn = Turn()
    for item in done or whole:
        if item.get("type") == "message":
            turn.words += _text(item.get("content"))
        if item.get("type") == "reasoning":
            turn.thought += _text(item.get("summary"))
        if item.get("type") in ("function_call", "custom_tool_call"):
            given = _arguments(item["arguments"]) if "arguments" in item else {"input": item.get("input")}
            turn.calls.append(ToolCall(str(item.get("call_id")), str(item.get("name")), given))
    return turn


def _responses_results(body: Json) -> Iterator[ToolResult]:
    for item in _rows(body.get("input")):
        if str(item.get("type", "")).endswith("_call_output"):
            yield ToolResult(str(item.get("call_id")), _text(item.get("output")))


# --- Gemini -----------------------------------------------------------------------------------------------------------


def _gemini(values: Sequence[Json]) -> Turn:
    turn = Turn()
    parts = (part for value in values for candidate in _rows(value.get("candidates"))
             for part in _rows(_table(candidate.get("content")).get("parts")))  # fmt: skip
    for part in parts:
        if part.get("thought"):
            turn.thought += str(part.get("text") or "")
        elif call := part.get("functionCall"):
            turn.calls.append(ToolCall(str(_table(call).get("id") or ""), str(_table(call).get("name")), _table(_table(call).get("args"))))
        else:
            turn.words += str(part.get("text") or "")
    return turn


def _gemini_results(body: Json) -> Iterator[ToolResult]:
    for part in (part for content in _rows(body.get("contents")) for part in _rows(content.get("parts"))):
        if given := _table(part.get("functionResponse")):
            told = _table(given.get("response"))
            yield ToolResult(str(given.get("id") or ""), _text(told.get("output")) or json.dumps(told, ensure_ascii=False))


TURNS: Mapping[str, Callable[[Sequence[Json]], Turn]] = {
    "anthropic": _messages, "openai": _chat, "openai-responses": _responses, "gemini": _gemini}
RESULTS: Mapping[str, Callable[[Json], Iterator[ToolResult]]] = {
    "anthropic": _messages_results, "openai": _chat_results, "openai-responses": _responses_results, "gemini": _gemini_results}
