"""The model `toy.parrot`: answers by what stands in the request. It needs no network and costs what it is told to cost."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from playproof.dialogue import Reply, Request, Stop, Text, Tokens
from playproof.drivers import settings
from playproof.errors import ModelUnavailable, NotAllowed
from playproof.interfaces import Services
from playproof.model import Options

_LOCK = threading.Lock()


@frozen
class _Settings:
    """`answers`: pairs (what must stand in the last message, the reply); REFUSE, DOWN, DENY and SLOW are no words but deeds. `log`: a file
    that gets a line for each request. `usd`: what one costs; absent, no price is known."""

    model: str
    answers: Sequence[Sequence[str]] = ()
    log: str | None = None
    usd: float | None = None
    limit: int = 4
    slow_s: float = 0.0


class Parrot:
    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(_Settings, options, "toy.parrot")

    @property
    def identity(self) -> Options:
        return {"driver": "toy.parrot", "model": self._settings.model}

    @property
    def limit(self) -> int:
        return self._settings.limit

    def estimate(self, request: Request) -> Tokens:
        return Tokens(1000, 100, usd=self._settings.usd)

    def ask(self, request: Request) -> Reply:
        told = "".join(part.text for message in request.messages for part in message.parts if isinstance(part, Text))
        if self._settings.log:
            with _LOCK, Path(self._settings.log).open("a") as log:
                log.write(told.replace("\n", " ") + "\n")
        said = next((reply for part, reply in self._settings.answers if part in told), "I do not know.")
        match said:
            case "REFUSE":
                return Reply([Text("I cannot help with that.")], Stop.REFUSED, Tokens(900, 9, usd=self._settings.usd), "parrot")
            case "DOWN":
                raise ModelUnavailable("toy.parrot: asked 3 times in 1 s, and it is down")
            case "DENY":
                raise NotAllowed("toy.parrot: 401: the key in PARROT_KEY was refused")
            case "SLOW":
                time.sleep(self._settings.slow_s)
        return Reply([Text(said)], Stop.END, Tokens(900, 9, usd=self._settings.usd), "parrot", said)
