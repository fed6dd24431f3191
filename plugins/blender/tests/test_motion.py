"""The stages that pose bones, step the timeline and let bodies fall, on real projects, and what is said of what they saw."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playproof.drivers import build
from playproof.errors import ExpectationFailed
from playproof.interfaces import Assertion, Services
from playproof.model import Ref
from playproof_blender.stages import Staged
from playproof_blender.testing import taken

pytestmark = pytest.mark.heavy

ARM = """
from mathutils import Vector
import bmesh
mesh = bpy.data.meshes.new("Arm")
shape = bmesh.new()
bmesh.ops.create_grid(shape, x_segments=1, y_segments=16, size=0.5)
for each in shape.verts:
    each.co = Vector((each.co.x * 0.2, 0, each.co.y * 2 + 1))
shape.to_mesh(mesh)
arm = bpy.data.objects.new("Arm", mesh)
bpy.context.collection.objects.link(arm)
bones = bpy.data.armatures.new("Bones")
rig = bpy.data.objects.new("Rig", bones)
bpy.context.collection.objects.link(rig)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode="EDIT")
upper = bones.edit_bones.new("Upper"); upper.head, upper.tail = (0, 0, 0), (0, 0, 1)
fore = bones.edit_bones.new("Fore"); fore.head, fore.tail, fore.parent = (0, 0, 1), (0, 0, 2), upper
bones.edit_bones.new("Idle").tail = (0, 0, 0.1)
bpy.ops.object.mode_set(mode="OBJECT")
for name in ("Upper", "Fore"):
    group = arm.vertex_groups.new(name=name)
    group.add([each.index for each in mesh.vertices if (each.co.z > 1.01) == (name == "Fore")], 1.0, "REPLACE")
arm.modifiers.new("Armature", "ARMATURE").object = rig
arm.modifiers.new("Fine", "SUBSURF").levels = 2
base = bpy.data.objects.new("Base", bpy.data.meshes.new("Base"))
base.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
bpy.context.collection.objects.link(base)
base.parent = rig
"""

WHEEL = """
scene = bpy.context.scene
scene.frame_start, scene.frame_end, scene.render.fps = 1, 101, 25
mesh = bpy.data.meshes.new("Ball")
mesh.from_pydata([(-.1, -.1, -.1), (.1, -.1, -.1), (0, .1, -.1), (0, 0, .1)], [], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
ball, still = bpy.data.objects.new("Ball", mesh), bpy.data.objects.new("Still", mesh)
for one in (ball, still):
    scene.collection.objects.link(one)
for frame, spot in ((1, (0, 0, 1)), (51, (5, 0, 1)), (101, (0, 0, 1))):
    ball.location = spot
    ball.keyframe_insert("location", frame=frame)
for curve in ball.animation_data.action.fcurves:
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
"""

FALL = """
scene = bpy.context.scene
scene.frame_start, scene.frame_end = 1, 80
bpy.ops.rigidbody.world_add()
def body(name, size, at, kind):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at)
    one = bpy.context.object
    one.name, one.scale = name, size
    bpy.ops.rigidbody.object_add(type=kind)
    return one
body("Floor", (10, 10, 0.2), (0, 0, -0.1), "PASSIVE")
body("Crate", (1, 1, 1), (0, 0, 1.5), "ACTIVE")
ball = body("Runaway", (1, 1, 1), (20, 0, 3), "ACTIVE")
"""


def sealed(staged: Callable[..., Staged], stage: str, project: Path, **options: Any) -> Any:
    done = staged(stage, project, **options)
    return json.loads(done.named(stage).read())


def said(folder: Path, name: str, kind: str, told: Any, **options: Any) -> str:
    """What an assertion says of what a stage sealed."""
    assertion: Assertion = build("assertion", Ref(f"blender.{name}", options), Services(folder))
    try:
        return assertion.check(taken(folder / name, [], {kind: told})).message
    except ExpectationFailed as failed:
        return f"no: {failed}"


def test_a_bone_moves_its_own_points_and_comes_back(
    made: Callable[..., Path], staged: Callable[..., Staged], tmp_path: Path,
) -> None:
    told = sealed(staged, "rig", made(ARM))
    bones = {one["bone"]: one for one in told["bones"]}
    assert set(bones) == {"Upper", "Fore", "Idle"}
    assert max(one["restored"] for one in bones.values()) < 1e-6
    fore, upper = bones["Fore"]["objects"], bones["Upper"]["objects"]
    assert fore["Arm"]["groups"]["Fore"]["moved"] == fore["Arm"]["groups"]["Fore"]["points"] > 4
    assert fore["Arm"]["groups"]["Upper"]["moved"] == 0
    assert upper["Arm"]["moved"] > fore["Arm"]["moved"], "what hangs on a bone goes along with it"
    assert fore["Arm"]["furthest"] == pytest.approx(2 * 0.2588, rel=0.01), "a chord of 30 degrees, a metre from the joint"
    assert fore["Arm"]["box"][2] > 1.0
    assert bones["Idle"]["objects"]["Arm"]["moved"] == 0
    assert fore["Base"]["moved"] == upper["Base"]["moved"] == 0, "it is watched, since it hangs on the armature"
    asked = {"bone": "Fore", "groups": ["Fore"], "still_groups": ["Upper"], "still": ["Base"], "share_at_least": 1.0}
    assert "all 4 hold" in said(tmp_path, "rig", "blender.rig/1", told, **asked)
    assert "no: " in said(tmp_path, "rig", "blender.rig/1", told, bone="Idle", objects=["Arm"])


def test_where_things_are_frame_by_frame(made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    told = sealed(staged, "motion", made(WHEEL))
    tracks = {one["object"]: one for one in told["tracks"]}
    assert (told["fps"], len(told["frames"])) == (25, 101)
    assert tracks["Ball"]["places"][50] == pytest.approx([5, 0, 1])
    assert tracks["Ball"]["boxes"][0] == pytest.approx([-0.1, -0.1, 0.9, 0.1, 0.1, 1.1], abs=1e-5)
    assert (tracks["Still"]["moves"], len(tracks["Still"]["places"])) == (False, 1)
    some = sealed(staged, "motion", made(WHEEL), objects=["Ball"], first=11, last=31, step=10)
    assert ([one["object"] for one in some["tracks"]], some["frames"]) == (["Ball"], [11, 21, 31])


def test_bones_have_tracks_too(made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    moved = ARM + """
bone = rig.pose.bones["Fore"]
bone.rotation_mode = "XYZ"
for frame, angle in ((1, 0), (20, 1.5707963)):
    bone.rotation_euler.x = angle
    bone.keyframe_insert("rotation_euler", frame=frame)
