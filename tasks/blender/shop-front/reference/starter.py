"""Writes starter/shop.blend: `python starter.py ../starter/shop.blend`, with bpy. The street with the shop of the last owner."""

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent))
from shop import furnish
from street import street


def main(place):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    furnish(street())
    bpy.context.scene.frame_set(1)
    bpy.context.preferences.filepaths.save_version = 0
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(place).resolve()), compress=True)


if __name__ == "__main__":
    main(sys.argv[-1])
