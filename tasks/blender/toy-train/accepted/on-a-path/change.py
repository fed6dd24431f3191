"""The same train on a curve: the three vehicles follow its path by a constraint, wheels are turned by simple drivers, and nothing has a key
but the share of the path. Cab, posts and roof hang on the floor, all wheels have one mesh."""

import math

import bpy

RADIUS, LAP, SIDES = 0.2, 0.6 * math.pi, 900
HALF, BEND = (LAP - math.tau * RADIUS) / 4, math.pi * RADIUS


def place(way):
    """On the oval, from the middle of the front straight, clockwise."""
    if way > LAP / 2:
        x, y = place(way - LAP / 2)
        return -x, -y
    if way < HALF:
        return -way, -RADIUS
    if way < HALF + BEND:
        turn = (way - HALF) / RADIUS
        return -HALF - RADIUS * math.sin(turn), -RADIUS * math.cos(turn)
    return way - 2 * HALF - BEND, RADIUS


line = bpy.data.curves.new("Middle line", "CURVE")
line.dimensions = "3D"
spline = line.splines.new("POLY")
spline.points.add(SIDES - 1)
for number, point in enumerate(spline.points):
    point.co = (*place(LAP * number / SIDES), 0.012, 1)
spline.use_cyclic_u = True
path = bpy.data.objects.new("Middle line", line)
bpy.data.collections["Track"].objects.link(path)

for number, name in enumerate(("Engine", "Wagon 1", "Wagon 2")):
    root = bpy.data.objects[name]
    root.animation_data_clear()
    root.location, root.rotation_euler = (0, 0, 0), (0, 0, 0)
    follow = root.constraints.new("FOLLOW_PATH")
    follow.target, follow.use_fixed_location, follow.use_curve_follow = path, True, True
    follow.forward_axis, follow.up_axis = "FORWARD_X", "UP_Z"
    drive = follow.driver_add("offset_factor").driver
    drive.expression = f"fmod((frame - 1) / 96 + {1 - number * 0.12 / LAP}, 1)"

wheels = [one for one in bpy.data.objects if " wheel " in one.name]
for wheel in wheels:
    wheel.animation_data_clear()
    wheel.driver_add("rotation_euler", 1).driver.expression = f"(frame - 1) * {20 * math.tau / 96}"
    wheel.data = wheels[0].data
for one in bpy.data.objects:
    if one.name.startswith(("Engine cab", "Engine post", "Engine roof")):
        floor = bpy.data.objects["Engine floor"]
        one.parent, one.location = floor, one.location - floor.location
bpy.context.scene.frame_set(1)
