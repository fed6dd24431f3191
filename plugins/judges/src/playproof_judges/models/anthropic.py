"""The `anthropic` model driver: the Messages API."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen, validators

from playproof.dialogue import Call, Message, Opaque, Part, Picture, Reply, Request, Result, Stop, Text, Tokens
from playproof.errors import RequestRejected
from playproof.interfaces import Services
from playproof.model import Options
from playproof_judges.models.endpoint import Home
from playproof_judges.models.events import Event
from playproof_judges.models.hosted import NO_WORDS, Draft, HostedModel, arguments, in_base64, led_somewhere, unfinished
from playproof_judges.models.patience import Pause
from playproof_judges.models.schemas import closed, told
from playproof_judges.models.settings import Settings
from playproof_judges.models.sizes import PictureTokens, anthropic_picture

STOPS = {"end_turn": Stop.END, "stop_sequence": Stop.END, "pause_turn": Stop.END, "tool_use": Stop.CALLS, "max_tokens": Stop.LENGTH,
         "model_context_window_exceeded": Stop.LENGTH, "refusal": Stop.REFUSED}

DELTAS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""What a delta of a kind adds to in its block; input_json_delta is kept apart, since it is JSON in pieces."""


FORCED = re.compile(r"tool_choice|tool use|forc\w+ tool", re.IGNORECASE)
"""The words in which a model says that it is not to be made to call a tool."""


@frozen(kw_only=True)
class AnthropicSettings(Settings):
    """`thinking`: "adaptive", or tokens to think with for older models; by default the model's own way. `effort` says how much."""

    thinking: str = field(default="", validator=validators.in_(("", "adaptive", "disabled")))
    thinking_tokens: int | None = field(default=None, validator=validators.optional(validators.ge(1024)))


class AnthropicModel(HostedModel[AnthropicSettings]):
    """Its newest models think always and cannot be made to call a tool. So `must_call` is first asked for by the protocol, and
    where a model refuses that, from then on in words."""

    driver = provider = "anthropic"
    home = Home("https://api.anthropic.com", "ANTHROPIC_API_KEY", "x-api-key", headers={"anthropic-version": "2023-06-01"})
    kind = AnthropicSettings

    def __init__(self, options: Options, services: Services, pause: Pause | None = None) -> None:
        super().__init__(options, services, pause)
        self._forces = not self.settings.thinking_tokens and self.settings.thinking != "adaptive"

    def ask(self, request: Request) -> Reply:
        try:
            return super().ask(request)
        except RequestRejected as fault:
            if not (request.must_call and self._forces and FORCED.search(str(fault))):
                raise
        self._forces = False
        return super().ask(request)

    def path(self) -> str:
        return "/v1/messages"

    def body(self, request: Request) -> Mapping[str, Any]:
        chosen = self.settings
        made: dict[str, Any] = {"model": chosen.model, "max_tokens": request.max_tokens, "stream": True,
                                "messages": [_message(one) for one in request.messages]}
        if system := told(request, schema=self.in_prompt, must_call=request.must_call and not self._forces):
            made["system"] = system
        if request.tools:
            made["tools"] = [{"name": one.name, "description": one.description, "input_schema": one.schema} for one in request.tools]
            made["tool_choice"] = {"type": "any" if request.must_call and self._forces else "auto"}
        output: dict[str, Any] = {"effort": chosen.effort} if chosen.effort else {}
        if request.schema is not None and not self.in_prompt:
            output["format"] = {"type": "json_schema", "schema": closed(request.schema)}
        if output:
            made["output_config"] = output
        if chosen.thinking_tokens:
            made["thinking"] = {"type": "enabled", "budget_tokens": chosen.thinking_tokens}
        elif chosen.thinking:
            made["thinking"] = {"type": chosen.thinking}
        if request.temperature is not None:
            made["temperature"] = request.temperature
        return made

    def picture_tokens(self) -> PictureTokens:
        return anthropic_picture

    def read(self, stream: Iterator[Event]) -> Draft:
        seen = _Seen()
        for event in stream:
            data = event.data or {}
            if data.get("type") == "error":
                error = data.get("error", {})
                raise self.broken(str(error.get("type", "")), str(error.get("message", "")))
            seen.take(data)
            if data.get("type") == "message_stop":
                return seen.draft()
        raise unfinished("no message_stop")


@define
class _Seen:
    """A message as its events build it up."""

    message: dict[str, Any] = field(factory=dict)
    blocks: dict[int, dict[str, Any]] = field(factory=dict)
    spoken: dict[int, str] = field(factory=dict)
    usage: dict[str, Any] = field(factory=dict)

    def take(self, data: Mapping[str, Any]) -> None:
        match data.get("type"):
            case "message_start":
                self.message = dict(data.get("message", {}))
                self.usage.update(self.message.get("usage") or {})
            case "content_block_start":
                self.blocks[data["index"]] = dict(data["content_block"])
            case "content_block_delta":
                self._delta(data["index"], data["delta"])
            case "message_delta":
                self.message.update(data.get("delta", {}))
                self.usage.update({name: value for name, value in (data.get("usage") or {}).items() if value is not None})

    def _delta(self, index: int, delta: Mapping[str, Any]) -> None:
        if delta.get("type") == "input_json_delta":
            self.spoken[index] = self.spoken.get(index, "") + delta["partial_json"]
        elif name := DELTAS.get(delta.get("type", "")):
            block = self.blocks[index]
            block[name] = block.get(name, "") + delta[name]

    def draft(self) -> Draft:
        blocks = [self.blocks[index] for index in sorted(self.blocks)]
        for index, text in self.spoken.items():
            self.blocks[index]["input"] = arguments(text)
        usage = self.usage
        thought = (usage.get("output_tokens_details") or {}).get("thinking_tokens") or 0
        tokens = Tokens(usage.get("input_tokens") or 0, usage.get("output_tokens") or 0, usage.get("cache_read_input_tokens") or 0,
                        usage.get("cache_creation_input_tokens") or 0, thought)
        raw = {**self.message, "content": blocks, "usage": usage}
        stop = STOPS.get(self.message.get("stop_reason") or "", Stop.END)
        return Draft([_part(one) for one in blocks], stop, tokens, str(self.message.get("model", "")), raw)


def _part(block: Mapping[str, Any]) -> Part:
    if block["type"] == "text":
        return Text(block["text"])
    if block["type"] == "tool_use":
        return Call(block["id"], block["name"], block["input"])
    return Opaque(AnthropicModel.driver, dict(block))


def _message(message: Message) -> Mapping[str, Any]:
    content = [block for part in led_somewhere(message) for block in _blocks(part)]
    return {"role": message.role, "content": content or _blocks(Text(NO_WORDS))}


def _blocks(part: Part) -> Sequence[Mapping[str, Any]]:
    match part:
        case Text():
            return [{"type": "text", "text": part.text}] if part.text.strip() else []  # a block without words is refused
        case Picture():
            source = {"type": "base64", "media_type": part.media_type, "data": in_base64(part)}
            return [*_blocks(Text(part.caption)), {"type": "image", "source": source}]
        case Call():
            return [{"type": "tool_use", "id": part.id, "name": part.name, "input": dict(part.arguments)}]
        case Result():
            content = [block for one in part.content for block in _blocks(one)]
            return [{"type": "tool_result", "tool_use_id": part.id, "content": content, "is_error": part.error}]
        case Opaque():
            return [part.data] if part.driver == AnthropicModel.driver else []
