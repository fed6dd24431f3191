"""The third methyl group hangs on N9 instead of N7: isocaffeine, which looks as good."""

import bpy
from mathutils import Vector

objects = bpy.data.objects
middle = (objects["C4"].location + objects["C5"].location) / 2
axis = (objects["C8"].location - middle).normalized()


def over(point):
    """Mirrored in the ring's own axis."""
    along = (point - middle).dot(axis) * axis
    aside = (point - middle) - along
    return middle + along + Vector((-aside.x, aside.y, -aside.z))


for name in ("C14", "H141", "H142", "H143"):
    objects[name].location = over(objects[name].location)
for name in ("Bond N7-C14", "Bond C14-H141", "Bond C14-H142", "Bond C14-H143"):
    start, end = (objects[atom].location for atom in name.removeprefix("Bond ").replace("N7", "N9").split("-"))
    objects[name].location = (start + end) / 2
    objects[name].rotation_euler = (end - start).to_track_quat("Z", "Y").to_euler()
