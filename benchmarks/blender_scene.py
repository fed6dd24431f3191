"""The scene summary of a Blender project beside its target: CPU for each object, at 100, 1,000 and 10,000. Prints; asserts nothing.

Each object has a mesh of its own with a UV map; every fourth a live bevel, every tenth an action, every hundredth draws a collection."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playproof_blender.backend import Blender, find
from playproof_blender.stages import INSIDE

TARGET_MS = 1.5
SIZES = (100, 1_000, 10_000)

MAKE = """
import bpy, sys
place, count = sys.argv[1], int(sys.argv[2])
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
bpy.ops.mesh.primitive_cube_add()
pattern = bpy.context.object.data
bpy.data.objects.remove(bpy.context.object)
materials = [bpy.data.materials.new(f"material {number}") for number in range(max(count // 50, 1))]
for one in materials:
    one.use_nodes = True
folders = [bpy.data.collections.new(f"folder {number}") for number in range(max(count // 100, 1))]
for one in folders:
    scene.collection.children.link(one)
shared = bpy.data.collections.new("shared")
shared.objects.link(bpy.data.objects.new("drawn", pattern))
for number in range(count):
    mesh = None if number % 100 == 99 else pattern.copy()
    one = bpy.data.objects.new(f"thing {number}", mesh)
    folders[number % len(folders)].objects.link(one)
    one.location = (number % 100 * 3, number // 100 * 3, 0)
    if mesh is None:
        one.instance_type, one.instance_collection = "COLLECTION", shared
        continue
    for vertex in mesh.vertices:
        vertex.co *= 1 + number / count
    mesh.uv_layers.active.uv[0].vector = (number / count, 0.5)
    mesh.materials.append(materials[number % len(materials)])
    if number % 4 == 0:
        one.modifiers.new("Bevel", "BEVEL")
    if number % 10 == 0:
        one.keyframe_insert("location", frame=1)
        one.keyframe_insert("location", frame=24)
bpy.ops.wm.save_as_mainfile(filepath=place)
"""

READ = """
import bpy, json, os, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], load_ui=False, use_scripts=False)
import shapes, summary
from drawn import Drawn
from visibility import Visibility
bpy.context.evaluated_depsgraph_get()
started = time.process_time()
visibility = Visibility()
drawn = Drawn(visibility)
summary.write({}, Path(sys.argv[3]) / "scene.json", visibility, drawn)
scene = time.process_time() - started
shapes.write({}, Path(sys.argv[3]) / "shapes.npz", drawn)
whole = time.process_time() - started
print("playproof", json.dumps([len(bpy.context.scene.objects), scene, whole - scene]))
"""


def run(blender: Blender, script: str, *arguments: str) -> str:
    return subprocess.run([str(blender.program), "-I", "-c", script, *arguments], check=True, capture_output=True, text=True).stdout


def measured(blender: Blender, folder: Path, count: int) -> tuple[int, float, float]:
    """Objects, and seconds of CPU for the summary and, beyond it, for the shapes, without opening the file and evaluating the scene."""
    project = folder / f"{count}.blend"
    run(blender, MAKE, str(project), str(count))
    told = run(blender, READ, str(project), str(INSIDE), str(folder))
    objects, scene, shapes = json.loads(next(line for line in told.splitlines() if line.startswith("playproof")).removeprefix("playproof"))
    return objects, scene, shapes


def main() -> None:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof"
    blender = find(cache, os.environ)
    if not blender.module:
        sys.exit(f"this needs a Python that has bpy; {blender.program} is an executable")
    first = None
    with tempfile.TemporaryDirectory() as made:
        for count in SIZES:
            objects, scene, shapes = measured(blender, Path(made), count)
            each = scene / objects * 1000
            first = first or each
            spelled = (Path(made) / "scene.json").stat().st_size / objects
            print(f"{objects:6,} objects: {each:.3f} ms CPU for each (target < {TARGET_MS}), {each / first:.2f} x that of {SIZES[0]}; "
                  f"{scene:.2f} s whole, shapes {shapes / objects * 1000:.3f} ms more; {spelled:,.0f} bytes of JSON for each")


if __name__ == "__main__":
    main()
