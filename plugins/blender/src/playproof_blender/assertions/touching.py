"""`blender.contact`, `blender.gap`, `blender.interpenetration` and `blender.support`: how things meet.

    asks = { driver = "blender.contact", objects = "Leg*", to = "Seat", tolerance = "0.5 mm" }
    asks = { driver = "blender.gap", objects = "Drawer", to = "Cabinet", at_least = "1 mm", at_most = "3 mm" }
    asks = { driver = "blender.interpenetration", objects = "*", at_most = "1 mm" }
    asks = { driver = "blender.support", objects = { type = "MESH" }, tolerance = "2 mm" }
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from attrs import field, frozen, validators

from playproof.interfaces import Services
from playproof.model import Options
from playproof_blender.assertions.lengths import SLACK, Bounds, bounds, spelled
from playproof_blender.assertions.stating import SHAPES, Answer, Finding, Project, ProjectAssertion, every, length, some, stated
from playproof_blender.geometry.solids import Block, common, goes_round
from playproof_blender.geometry.soup import parts
from playproof_blender.geometry.surface import Surface
from playproof_blender.scene import meets

NOTHING = "there is nothing else to be near to"
MOST_PAIRS = 300
"""Pairs whose common volume is measured; those whose boxes overlap most come first."""


@frozen(kw_only=True)
class Contact:
    """Each of `objects` (one of them at least, with `any`) is no further than `tolerance` from `to`, or inside of it."""

    objects: Any = some(needed=True)
    to: Any = some(needed=True)
    tolerance: float | None = length(0.001)
    any: bool = False

    reads = SHAPES

    def answer(self, project: Project) -> Answer:
        wanted = bounds(None, None, None, self.tolerance)
        found = []
        for name, gap, whose in _gaps(project, self.objects, self.to, wanted.high):
            away = f"{spelled(gap)} from {whose!r}, the nearest" if whose else NOTHING
            found.append(Finding(name, wanted.hold(gap), f"touches {whose!r}" if wanted.hold(gap) else away))
        if self.any and any(one.holds for one in found):
            found = [one for one in found if one.holds]
        return every(found, f"contact of {self.objects} with {self.to}", f"a gap of at most {spelled(wanted.high)}")


@frozen(kw_only=True)
class Gap:
    """The smallest distance from each of `objects` to `to`, surface to surface; 0 where they cross or one is inside the other. `at_least`,
    `at_most`, or `equals` with `tolerance`: lengths."""

    objects: Any = some(needed=True)
    to: Any = some(needed=True)
    equals: float | None = length()
    tolerance: float | None = length()
    at_least: float | None = length()
    at_most: float | None = length()

    def __attrs_post_init__(self) -> None:
        _ = self.bounds

    @property
    def bounds(self) -> Bounds:
        return bounds(self.equals, self.tolerance, self.at_least, self.at_most)

    reads = SHAPES

    def answer(self, project: Project) -> Answer:
        wanted = self.bounds
        gaps = _gaps(project, self.objects, self.to)
        found = [Finding(name, wanted.hold(gap), f"{wanted.judged(gap)} from {whose!r}" if whose else NOTHING) for name, gap, whose in gaps]
        return every(found, f"gap of {self.objects} to {self.to}", wanted.text)


def _gaps(project: Project, objects: Any, to: Any, enough: float = 0.0) -> Iterator[tuple[str, float, str]]:
    """For each object the distance to what is nearest among the others, and the name of that; infinity and "" where there are no others."""
    solids, others = project.solids(objects), project.solids(to)
    surfaces = {name: Surface(project.soup(name, solid)) for name, solid in {**others, **solids}.items()}
    for name in solids:
        best, whose = np.inf, ""
        for other in sorted(others, key=lambda one: _box_gap(surfaces[name], surfaces[one])):
            if other == name or _box_gap(surfaces[name], surfaces[other]) >= best:
                continue
            distance = surfaces[name].gap(surfaces[other], enough).distance
            if _within(surfaces[name], surfaces[other]):
                distance = 0.0
            if distance < best:
                best, whose = distance, other
            if best <= enough:
                break
        yield name, best, whose


def _box_gap(one: Surface, other: Surface) -> float:
    return float(np.linalg.norm(np.maximum(np.maximum(other.box[0] - one.box[1], one.box[0] - other.box[1]), 0.0)))


def _within(one: Surface, other: Surface) -> bool:
    """Whether either lies in the other: asked of one point of it, which tells where they do not cross."""
    return any(bool((inner.box[0] >= outer.box[0]).all() and (inner.box[1] <= outer.box[1]).all())
               and goes_round(outer.soup, inner.soup[0, 0]) for inner, outer in ((one, other), (other, one)))  # fmt: skip


def contact(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.contact", options, Contact)


def gap(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.gap", options, Gap)


@frozen(kw_only=True)
class Interpenetration:
    """No two of `objects` (or none of them and none of `others`) share a volume that is thicker than `at_most`: the diameter of the largest
    ball that fits into it. What a surface with holes encloses is decided by the sides that are there. Pairs that fit `allowed` ([one
    pattern, another]) may."""

    objects: Any = some(needed=True)
    others: Any = some()
    at_most: float | None = length(0.001)
    allowed: Sequence[Sequence[str]] = ()

    def __attrs_post_init__(self) -> None:
        _ = bounds(None, None, None, self.at_most)
        if wrong := [pair for pair in self.allowed if len(pair) != 2]:
            raise ValueError(f"allowed has {list(wrong[0])}, wanted pairs of patterns")

    reads = SHAPES

    def answer(self, project: Project) -> Answer:
        wanted = bounds(None, None, None, self.at_most)
        solids = dict(project.solids(self.objects))
        others = dict(project.solids(self.others)) if self.others is not None else {}
        blocks = {name: Block(project.soup(name, solid)) for name, solid in {**others, **solids}.items()}
        names = list(blocks)
        boxes = np.array([block.box for block in blocks.values()])
        near = [(names[a], names[b]) for a, b in overlapping(boxes, wanted.high) if self._asked(names[a], names[b], solids, others)]
        found = []
        for one, other in near[:MOST_PAIRS]:
            depth, volume = common(blocks[one], blocks[other])
            if not wanted.hold(depth):
                found.append(Finding(f"{one} and {other}", False, f"{spelled(depth)} deep, {volume * 1e6:.3g} cm³ in common"))
        beside = f" and {self.others}" if self.others is not None else ""
        left = f"; the {MOST_PAIRS} of {len(near)} pairs whose boxes overlap most were measured" if len(near) > MOST_PAIRS else ""
        if not found:
            seen = f"of {len(names)} objects {len(near)} pairs have boxes that overlap by more, and none shares as much{left}"
            return Answer(True, f"volumes in common of {self.objects}{beside}: {seen}", seen, wanted.text)
        return every(found, f"volumes in common of {self.objects}{beside}", f"{wanted.text} deep{left}")

    def _asked(self, one: str, other: str, solids: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
        pairs = ((one, other), (other, one))
        if any(meets(a, first) and meets(b, second) for first, second in self.allowed for a, b in pairs):
            return False
        return not others or any(a in solids and b in others for a, b in pairs)


def overlapping(boxes: Any, deeper: float) -> Sequence[tuple[int, int]]:
    """Pairs of boxes (n, 2, 3) whose common part is thicker than `deeper` in every direction, the thickest first."""
    found = list[tuple[float, int, int]]()
    for number in range(len(boxes) - 1):
        low, high = np.maximum(boxes[number, 0], boxes[number + 1 :, 0]), np.minimum(boxes[number, 1], boxes[number + 1 :, 1])
        thickness = (high - low).min(1)
        found += [(-float(thickness[place]), number, number + 1 + int(place)) for place in np.flatnonzero(thickness > deeper + SLACK)]
    return [(one, other) for _, one, other in sorted(found)]


def interpenetration(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.interpenetration", options, Interpenetration)


@frozen(kw_only=True)
class Support:
    """None of `objects` floats: each stands on the `ground` (a height; 0 without `on`), touches one of `on`, or touches, within
    `tolerance`, another that is held so. `of` = "parts": each piece of a mesh that hangs together by its points is asked for itself.
    `below`: only what reaches at least as low holds a thing, so that nothing hangs."""

    objects: Any = some(needed=True)
    on: Any = some()
    ground: float | None = length()
    tolerance: float | None = length(0.001)
    of: Literal["objects", "parts"] = "objects"
    below: bool = False
    most: int = field(default=2000, validator=validators.gt(0))

    reads = SHAPES

    def answer(self, project: Project) -> Answer:
        nodes = self._nodes(project, self.objects)
        grounds = self._nodes(project, self.on) if self.on is not None else {}
        held, nodes = set(grounds), {**nodes, **grounds}
        wanted = f"contact with {self.on}" if self.on is not None else ""
        level = self.ground if self.ground is not None or self.on is not None else 0.0
        if level is not None:
            held |= {name for name, one in nodes.items() if one.box[0, 2] <= level + self._near}
            wanted = " or ".join(filter(None, [f"contact with the ground at {spelled(level)}", wanted]))
        if len(nodes) > self.most:
            message = f"{len(nodes)} {self.of} among {self.objects} are more than the {self.most} that are looked at"
            return Answer(False, message, str(len(nodes)), wanted)
        held = self._spread(nodes, held)
        found = [Finding(name, name in held, "held" if name in held else self._beneath(one, nodes, held, level))
                 for name, one in nodes.items() if name not in grounds]
        return every(found, f"support of {self.objects}", f"{wanted}, straight or through others")

    @property
    def _near(self) -> float:
        return (self.tolerance or 0.0) + SLACK

    def _nodes(self, project: Project, selection: Any) -> dict[str, Surface]:
        nodes = dict[str, Surface]()
        for name, solid in project.solids(selection).items():
            soup = project.soup(name, solid)
            if self.of == "objects":
                nodes[name] = Surface(soup)
                continue
            pieces, which = np.unique(parts(solid.triangles), return_inverse=True)
            for number in range(len(pieces)):
                label = f"{name}: part {number + 1}" if len(pieces) > 1 else name
                while label in nodes:  # as an object may be called
                    label += "'"
                nodes[label] = Surface(soup[which == number])
        return nodes

    def _spread(self, nodes: Mapping[str, Surface], held: set[str]) -> set[str]:
        names = list(nodes)
        lows, highs = np.array([one.box[0] for one in nodes.values()]), np.array([one.box[1] for one in nodes.values()])
        held, open_ = set(held), list(held)
        while open_:
            holder = nodes[open_.pop()]
            close = ((lows - holder.box[1] <= self._near) & (holder.box[0] - highs <= self._near)).all(1)
            for place in np.flatnonzero(close):
                name, one = names[place], nodes[names[place]]
                if name in held or (self.below and holder.box[0, 2] > one.box[0, 2] + self._near):
                    continue
                if one.gap(holder, self._near).distance <= self._near or _within(one, holder):
                    held.add(name)
                    open_.append(name)
        return held

    def _beneath(self, one: Surface, nodes: Mapping[str, Surface], held: set[str], level: float | None) -> str:
        """How far it is from what could hold it."""
        distances = {name: one.gap(nodes[name]).distance for name in sorted(held, key=lambda name: _box_gap(one, nodes[name]))[:5]}
        if level is not None:
            distances["the ground"] = float(one.box[0, 2] - level)
        if not distances:
            return "floats"
        nearest = min(distances, key=lambda name: distances[name])
        return f"floats, {spelled(distances[nearest])} from {nearest!r}"


def support(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.support", options, Support)
