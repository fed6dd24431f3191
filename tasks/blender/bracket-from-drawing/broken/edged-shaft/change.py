"""The shaft has 24 sides, which one feels when it turns."""

import math

import bpy

mesh = bpy.data.objects["Shaft"].data
steel = mesh.materials[0]
ring = [(0.0295 * math.cos(math.tau * k / 24), 0.1 + 0.0295 * math.sin(math.tau * k / 24)) for k in range(24)]
mesh.clear_geometry()
mesh.from_pydata([(x, y, z) for y in (-0.08, 0.08) for x, z in ring], [],
                 [*((24 + k, 24 + (k + 1) % 24, (k + 1) % 24, k) for k in range(24)), tuple(range(24)), tuple(reversed(range(24, 48)))])
