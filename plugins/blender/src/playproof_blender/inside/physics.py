"""The stage `physics`: rigid bodies stepped by us from the first frame of their cache: `blender.physics/1`, like `blender.motion/1`.

What the file has baked is thrown away first, so that it shows what the bodies do and not what was written into it. Each track has "body"
besides: {"type", "mass", "shape", "kinematic" (at the end), "held" (at how many of the frames it was kinematic, or not dynamic)}.
Without a rigid body world there are no frames, and "why" says so.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bpy
from motion import MOST_FRAMES, Sampler
from reading import name_of
from visibility import Visibility


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """Options: `frames`, how many are stepped (else to the end of the scene's timeline, 250 at most)."""
    (out / "physics.json").write_text(json.dumps(_stepped(options)), encoding="ascii")
    seal("physics", file="physics.json")


def _stepped(options: Mapping[str, Any]) -> Mapping[str, Any]:
    scene = bpy.context.scene
    world = scene.rigidbody_world
    Visibility()
    bodies = [one for one in scene.objects if one.rigid_body is not None and (world is None or world.collection is None
                                                                              or one.name in world.collection.all_objects)]  # fmt: skip
    blank = {"fps": scene.render.fps / scene.render.fps_base, "frames": [], "tracks": [], "left_off": 0}
    if world is None or not bodies:
        return blank | {"why": "the scene has no rigid body world" if world is None else "no object is a rigid body"}
    if not world.enabled:
        return blank | {"why": "the rigid body world is off"}
    first = world.point_cache.frame_start
    last = first + min(int(options.get("frames", min(max(scene.frame_end - first, 1), 250))), MOST_FRAMES)
    _forget(world, first, last)
    sampler, held = Sampler(bodies, bones=False), dict.fromkeys(map(name_of, bodies), 0)
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        sampler.take(frame)
        for one in bodies:
            held[name_of(one)] += one.rigid_body.kinematic or not one.rigid_body.enabled
    told = {name_of(one): {"type": one.rigid_body.type, "mass": one.rigid_body.mass, "shape": one.rigid_body.collision_shape,
                           "kinematic": one.rigid_body.kinematic, "held": held[name_of(one)]} for one in bodies}  # fmt: skip
    found = sampler.told()
    return {**found, "tracks": [{**track, "body": told[track["object"]]} for track in found["tracks"]]}


def _forget(world: Any, first: int, last: int) -> None:
    """Throw away what is baked or cached. A cache that ends early would freeze the bodies there."""
    if world.point_cache.is_baked:
        with bpy.context.temp_override(scene=bpy.context.scene, point_cache=world.point_cache):
            bpy.ops.ptcache.free_bake()
    world.point_cache.frame_end = max(world.point_cache.frame_end, last)
    steps = world.substeps_per_frame
    world.substeps_per_frame = steps + 1  # any change of the world makes Blender forget what it has stepped before
    world.substeps_per_frame = steps
    bpy.context.scene.frame_set(first)
