"""Engine and wagons, each on an empty on the rails under its middle, x forward."""

import bpy
from line import WHEEL
from mathutils import Vector
from shapes import MM, ball, box, rod

PEG = 52  # from the middle of a vehicle to what couples it


def vehicle(name, where):
    root = bpy.data.objects.new(name, None)
    root.empty_display_size = 0.05
    where.objects.link(root)
    return root


def running_gear(root, where, paint):
    """Chassis, floor, four wheels with a pin each, standing before the axle, and pegs on drawbars."""
    name = root.name
    box(f"{name} chassis", (-46, -14, 12), (46, 14, 31), where, paint["dark"], root)
    box(f"{name} floor", (-48, -27, 31), (48, 27, 36), where, paint["beech"], root)
    for end, x in (("front", 26), ("back", -26)):
        rod(f"{name} axle {end}", (x, -20, WHEEL), (x, 20, WHEEL), 3, where, paint["steel"], root)
        for side, y in (("left", 1), ("right", -1)):
            wheel = rod(f"{name} wheel {end} {side}", (x, y * 16, WHEEL), (x, y * 24, WHEEL), WHEEL, where, paint["red"], root, sides=48)
            rod(f"{name} pin {end} {side}", (9, y * 4, 0), (9, y * 7, 0), 2.5, where, paint["brass"], wheel)


def peg(root, end, where, paint):
    sign = 1 if end == "front" else -1
    near, far = sorted((sign * 44, sign * (PEG + 4)))
    near, far = sorted((sign * 44, sign * (PEG + 4)))
    box(f"{root.name} drawbar {end}", (near, -5, 19), (far, 5, 25), where, paint["dark"], root)
    return rod(f"{root.name} peg {end}", (sign * PEG, 0, 25), (sign * PEG, 0, 31), 2, where, paint["brass"], root)


def link(before, after, where, paint):
    """A bar on the peg of the vehicle before that looks at the peg of the one behind."""
    near, far = peg(before, "back", where, paint), peg(after, "front", where, paint)
    bar = box(f"{before.name} link", (-4, -4, 25), (22, 4, 28), where, paint["steel"], before, edge=0.8)
    for point in bar.data.vertices:
        point.co += Vector((9, 0, -1.5)) * MM
    bar.location = near.location
    aim = bar.constraints.new("DAMPED_TRACK")
    aim.target, aim.track_axis = far, "TRACK_X"


def engine(where, paint):
    root = vehicle("Engine", where)
    running_gear(root, where, paint)
    rod("Engine boiler", (-10, 0, 53), (44, 0, 53), 17.5, where, paint["green"], root, sides=48)
    rod("Engine smokebox", (40, 0, 53), (48, 0, 53), 19, where, paint["dark"], root, sides=48)
    rod("Engine lamp", (48, 0, 58), (53, 0, 58), 6, where, paint["brass"], root)
    rod("Engine chimney", (34, 0, 68), (34, 0, 92), 6, where, paint["dark"], root, tip=8)
    rod("Engine chimney cap", (34, 0, 92), (34, 0, 96), 10, where, paint["brass"], root)
    ball("Engine dome", (10, 0, 70), 9, where, paint["brass"], root)
    box("Engine cab", (-46, -24, 36), (-9, 24, 60), where, paint["green"], root)
    for end, x in (("front", -14), ("back", -46)):
        for side, y in (("left", 19), ("right", -24)):
            box(f"Engine post {end} {side}", (x, y, 60), (x + 5, y + 5, 88), where, paint["green"], root, edge=0.8)
    box("Engine roof", (-51, -28, 88), (-4, 28, 94), where, paint["red"], root)
    rod("Engine driver", (-28, 0, 60), (-28, 0, 72), 7.5, where, paint["blue"], root, tip=5)
    ball("Engine driver head", (-28, 0, 78), 7.5, where, paint["beech"], root)
    box("Engine buffer beam", (46, -25, 22), (51, 25, 31), where, paint["red"], root)
    for side, y in (("left", 17), ("right", -17)):
        rod(f"Engine buffer {side}", (51, y, 26), (57, y, 26), 5, where, paint["dark"], root)
    return root


def timber_wagon(where, paint):
    root = vehicle("Wagon 1", where)
    running_gear(root, where, paint)
    for end, x in (("front", 30), ("back", -34)):
        for side, y in (("left", 25), ("right", -29)):
            box(f"Wagon 1 stake {end} {side}", (x, y, 32), (x + 4, y + 4, 68), where, paint["dark"], root, edge=0.8)
    for number, (y, z) in enumerate(((-16, 44), (0, 44), (16, 44), (-8, 57.8), (8, 57.8)), 1):
        rod(f"Wagon 1 log {number}", (-42, y, z), (42, y, z), 8, where, paint["bark"], root)
    return root


def block_wagon(where, paint):
    root = vehicle("Wagon 2", where)
    running_gear(root, where, paint)
    for side, low, high in (("left", (-48, 23, 36), (48, 27, 52)), ("right", (-48, -27, 36), (48, -23, 52)),
                            ("front", (44, -23, 36), (48, 23, 52)), ("back", (-48, -23, 36), (-44, 23, 52))):
        box(f"Wagon 2 wall {side}", low, high, where, paint["blue"], root, edge=0.8)
    colours, number = ("red", "brass", "green", "beech", "blue", "red"), 0
    for x in (-28, 0, 28):
        for y in (-11.5, 11.5):
            number += 1
            box(f"Wagon 2 block {number}", (x - 11, y - 11, 36), (x + 11, y + 11, 58), where, paint[colours[number - 1]], root)
    box("Wagon 2 block 7", (-12, -11, 58), (10, 11, 80), where, paint["brass"], root)
    return root
