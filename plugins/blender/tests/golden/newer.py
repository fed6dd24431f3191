"""Made `blender-4.5.blend` and `blender-5.0.blend` beside it: a cube as newer Blenders write it, as small as they can.

    python newer.py FOLDER      in a Python 3.11 with bpy 4.5, then in one with bpy 5.0
"""

import sys
from pathlib import Path

import bpy

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.mesh.primitive_cube_add(size=2)
place = Path(sys.argv[1]).resolve() / f"blender-{bpy.app.version[0]}.{bpy.app.version[1]}.blend"
bpy.ops.wm.save_as_mainfile(filepath=str(place), compress=True)
