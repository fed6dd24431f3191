"""`blender.dimension` and `blender.position`: how large things are, and where they stand. Metres of the world, z up.

    asks = { driver = "blender.dimension", objects = "Leg*", axis = "z", equals = "150 mm", tolerance = "1 mm" }
    asks = { driver = "blender.position", objects = "Lamp", point = "bottom", relative_to = "Table", relative_point = "top", axis = "z",
             equals = 0, tolerance = "2 mm" }
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from attrs import frozen

from playproof.interfaces import Services
from playproof.model import Options
from playproof_blender.assertions.lengths import SLACK, Bounds, bounds, plainly, spelled
from playproof_blender.assertions.selecting import Selection, Thing
from playproof_blender.assertions.stating import SCENE, Answer, Finding, Project, ProjectAssertion, every, length, some, stated
from playproof_blender.scene import Box

AXES = ("x", "y", "z")
Size = Literal["x", "y", "z", "longest", "shortest", "diagonal"]


@frozen(kw_only=True)
class Dimension:
    """The extent of each of `objects` (of all `together`) along an `axis`: of the world, or the "longest" or "shortest" of the three, or
    the "diagonal" of the box. `frame` = "own": along the object's own axes, for what stands turned.

    `equals` with `tolerance`, `at_least`, `at_most`: lengths. Against another set's extent along `to_axis` (else the same axis): `to`, with
    `ratio` and `ratio_tolerance`, `ratio_at_least`, `ratio_at_most`."""

    objects: Any = some(needed=True)
    axis: Size
    frame: Literal["world", "own"] = "world"
    together: bool = False
    equals: float | None = length()
    tolerance: float | None = length()
    at_least: float | None = length()
    at_most: float | None = length()
    to: Any = some()
    to_axis: Size | None = None
    ratio: float | None = None
    ratio_tolerance: float | None = None
    ratio_at_least: float | None = None
    ratio_at_most: float | None = None

    def __attrs_post_init__(self) -> None:
        if self.together and self.frame == "own":
            raise ValueError("objects together have no axes of their own: frame = 'world'")
        given = [self.equals, self.tolerance, self.at_least, self.at_most]
        ratios = [self.ratio, self.ratio_tolerance, self.ratio_at_least, self.ratio_at_most]
        if any(one is not None for one in (given if self.to else ratios)):
            raise ValueError("ratio and the like belong to `to`; equals, tolerance, at_least and at_most to an extent without it")
        _ = self.bounds

    @property
    def bounds(self) -> Bounds:
        if self.to:
            return bounds(self.ratio, self.ratio_tolerance, self.ratio_at_least, self.ratio_at_most, plainly)
        return bounds(self.equals, self.tolerance, self.at_least, self.at_most)

    reads = SCENE

    def answer(self, project: Project) -> Answer:
        things = project.things(self.objects)
        wanted, what = self.bounds, f"{self.axis} of {self.objects}"
        share = 1.0
        if self.to:
            other = _sized(project.scene.box_of(project.things(self.to)), self.to_axis or self.axis)
            share = other if other > SLACK else float("nan")
            what += f" as a share of {self.to_axis or self.axis} of {self.to} ({spelled(other)})"
        if self.together:
            sizes = {str(self.objects): _sized(project.scene.box_of(things), self.axis)}
        else:
            sizes = {one["name"]: self._size(project, one) for one in things}
        found = [Finding(name, wanted.hold(size / share), wanted.judged(size / share)) for name, size in sizes.items()]
        return every(found, what, wanted.text)

    def _size(self, project: Project, one: Thing) -> float:
        if self.frame == "world":
            return _sized(project.scene.box_of([one]), self.axis)
        own = project.scene.seen(one)["dimensions"]
        return _along([abs(float(own[axis])) for axis in range(3)], self.axis)


def _sized(box: Box, axis: str) -> float:
    return _along([float(side) for side in box[1] - box[0]], axis)


def _along(sides: Sequence[float], axis: str) -> float:
    if axis in AXES:
        return sides[AXES.index(axis)]
    return {"longest": max(sides), "shortest": min(sides), "diagonal": float(np.linalg.norm(sides))}[axis]


def dimension(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.dimension", options, Dimension)


Point = Literal["centre", "bottom", "top", "left", "right", "front", "back", "origin"]


@frozen(kw_only=True)
class Position:
    """Where a `point` of each of `objects` (of all `together`) is: the "centre" of its box, the middle of a side of the box ("bottom" and
    "top" in z, "left" and "right" in x, "front" and "back" in y, front being where y is least), or its "origin".

    `axis`: the coordinate, or "distance", or "level" (distance seen from above); from the world's origin, or from the `relative_point` of
    `relative_to`. `equals` with `tolerance`, `at_least`, `at_most`: lengths. Or instead `within`: its box lies in the box of that set, but
    for `tolerance`."""

    objects: Any = some(needed=True)
    point: Point = "centre"
    together: bool = False
    axis: Literal["x", "y", "z", "distance", "level"] | None = None
    relative_to: Any = some()
    relative_point: Point = "centre"
    within: Any = some()
    equals: float | None = length()
    tolerance: float | None = length()
    at_least: float | None = length()
    at_most: float | None = length()

    def __attrs_post_init__(self) -> None:
        if (self.axis is None) is (self.within is None):
            raise ValueError("say either axis, with equals, at_least or at_most, or within")
        if self.together and "origin" in (self.point, self.relative_point if self.relative_to else ""):
            raise ValueError("objects together have no origin")
        if self.within is None:
            _ = self.bounds
        elif any(one is not None for one in (self.equals, self.at_least, self.at_most, self.relative_to)):
            raise ValueError("within takes nothing but tolerance beside it")

    @property
    def bounds(self) -> Bounds:
        return bounds(self.equals, self.tolerance, self.at_least, self.at_most)

    reads = SCENE

    def answer(self, project: Project) -> Answer:
        things = project.things(self.objects)
        groups = {str(self.objects): list(things)} if self.together else {one["name"]: [one] for one in things}
        if self.within is not None:
            return self._inside(project, groups)
        base, beside = np.zeros(3), "the world's origin"
        if self.relative_to is not None:
            base = place(project, project.things(self.relative_to), self.relative_point)
            beside = f"the {self.relative_point} of {self.relative_to}"
        wanted, found = self.bounds, []
        for name, group in groups.items():
            value = self._value(place(project, group, self.point) - base)
            found.append(Finding(name, wanted.hold(value), wanted.judged(value)))
        return every(found, f"{self.axis} of the {self.point} of {self.objects} from {beside}", wanted.text)

    def _value(self, away: Any) -> float:
        if self.axis == "distance":
            return float(np.linalg.norm(away))
        return float(np.linalg.norm(away[:2])) if self.axis == "level" else float(away[AXES.index(self.axis or "x")])

    def _inside(self, project: Project, groups: dict[str, list[Thing]]) -> Answer:
        low, high = project.scene.box_of(project.things(self.within))
        allowed, found = (self.tolerance or 0.0) + SLACK, []
        for name, group in groups.items():
            own_low, own_high = project.scene.box_of(group)
            beyond = np.maximum(low - own_low, own_high - high)
            axis = int(beyond.argmax())
            seen = f"sticks out by {spelled(float(beyond[axis]))} along {AXES[axis]}" if beyond[axis] > allowed else "inside"
            found.append(Finding(name, not beyond[axis] > allowed, seen))
        return every(found, f"the box of {self.objects} in that of {self.within}", f"no more than {spelled(self.tolerance or 0.0)} outside")


SIDES = {"left": (0, 0), "right": (0, 1), "front": (1, 0), "back": (1, 1), "bottom": (2, 0), "top": (2, 1)}


def place(project: Project, things: Sequence[Thing], point: str) -> Any:
    """(3,) in the world. The origin of several objects is the mean of theirs."""
    if point == "origin":
        return np.mean([project.scene.matrix_of(one)[:3, 3] for one in things], axis=0)
    box = project.scene.box_of(things)
    middle = (box[0] + box[1]) / 2.0
    if point in SIDES:
        axis, end = SIDES[point]
        middle[axis] = box[end][axis]
    return middle


def position(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.position", options, Position)


def among(project: Project, selection: Selection | None) -> Sequence[Thing]:
    """What is selected, or everything, which may be nothing."""
    return project.scene.objects("*") if selection is None else project.things(selection)
