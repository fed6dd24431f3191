"""The `scripted` model driver: answers from a list, for tests and for trying things out without a model."""

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import Factory, define, field, frozen, validators

from playproof.canonical import digest, plain, short
from playproof.dialogue import FREE, Call, Part, Reply, Request, Stop, Text, Tokens
from playproof.drivers import settings as read_settings
from playproof.errors import ModelUnavailable, NotRecorded, RequestRejected, TooLarge
from playproof.interfaces import Services
from playproof.model import Options
from playproof_judges.models.prices import Price
from playproof_judges.models.sizes import open_picture, request_tokens, text_tokens
from playproof_judges.models.words import said

FAULTS = {"unavailable": ModelUnavailable, "rejected": RequestRejected, "too_large": TooLarge}


@frozen
class Called:
    name: str
    arguments: Options = Factory(dict)


@frozen
class Line:
    """One reply: `text`, or `data` told as JSON, and `calls`. `when`: only for a request that has these words somewhere. `times`
    it is given; 0 is as often as asked. `fault` is raised in its place."""

    text: str = ""
    data: Any = None
    calls: Sequence[Called] = ()
    stop: Literal["", "end", "calls", "length", "refused"] = ""
    when: str = ""
    times: int = field(default=1, validator=validators.ge(0))
    fault: Literal["", "unavailable", "rejected", "too_large"] = ""


@frozen(kw_only=True)
class ScriptedSettings:
    """`replies`: texts, or tables as `Line`. The first that fits and is not used up answers. With a `price` it costs what its
    characters could cost at most."""

    replies: Sequence[Any]
    model: str = "scripted"
    limit: int = field(default=8, validator=validators.ge(1))
    price: Price | None = None


@define
class _Left:
    """A line with how often it may still be given; None is for ever."""

    line: Line
    times: int | None


class ScriptedModel:
    """Satisfies `Model`. Thread-safe: which of several requests gets which reply is certain only where `when` tells them apart."""

    driver = "scripted"

    def __init__(self, options: Options, services: Services) -> None:
        """Nothing is needed of `services`."""
        self.settings = read_settings(ScriptedSettings, options, self.driver)
        self.asked: list[Request] = []
        self._left = [_Left(line, line.times or None) for line in map(_line, self.settings.replies)]
        self._lock = threading.Lock()

    @property
    def identity(self) -> Options:
        return {"driver": self.driver, "model": self.settings.model, "replies": digest(plain(self.settings.replies))[:16]}

    @property
    def limit(self) -> int:
        return self.settings.limit

    def estimate(self, request: Request) -> Tokens:
        return self._cost(request, request.max_tokens)

    def ask(self, request: Request) -> Reply:
        with self._lock:
            self.asked.append(request)
            number = len(self.asked)
            line = self._next(request)
        if line.fault:
            raise FAULTS[line.fault](f"scripted: {line.text or line.fault}")
        told = line.text if line.data is None else json.dumps(line.data, ensure_ascii=False)
        parts: list[Part] = [Text(told)] if told else []
        parts += [Call(f"call-{number}-{place}", one.name, one.arguments) for place, one in enumerate(line.calls)]
        stop = Stop(line.stop) if line.stop else Stop.CALLS if line.calls else Stop.END
        raw = json.dumps(plain(line), ensure_ascii=False, sort_keys=True)
        return Reply(parts, stop, self._cost(request, text_tokens(raw)), self.settings.model, raw)

    def _cost(self, request: Request, output: int) -> Tokens:
        if self.settings.price is None:
            return FREE
        return self.settings.price.of(Tokens(request_tokens(request, open_picture), min(output, request.max_tokens)))

    def _next(self, request: Request) -> Line:
        words = "\n".join(said(request))
        for left in self._left:
            if left.times != 0 and left.line.when in words:
                left.times = None if left.times is None else left.times - 1
                return left.line
        used = sum(left.times == 0 for left in self._left)
        wanted = ", ".join(repr(left.line.when) for left in self._left if left.times != 0)
        raise NotRecorded(f"scripted {self.settings.model!r}: no reply is left for this request ({used} of {len(self._left)} are used up"
                          f"{'; the others wait for ' + wanted if wanted else ''}); it ends: {short(words[-120:])}")


def _line(given: Any) -> Line:
    return Line(text=given) if isinstance(given, str) else read_settings(Line, _table(given), "scripted")


def _table(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {"a reply that is neither a text nor a table": given}
