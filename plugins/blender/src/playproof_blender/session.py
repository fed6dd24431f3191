"""An opened project, as a session: nothing in it moves but its timeline, and what is asked of it becomes evidence."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from playproof.errors import TaskError
from playproof.evidence import Record
from playproof.interfaces import Clock
from playproof.model import TICKS, Ask, Evidence, Observer
from playproof_blender.stages import Staged


@frozen
class Kind:
    """Where a kind of evidence comes from: the stage, and the names of its seals (each prefix matches several)."""

    stage: str
    seal: str
    media_type: str


KINDS: Mapping[str, Kind] = {
    "blender.scene/1": Kind("inspect_project", "scene", "application/json"),
    "blender.shapes/1": Kind("inspect_project", "shapes", "application/x-npz"),
}


class ProjectSession:
    """Implements `Session`. `staged(stage, options)` runs a stage on the project, or gives what it sealed before."""

    def __init__(self, staged: Callable[[str, Mapping[str, Any]], Staged], clock: Clock, record: Record) -> None:
        self._staged, self._clock, self._record = staged, clock, record

    @property
    def frame(self) -> int:
        return TICKS // 24

    def advance(self, ticks: int) -> None:
        """Time in a project is its timeline, which a stage is told: nothing passes here."""

    def observe(self, ask: Ask) -> Sequence[Evidence]:
        """Raises TaskError for a kind that nobody takes, SessionError where Blender hung or died over it."""
        kind = KINDS.get(ask.kind)
        if kind is None:
            raise TaskError(f"a Blender project shows no {ask.kind!r}; it shows {', '.join(KINDS)}")
        staged = self._staged(kind.stage, ask.options)
        sealed = [seal for seal in staged.seals if seal.name == kind.seal and seal.place is not None]
        if not sealed and not staged.whole:
            raise staged.fault()
        return [self._record.add(ask.kind, Observer.OUTSIDE, tick=self._clock.now, source=str((seal.value or {}).get("source", kind.stage)),
                                 blob=seal.read(), media_type=kind.media_type) for seal in sealed]  # fmt: skip

    def witness(self) -> Sequence[Evidence]:
        return []
