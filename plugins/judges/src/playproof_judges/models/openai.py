"""The `openai` model driver: Chat Completions, as OpenAI and many servers speak it (vLLM, llama.cpp, Ollama, gateways)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen, validators

from playproof.dialogue import Call, Message, Opaque, Part, Picture, Request, Result, Stop, Text, Tokens
from playproof_judges.models.endpoint import Home
from playproof_judges.models.events import Event
from playproof_judges.models.hosted import NO_WORDS, Draft, HostedModel, arguments, as_json, data_url, unfinished
from playproof_judges.models.schemas import closed, is_strict, told
from playproof_judges.models.settings import Settings
from playproof_judges.models.sizes import PictureTokens, open_picture, openai_picture

HOME = Home("https://api.openai.com/v1", "OPENAI_API_KEY", "authorization", "Bearer ")

STOPS = {"stop": Stop.END, "tool_calls": Stop.CALLS, "function_call": Stop.CALLS, "length": Stop.LENGTH, "content_filter": Stop.REFUSED}

THOUGHTS = ("reasoning_content", "reasoning")
"""Where servers tell a model's thoughts. They go back with a turn that called tools, since some models need them there."""

Json = dict[str, Any]


@frozen(kw_only=True)
class OpenAISettings(Settings):
    """`detail` is how closely pictures are looked at. `room` names the field that bounds a reply, where a gateway wants the other
    one: by default `max_completion_tokens` at OpenAI, `max_tokens` elsewhere."""

    seed: int | None = None
    detail: str = field(default="", validator=validators.in_(("", "low", "high", "auto", "original")))
    room: str = field(default="", validator=validators.in_(("", "max_tokens", "max_completion_tokens")))


class OpenAIModel(HostedModel[OpenAISettings]):
    driver = provider = "openai"
    home = HOME
    kind = OpenAISettings

    def path(self) -> str:
        return "/chat/completions"

    def body(self, request: Request) -> Mapping[str, Any]:
        chosen = self.settings
        system = told(request, schema=self.in_prompt)
        room = chosen.room or ("max_completion_tokens" if self.endpoint.own else "max_tokens")
        made: Json = {"model": chosen.model, room: request.max_tokens, "stream": True, "stream_options": {"include_usage": True},
                      "messages": [*([{"role": "system", "content": system}] if system else []),
                                   *(spelled for one in request.messages for spelled in _messages(one, chosen.detail))]}
        if request.tools:
            made["tools"] = [{"type": "function", "function": {"name": one.name, "description": one.description, "parameters": one.schema}}
                             for one in request.tools]
            made["tool_choice"] = "required" if request.must_call else "auto"
        if request.schema is not None and not self.in_prompt:
            bound = {"name": "reply", "schema": closed(request.schema), "strict": is_strict(request.schema)}
            made["response_format"] = {"type": "json_schema", "json_schema": bound}
        seed = chosen.seed if request.seed is None else request.seed
        more = {"temperature": request.temperature, "seed": seed, "reasoning_effort": chosen.effort or None}
        return {**made, **{name: value for name, value in more.items() if value is not None}}

    def picture_tokens(self) -> PictureTokens:
        return openai_picture(self.settings.model) if self.endpoint.own else open_picture

    def read(self, stream: Iterator[Event]) -> Draft:
        seen = _Seen()
        for event in stream:
            if event.data is None:
                break
            if error := event.data.get("error"):
                told = error if isinstance(error, dict) else {"message": error}
                raise self.broken(str(told.get("code") or told.get("type") or ""), str(told.get("message", "")), _status(told))
            seen.take(event.data)
        if not seen.finish:
            raise unfinished("no finish_reason")
        return seen.draft()


def _status(error: Mapping[str, Any]) -> int | None:
    """Some servers say the status that the error would have had as its code."""
    code = error.get("code")
    return int(code) if isinstance(code, int) or (isinstance(code, str) and re.fullmatch(r"[45]\d\d", code)) else None


