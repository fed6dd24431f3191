"""The stage: one clock, and a turn for every actor when it falls due, in the same order every time."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from typing import Any

from attrs import frozen

from playproof.errors import ActorError
from playproof.evidence import Evidences
from playproof.interfaces import Actor, Grading, Session
from playproof.model import Case


class StageClock:
    """Implements `Clock`. Only the lead may wait; what falls due meanwhile is played before `wait` returns.

    Turns are ordered by due time, then by place in the cast. While an actor other than the lead has its turn, `wait`
    raises ActorError: such an actor acts at once and yields the ticks to its next turn."""

    def __init__(self) -> None:
        self.now = 0
        self._session: Session | None = None
        self._turns: list[tuple[int, int, Iterator[int]]] = []
        self._acting: str | None = None

    def bind(self, session: Session, others: Sequence[Actor[Any]]) -> None:
        self._session = session
        self._turns = [(0, order, actor.play(session)) for order, actor in enumerate(others)]
        heapify(self._turns)
        self._play_due()

    def wait(self, ticks: int) -> None:
        if self._acting is not None:
            raise ActorError(f"{self._acting} took {ticks} ticks during its turn; only the lead may: yield them instead")
        if self._session is None:
            raise ActorError("time was asked for before the session was opened")
        if ticks < 0:
            raise ValueError(f"cannot wait {ticks} ticks: time does not go back")
        end = self.now + ticks
        while self.now < end:
            due = min(end, self._turns[0][0]) if self._turns else end
            if due > self.now:
                self._session.advance(due - self.now)
                self.now = due
            self._play_due()

    def _play_due(self) -> None:
        while self._turns and self._turns[0][0] <= self.now:
            due, order, turn = heappop(self._turns)
            self._acting = f"actor {order} of the cast"
            try:
                pause = next(turn, None)
            finally:
                self._acting = None
            if pause is not None:
                if pause <= 0:
                    raise ActorError(f"actor {order} of the cast yielded {pause} ticks; a turn must let time pass")
                heappush(self._turns, (due + pause, order, turn))


@frozen
class Stage:
    """A running session with its clock; `evidence` is what was seen so far."""

    session: Any
    clock: StageClock
    grading: Grading

    @property
    def evidence(self) -> Evidences:
        return self.grading.record.sealed()

    def perform(self, lead: Actor[Any], limit: int) -> None:
        """Let the lead play to its end, or to `limit` ticks. One that takes time by verbs yields 0 where it may be stopped."""
        for pause in lead.play(self.session):
            self.clock.wait(max(0, min(pause, limit - self.clock.now)))
            if self.clock.now >= limit:
                return


@contextmanager
def stage(grading: Grading, case: Case, *, lead_from_cast: bool = False) -> Iterator[Stage]:
    """Open a session for one case, with every other actor of the cast in play. With `lead_from_cast` the first of the
    cast is the lead, and left to `Stage.perform`; otherwise a script leads."""
    clock = StageClock()
    with grading.runtime.open(grading, case, clock) as session:
        clock.bind(session, grading.cast[1:] if lead_from_cast else grading.cast)
        yield Stage(session, clock, grading)
