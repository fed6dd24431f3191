"""What all drivers share: options read at once, the evidence of a project, and an answer that becomes a verdict."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from attrs import field, fields, frozen

from playproof.drivers import settings
from playproof.errors import ExpectationFailed, SubmissionFault, TaskError
from playproof.evidence import Evidences
from playproof.model import Options, Outcome, Reason, Verdict
from playproof_blender import scene, shapes
from playproof_blender.assertions.lengths import metres
from playproof_blender.assertions.selecting import Selection, Thing, selection_of
from playproof_blender.geometry.soup import NotMeasurable, joined, soup_of
from playproof_blender.geometry.surface import Surface
from playproof_blender.scene import Scene
from playproof_blender.shapes import Shapes, Solid

VERSION = 1
"""Raised when verdicts of all drivers can change; a statement that alone gives other ones has a `version` of its own."""

SCENE, SHAPES = frozenset({scene.KIND}), frozenset({scene.KIND, shapes.KIND})
TOLD = 5


@frozen
class Answer:
    """`message` names what is at fault, so that an artist finds it; `seen` and `wanted` are short."""

    holds: bool
    message: str
    seen: str
    wanted: str


@frozen
class Finding:
    """What was found of one thing."""

    name: str
    holds: bool
    seen: str


def every(findings: Iterable[Finding], what: str, wanted: str) -> Answer:
    """All of them have to hold; those that do not are named, the first ones with what was seen."""
    findings = list(findings)
    failed = [one for one in findings if not one.holds]
    if not failed:
        shown = "; ".join(f"{one.name}: {one.seen}" for one in findings[:3]) + ("; ..." if len(findings) > 3 else "")
        return Answer(True, f"{what}: all {len(findings)} hold ({shown})" if len(findings) > 1 else f"{what}: {shown}", shown, wanted)
    more = f"; and {len(failed) - TOLD} more" if len(failed) > TOLD else ""
    held = f"; {len(findings) - len(failed)} of {len(findings)} hold" if len(findings) > 1 else ""
    shown = "; ".join(f"{one.name}: {one.seen}" for one in failed[:TOLD]) + more
    return Answer(False, f"{what}: wanted {wanted}, but {shown}{held}", shown, wanted)


class Project:
    """The evidence of a submission. `cites` is what was read of it so far."""

    def __init__(self, evidence: Evidences) -> None:
        self.evidence = evidence
        self.cites: list[str] = []

    @cached_property
    def scene(self) -> Scene:
        found = scene.scene_of(self.evidence)
        self.cites += found.cites
        return found

    @cached_property
    def shapes(self) -> Shapes:
        found = shapes.shapes_of(self.evidence)
        self.cites += found.cites
        return found

    def things(self, selection: Selection) -> Sequence[Thing]:
        return selection.of(self.scene)

    def solids(self, selection: Selection) -> Mapping[str, Solid]:
        """By name what is drawn of the objects. Raises ExpectationFailed where none of them has a shape that a render would show."""
        names = [one["name"] for one in self.things(selection)]
        return self.solids_of(names, str(selection))

    def solids_of(self, names: Sequence[str], said: str) -> Mapping[str, Solid]:
        wide = ["*"] if len(names) > 20 else names  # one look at all is cheaper than many at one
        shown = {name: solid for pattern in wide for name, solid in self.shapes.of(pattern).items()}
        found = {name: shown[name] for name in names if name in shown and len(shown[name].triangles)}
        if boxed := [name for name in found if name in self.shapes.coarse]:
            raise SubmissionFault(f"shapes.objects[{boxed[0]}]", "draws so many triangles that its shape was not kept", self.cites)
        if not found:
            raise ExpectationFailed(f"no object {said} has faces that a render would show", "no faces", "faces", tuple(self.cites))
        return found

    def surface(self, selection: Selection) -> tuple[Surface, "Owners"]:
        """One surface of all that is drawn of the objects, and which triangle is whose."""
        solids = self.solids(selection)
        soup, owners = joined([self.soup(name, solid) for name, solid in solids.items()])
        return Surface(soup), Owners(tuple(solids), owners)

    def soup(self, name: str, solid: Solid) -> Any:
        try:
            return soup_of(solid.points, solid.triangles)
        except NotMeasurable as fault:
            raise SubmissionFault(f"shapes.objects[{name}]", str(fault), self.cites) from None

    def latest(self, kind: str) -> Mapping[str, Any]:
        """The value of the last evidence of a kind (JSON, an object)."""
        entry = self.evidence.last(kind)
        if entry is None:
            raise TaskError(f"no {kind} was observed; kinds here: {', '.join(sorted({one.kind for one in self.evidence})) or 'none'}")
        self.cites.append(entry.id)
        value = json.loads(self.evidence.open(entry))
        if not isinstance(value, dict):
            raise SubmissionFault(kind, "wanted an object", self.cites)
        return value


@frozen
class Owners:
    """Which of the names has triangle number n of a surface."""

    names: Sequence[str]
    numbers: Any

    def __getitem__(self, triangle: int) -> str:
        return self.names[int(self.numbers[triangle])]


class Statement(Protocol):
    """The options of a driver, which can say what they ask and answer it."""

    @property
    def reads(self) -> frozenset[str]: ...
    def answer(self, project: Project) -> Answer:
        """Raises CheckSignal where there is nothing to answer, or what there is cannot be measured."""


class ProjectAssertion:
    """Implements `Assertion`."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement

    @property
    def grading_version(self) -> int:
        return max(VERSION, getattr(self.statement, "version", VERSION))

    @property
    def reads(self) -> frozenset[str]:
        return self.statement.reads

    def check(self, evidence: Evidences) -> Verdict:
        """Raises ExpectationFailed and SubmissionFault; see the rubric examiner."""
        project = Project(evidence)
        try:
            with np.errstate(all="ignore"):
                answer = self.statement.answer(project)
        except NotMeasurable as fault:
            raise SubmissionFault("shapes", str(fault), project.cites) from None
        cites = tuple(dict.fromkeys(project.cites))
        if not answer.holds:
            raise ExpectationFailed(answer.message, answer.seen, answer.wanted, cites)
        return Verdict("", "", Outcome.PASS, Reason.OK, answer.message, answer.seen, answer.wanted, cites)


def stated(name: str, options: Options, shape: type[Any]) -> ProjectAssertion:
    """A driver of its options: lengths and selections are read first, then the rest as everywhere. Raises TaskError with the path."""
    read = dict(options)
    for one in fields(shape):
        reader = one.metadata.get("read")
        if reader and one.name in read:
            try:
                read[one.name] = reader(read[one.name])
            except ValueError as fault:
                raise TaskError(f"options of {name!r}: {fault} @ $.{one.name}") from None
    return ProjectAssertion(settings(shape, read, name))


def length(default: float | None = None) -> Any:
    """A field for a length in metres, written as `lengths.metres` reads it."""
    return field(default=default, metadata={"read": metres})


def point() -> Any:
    """A field for a place: three lengths, of which `"any"` is not asked (NaN)."""
    return field(default=None, metadata={"read": _place})


def _place(value: Any) -> Sequence[float]:
    if not isinstance(value, list | tuple) or len(value) != 3 or all(one == "any" for one in value):
        raise ValueError(f"{value!r} is no place; a place is three lengths, of which some may be 'any'")
    return [float("nan") if one == "any" else metres(one) for one in value]


def some(default: str | None = None, needed: bool = False) -> Any:
    """A field for a Selection."""
    if needed:
        return field(metadata={"read": selection_of})
    return field(default=None if default is None else selection_of(default), metadata={"read": selection_of})
