"""The new front: what is old comes down, window and door change ends, and the new owner's things go up."""

from fnmatch import fnmatchcase

import bpy
from brand import colours, emblem, pendant, planter, word
from front import HALF, arms, box_between, door, slope, stripe, window
from kit import hang, linear
from measures import PENDANTS, PLANTER, PLANTERS, RIM, SHADE, told

ALTERED = ("Old *", "Awning *", "Frame post", "Frame sill", "Frame mullion", "Frame transom", "Stall riser", "Window glass *", "Fanlight",
           "Door *")


def clear():
    """Nothing stays of what is built anew, so that names are free."""
    for one in list(bpy.data.objects):
        if any(fnmatchcase(one.name, pattern) for pattern in ALTERED):
            data = one.data
            bpy.data.objects.remove(one)
            if data is not None and not data.users:
                (bpy.data.meshes if isinstance(data, bpy.types.Mesh) else bpy.data.curves).remove(data)


def shopfront(figures, where, materials):
    paint, glass, brass, stone, iron = (materials[name] for name in ("Frame paint", "Clear glass", "Brass", "Sandstone", "Cast iron"))
    bay = figures["window"]["left"], figures["window"]["right"]
    left = figures["door"]["pivot_x"] - figures["door"]["clear_width"]
    box_between("Frame post", (bay[1], left), (0, 2520), where, paint)
    window(bay, where, paint, glass, stone)
    door((left, HALF), 1, where, paint, glass, brass, stone)
    told_of = figures["awning"]
    half, edge = told_of["width"] / 2, 2250
    list(arms(half, told_of["top"], told_of["projection"], edge, where, iron))
    return half, slope(told_of["top"], told_of["projection"], edge, told_of["lowest"])


def awning(figures, half, line, where, made):
    wide = figures["awning"]["stripe_width"]
    for number in range(figures["awning"]["stripes"]):
        x = -half + wide * number
        stripe(f"Awning stripe {number + 1}", (x, x + wide), line, 55, where, made["cream cloth" if number % 2 else "green cloth"])


def sign(figures, where, made):
    word(figures, where, made["green"])
    disc, depth, high = bpy.data.objects["Sign disc"], figures["emblem"]["depth"], figures["emblem"]["height"]
    disc.data.materials[0] = made["green"]
    for side, ends in (("front", (-580 - depth, -580)), ("back", (-540, -540 + depth))):
        hang(emblem(f"Emblem {side}", (-2550, 2330), ends, high, where, made["cream"]), bpy.data.objects["Turning sign"])


def main():
    figures, places, materials = told(), bpy.data.collections, bpy.data.materials
    bpy.context.scene.frame_set(1)
    clear()
    made = colours(figures)
    shader = materials["Frame paint"].node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*linear(figures["brand"]["green"]), 1.0)
    half, line = shopfront(figures, places["Front"], materials)
    awning(figures, half, line, places["Front"], made)
    sign(figures, places["Sign"], made)
    for side, at in PLANTERS.items():
        planter(side, at, PLANTER, places["Front"], made["green"], made["bush"])
    for number, at in enumerate(PENDANTS, 1):
        pendant(number, at, RIM, SHADE, places["Display"], materials["Brass"], made["cream"], made["lit"])


main()
