"""The mutator `blender.scene`: one thing of the reference moved, scaled, deleted, hidden, flipped, unlinked, detached, baked or retimed."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from playproof.canonical import digest
from playproof.drivers import settings
from playproof.errors import InfrastructureError, SessionError, SubmissionFault, TaskError
from playproof.interfaces import Services
from playproof.model import Options, Submission
from playproof.mutation import Mutant, drawn, named
from playproof_blender.assertions.selecting import SURFACED
from playproof_blender.backend import Blender, NoBlender, find
from playproof_blender.scene import Scene
from playproof_blender.stages import Stages

WALL_S = 300.0
MOVED, SCENE_SHARE, SCALED, RETIMED = 0.3, 0.01, 1.35, 1.6
"""A thing is moved by that share of its longest side, and by that share of the whole scene at least; grown, or its actions slowed, so many
times: what a checker of the thing ought to see."""

FIND = 'import bpy\n\none = bpy.data.objects[{name}]\n'
MOVE = FIND + "one.matrix_world.translation = [a + b for a, b in zip(one.matrix_world.translation, {by})]\n"
SCALE = FIND + "one.scale = [{by} * side for side in one.scale]\n"
DELETE = FIND + "bpy.data.objects.remove(one)\n"
HIDE = FIND + "one.hide_render = True\n"
FLIP = FIND + "one.data = one.data.copy()\none.data.flip_normals()\n"
UNLINK = FIND + "for held in list(one.users_collection):\n    held.objects.unlink(one)\nbpy.context.scene.collection.objects.link(one)\n"
DETACH = FIND + "one.parent = None\n"
UNCONSTRAIN = FIND + "one.constraints.clear()\n"
BAKE = FIND + ("baked = bpy.data.meshes.new_from_object(one.evaluated_get(bpy.context.evaluated_depsgraph_get()))\n"
               "one.modifiers.clear()\none.data = baked\n")  # fmt: skip
RETIME = """import bpy

start, by = {start}, {by}
for curve in bpy.data.actions[{name}].fcurves:
    for key in curve.keyframe_points:
        for point in (key.co, key.handle_left, key.handle_right):
            point.x = start + by * (point.x - start)
"""


@frozen
class Settings:
    """`but`: patterns of objects that are left as they are."""

    but: tuple[str, ...] = ()


class SceneMutator:
    """Implements `Mutator`. Each mutant is a script that Blender runs over the reference; a mutant's line is the place of its object in the
    scene, so that every object has its first mutant before any has its second."""

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(Settings, options, "blender.scene")
        self._services = services

    def mutants(self, submission: Submission, seed: int, limit: int) -> Iterator[Mutant]:
        project = _project(submission.root)
        scene = self._scene(submission.root, project)
        yield from drawn(named(_all(scene, project, self._settings.but)), seed)[:limit]

    def _scene(self, root: Path, project: str) -> Scene:
        """Raises TaskError for a reference that Blender does not open."""
        with tempfile.TemporaryDirectory(prefix="playproof-") as scratch:
            stages = Stages(self._blender(), self._services, Path(scratch))
            staged = stages.run("inspect_project", root, project, {}, WALL_S)
            if refused := staged.get("refused"):
                raise TaskError(f"the reference's {project} does not open: {refused.value['why']}")
            try:
                return Scene(json.loads(staged.named("scene").read()), [])
            except SessionError as fault:
                raise TaskError(f"the reference's {project} cannot be read: {fault}") from None


    def _blender(self) -> Blender:
        try:
            return find(self._services.cache, os.environ)
        except NoBlender as fault:
            raise InfrastructureError(str(fault)) from None


def _project(root: Path) -> str:
    found = sorted(place.relative_to(root).as_posix() for place in root.rglob("*.blend"))
    if len(found) != 1:
        raise TaskError(f"the reference has {len(found)} .blend files of its own; the mutator 'blender.scene' changes one")
    return found[0]


def _all(scene: Scene, project: str, but: tuple[str, ...]) -> Iterator[Mutant]:
    spared = {one["name"] for pattern in but for one in scene.objects(pattern)}
    things = [one for one in scene.objects() if one["type"] in SURFACED and one.get("rendered") and one["name"] not in spared]
    low, high = scene.box_of([one for one in things if one.get("box")])
    whole = float(np.linalg.norm(high - low))
    for line, one in enumerate(things, 1):
        for kind, after, script in _changes(one, whole):
            yield Mutant(project, line, 1, kind, f"{one['name']} ({one['type'].lower()})", after, 0, 0, "", one["name"], script=script)
    for line, (name, told) in enumerate(sorted((scene.value.get("actions") or {}).items()), len(things) + 1):
        start = float(told["frames"][0])
        script = RETIME.format(name=json.dumps(name), start=start, by=RETIMED)
        yield Mutant(project, line, 1, "retime", f"action {name}", f"{RETIMED} times as slow", 0, 0, "", name, script=script)


def _changes(one: Mapping[str, Any], whole: float) -> Iterator[tuple[str, str, str]]:
    """The kind of each change, what it does in words, and its script."""
    name = json.dumps(one["name"])
    with suppress(SubmissionFault, TypeError):
        sides = np.array(one["box"][3:]) - np.array(one["box"][:3])
        by, axis = max(MOVED * float(sides.max()), SCENE_SHARE * whole), int(digest([one["name"]])[:8], 16) % 3
        away = [round(by, 6) if each == axis else 0 for each in range(3)]
        yield "move", f"{by:.3g} m along {'xyz'[axis]}", MOVE.format(name=name, by=away)
    yield "scale", f"{SCALED} times as large", SCALE.format(name=name, by=SCALED)
    yield "delete", "", DELETE.format(name=name)
    yield "hide", "left out of renders", HIDE.format(name=name)
    if one["type"] == "MESH":
        yield "flip", "inside out", FLIP.format(name=name)
    if one.get("collections"):
        yield "unlink", "in the scene alone, in none of its collections", UNLINK.format(name=name)
    if one.get("parent"):
        yield "detach", f"no longer on {one['parent']}", DETACH.format(name=name)
    if one.get("constraints"):
        yield "detach", "without its constraints", UNCONSTRAIN.format(name=name)
    if one.get("modifiers") and one["type"] == "MESH":
        yield "bake", "its modifiers applied", BAKE.format(name=name)
