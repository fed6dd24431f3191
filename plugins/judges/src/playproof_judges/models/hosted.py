"""What the models behind an endpoint have in common; one subclass for each protocol spells requests and reads streams."""

import base64
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from attrs import asdict, evolve, field, frozen

from playproof.dialogue import Call, Message, Opaque, Part, Picture, Reply, Request, Stop, Text, Tokens
from playproof.drivers import settings as read_settings
from playproof.interfaces import Services
from playproof.model import Options
from playproof_judges.models import prices
from playproof_judges.models.endpoint import Endpoint, Home
from playproof_judges.models.events import Event
from playproof_judges.models.faults import Fault, Refused, Who, of_event
from playproof_judges.models.patience import Passing, Pause
from playproof_judges.models.secret import Secret
from playproof_judges.models.settings import NOT_IDENTITY, Settings
from playproof_judges.models.sizes import PictureTokens, request_tokens

S = TypeVar("S", bound=Settings)

NO_WORDS = "(no words)"
"""Stands for a message without anything in it, which every provider refuses."""


@frozen
class Draft:
    """A reply as a protocol tells it: without its cost, and with whatever the endpoint said, keys included."""

    parts: Sequence[Part]
    stop: Stop
    tokens: Tokens
    model: str
    raw: Mapping[str, Any] = field(factory=dict)


class HostedModel(ABC, Generic[S]):
    """A model behind an HTTP endpoint; satisfies `Model`. `pause` waits between tries: for tests that do not."""

    driver: ClassVar[str]
    provider: ClassVar[str]
    home: ClassVar[Home]
    kind: type[S]

    def __init__(self, options: Options, services: Services, pause: Pause | None = None) -> None:
        self.settings = read_settings(self.kind, options, self.driver)
        self.endpoint = Endpoint(self.driver, self.home, self.settings, services, pause)

    # --- what a protocol says ---

    @abstractmethod
    def path(self) -> str: ...
    @abstractmethod
    def body(self, request: Request) -> Mapping[str, Any]: ...
    @abstractmethod
    def read(self, stream: Iterator[Event]) -> Draft:
        """Raises Passing for a stream that is not whole; `self.broken` makes the error of one that says so itself."""

    @abstractmethod
    def picture_tokens(self) -> PictureTokens: ...

    # --- Model ---

    @property
    def identity(self) -> Options:
        chosen = asdict(self.settings, filter=lambda one, value: one.name not in NOT_IDENTITY and value not in (None, ""))
        if self.endpoint.own:
            chosen.pop("base_url", None)
        return {"driver": self.driver, **chosen}

    @property
    def limit(self) -> int:
        return self.settings.limit

    def estimate(self, request: Request) -> Tokens:
        asked = self.settled(request)
        tokens = Tokens(input=request_tokens(asked, self.picture_tokens()), output=asked.max_tokens)
        price = self.price
        return tokens if price is None else price.at_most(tokens)

    def ask(self, request: Request) -> Reply:
        secret = self.endpoint.secret()
        try:
            draft = self.endpoint.exchange(self.path(), self.body(self.settled(request)), self.read)
        except Refused as refusal:
            draft = Draft([], Stop.REFUSED, Tokens(), self.settings.model, {"refused": str(refusal)})
        price = self.price
        if draft.parts and draft.tokens == Tokens():  # a server that counts nothing: a budget must fill all the same
            tokens = self.estimate(request)
        else:
            tokens = draft.tokens if price is None else price.of(draft.tokens)
        raw = json.dumps(secret.hide_in(dict(draft.raw)), ensure_ascii=False, sort_keys=True)
        return Reply([_hidden(part, secret) for part in draft.parts], draft.stop, tokens, secret.hide(draft.model), raw)

    # --- for protocols ---

    @property
    def price(self) -> prices.Price | None:
        """The user's own, or the table's at the provider's own address: what others take for a model is not known."""
        return self.settings.price or (prices.known(self.provider, self.settings.model) if self.endpoint.own else None)

    def settled(self, request: Request) -> Request:
        """The request with the settings' own values where they hold."""
        chosen = self.settings
        return evolve(request, max_tokens=chosen.max_tokens or request.max_tokens,
                      temperature=chosen.temperature if request.temperature is None else request.temperature)

    @property
    def in_prompt(self) -> bool:
        return self.settings.schema == "prompt"

    def broken(self, kind: str, words: str, status: int | None = None) -> Fault:
        """The error of a stream that tells of a fault itself."""
        who = Who(self.driver, self.settings.model, str(self.endpoint.url), self.endpoint.secret())
        return of_event(who, kind, words, status)


def unfinished(what: str) -> Passing:
    return Passing(f"its stream ends before the reply does ({what})")


def arguments(text: str) -> Options:
    """The arguments of a call from their JSON text. What is no JSON object is handed on, for a judge to complain of."""
    try:
        value = json.loads(text) if text.strip() else {}
    except ValueError:
        return {"not_json": text}
    return value if isinstance(value, dict) else {"not_an_object": value}


def led_somewhere(message: Message) -> Sequence[Part]:
    """A message's parts without thoughts at its end, which were cut off before they led to a word or a call: no provider takes
    them back."""
    parts = list(message.parts)
    while parts and isinstance(parts[-1], Opaque):
        parts.pop()
    return parts


def as_json(arguments: Options) -> str:
    return json.dumps(dict(arguments), ensure_ascii=False)


def in_base64(picture: Picture) -> str:
    return base64.b64encode(picture.data).decode("ascii")


def data_url(picture: Picture) -> str:
    return f"data:{picture.media_type};base64,{in_base64(picture)}"


def _hidden(part: Part, secret: Secret) -> Part:
    match part:
        case Text():
            return Text(secret.hide(part.text))
        case Call():
            return Call(secret.hide(part.id), secret.hide(part.name), secret.hide_in(dict(part.arguments)))
        case Opaque():
            return Opaque(part.driver, secret.hide_in(part.data))
    return part
