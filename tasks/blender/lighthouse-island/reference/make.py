"""The island of brief/island.json, in metres."""

import math
import random

import bpy
import finish
from buildings import cottage, lamp_light, lighthouse
from plants import bush, rock, sites, tree
from shapes import collection, put
from terrain import island, reach, sea
from waterside import boat, jetty, steps

scene = bpy.context.scene
ground_, tower_, cottage_, harbour_, plants_ = (
    collection(name, scene.collection) for name in ("Ground", "Lighthouse", "Keeper", "Harbour", "Plants"))  # fmt: skip
stuff = finish.stuff()

put("Island", island(), ground_, stuff["ground"])
put("Sea", sea(), ground_, stuff["sea"])
steps(ground_, stuff["granite"])
lighthouse(tower_, stuff)
lamp_light(tower_)
cottage(cottage_, stuff)
jetty(harbour_, stuff)
boat(harbour_, stuff)


def strewn(kind, meshes, places, where, low, high, sunk, random_, flat=1.0):
    """Linked copies: turned anyhow, between two sizes."""
    for number, (x, y, z) in enumerate(places, 1):
        size = random_.uniform(low, high)
        made = put(f"{kind} {number}", meshes[number % len(meshes)], where, at=(x, y, z - sunk * size), turn=random_.uniform(0, 6.28))
        made.scale = (size, size, size * flat)


random_ = random.Random(4)
trees = [tree(f"Tree form {number}", 3 * number, tall, stuff["bark"], stuff["needles"]) for number, tall in enumerate((4.8, 5.0, 5.2), 1)]
strewn("Tree", trees, sites(24, 11, 3.0, 3.4, 9.4, 0.55, 2.2), plants_, 0.99, 1.12, 0.12, random_)
for made in [one for one in bpy.data.objects if one.name.startswith("Tree ")]:
    made.rotation_euler.z = random_.uniform(-0.6, 0.6)  # all lean away from the west wind
bushes = [bush(f"Bush form {number}", number, stuff["heath"]) for number in (1, 2)]
strewn("Bush", bushes, sites(30, 23, 1.4, 2.6, 9.6, 0.7, 0.8), plants_, 0.95, 1.14, 0.1, random_)
rocks = [rock(f"Rock form {number}", number, stuff["stone"]) for number in (1, 2, 3, 4)]
strewn("Rock", rocks, sites(24, 37, 2.2, 0.3, 4.5, 1.2, 1.0), ground_, 1.65, 2.85, 0.04, random_)
skerries = ((-0.62, 1.22), (-2.3, 1.2), (0.35, 1.2), (2.6, 1.22), (-0.95, 1.34))
for number, (angle, far) in enumerate(skerries, 1):
    x, y = (far * reach(angle) * turn for turn in (math.cos(angle), math.sin(angle)))
    made = put(f"Skerry {number}", rocks[number % 4], ground_, at=(x, y, -0.5), turn=angle)
    made.scale = (5.4 - 0.5 * number, 4.6 - 0.3 * number, 5.2 - 0.3 * number)

finish.lit(scene)
finish.seen(scene)
