"""An opened project, as a session: nothing in it moves but its timeline, and what is asked of it becomes evidence."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from playproof.canonical import canonical, plain
from playproof.errors import SessionError, TaskError
from playproof.evidence import Record
from playproof.interfaces import Bench, Clock
from playproof.model import TICKS, Ask, Evidence, Observer, Options
from playproof_blender import expected, views
from playproof_blender.sealed import Seal
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
    "blender.rig/1": Kind("rig", "rig", "application/json"),
    "blender.motion/1": Kind("motion", "motion", "application/json"),
    "blender.physics/1": Kind("physics", "physics", "application/json"),
}


CAMERAS = "blender.cameras/1"


@frozen
class Proposal:
    """`blender.cameras/1`: what the model of that name proposed when it was asked for `request` (its digest) by that `prompt`. `cameras`
    are those that can be used, `faults` says what of it cannot; `why` there are none, if there are none."""

    model: str
    cameras: Sequence[Mapping[str, Any]] = ()
    faults: Sequence[str] = ()
    why: str = ""
    prompt: int | None = None
    request: str | None = None
    reply: str = ""
    tokens: Mapping[str, Any] | None = None

    @property
    def told(self) -> Mapping[str, Any]:
        """In short, for `blender.views/1`."""
        return {"model": self.model, "cameras": len(self.cameras), "faults": list(self.faults), "why": self.why or None}


class ProjectSession:
    """Implements `Session`. `staged(stage, options)` runs a stage on the project, or gives what it sealed before. `bench` are the models
    that play, `brief` is what the agent was told; `proposer` is asked for cameras before the first picture is taken."""

    def __init__(
        self, staged: Callable[[str, Mapping[str, Any]], Staged], clock: Clock, record: Record,
        look: Callable[[str, Options], Sequence[views.Taken]], wished: Options, held: expected.Expected,
        bench: Bench | None = None, brief: str = "",
    ) -> None:
        """`look(kind, options)` gives views and pictures, or films; `wished` are the options for them where an ask has none."""
        self._staged, self._clock, self._record, self._look, self._wished = staged, clock, record, look, wished
        self._held = held
        self.bench, self.brief = bench, brief
        self.proposer: Callable[[ProjectSession], Proposal] | None = None
        self._proposal: Proposal | None = None
        self._looked: dict[tuple[bool, bytes], Sequence[Evidence]] = {}

    @property
    def frame(self) -> int:
        return TICKS // 24

    def advance(self, ticks: int) -> None:
        """Time in a project is its timeline, which a stage is told: nothing passes here."""

    def observe(self, ask: Ask) -> Sequence[Evidence]:
        """Raises TaskError for a kind that nobody takes, SessionError where Blender hung or died over it."""
        if ask.kind in views.KINDS:
            return self._views(ask.kind, ask.options or self._wished)
        if ask.kind in expected.KINDS:
            return [self._record.add(ask.kind, Observer.HELD, tick=self._clock.now, source=one.source, value=one.value, blob=one.blob,
                                     media_type=one.media_type) for one in self._held.entries(ask.kind, ask.options)]  # fmt: skip
        kind = KINDS.get(ask.kind)
        if kind is None:
            raise TaskError(f"a Blender project shows no {ask.kind!r}; it shows {', '.join([*KINDS, *views.KINDS, *expected.KINDS])}")
        sealed, fault = self._sealed(kind, ask.options)
        if fault is not None:
            raise fault
        return [self._record.add(ask.kind, Observer.OUTSIDE, tick=self._clock.now, source=str((seal.value or {}).get("source", kind.stage)),
                                 blob=seal.read(), media_type=kind.media_type) for seal in sealed]  # fmt: skip

    def _sealed(self, kind: Kind, options: Options) -> tuple[Sequence[Seal], SessionError | None]:
        staged = self._staged(kind.stage, options)
        sealed = [seal for seal in staged.seals if seal.name == kind.seal and seal.place is not None]
        return sealed, None if sealed else staged.fault(kind.seal)

    def scene(self) -> Mapping[str, Any]:
        """`blender.scene/1`, which nobody is told that it was looked at. Raises SessionError where the project cannot be read."""
        sealed, fault = self._sealed(KINDS["blender.scene/1"], {})
        if fault is not None:
            raise fault
        value: Mapping[str, Any] = json.loads(sealed[0].read())
        return value

    def _proposed(self) -> Proposal | None:
        """Asked for once, and written down as it came."""
        if self.proposer is not None and self._proposal is None:
            self._proposal = self.proposer(self)
            self._record.add(CAMERAS, Observer.OUTSIDE, tick=self._clock.now, source=f"actor: {self._proposal.model}",
                             value=plain(self._proposal))  # fmt: skip
        return self._proposal

    def _views(self, kind: str, options: Options) -> Sequence[Evidence]:
        """All that one look gives: what was looked at, pictures, films; written down once, however many of its kinds are asked for."""
        proposal = self._proposed()
        if proposal is not None and proposal.cameras:
            options = {**options, "cameras": list(proposal.cameras)}
        key = (views.is_film_alone(kind, options), canonical(dict(options)))
        if key not in self._looked:
            self._looked[key] = [
                self._record.add(one.kind, Observer.OUTSIDE, tick=self._clock.now, source=one.source, value=_signed(one, proposal),
                                 blob=one.blob.read() if one.blob else None, media_type=one.media_type) for one in self._look(kind, options)
            ]  # fmt: skip
        return self._looked[key]

    def witness(self) -> Sequence[Evidence]:
        """The pictures of views that were asked for; none is rendered for this."""
        return [one for looked in self._looked.values() for one in looked if one.kind == views.PICTURE]


def _signed(taken: views.Taken, proposal: Proposal | None) -> Any:
    """Who was asked for cameras is told with the views; where nobody was nothing is."""
    return {**taken.value, "proposed": proposal.told} if proposal is not None and taken.kind == views.VIEWS else taken.value
