"""`blender.preservation`: in an edit, everything that the brief does not name is as it was in the project that the agent was given.

    asks = { driver = "blender.preservation", edited = ["Lamp*"], added = ["Shade*"] }
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from playproof.errors import SubmissionFault, TaskError
from playproof.interfaces import Services
from playproof.model import Options
from playproof_blender import scene, shapes
from playproof_blender.assertions.lengths import spelled
from playproof_blender.assertions.selecting import Thing
from playproof_blender.assertions.stating import SHAPES, Answer, Finding, Project, ProjectAssertion, every, length, stated
from playproof_blender.expected import STARTER, STARTER_SHAPES
from playproof_blender.geometry.samples import spread
from playproof_blender.geometry.soup import NotMeasurable, areas, crosses, soup_of, volume
from playproof_blender.geometry.surface import Surface
from playproof_blender.scene import Scene, meets
from playproof_blender.shapes import Solid

ASPECTS: Mapping[str, Sequence[str]] = {
    "place": ("matrix",), "kind": ("type", "missing"), "parent": ("parent", "parent_bone"), "collections": ("collections",),
    "visibility": ("rendered",), "materials": ("materials",), "modifiers": ("modifiers",), "constraints": ("constraints",),
    "animation": ("drivers", "shape_keys"), "physics": ("rigid_body",), "weights": ("vertex_groups", "weights"), "text": ("text", "curve"),
    "custom": ("custom",),
}  # fmt: skip
SCENE_KEYS = ("units", "fps", "frames", "world")
SECTIONS = {"MESH": "meshes", "CAMERA": "cameras", "LIGHT": "lights", "ARMATURE": "armatures"}
SHAPE, DEFINED = "shape", ("data", "definitions")
SAMPLES = 400


@frozen(kw_only=True)
class Preservation:
    """Every object of the starter that is not `edited` (patterns) is still there under its name, and is in every aspect of `aspects` (all,
    unless told) as it was: places and shapes to `tolerance`, everything else equal; its materials are defined as they were (but for
    `materials`, patterns). Nothing is new but what is `added`. Of the scene itself `scene` is kept ("units", "fps", "frames", "world",
    "render")."""

    edited: Sequence[str] = ()
    added: Sequence[str] = ()
    materials: Sequence[str] = ()
    aspects: Sequence[str] = (*ASPECTS, SHAPE, *DEFINED)
    scene: Sequence[str] = SCENE_KEYS
    tolerance: float | None = length(0.0001)

    def __attrs_post_init__(self) -> None:
        known = {*ASPECTS, SHAPE, *DEFINED}
        if wrong := [one for one in self.aspects if one not in known]:
            raise ValueError(f"aspects has {wrong[0]!r}; known: {', '.join(sorted(known))}")
        if wrong := [one for one in self.scene if one not in (*SCENE_KEYS, "render")]:
            raise ValueError(f"scene has {wrong[0]!r}; known: {', '.join((*SCENE_KEYS, 'render'))}")

    reads = SHAPES | {STARTER, STARTER_SHAPES}
    version = 2
    """2: what is turned inside out is changed, however small it is."""

    def answer(self, project: Project) -> Answer:
        before = _starter(project)
        now = {one["name"]: one for one in project.scene.value["objects"]}
        was = {one["name"]: one for one in before.value["objects"]}
        kept = [one for name, one in was.items() if not _fits(name, self.edited)]
        drawn = self._drawn(project) if SHAPE in self.aspects else ({}, {})
        found = [self._object(one, now.get(one["name"]), before, project, drawn) for one in kept]
        found += [Finding(name, False, "is new") for name in now if name not in was and not _fits(name, (*self.added, *self.edited))]
        for key in self.scene:
            if why := differs(before.value.get(key), project.scene.value.get(key), key, self._near):
                found.append(Finding("the scene", False, why))
        found.sort(key=lambda one: one.seen not in ("is gone", "is new"))  # told first, since only some are told
        edited = f" but {' and '.join(map(repr, (*self.edited, *self.added)))}" if self.edited or self.added else ""
        if not found:
            return Answer(True, f"the starter has no object{edited}", "nothing to keep", "unchanged")
        return every(found, f"what was not to be changed (all{edited})", "as it was")

    @property
    def _near(self) -> float:
        return max(self.tolerance or 0.0, 1e-6)

    def _drawn(self, project: Project) -> tuple[Mapping[str, Solid], Mapping[str, Solid]]:
        try:
            before = shapes.shapes_of(project.evidence, STARTER_SHAPES)
            was = before.of("*")
        except SubmissionFault as fault:
            raise TaskError(f"the starter's shapes: {fault}") from None
        project.cites += before.cites
        return was, project.shapes.of("*")

    def _object(self, was: Thing, now: Thing | None, before: Scene, project: Project,
                drawn: tuple[Mapping[str, Solid], Mapping[str, Solid]]) -> Finding:  # fmt: skip
        name = was["name"]
        if now is None:
            return Finding(name, False, "is gone")
        faults = [why for aspect in self.aspects for key in ASPECTS.get(aspect, ())
                  if (why := differs(was.get(key), now.get(key), key, self._near))]  # fmt: skip
        if SHAPE in self.aspects:
            faults += self._shape(drawn[0].get(name), drawn[1].get(name))
        faults += self._blocks(was, now, before, project)
        return Finding(name, not faults, "; ".join(faults[:3]) or "as it was")

    def _shape(self, was: Solid | None, now: Solid | None) -> Sequence[str]:
        if was is None or now is None or not len(was.triangles) or not len(now.triangles):
            same = (was is None or not len(was.triangles)) and (now is None or not len(now.triangles))
            return [] if same else ["its shape is gone" if now is None or not len(now.triangles) else "it has a shape now"]
        if was.points.shape == now.points.shape and np.array_equal(was.triangles, now.triangles):
            off = float(np.abs(was.points - now.points).max())
            return [] if off <= self._near else [f"its shape differs by {spelled(off)}"]
        try:
            one, other = Surface(soup_of(was.points, was.triangles)), Surface(soup_of(now.points, now.triangles))
            off = float(max(other.distances(spread(one.soup, SAMPLES)).max(), one.distances(spread(other.soup, SAMPLES)).max()))
        except NotMeasurable as fault:
            return [f"its shape cannot be held against what it was: {fault}"]
        counts = f"{len(was.triangles)} triangles before, {len(now.triangles)} now"
        if off > self._near:
            return [f"its shape differs by {spelled(off)} ({counts})"]
        return ["it is turned inside out"] if _turned(was, now) else []

    def _blocks(self, was: Thing, now: Thing, before: Scene, project: Project) -> Iterator[str]:
        """Its materials, its mesh or lens or lamp, its action: what it refers to, as it is defined, whatever it is called."""
        wanted = list[tuple[str, Any, Any]]()
        if "definitions" in self.aspects:
            wanted += [("materials", name, name) for name in was.get("materials") or () if name and not _fits(name, self.materials)]
        if (section := SECTIONS.get(str(was.get("type")))) and "data" in self.aspects:
            wanted.append((section, was.get("data"), now.get("data")))
        if "animation" in self.aspects:
            wanted.append(("actions", was.get("action"), now.get("action")))
        for held, old, new in wanted:
            one, other = (dict(here.value.get(held) or {}).get(name) for here, name in ((before, old), (project.scene, new)))
            if why := differs(_plain(one), _plain(other), f"{held}[{old}]", self._near):
                yield why


def _turned(was: Solid, now: Solid) -> bool:
    """Whether faces look to the other side: by the volume that closed ones enclose, by the way that an open sheet looks as a whole."""
    (within, looks), (within_now, looks_now) = _sides(was), _sides(now)
    return (abs(within) > 1e-4 and within * within_now < 0) or (float(np.linalg.norm(looks)) > 1e-2 and float(looks @ looks_now) < 0)


def _sides(solid: Solid) -> tuple[float, Any]:
    """The volume within, over that of a cube of its area; and the mean of its unit normals by area. Both change sign with its faces."""
    area = float(areas(solid.corners).sum())
    return (volume(solid.corners) / area**1.5, crosses(solid.corners).sum(0) / (2 * area)) if area > 0 else (0.0, np.zeros(3))


def _starter(project: Project) -> Scene:
    told = project.latest(STARTER)
    if "none" in told:
        raise TaskError(f"the task has no starter to hold a submission against: {told['none']}")
    try:
        return scene.scene_of(project.evidence, STARTER)
    except SubmissionFault as fault:
        raise TaskError(f"the starter: {fault}") from None


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return any(meets(name, pattern) for pattern in patterns)


def _plain(block: Any) -> Any:
    """Without what says who else uses it."""
    return {key: value for key, value in block.items() if key != "users"} if isinstance(block, dict) else block


def differs(was: Any, now: Any, path: str, near: float) -> str | None:
    """The first place where two JSON values are not the same, numbers to `near` or to that share of the larger; None without one."""
    if isinstance(was, bool) or isinstance(now, bool) or not isinstance(was, int | float) or not isinstance(now, int | float):
        if isinstance(was, dict) and isinstance(now, dict):
            return next((why for key in {**was, **now} if (why := differs(was.get(key), now.get(key), f"{path}.{key}", near))), None)
        if isinstance(was, list) and isinstance(now, list):
            if len(was) != len(now):
                return f"{path} has {len(now)} entries and had {len(was)}"
            pairs = enumerate(zip(was, now, strict=True))
            return next((why for at, pair in pairs if (why := differs(*pair, f"{path}[{at}]", near))), None)
        return None if was == now and type(was) is type(now) else f"{path} is {_short(now)} and was {_short(was)}"
    same = abs(was - now) <= near * max(1.0, abs(was), abs(now)) if math.isfinite(was) and math.isfinite(now) else str(was) == str(now)
    return None if same else f"{path} is {now:.6g} and was {was:.6g}"


def _short(value: Any) -> str:
    said = "nothing" if value is None else repr(value)
    return said if len(said) <= 60 else said[:59] + "…"


def preservation(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.preservation", options, Preservation)
