"""What the stages that pose, step and simulate saw, as assertions read it; and the faults of what is not of its form."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from attrs import Factory, frozen

from playproof.errors import ExpectationFailed, SubmissionFault
from playproof_blender.assertions.selecting import near_names
from playproof_blender.assertions.stating import Project
from playproof_blender.scene import meets


@contextmanager
def of_the_form(kind: str, project: Project) -> Iterator[None]:
    """What was sealed inside Blender may have been spoiled there: what is not of its form is the submission's fault."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError) as fault:
        raise SubmissionFault(kind, f"is not of its form: {type(fault).__name__}: {fault}", project.cites) from None


def named(found: Sequence[Any], patterns: Sequence[str], names: Sequence[str], what: str, project: Project) -> None:
    """Raises ExpectationFailed that lists near names, where nothing was found."""
    if not found:
        near, wanted = near_names(patterns, names) or list(names)[:12], " or ".join(map(repr, patterns))
        said = f"no {what} {wanted}; there are: {', '.join(map(repr, near)) or 'none'}"
        raise ExpectationFailed(said, f"no {what}", f"a {what} {wanted}", tuple(project.cites))


@frozen(eq=False)
class Track:
    """The path of one thing: places (n, 3), turns (n, 4), boxes (n, 6) or None, at frames (n). `body` is what is told of a rigid body."""

    name: str
    places: Any
    turns: Any
    boxes: Any
    frames: Any
    fps: float
    body: Mapping[str, Any] = Factory(dict)

    @property
    def steps(self) -> Any:
        return np.linalg.norm(np.diff(self.places, axis=0), axis=1)

    @property
    def seconds(self) -> Any:
        return np.diff(self.frames) / self.fps

    def between(self, first: int | None, last: int | None) -> "Track":
        kept = (self.frames >= (-np.inf if first is None else first)) & (self.frames <= (np.inf if last is None else last))
        boxes = None if self.boxes is None else self.boxes[kept]
        return Track(self.name, self.places[kept], self.turns[kept], boxes, self.frames[kept], self.fps, self.body)

    @property
    def lowest(self) -> float:
        return float((self.places[:, 2] if self.boxes is None else self.boxes[:, 2]).min())

    @property
    def angles(self) -> Any:
        """By how many degrees it turns from each frame to the next."""
        return turned(self.turns[:-1], self.turns[1:])


def turned(one: Any, other: Any) -> Any:
    """Degrees between unit quaternions."""
    return np.degrees(2 * np.arccos(np.clip(np.abs((one * other).sum(-1)), 0.0, 1.0)))


def tracks_of(kind: str, project: Project, wanted: str, bone: str | None = None) -> Sequence[Track]:
    """Those of the name, one at least. A number that is none is the submission's fault."""
    told = project.latest(kind)
    with of_the_form(kind, project):
        frames, fps = np.array(told["frames"], float), float(told["fps"])
        if why := told.get("why"):
            raise ExpectationFailed(f"nothing was stepped: {why}", str(why), f"the path of {wanted!r}", tuple(project.cites))
        here = [one for one in told["tracks"] if (one["bone"] is None) is (bone is None)]
        mine = [one for one in here if meets(one["object"], wanted) and (bone is None or meets(one["bone"], bone))]
        what, names = ("bone", [str(one["bone"]) for one in here]) if bone else ("object", [str(one["object"]) for one in here])
        named(mine, [bone or wanted], list(dict.fromkeys(names)), f"{what} that was followed", project)
        return [_track(kind, one, frames, fps, project) for one in mine]


def _track(kind: str, told: Mapping[str, Any], frames: Any, fps: float, project: Project) -> Track:
    name = f"{told['object']}: {told['bone']}" if told["bone"] else str(told["object"])
    places, turns, boxes = (np.broadcast_to(np.array(told[key], float), (len(frames), width)) if told[key] is not None else None
                            for key, width in (("places", 3), ("turns", 4), ("boxes", 6)))  # fmt: skip
    if not all(np.isfinite(row).all() for row in (places, turns, boxes) if row is not None):
        raise SubmissionFault(f"{kind}[{name}]", "has places that are no numbers", project.cites)
    return Track(name, places, turns, boxes, frames, fps, told.get("body") or {})
