"""A scene graph at one moment, and finding things in it by what a person would say of them."""

import fnmatch
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from playproof.errors import SubmissionFault
from playproof.seen import Seen
from playproof_xr.geometry import Box, Matrix, Polygon, Vector

COLOURS = {
    "black": "#000000", "white": "#ffffff", "grey": "#808080", "red": "#ff0000", "orange": "#ff8000", "yellow": "#ffff00",
    "green": "#00c000", "cyan": "#00ffff", "blue": "#0000ff", "purple": "#8000c0", "pink": "#ff80c0", "brown": "#805020",
}  # fmt: skip
ALIKE = 0.25
"""How far two colours may be apart to count as one: the distance of their channels (0 to 1), so 1.73 from black to white."""


LYING = 0.05
"""Metres between the lowest point of what lies on a surface and that surface: engines let things float or sink a little."""


@frozen
class Scene:
    """`value` is that of `xr.scene/1`; `cites` the evidence that holds it."""

    value: Mapping[str, Any]
    cites: Sequence[str]

    def objects(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.value["objects"])

    def select(self, **wanted: Any) -> Sequence[Mapping[str, Any]]:
        """Objects that meet every wish: `name`, `label`, `role`, `text`, `type` (any case; * and ? stand for what they do in
        file names), `colour` ("#ff8800" or a word), `material` (a dict of its keys), `near` (a point) with `within` (metres),
        `inside` (a Box), `on` (a surface of the room by its label or id: it lies on it, to 5 cm), `visible`."""
        within = wanted.pop("within", 0.5)
        tests = [self._on(value) if key == "on" else _test(key, value, within) for key, value in wanted.items()]
        return [one for one in self.objects() if all(test(one) for test in tests)]

    def _on(self, surface: str) -> "Test":
        planes = [one for one in self.value["planes"] if surface in (one["id"], one["label"]) and one["orientation"] == "horizontal"]
        frames = [(Matrix.of(one["matrix"]).inverse, Polygon(tuple((x, z) for x, z in one["polygon"]))) for one in planes]

        def lies(one: Mapping[str, Any]) -> bool:
            box = box_of(one, "", ()) if _finite(one) else None
            if box is None:
                return False
            feet = ((inverse.point(Vector(box.centre.x, box.low.y, box.centre.z)), outline) for inverse, outline in frames)
            return any(abs(foot.y) <= LYING and outline.contains((foot.x, foot.z)) for foot, outline in feet)

        return lies

    def one(self, **wanted: Any) -> Mapping[str, Any]:
        """The first object that meets every wish: what is visible and has a size before what is visible, and that before the rest.
        What is not there is the submission's fault."""
        found = self.select(**wanted)
        if not found:
            left_off = self.value["left_off"]
            beyond = f" among the first {len(self.value['objects'])} objects; {left_off} more are not looked at" if left_off else ""
            raise SubmissionFault("scene", f"has nothing with {spelled(wanted)}{beyond}", self.cites)
        return min(found, key=lambda one: (not one["visible"], one["box"] is None))

    def by_id(self, identity: str, path: str) -> Mapping[str, Any]:
        for one in self.objects():
            if one["id"] == identity:
                return one
        raise SubmissionFault(path, "is no longer in the scene", self.cites)

    def clothed(self, held: Mapping[str, Any]) -> Mapping[str, Any]:
        """The object itself if it has a material, else the first below it that has; itself again where none has."""
        inside = {held["id"]}
        for one in self.objects():  # children stand behind their parents
            if one["id"] == held["id"] or one["parent"] in inside:
                if one["material"] is not None:
                    return one
                inside.add(one["id"])
        return held

    def seen(self, value: Any, path: str) -> Seen:
        return Seen(value, path, self.cites)


def spelled(wanted: Mapping[str, Any]) -> str:
    return " and ".join(f"{key} {value!r}" for key, value in wanted.items()) or "anything"


def matrix_of(held: Mapping[str, Any], path: str, cites: Sequence[str]) -> Matrix:
    try:
        return Matrix.of(held["matrix"])
    except ValueError:
        raise SubmissionFault(f"{path}.matrix", "has numbers that are not finite", cites) from None


def box_of(held: Mapping[str, Any], path: str, cites: Sequence[str]) -> Box | None:
    if held["box"] is None:
        return None
    try:
        return Box.of(held["box"])
    except ValueError:
        raise SubmissionFault(f"{path}.box", "has numbers that are not finite", cites) from None


def centre_of(held: Mapping[str, Any], path: str, cites: Sequence[str]) -> Vector:
    """The middle of its box; of what has none, its place."""
    box = box_of(held, path, cites)
    return box.centre if box else matrix_of(held, path, cites).column(3)


Test = Callable[[Mapping[str, Any]], bool]


def _test(key: str, value: Any, within: float) -> Test:
    if key in ("name", "label", "role", "text", "type"):
        pattern = str(value).lower()
        return lambda one: isinstance(one[key], str) and fnmatch.fnmatchcase(one[key].lower(), pattern)
    if key in ("colour", "color"):
        wanted = channels(COLOURS.get(str(value), str(value)))
        return lambda one: (colour := (one["material"] or {}).get("color")) is not None and math.dist(channels(colour), wanted) <= ALIKE
    if key == "material":
        return lambda one: one["material"] is not None and all(one["material"].get(name) == held for name, held in dict(value).items())
    if key == "near":
        point = Vector.of(list(value))
        return lambda one: _finite(one) and centre_of(one, "", ()).distance(point) <= within
    if key == "inside":
        return lambda one: _finite(one) and value.contains(centre_of(one, "", ()))
    if key == "visible":
        return lambda one: one["visible"] is bool(value)
    raise TypeError(f"a thing cannot be found by {key!r}; by name, label, role, text, type, colour, material, near, inside, on or visible")


def _finite(one: Mapping[str, Any]) -> bool:
    return all(math.isfinite(number) for number in [*one["matrix"], *(one["box"] or ())])


def channels(colour: str) -> tuple[float, float, float]:
    """`#rrggbb` as three numbers from 0 to 1. Raises ValueError on anything else."""
    if len(colour) != 7 or colour[0] != "#":
        raise ValueError(f"wanted a colour like #1a2b3c or one of {', '.join(COLOURS)}; got {colour!r}")
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
