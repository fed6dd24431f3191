"""The actor `toy.presser`: presses one button again and again."""

from collections.abc import Iterator

from attrs import field, frozen, validators

from playproof.drivers import settings
from playproof.interfaces import Services
from playproof.model import Options, seconds
from playproof_toy.lamp import LampSession


@frozen
class _Settings:
    button: str
    every_s: float = field(default=1.0, validator=validators.gt(0))
    first_s: float = field(default=0.0, validator=validators.ge(0))


class Presser:
    needs = LampSession

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(_Settings, options, "toy.presser")

    def play(self, session: LampSession) -> Iterator[int]:
        if self._settings.first_s:
            yield seconds(self._settings.first_s)
        while True:
            session.press(self._settings.button)
            yield seconds(self._settings.every_s)
