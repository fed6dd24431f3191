"""Eight Cycles views of 65 objects beside Cycles' own time for the same views: what choosing, safe settings, sealing and checking cost.

    python benchmarks/blender_views.py [project.blend] [--size 512] [--samples 16]

Prints seconds of CPU, all processes of a stage together, so that whatever else runs here matters little; asserts nothing.
"""

import argparse
import json
import os
import resource
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from playproof.interfaces import Services
from playproof_blender.backend import Blender, find
from playproof_blender.stages import Staged, Stages
from playproof_blender.views import Wishes

TARGET = 1.10

SCENE = """
import bpy, math, random, sys
bpy.ops.wm.read_factory_settings(use_empty=True)
random.seed(7)
scene = bpy.context.scene
scene.world = bpy.data.worlds.new("Sky")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (.5, .6, .8, 1)
looks = []
for number in range(6):
    look = bpy.data.materials.new(f"Look {number}")
    look.use_nodes = True
    shader = look.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*(random.uniform(.1, .9) for _ in range(3)), 1)
    shader.inputs["Roughness"].default_value, shader.inputs["Metallic"].default_value = .1 + .15 * number, number == 1
    shader.inputs["Transmission Weight"].default_value = number == 4
    if number in (2, 3):
        noise = look.node_tree.nodes.new("ShaderNodeTexNoise")
        bump = look.node_tree.nodes.new("ShaderNodeBump")
        look.node_tree.links.new(noise.outputs[0], bump.inputs["Height"])
        look.node_tree.links.new(bump.outputs[0], shader.inputs["Normal"])
    looks.append(look)
makers = [bpy.ops.mesh.primitive_cube_add, bpy.ops.mesh.primitive_uv_sphere_add, bpy.ops.mesh.primitive_cylinder_add,
          bpy.ops.mesh.primitive_torus_add]
bpy.ops.mesh.primitive_plane_add(size=60)
for number in range(60):
    size = random.uniform(.15, .5)
    makers[number % 4](location=(random.uniform(-5, 5), random.uniform(-5, 5), size))
    bpy.context.object.scale = (size,) * 3
bpy.ops.mesh.primitive_monkey_add(size=3, location=(0, 0, 2))
bpy.context.object.modifiers.new("Smooth", "SUBSURF").render_levels = 3
for number, one in enumerate(scene.objects):
    one.data.materials.append(looks[number % 6])
for kind, place, energy in (("SUN", (0, 0, 10), 3), ("AREA", (4, -4, 6), 400)):
    lamp = bpy.data.objects.new(kind, bpy.data.lights.new(kind, kind))
    lamp.location, lamp.data.energy = place, energy
    lamp.rotation_euler = (.6, .1, .5)
    scene.collection.objects.link(lamp)
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1])
"""

BARE = """
import bpy, json, math, sys, time
from mathutils import Matrix
project, told = sys.argv[1], json.load(open(sys.argv[2]))
bpy.ops.wm.open_mainfile(filepath=project, load_ui=False, use_scripts=False)
scene = bpy.context.scene
scene.render.engine, scene.cycles.device, scene.cycles.samples, scene.cycles.max_bounces = "CYCLES", "CPU", told["samples"], 4
scene.cycles.use_adaptive_sampling, scene.cycles.adaptive_threshold, scene.cycles.adaptive_min_samples = True, .05, 0
scene.cycles.use_denoising, scene.cycles.denoiser, scene.cycles.denoising_quality = True, "OPENIMAGEDENOISE", "FAST"
scene.cycles.denoising_prefilter = "FAST"
scene.render.resolution_x = scene.render.resolution_y = told["size"]
scene.render.resolution_percentage, scene.render.use_persistent_data = 100, True
eye = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
scene.collection.objects.link(eye)
scene.camera = eye
cpu = time.process_time()
for number, view in enumerate(told["views"]):
    eye.data.sensor_fit, eye.data.angle = "HORIZONTAL", math.radians(view["angle_deg"])
    eye.data.clip_start, eye.data.clip_end = view["clip"]
    eye.matrix_world = Matrix([view["matrix"][at : at + 4] for at in (0, 4, 8, 12)])
    scene.render.filepath = f"{sys.argv[3]}/{number}.png"
    bpy.ops.render.render(write_still=True)
print("cpu", time.process_time() - cpu)
"""


def spent(work: Callable[[], Staged]) -> tuple[Staged, float]:
    """What a stage gave, and the seconds of CPU of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bare(blender: Blender, project: Path, views: Sequence[Mapping[str, Any]], size: int, samples: int, work: Path) -> float:
    (work / "bare.py").write_text(BARE)
    (work / "views.json").write_text(json.dumps({"views": views, "size": size, "samples": samples}))
    call = [str(blender.program), "-I", str(work / "bare.py"), str(project), str(work / "views.json"), str(work)]
    said = subprocess.run(call, check=True, capture_output=True, text=True)
    return float(next(line for line in said.stdout.splitlines() if line.startswith("cpu ")).split()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", nargs="?", type=Path)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--samples", type=int, default=16)
    given = parser.parse_args()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof"
    blender = find(cache, os.environ)
    with tempfile.TemporaryDirectory(prefix="playproof-") as folder:
        work = Path(folder)
        project = work / "submission" / "project.blend"
        project.parent.mkdir()
        if given.project:
            project.write_bytes(given.project.read_bytes())
        else:
            (work / "scene.py").write_text(SCENE)
            subprocess.run([str(blender.program), "-I", str(work / "scene.py"), str(project)], check=True, capture_output=True)
        stages = Stages(blender, Services(cache), work / "stages")
        asked = {"views": 8, "own_cameras": False, "cameras": []}
        chosen, choosing = spent(lambda: stages.run("choose_views", project.parent, project.name, asked, 600))
        views = chosen.named("views").value["views"]
        options = {"views": views, "substitutes": [], "channel": "cycles", "size": given.size, "samples": given.samples,
                   "time_limit": 10 * Wishes().time_limit}  # fmt: skip
        done, rendering = spent(lambda: stages.run("render_views", project.parent, project.name, options, 7200))
        count = sum(1 for seal in done.seals if seal.name == "picture")
        own = bare(blender, project, views, given.size, given.samples, work)
    print(f"choosing {len(views)} views: {choosing:.1f} s of CPU")
    print(f"rendering {count} of them at {given.size} x {given.size}, {given.samples} samples, in one process: {rendering:.1f} s of CPU")
    print(f"Cycles' own: {own:.1f} s of CPU; beside it {rendering / own:.3f} times as much (wanted: at most {TARGET:.2f})")


if __name__ == "__main__":
    main()
