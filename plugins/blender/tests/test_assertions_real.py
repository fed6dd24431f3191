"""Rubrics on real projects, from the file to the verdict: evidence is taken, and a good and a spoiled project are told apart."""

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.evidence import Record
from playproof.examiners.rubric import RubricExaminer
from playproof.interfaces import Grading, Services
from playproof.model import Case, Outcome, Verdict
from playproof_blender.testing import cuboid, shapes_bytes

pytestmark = pytest.mark.heavy

TABLE = """
import math
def solid(name, at, size, turned=0.0):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at, rotation=(0, 0, turned))
    one = bpy.context.object
    one.name, one.scale = name, size
    return one
oak = bpy.data.materials.new("Oak")
oak.use_nodes = True
oak.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.25, 0.1, 0.025, 1)
oak.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.6
top = solid("Top", (0, 0, 0.735), (1.2, 0.8, 0.03))
legs = [solid(f"Leg.{n}", (x * 0.55, y * 0.35, 0.36), (0.05, 0.05, 0.72)) for n, (x, y) in enumerate([(-1, -1), (1, -1), (-1, 1), (1, 1)])]
bowl = solid("Bowl", (0.1, 0, 0.8), (0.2, 0.2, 0.1), turned=0.5)
for one in (top, *legs):
    one.data.materials.append(oak)
for one in legs:
    bevel = one.modifiers.new("Bevel", "BEVEL")
    bevel.width, bevel.segments = 0.004, 2
    matrix = one.matrix_world.copy()
    one.parent = top
    bpy.context.view_layer.update()
    one.matrix_world = matrix
bpy.ops.object.camera_add(location=(0, -4, 1), rotation=(math.pi / 2 - 0.06, 0, 0))
bpy.context.scene.camera = bpy.context.object
bpy.context.scene.render.resolution_x = bpy.context.scene.render.resolution_y = 512
bpy.context.object.name = "Shot"
bpy.context.scene.frame_end = 24
for frame, height in ((1, 0.8), (24, 1.3)):
    bowl.location.z = height
    bowl.keyframe_insert("location", frame=frame)
bpy.context.scene.frame_set(1)
"""
SPOILED = """
bpy.data.objects["Leg.3"].scale.z *= 0.9
bpy.data.objects["Leg.2"].modifiers.clear()
bpy.data.objects["Leg.1"].parent = None
bpy.data.objects["Leg.1"].name = "Cube.001"
bowl.animation_data_clear()
bowl.location.z = 0.75
oak.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.1
bpy.data.objects["Shot"].rotation_euler.z = 1.0
"""
RUBRIC: Mapping[str, Mapping[str, Any]] = {
    "height": {"driver": "blender.dimension", "objects": "*", "together": True, "axis": "z", "equals": "85 cm", "tolerance": "1 mm"},
    "legs": {"driver": "blender.dimension", "objects": "Leg*", "axis": "z", "equals": "720 mm", "tolerance": "1 mm"},
    "four": {"driver": "blender.count", "objects": "Leg*", "equals": 4},
    "budget": {"driver": "blender.budget", "of": "triangles", "at_most": 2000},
    "faces": {"driver": "blender.budget", "of": "faces", "at_least": 100},
    "names": {"driver": "blender.naming", "objects": "*"},
    "parents": {"driver": "blender.hierarchy", "objects": "Leg*", "parent": "Top"},
    "bevels": {"driver": "blender.modifier", "objects": "Leg*", "type": "BEVEL", "settings": {"width": "4 mm", "segments": 2}},
    "joined": {"driver": "blender.contact", "objects": "Leg*", "to": "Top", "tolerance": "0.1 mm"},
    "clear": {"driver": "blender.gap", "objects": "Bowl", "to": "Leg*", "at_least": "2 cm"},
    "apart": {"driver": "blender.interpenetration", "objects": "*"},
    "held": {"driver": "blender.support", "objects": {"type": "MESH"}},
    "even": {"driver": "blender.symmetry", "objects": {"but": "Bowl", "type": "MESH"}, "axis": "x"},
    "closed": {"driver": "blender.watertight", "objects": {"type": "MESH"}},
    "solid": {"driver": "blender.flat_card", "objects": ["Leg*", "Bowl"]},
    "like": {"driver": "blender.iou", "objects": "Leg.0", "reference": "leg.npz", "at_least": 0.95},
    "near": {"driver": "blender.chamfer", "objects": "Leg*", "reference": "leg.npz", "at_most": "2 m"},
    "wood": {"driver": "blender.material", "objects": ["Top", "Leg*"], "colour": [0.25, 0.1, 0.025],
             "roughness": {"at_least": 0.5}},
    "maps": {"driver": "blender.uv", "objects": "Top", "overlap_at_most": 0.01, "coverage_at_least": 0.3},
    "shot": {"driver": "blender.framing", "objects": "Top", "share_at_least": 0.01},
    "place": {"driver": "blender.position", "objects": "Bowl", "point": "bottom", "relative_to": "Top", "relative_point": "top",
              "axis": "z", "equals": 0, "tolerance": "1 mm"},
    "rises": {"driver": "blender.motion", "object": "Bowl", "away_at_least": "49 cm", "above": 0},
    "kept": {"driver": "blender.preservation", "edited": ["Bowl"]},
}  # fmt: skip