@define
class _Seen:
    """A completion as its chunks build it up."""

    head: Json = field(factory=dict)
    text: str = ""
    refusal: str = ""
    thoughts: dict[str, str] = field(factory=dict)
    calls: dict[int, Json] = field(factory=dict)
    finish: str = ""
    usage: Json = field(factory=dict)

    def take(self, chunk: Mapping[str, Any]) -> None:
        self.head = self.head or {name: chunk[name] for name in ("id", "model", "created", "system_fingerprint") if chunk.get(name)}
        self.usage = chunk.get("usage") or self.usage
        for choice in (chunk.get("choices") or [])[:1]:
            delta = choice.get("delta") or {}
            self.text += delta.get("content") or ""
            self.refusal += delta.get("refusal") or ""
            for name in THOUGHTS:
                if isinstance(said := delta.get(name), str) and said:
                    self.thoughts[name] = self.thoughts.get(name, "") + said
            for place, call in enumerate(delta.get("tool_calls") or []):
                self._call(call, place)
            self.finish = choice.get("finish_reason") or self.finish

    def _call(self, call: Mapping[str, Any], place: int) -> None:
        kept = self.calls.setdefault(call.get("index", place), {"id": "", "name": "", "arguments": ""})
        said = call.get("function") or {}
        kept["id"] = call.get("id") or kept["id"]
        kept["name"] = kept["name"] or said.get("name") or ""
        kept["arguments"] += said.get("arguments") or ""

    def draft(self) -> Draft:
        calls = [self.calls[index] for index in sorted(self.calls)]
        parts: list[Part] = [Opaque(OpenAIModel.driver, dict(self.thoughts))] if self.thoughts else []
        if said := self.text or self.refusal:
            parts.append(Text(said))
        parts += [Call(one["id"] or f"call-{place}", one["name"], arguments(one["arguments"])) for place, one in enumerate(calls)]
        stop = STOPS.get(self.finish, Stop.END)
        if stop is Stop.END:  # servers say "stop" of calls that were forced, and of a refusal
            stop = Stop.REFUSED if self.refusal else Stop.CALLS if calls else Stop.END
        message = {"content": self.text, "refusal": self.refusal, "tool_calls": calls, **self.thoughts}
        raw = {**self.head, "choices": [{"message": message, "finish_reason": self.finish}], "usage": self.usage}
        return Draft(parts, stop, counted(self.usage, "prompt", "completion"), str(self.head.get("model", "")), raw)


def counted(usage: Mapping[str, Any], asked: str, answered: str) -> Tokens:
    """OpenAI counts what its cache gave and took within the input."""
    inside = usage.get(f"{asked}_tokens_details") or {}
    read, written = inside.get("cached_tokens") or 0, inside.get("cache_write_tokens") or 0
    thought = (usage.get(f"{answered}_tokens_details") or {}).get("reasoning_tokens") or 0
    given, told = usage.get(f"{asked}_tokens") or 0, usage.get(f"{answered}_tokens") or 0
    return Tokens(max(0, given - read - written), told, read, written, thought)


def _messages(message: Message, detail: str) -> Iterator[Json]:
    if message.role == "assistant":
        yield _assistant(message)
        return
    shown: list[Json] = []
    for part in message.parts:
        if isinstance(part, Result):
            words = "\n".join(one.text for one in part.content if isinstance(one, Text))
            yield {"role": "tool", "tool_call_id": part.id, "content": f"Error: {words}" if part.error else words}
            seen = [one for one in part.content if isinstance(one, Picture)]
            shown += [_text(f"What the call {part.id} shows:")] if seen else []
            shown += [block for one in seen for block in _blocks(one, detail)]  # a tool's message takes no pictures
        else:
            shown += _blocks(part, detail)
    if shown:
        yield {"role": "user", "content": shown}


def _assistant(message: Message) -> Json:
    calls = [{"id": one.id, "type": "function", "function": {"name": one.name, "arguments": as_json(one.arguments)}}
             for one in message.parts if isinstance(one, Call)]
    words = "".join(one.text for one in message.parts if isinstance(one, Text))
    made: Json = {"role": "assistant", "content": words or (None if calls else NO_WORDS)}
    if calls:
        made["tool_calls"] = calls
        for one in message.parts:
            if isinstance(one, Opaque) and one.driver == OpenAIModel.driver:
                made.update(one.data)
    return made


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _blocks(part: Part, detail: str) -> Sequence[Json]:
    match part:
        case Text():
            return [_text(part.text)]
        case Picture():
            address = {"url": data_url(part), **({"detail": detail} if detail else {})}
            return [*([_text(part.caption)] if part.caption else []), {"type": "image_url", "image_url": address}]
    return []
