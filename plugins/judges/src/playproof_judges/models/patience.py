"""How often a request is tried again, how long is waited in between, and when enough is enough."""

import random
import time
from collections import Counter
from collections.abc import Callable

from attrs import define, field

from playproof.errors import ModelUnavailable

FIRST_S, LONGEST_S = 1.0, 60.0
"""The first wait, which doubles each time, and the longest that we choose ourselves."""

Pause = Callable[[float], object]


class Passing(Exception):
    """A fault that may be gone the next time. `after_s` is what the endpoint asks us to wait."""

    def __init__(self, what: str, after_s: float | None = None) -> None:
        super().__init__(what)
        self.what, self.after_s = what, after_s


@define
class Patience:
    """The tries of one request: at most `retries` more than the first, and `total_s` seconds for all with their waits.

    A wait is half to all of 1, 2, 4, ... 60 s, so that many who were refused together do not return together; it is never
    shorter than the endpoint asks for. `pause` waits."""

    who: str
    retries: int
    total_s: float
    pause: Pause
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random
    _met: list[str] = field(factory=list)
    _begun: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._begun = self.clock()

    @property
    def left_s(self) -> float:
        return self.total_s - (self.clock() - self._begun)

    def wait(self, fault: Passing) -> None:
        """Wait before the next try. Raises ModelUnavailable when there is none."""
        self._met.append(fault.what)
        if len(self._met) > self.retries:
            raise ModelUnavailable(self._told(""))
        wait_s = self._wait_s(fault.after_s)
        if wait_s >= self.left_s:
            asks = "" if fault.after_s is None else f"; it asks for {fault.after_s:g} s more"
            raise ModelUnavailable(self._told(f", and {self.total_s:g} s are all that is waited{asks}"))
        self.pause(wait_s)

    def _wait_s(self, asked_s: float | None) -> float:
        own = min(LONGEST_S, FIRST_S * 2.0 ** (len(self._met) - 1))
        own *= 0.5 + self.chance() / 2
        return own if asked_s is None else max(own, asked_s + self.chance())

    def _told(self, end: str) -> str:
        took, tries = self.clock() - self._begun, len(self._met)
        faults = "; ".join(what if count == 1 else f"{count} times: {what}" for what, count in Counter(self._met).items())
        return f"{self.who} does not answer: {tries} {'try' if tries == 1 else 'tries'} in {took:.1f} s{end} ({faults})"
