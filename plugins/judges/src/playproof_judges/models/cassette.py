"""The `cassette` model driver: another model's replies, recorded once and given again without it, so that CI runs offline and exactly."""

import threading
from collections import Counter
from pathlib import Path
from typing import Literal

from attrs import field, frozen, validators

from playproof.canonical import canonical, plain, short
from playproof.dialogue import FREE, Reply, Request, Tokens, from_cache, replied, spelled
from playproof.drivers import build
from playproof.drivers import settings as read_settings
from playproof.errors import NotRecorded, TaskError
from playproof.interfaces import Model, Services
from playproof.model import Options, Ref
from playproof_judges.models import nearest, tape
from playproof_judges.models.tape import Tape
from playproof_judges.models.words import said


@frozen(kw_only=True)
class CassetteSettings:
    """`path` of the file. `mode`: "replay" never meets the model, "record" always asks it, "auto" asks it for what is not there.
    `model`, the one that is recorded, may be left out of a replay whose cassette has one model only."""

    path: str = field(validator=validators.min_len(1))
    model: Ref | None = None
    mode: Literal["replay", "record", "auto"] = "replay"


class CassetteModel:
    """Satisfies `Model`, with the identity of the model that it stands for: what was judged with one holds for the other.

    The same request asked again (a further vote) is given the next take of it, and recorded as such."""

    driver = "cassette"

    def __init__(self, options: Options, services: Services) -> None:
        self.settings = read_settings(CassetteSettings, options, self.driver)
        path = Path(self.settings.path)
        if self.settings.mode == "replay" and not path.is_file():
            raise TaskError(f"options of 'cassette': there is no file {path}; record it with mode = \"record\" and a model")
        if self.settings.mode != "replay" and self.settings.model is None:
            raise TaskError(f"options of 'cassette': mode = {self.settings.mode!r} wants a `model` to record")
        self._model: Model | None = build("model", self.settings.model, services) if self.settings.model else None
        self._tape = Tape(path)
        self._identity = plain(self._model.identity) if self._model else self._only()
        self._asked: Counter[str] = Counter()
        self._failed: dict[str, list[int]] = {}
        self._lock = threading.Lock()
        services.exits.callback(self._tape.settle)

    def _only(self) -> Options:
        found = {canonical(one.identity): one.identity for one in self._tape.takes()}
        if len(found) != 1:
            names = ", ".join(short(one, 100) for one in found.values())
            raise TaskError(f"options of 'cassette': {self.settings.path} holds {names or 'no model at all'}; name the `model` to replay")
        return next(iter(found.values()))

    @property
    def identity(self) -> Options:
        return self._identity

    @property
    def limit(self) -> int:
        return self._model.limit if self._model and self.settings.mode != "replay" else 64

    def estimate(self, request: Request) -> Tokens:
        """Of a replay, nothing."""
        key = tape.key(self._identity, request)
        if self._model is None or self._replays(key, self._asked[key]):
            return FREE
        return self._model.estimate(request)

    def ask(self, request: Request) -> Reply:
        key = tape.key(self._identity, request)
        number = self._take_number(key)
        if self._replays(key, number):
            return self._given(key, number, request)
        try:
            return self._recorded(request, number)
        except BaseException:
            self._failed.setdefault(key, []).append(number)  # no take came of it: the next who asks records this one
            raise

    def _take_number(self, key: str) -> int:
        with self._lock:
            if failed := self._failed.get(key):
                return failed.pop(0)
            self._asked[key] += 1
            return self._asked[key] - 1

    def _replays(self, key: str, number: int) -> bool:
        mode = self.settings.mode
        return mode == "replay" or (mode == "auto" and self._tape.find(key, number) is not None)

    def _given(self, key: str, number: int, request: Request) -> Reply:
        found = self._tape.find(key, number)
        if found is not None:
            return from_cache(replied(found.reply))
        if number:
            raise NotRecorded(f"{self.settings.path}: this request is recorded {number} times, and is asked once more: {_end(request)}")
        why = nearest.told(self._identity, plain(spelled(request)), self._tape.takes())
        raise NotRecorded(f"{self.settings.path} has no such request: {why}. It ends: {_end(request)}")

    def _recorded(self, request: Request, number: int) -> Reply:
        assert self._model is not None  # the modes that record are refused without one
        reply = self._model.ask(request)
        self._tape.add(tape.take(number, self._identity, request, reply))
        return reply


def _end(request: Request) -> str:
    return short("\n".join(said(request))[-100:])
