"""The `openai-responses` model driver: the Responses API, without anything kept at OpenAI."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen, validators

from playproof.dialogue import Call, Message, Opaque, Part, Picture, Request, Result, Stop, Text
from playproof_judges.models.events import Event
from playproof_judges.models.hosted import Draft, HostedModel, arguments, as_json, data_url, led_somewhere, unfinished
from playproof_judges.models.openai import HOME, Json, counted
from playproof_judges.models.schemas import closed, is_strict, told
from playproof_judges.models.settings import Settings
from playproof_judges.models.sizes import PictureTokens, open_picture, openai_picture

REASONS = re.compile(r"^(o\d|gpt-[5-9](?!.*-chat)|codex)")
"""Models that reason. Others refuse to be asked for their sealed thoughts."""

DONE = ("response.completed", "response.incomplete")


@frozen(kw_only=True)
class ResponsesSettings(Settings):
    """`detail` is how closely pictures are looked at."""

    detail: str = field(default="", validator=validators.in_(("", "low", "high", "auto", "original")))


class ResponsesModel(HostedModel[ResponsesSettings]):
    driver = "openai-responses"
    provider = "openai"
    home = HOME
    kind = ResponsesSettings

    def path(self) -> str:
        return "/responses"

    def body(self, request: Request) -> Mapping[str, Any]:
        chosen = self.settings
        made: Json = {"model": chosen.model, "max_output_tokens": request.max_tokens, "stream": True, "store": False,
                      "input": [item for one in request.messages for item in _items(one, chosen.detail)]}
        if system := told(request, schema=self.in_prompt):
            made["instructions"] = system
        if request.tools:
            made["tools"] = [{"type": "function", "name": one.name, "description": one.description, "parameters": one.schema,
                              "strict": False} for one in request.tools]
            made["tool_choice"] = "required" if request.must_call else "auto"
        if request.schema is not None and not self.in_prompt:
            made["text"] = {"format": {"type": "json_schema", "name": "reply", "schema": closed(request.schema),
                                       "strict": is_strict(request.schema)}}
        if chosen.effort:
            made["reasoning"] = {"effort": chosen.effort}
        if chosen.effort not in ("", "none") or (not chosen.effort and REASONS.match(chosen.model)):
            made["include"] = ["reasoning.encrypted_content"]
        if request.temperature is not None:
            made["temperature"] = request.temperature
        return made

    def picture_tokens(self) -> PictureTokens:
        return openai_picture(self.settings.model) if self.endpoint.own else open_picture

    def read(self, stream: Iterator[Event]) -> Draft:
        seen = _Seen()
        for event in stream:
            data = event.data or {}
            kind = data.get("type", "")
            if kind == "response.output_item.done":
                seen.items[data.get("output_index", len(seen.items))] = data["item"]
            elif kind in DONE:
                return seen.draft(data["response"])
            elif kind in ("response.failed", "error"):
                error = data.get("response", data).get("error") or data
                raise self.broken(str(error.get("code") or error.get("type") or ""), str(error.get("message", "")))
        raise unfinished("no response.completed")


@define
class _Seen:
    """The items of a response as they are finished: the last event repeats them, but not with every server."""

    items: dict[int, Json] = field(factory=dict)

    def draft(self, response: Mapping[str, Any]) -> Draft:
        items = response.get("output") or [self.items[index] for index in sorted(self.items)]
        parts = [part for item in items for part in _parts(item)]
        short = (response.get("incomplete_details") or {}).get("reason", "")
        refused = any(one.get("type") == "refusal" for item in items for one in item.get("content") or ())
        if short == "content_filter" or refused:
            stop = Stop.REFUSED
        elif response.get("status") == "incomplete":
            stop = Stop.LENGTH
        else:
            stop = Stop.CALLS if any(isinstance(one, Call) for one in parts) else Stop.END
        tokens = counted(response.get("usage") or {}, "input", "output")
        return Draft(parts, stop, tokens, str(response.get("model", "")), {**response, "output": items})


def _parts(item: Mapping[str, Any]) -> Sequence[Part]:
    if item["type"] == "message":
        return [Text(one.get("text") or one.get("refusal") or "") for one in item.get("content") or ()]
    if item["type"] == "function_call":
        return [Call(item["call_id"], item["name"], arguments(item.get("arguments") or ""))]
    return [Opaque(ResponsesModel.driver, dict(item))]


def _items(message: Message, detail: str) -> Iterator[Json]:
    """The items of a message in the order of its parts; a user's texts and pictures that stand together are one item."""
    spoken: list[Json] = []
    for part in led_somewhere(message):
        if message.role == "assistant" and isinstance(part, Text):
            yield {"type": "message", "role": message.role, "content": part.text}
            continue
        blocks = _blocks(part, detail)
        spoken += blocks
        if blocks:
            continue
        if spoken:
            yield {"type": "message", "role": message.role, "content": spoken}
            spoken = []
        if isinstance(part, Call):
            yield {"type": "function_call", "call_id": part.id, "name": part.name, "arguments": as_json(part.arguments)}
        elif isinstance(part, Result):
            given = [block for one in part.content for block in _blocks(one, detail)]
            failed = [{"type": "input_text", "text": "Error:"}] if part.error else []
            yield {"type": "function_call_output", "call_id": part.id, "output": [*failed, *given]}
        elif isinstance(part, Opaque) and part.driver == ResponsesModel.driver:
            yield dict(part.data)
    if spoken:
        yield {"type": "message", "role": message.role, "content": spoken}


def _blocks(part: Part, detail: str) -> Sequence[Json]:
    match part:
        case Text():
            return [{"type": "input_text", "text": part.text}]
        case Picture():
            picture = {"type": "input_image", "image_url": data_url(part), **({"detail": detail} if detail else {})}
            return [*([{"type": "input_text", "text": part.caption}] if part.caption else []), picture]
    return []