@pytest.fixture
def graded(grading: Callable[..., Grading]) -> Callable[..., Mapping[str, Verdict]]:
    """The verdicts of RUBRIC on a project, for a task whose starter is another."""

    def grade(project: Path, starter: Path, asked: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Verdict]:
        given = grading(project)
        lines = [f"[[criteria]]\nid = {json.dumps(name)}\nasks = {spelled(asks)}\n" for name, asks in asked.items()]
        (given.held_out / "rubric.toml").write_text("\n".join(lines))
        (given.held_out / "leg.npz").write_bytes(shapes_bytes([cuboid("Leg", (-0.55, -0.35, 0.36), (0.05, 0.05, 0.72))]))
        (given.task.root / "starter").mkdir()
        (given.task.root / "starter" / "project.blend").write_bytes(starter.read_bytes())
        assert given.runtime.preflight(given) == []
        with ExitStack() as exits:
            examiner = RubricExaminer({"files": ["rubric.toml"]}, Services(Path(), exits))
            given = evolve(given, record=Record(given.scratch / "checked"))
            return {one.check: one for one in examiner.examine(examiner.checks(given.task), Case(), given)}

    return grade


def spelled(value: Any) -> str:
    """As TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {spelled(inner)}" for key, inner in value.items()) + " }"
    return json.dumps(value)


def test_a_good_project_passes_and_a_spoiled_one_fails_where_it_was_spoiled(
    made: Callable[..., Path], graded: Callable[..., Mapping[str, Verdict]],
) -> None:
    good = made(TABLE)
    passed = graded(good, good, RUBRIC)
    assert {name: one.message for name, one in passed.items() if one.outcome is not Outcome.PASS} == {}
    assert all(one.cites and one.observer for one in passed.values())
    failed = graded(made(TABLE + SPOILED), good, RUBRIC)
    wrong = {name for name, one in failed.items() if one.outcome is Outcome.FAIL}
    assert wrong == {"height", "legs", "four", "names", "bevels", "apart", "held", "wood", "shot", "place", "rises", "kept", "joined",
                     "even"}  # fmt: skip
    assert "Leg.3: 648 mm (72 mm too little)" in failed["legs"].message
    assert "Leg.2: has no modifier" in failed["bevels"].message
    for said in ("Leg.1: is gone; Cube.001: is new", "Top: materials[Oak].roughness is 0.1 and was 0.6"):
        assert said in failed["kept"].message
