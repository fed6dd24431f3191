"""Small things were never named."""

import bpy

names = ("Wall rail", "Letters line", "Totem foot", "Counter stripe")
for number, name in enumerate(names, 1):
    bpy.data.objects[name].name = f"Cube.{number:03}"
