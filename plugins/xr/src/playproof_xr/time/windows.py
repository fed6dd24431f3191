"""Which part of the recorded time a statement is about. Ticks, both ends included; `now` is when it is asked."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from playproof.errors import ExpectationFailed
from playproof_xr.time.track import spelled_time

Events = Sequence[Mapping[str, Any]]


@frozen
class Window(ABC):
    """`label` is how messages spell it."""

    label: str

    @abstractmethod
    def span(self, now: int, events: Events) -> tuple[int, int]:
        """From which tick to which. `events` are those of `xr.events/1`, where `asks_events`."""

    @property
    def asks_events(self) -> bool:
        return False


@frozen
class _Last(Window):
    ticks: int

    def span(self, now: int, events: Events) -> tuple[int, int]:
        return max(now - self.ticks, 0), now


@frozen
class _Between(Window):
    start: int
    end: int | None

    def span(self, now: int, events: Events) -> tuple[int, int]:
        return self.start, now if self.end is None else self.end


@frozen
class _Since(Window):
    kind: str
    handedness: str | None

    @property
    def asks_events(self) -> bool:
        return True

    def span(self, now: int, events: Events) -> tuple[int, int]:
        alike = [one for one in events if one["kind"] == self.kind and self.handedness in (None, one.get("handedness"))]
        met = [one["tick"] for one in alike if one["tick"] >= 0]
        if not met:
            raise ExpectationFailed(f"there was no {self.label.removeprefix('since ')}", "never", self.label.removeprefix("since "))
        return int(met[-1]), now


def last(ticks: int) -> Window:
    """The last so many ticks: `last(seconds(0.5))`."""
    if ticks <= 0:
        raise ValueError(f"a window of {ticks} ticks holds nothing")
    return _Last(f"in the last {spelled_time(ticks)}", ticks)


def between(start: int, end: int) -> Window:
    """From one tick of the session's clock (`xr.clock.now`) to another."""
    if end < start:
        raise ValueError(f"time does not go back from {start} to {end}")
    return _Between(f"between {spelled_time(start)} and {spelled_time(end)}", start, end)


def since(event: str | int, hand: str | Any | None = None) -> Window:
    """From the last event of a kind ("selectstart", "select", "selectend", "squeezestart", "connected", ...), of any hand or of one
    ("left", "right", or `xr.right`), until now; or from a tick. An event that never came fails the expectation."""
    if isinstance(event, int):
        return _Between(f"since {spelled_time(event)}", event, None)
    side = hand if hand is None or isinstance(hand, str) else str(hand.side)
    return _Since(f"since {event}" + (f" of the {side} hand" if side else ""), event, side)


def whole() -> Window:
    """All that was recorded."""
    return _Between("in the whole session", 0, None)
