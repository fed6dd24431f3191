"""Makes checks/dominoes.npz: python truth.py DOMINOES.npz; where 46 boxes stand by brief/run.json, in metres."""

import math
import sys

import numpy as np
from line import places

HALF, TALL = np.array([8, 24]), 96
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]

points, triangles = [], []
for x, y, heading in places():
    triangles += [[len(points) + corner for corner in face] for face in FACES]
    along, across = (math.cos(heading), math.sin(heading)), (-math.sin(heading), math.cos(heading))
    for a in (-HALF[0], HALF[0]):
        for b in (-HALF[1], HALF[1]):
            points += [(x + a * along[0] + b * across[0], y + a * along[1] + b * across[1], z) for z in (0, TALL)]
np.savez_compressed(sys.argv[1], points=np.array(points) / 1000, triangles=np.array(triangles))
