"""The `gemini` model driver: generateContent, streamed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from attrs import define, field, frozen, validators

from playproof.dialogue import Call, Message, Opaque, Part, Picture, Request, Result, Stop, Text, Tokens
from playproof_judges.models.endpoint import Home
from playproof_judges.models.events import Event
from playproof_judges.models.hosted import NO_WORDS, Draft, HostedModel, in_base64, unfinished
from playproof_judges.models.schemas import closed, told
from playproof_judges.models.settings import Settings
from playproof_judges.models.sizes import PictureTokens, gemini_picture

REFUSED = frozenset({"SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "RECITATION", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT",
                     "LANGUAGE"})
"""Reasons for which a reply is withheld. MALFORMED_FUNCTION_CALL and OTHER are an end: what there is, is handed on."""

OURS = "~"
"""Begins the id of a call that came without one. It is ours, and not sent."""

Json = dict[str, Any]


@frozen(kw_only=True)
class GeminiSettings(Settings):
    """`effort` is the thinking level, from Gemini 3 on; `thinking_tokens` what Gemini 2.5 may think with (0: nothing, -1: as it likes)."""

    seed: int | None = None
    thinking_tokens: int | None = field(default=None, validator=validators.optional(validators.ge(-1)))


class GeminiModel(HostedModel[GeminiSettings]):
    """With tools a schema stands in the prompt: older models take one or the other."""

    driver = provider = "gemini"
    home = Home("https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY", "x-goog-api-key")
    kind = GeminiSettings

    def path(self) -> str:
        return f"/models/{quote(self.settings.model.removeprefix('models/'), safe='')}:streamGenerateContent?alt=sse"

    def body(self, request: Request) -> Mapping[str, Any]:
        in_prompt = self.in_prompt or bool(request.tools)
        names = {part.id: part.name for one in request.messages for part in one.parts if isinstance(part, Call)}
        made: Json = {"contents": [_content(one, names) for one in request.messages],
                      "generationConfig": self._generation(request, in_prompt)}
        if system := told(request, schema=in_prompt):
            made["systemInstruction"] = {"parts": [{"text": system}]}
        if request.tools:
            functions = [{"name": one.name, "description": one.description, "parametersJsonSchema": one.schema} for one in request.tools]
            made["tools"] = [{"functionDeclarations": functions}]
            made["toolConfig"] = {"functionCallingConfig": {"mode": "ANY" if request.must_call else "AUTO"}}
        return made

    def _generation(self, request: Request, in_prompt: bool) -> Json:
        chosen = self.settings
        made: Json = {"maxOutputTokens": request.max_tokens}
        if request.schema is not None and not in_prompt:
            made |= {"responseMimeType": "application/json", "responseJsonSchema": closed(request.schema)}
        thinking: Json = {"thinkingLevel": chosen.effort} if chosen.effort else {}
        if chosen.thinking_tokens is not None:
            thinking["thinkingBudget"] = chosen.thinking_tokens
        if thinking:
            made["thinkingConfig"] = thinking
        seed = chosen.seed if request.seed is None else request.seed
        more = {"temperature": request.temperature, "seed": seed}
        return {**made, **{name: value for name, value in more.items() if value is not None}}

    def picture_tokens(self) -> PictureTokens:
        return gemini_picture

    def read(self, stream: Iterator[Event]) -> Draft:
        seen = _Seen()
        for event in stream:
            data = event.data or {}
            if error := data.get("error"):
                raise self.broken(str(error.get("status", "")), str(error.get("message", "")), error.get("code"))
            seen.take(data)
        if not (seen.finish or seen.blocked):
            raise unfinished("no finishReason")
        return seen.draft()


@define
class _Seen:
    """A response as its chunks build it up."""

    parts: list[Json] = field(factory=list)
    finish: str = ""
    blocked: str = ""
    usage: Json = field(factory=dict)
    head: Json = field(factory=dict)

    def take(self, chunk: Mapping[str, Any]) -> None:
        self.usage.update(chunk.get("usageMetadata") or {})
        self.head.update({name: chunk[name] for name in ("modelVersion", "responseId", "promptFeedback") if chunk.get(name)})
        self.blocked = (chunk.get("promptFeedback") or {}).get("blockReason") or self.blocked
        for candidate in (chunk.get("candidates") or [])[:1]:
            self.finish = candidate.get("finishReason") or self.finish
            for part in (candidate.get("content") or {}).get("parts") or []:
                self._add(part)

    def _add(self, part: Json) -> None:
        """Pieces of one text are one part; what is signed stays as it came."""
        last = self.parts[-1] if self.parts else {}
        if set(part) - {"thought"} == {"text"} and "text" in last and "thoughtSignature" not in last \
                and last.get("thought") == part.get("thought"):
            last["text"] += part["text"]
        else:
            self.parts.append(dict(part))

    def draft(self) -> Draft:
        parts: list[Part] = [_part(one, f"{OURS}{self.head.get('responseId', '')}-{place}") for place, one in enumerate(self.parts)
                             if ("text" in one or "functionCall" in one) and not one.get("thought") and one.get("text") != ""]
        if any("thoughtSignature" in one for one in self.parts):
            parts.append(Opaque(GeminiModel.driver, {"parts": self.parts}))
        if self.blocked or self.finish in REFUSED:
            stop = Stop.REFUSED
        elif self.finish == "MAX_TOKENS":
            stop = Stop.LENGTH
        else:
            stop = Stop.CALLS if any(isinstance(one, Call) for one in parts) else Stop.END
        raw = {**self.head, "candidates": [{"content": {"parts": self.parts}, "finishReason": self.finish}], "usageMetadata": self.usage}
        return Draft(parts, stop, _counted(self.usage), str(self.head.get("modelVersion", "")), raw)


def _counted(usage: Mapping[str, Any]) -> Tokens:
    """Google counts cached tokens within the prompt, and thoughts beside the output."""
    read, thought = usage.get("cachedContentTokenCount") or 0, usage.get("thoughtsTokenCount") or 0
    given = (usage.get("promptTokenCount") or 0) + (usage.get("toolUsePromptTokenCount") or 0)
    return Tokens(max(0, given - read), (usage.get("candidatesTokenCount") or 0) + thought, read, 0, thought)


def _part(part: Mapping[str, Any], id: str) -> Part:
    if "functionCall" not in part:
        return Text(part["text"])
    call = part["functionCall"]
    return Call(call.get("id") or id, call["name"], call.get("args") or {})


def _content(message: Message, names: Mapping[str, str]) -> Json:
    """What the model itself said and signed goes back whole, in the place of what we read in it."""
    signed = [one for one in message.parts if isinstance(one, Opaque) and one.driver == GeminiModel.driver]
    if signed:
        return {"role": "model", "parts": signed[0].data["parts"]}
    role = "model" if message.role == "assistant" else "user"
    return {"role": role, "parts": [spelled for part in message.parts for spelled in _spelled(part, names)] or [{"text": NO_WORDS}]}


def _id(id: str) -> Json:
    return {} if id.startswith(OURS) else {"id": id}


def _spelled(part: Part, names: Mapping[str, str]) -> Sequence[Json]:
    match part:
        case Text():
            return [{"text": part.text}]
        case Picture():
            inline = {"inlineData": {"mimeType": part.media_type, "data": in_base64(part)}}
            return [*([{"text": part.caption}] if part.caption else []), inline]
        case Call():
            return [{"functionCall": {**_id(part.id), "name": part.name, "args": dict(part.arguments)}}]
        case Result():
            words = "\n".join(one.text for one in part.content if isinstance(one, Text))
            given = {**_id(part.id), "name": names.get(part.id, part.id), "response": {"error" if part.error else "output": words}}
            seen = [spelled for one in part.content if isinstance(one, Picture) for spelled in _spelled(one, names)]
            return [{"functionResponse": given}, *seen]
    return []