bpy.context.scene.frame_end = 20
"""
    told = sealed(staged, "motion", made(moved))
    tracks = {(one["object"], one["bone"]): one for one in told["tracks"]}
    assert tracks["Rig", "Fore"]["moves"]
    assert not tracks["Rig", "Upper"]["moves"]
    first, last = tracks["Rig", "Fore"]["turns"][0], tracks["Rig", "Fore"]["turns"][-1]
    assert abs(sum(a * b for a, b in zip(first, last, strict=True))) == pytest.approx(0.7071, abs=0.01), "a quarter of a turn"


def test_bodies_fall_by_our_steps(made: Callable[..., Path], staged: Callable[..., Staged], tmp_path: Path) -> None:
    told = sealed(staged, "physics", made(FALL))
    tracks = {one["object"]: one for one in told["tracks"]}
    assert tracks["Crate"]["places"][0][2] == pytest.approx(1.5, abs=0.01)
    assert tracks["Crate"]["places"][-1][2] == pytest.approx(0.5, abs=0.05)
    assert tracks["Runaway"]["places"][-1][2] < -10
    assert tracks["Floor"]["body"]["type"] == "PASSIVE"
    assert "Crate: rests at" in said(tmp_path, "settle", "blender.physics/1", told, objects="Crate", above=0, moved_at_least="0.9 m")
    assert "no: rigid bodies '*'" in said(tmp_path, "settle", "blender.physics/1", told, objects="*", above="-1 m")


def test_what_keys_move_is_not_free(made: Callable[..., Path], staged: Callable[..., Staged], tmp_path: Path) -> None:
    """A crate that keys set down, and one that they hold for ten frames and let go."""
    keyed = FALL + """
puppet, dropped = body("Puppet", (1, 1, 1), (3, 0, 1.5), "ACTIVE"), body("Dropped", (1, 1, 1), (-3, 0, 1.5), "ACTIVE")
puppet.rigid_body.kinematic = True
for frame, height in ((1, 1.5), (30, .5)):
    puppet.location.z = height
    puppet.keyframe_insert("location", frame=frame)
for frame, held in ((1, True), (11, False)):
    dropped.rigid_body.kinematic = held
    dropped.keyframe_insert("rigid_body.kinematic", frame=frame)
"""
    told = sealed(staged, "physics", made(keyed))
    held = {one["object"]: one["body"]["held"] for one in told["tracks"]}
    assert (held["Crate"], held["Puppet"], held["Dropped"]) == (0, 80, 10)
    assert "Crate: rests at" in said(tmp_path, "settle", "blender.physics/1", told, objects="Crate", free=True)
    for name in ("Puppet", "Dropped"):
        assert "moved by other things" in said(tmp_path, "settle", "blender.physics/1", told, objects=name, free=True)
        assert "rests at" in said(tmp_path, "settle", "blender.physics/1", told, objects=name)


def test_a_baked_lie_is_forgotten(made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    """The crate was baked to hang in the air, and then its gravity was switched on again."""
    baked = FALL + """
scene.gravity = (0, 0, 0)
scene.use_gravity = False
with bpy.context.temp_override(scene=scene, point_cache=scene.rigidbody_world.point_cache):
    bpy.ops.ptcache.bake(bake=True)
scene.use_gravity, scene.gravity = True, (0, 0, -9.81)
assert scene.rigidbody_world.point_cache.is_baked
"""
    told = sealed(staged, "physics", made(baked))
    crate = next(one for one in told["tracks"] if one["object"] == "Crate")
    assert crate["places"][-1][2] == pytest.approx(0.5, abs=0.05)


def test_without_bodies_there_is_nothing_to_step(made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    assert sealed(staged, "physics", made(WHEEL))["why"] == "the scene has no rigid body world"
