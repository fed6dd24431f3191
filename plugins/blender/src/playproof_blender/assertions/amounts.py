"""`blender.count` and `blender.budget`: how many things there are, and what they cost to draw.

    asks = { driver = "blender.count", objects = "Leg*", equals = 4 }
    asks = { driver = "blender.budget", of = "triangles", at_most = 20_000 }
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import frozen

from playproof.interfaces import Services
from playproof.model import Options
from playproof_blender.assertions.lengths import Bounds, bounds, plainly
from playproof_blender.assertions.measures import among
from playproof_blender.assertions.selecting import Thing, near_names
from playproof_blender.assertions.stating import SCENE, SHAPES, Answer, Finding, Project, ProjectAssertion, every, some, stated
from playproof_blender.geometry.soup import parts


@frozen(kw_only=True)
class Count:
    """How many there are `of` "objects", "meshes" (different ones), "materials" (different ones that are used), "parts" (pieces of
    their shapes that hang together by points) or "instances" (shapes that are drawn, scattered ones too) among `objects`; none is
    a number, too."""

    objects: Any = some(needed=True)
    of: Literal["objects", "meshes", "materials", "parts", "instances"] = "objects"
    equals: int | None = None
    at_least: int | None = None
    at_most: int | None = None

    def __attrs_post_init__(self) -> None:
        _ = self.bounds

    @property
    def bounds(self) -> Bounds:
        return _whole(self.equals, self.at_least, self.at_most)

    @property
    def reads(self) -> frozenset[str]:
        return SHAPES if self.of in ("parts", "instances") else SCENE

    def answer(self, project: Project) -> Answer:
        things = self.objects.found(project.scene)
        names = [one["name"] for one in things]
        count = self._count(project, things)
        wanted = self.bounds
        shown = ", ".join(map(repr, names[:12])) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
        if not names:
            near = near_names(self.objects.objects, [one["name"] for one in project.scene.value["objects"]])
            shown = "none" + (f"; near: {', '.join(map(repr, near))}" if near else "")
        message = f"{count} {self.of} among {self.objects}; wanted {wanted.text} (objects: {shown})"
        return Answer(wanted.hold(count), message, str(count), wanted.text)

    def _count(self, project: Project, things: Sequence[Thing]) -> int:
        if self.of == "objects":
            return len(things)
        if self.of == "meshes":
            return len({one["data"] for one in things if one.get("type") == "MESH"})
        if self.of == "materials":
            return len(materials_of(things))
        if not things:
            return 0
        if self.of == "instances":
            return sum(1 for one in things for _ in project.shapes.instances(one["name"]))
        return sum(len(set(parts(solid.triangles).tolist())) for solid in project.solids(self.objects).values())


def _whole(equals: int | None, at_least: int | None, at_most: int | None) -> Bounds:
    if equals is not None and at_least is None and at_most is None:
        return Bounds(equals, equals, plainly(equals), plainly, equals)
    return bounds(equals, 0 if equals is not None else None, at_least, at_most, plainly)


def materials_of(things: Sequence[Thing]) -> Sequence[str]:
    """The materials in the objects' slots, in order and once each."""
    return tuple(dict.fromkeys(name for one in things for name in one.get("materials") or () if isinstance(name, str)))


def count(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.count", options, Count)


@frozen(kw_only=True)
class Budget:
    """What `objects` cost together (`each`: one by one): `of` "faces", "triangles" or "vertices" of their meshes, "objects", "materials",
    "images" (those that their materials use), or "pixels" of these images together, or of the "longest_side" of the largest.

    `measured` = "shown": with modifiers, of all that is drawn, instances too (faces: without instances);
    "base": the meshes without modifiers, each once."""

    objects: Any = some()
    of: Literal["faces", "triangles", "vertices", "objects", "materials", "images", "pixels", "longest_side"]
    measured: Literal["shown", "base"] = "shown"
    each: bool = False
    at_least: int | None = None
    at_most: int | None = None

    def __attrs_post_init__(self) -> None:
        _ = self.bounds
        if self.of in ("objects",) and self.each:
            raise ValueError("each object is one object: each has no meaning here")

    @property
    def bounds(self) -> Bounds:
        return bounds(None, None, self.at_least, self.at_most, lambda number: f"{number:,.0f}")

    @property
    def reads(self) -> frozenset[str]:
        return SHAPES if self.of in ("triangles", "vertices") and self.measured == "shown" else SCENE

    def answer(self, project: Project) -> Answer:
        things = among(project, self.objects)
        whose = "the whole scene" if self.objects is None else str(self.objects)
        groups = {one["name"]: [one] for one in things} if self.each else {whose: list(things)}
        wanted = self.bounds
        found = []
        for name, group in groups.items():
            costs = self._costs(project, group)
            total = max(costs.values(), default=0) if self.of == "longest_side" else sum(costs.values())
            most = sorted(costs, key=lambda one: -costs[one])[:3]
            shown = ", ".join(f"{one!r} {costs[one]:,.0f}" for one in most) if len(costs) > 1 and not self.each else ""
            found.append(Finding(name, wanted.hold(total), wanted.judged(total) + (f", most of it {shown}" if shown else "")))
        return every(found, f"{self.of.replace('_', ' ')}", wanted.text)

    def _costs(self, project: Project, things: Sequence[Thing]) -> Mapping[str, float]:
        if self.of == "objects":
            return {one["name"]: 1 for one in things}
        if self.of == "materials":
            return dict.fromkeys(materials_of(things), 1)
        if self.of in ("images", "pixels", "longest_side"):
            return self._images(project, things)
        if self.measured == "base":
            used = {one["data"]: project.scene.mesh_of(one) for one in things if one.get("type") == "MESH"}
            return {str(name): float(mesh[self.of]) for name, mesh in used.items()}
        if self.of == "faces":
            return {one["name"]: faces_of(project, one) for one in things if one.get("type") == "MESH"}
        kept = {one["name"] for one in things}
        solids = project.shapes.of("*") if len(kept) > 1 else project.shapes.of(next(iter(kept), ""))
        return {name: len(solid.triangles if self.of == "triangles" else solid.points) for name, solid in solids.items() if name in kept}

    def _images(self, project: Project, things: Sequence[Thing]) -> Mapping[str, float]:
        names = {str(image) for name in materials_of(things) for image in project.scene.entry("materials", name).get("images", [])}
        costs = dict[str, float]()
        for image in project.scene.value.get("images") or ():
            if image.get("name") in names or self.objects is None:
                wide, high = image.get("size") or (0, 0)
                costs[str(image.get("name"))] = {"images": 1, "pixels": wide * high}.get(self.of, max(wide, high))
        return costs


def faces_of(project: Project, one: Thing) -> float:
    """With its modifiers."""
    evaluated = project.scene.seen(one).get("evaluated")
    return float((project.scene.mesh_of(one) if evaluated.value is None else evaluated)["faces"])


def budget(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.budget", options, Budget)
