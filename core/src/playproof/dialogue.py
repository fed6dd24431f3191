"""What is said to a model and what it answers: frozen values, the same for every provider."""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from attrs import Factory, evolve, field, frozen

from playproof.canonical import digest
from playproof.model import Options


@frozen
class Text:
    text: str


@frozen
class Picture:
    """An encoded picture; `caption` is told as text before it."""

    data: bytes
    media_type: str = "image/png"
    caption: str = ""


@frozen
class Call:
    """A tool that the model wants called. `id` is the provider's; `arguments` as the model gave them."""

    id: str
    name: str
    arguments: Options = Factory(dict)


@frozen
class Result:
    """What a call gave, told in the next user message."""

    id: str
    content: Sequence[Text | Picture] = ()
    error: bool = False


@frozen
class Opaque:
    """Something of a provider's own (a signed thought, say) that only its driver reads, and hands back unchanged."""

    driver: str
    data: Any


Part = Text | Picture | Call | Result | Opaque


@frozen
class Message:
    """`role` is user or assistant."""

    role: str
    parts: Sequence[Part]


@frozen
class Tool:
    """A tool that the model may call; `schema` is the JSON Schema of its arguments, an object."""

    name: str
    description: str
    schema: Mapping[str, Any]


@frozen
class Request:
    """One turn asked of a model. `schema`: the reply must be JSON of this JSON Schema. `must_call`: it must call a tool.
    None for temperature and seed leaves them to the endpoint."""

    messages: Sequence[Message]
    system: str = ""
    tools: Sequence[Tool] = ()
    schema: Mapping[str, Any] | None = None
    must_call: bool = False
    max_tokens: int = 4096
    temperature: float | None = None
    seed: int | None = None

    @property
    def digest(self) -> str:
        """Identifies what is asked: pictures by their bytes, everything else by its canonical JSON."""
        return digest(spelled(self))


def spelled(request: Request) -> Mapping[str, Any]:
    """A request as JSON data, each picture by its digest. What is left out of a message changes nothing."""
    return {
        "messages": [{"role": one.role, "parts": [_part(part) for part in one.parts]} for one in request.messages],
        "system": request.system, "tools": [[one.name, one.description, dict(one.schema)] for one in request.tools],
        "schema": request.schema, "must_call": request.must_call, "max_tokens": request.max_tokens,
        "temperature": request.temperature, "seed": request.seed,
    }


def _part(part: Part) -> Mapping[str, Any]:
    match part:
        case Text():
            return {"text": part.text}
        case Picture():
            return {"picture": digest(part.data), "media_type": part.media_type, "caption": part.caption}
        case Call():
            return {"call": part.name, "id": part.id, "arguments": dict(part.arguments)}
        case Result():
            return {"result": part.id, "content": [_part(one) for one in part.content], "error": part.error}
    return {"opaque": part.driver, "data": part.data}


class Stop(StrEnum):
    """Why a reply ended."""

    END = "end"
    CALLS = "calls"
    LENGTH = "length"
    REFUSED = "refused"


@frozen
class Tokens:
    """What a request cost. `input` is what was neither read from nor written to the provider's cache; `output` holds
    `reasoning`. `usd` is absent where no price is known, never 0."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    usd: float | None = None

    def __add__(self, other: "Tokens") -> "Tokens":
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Tokens(self.input + other.input, self.output + other.output, self.cache_read + other.cache_read,
                      self.cache_write + other.cache_write, self.reasoning + other.reasoning, usd)


FREE = Tokens(usd=0.0)
"""Nothing asked: what sums begin with."""


@frozen
class Reply:
    """A model's turn. `model` is the name that the endpoint reports; `raw` the reply as it came, as JSON text.

    `tokens` is what it cost now, nothing from a cache; `size` what it cost when it was first given, the same each time."""

    parts: Sequence[Part]
    stop: Stop = Stop.END
    tokens: Tokens = FREE
    model: str = ""
    raw: str = ""
    cached: bool = False
    first_cost: Tokens = FREE

    @property
    def size(self) -> Tokens:
        return self.first_cost if self.cached else self.tokens

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> Sequence[Call]:
        return [part for part in self.parts if isinstance(part, Call)]

    def data(self) -> Any:
        """The text as JSON, a fence of backquotes around it taken off. Raises ValueError where it is none."""
        bare = self.text.strip()
        if bare.startswith("```"):
            bare = bare.strip("`").partition("\n")[2]
        return json.loads(bare)

    def message(self) -> Message:
        """The reply as what the next request carries."""
        return Message("assistant", self.parts)


def from_cache(reply: Reply) -> Reply:
    """The reply, read again: it costs nothing."""
    return evolve(reply, tokens=FREE, cached=True, first_cost=reply.size)


def user(*parts: Part | str) -> Message:
    return Message("user", [Text(part) if isinstance(part, str) else part for part in parts])


_KINDS: Mapping[str, type] = {"text": Text, "call": Call, "opaque": Opaque}


@frozen
class Stored:
    """A reply as JSON data: what a cache and a cassette keep."""

    parts: Sequence[Mapping[str, Any]]
    stop: Stop
    tokens: Tokens
    model: str = ""
    raw: str = ""
    tag: str = field(default="reply/1")


def stored(reply: Reply) -> Stored:
    parts: list[Mapping[str, Any]] = []
    for part in reply.parts:
        match part:
            case Text():
                parts.append({"text": part.text})
            case Call():
                parts.append({"call": {"id": part.id, "name": part.name, "arguments": dict(part.arguments)}})
            case Opaque():
                parts.append({"opaque": {"driver": part.driver, "data": part.data}})
    return Stored(parts, reply.stop, reply.size, reply.model, reply.raw)


def replied(kept: Stored) -> Reply:
    """A stored reply, as it was. Raises ValueError on a part of no known kind."""
    parts: list[Part] = []
    for part in kept.parts:
        kind = next((name for name in _KINDS if name in part), "")
        if not kind:
            raise ValueError(f"a stored reply has a part of no known kind: {sorted(part)}")
        parts.append(Text(part["text"]) if kind == "text" else _KINDS[kind](**part[kind]))
    return Reply(parts, kept.stop, kept.tokens, kept.model, kept.raw)
