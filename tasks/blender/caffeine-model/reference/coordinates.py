"""Writes brief/molecule.json: caffeine, with coordinates found from usual bond lengths and angles (run by hand with numpy, not by Blender).

The rings are planar. Their lengths and inner angles are met as well as a closed figure allows, by least squares over the distances of
neighbours and of neighbours but one. What hangs on a ring points away from it; methyl groups are tetrahedral."""

import json
import math
from pathlib import Path

import numpy as np

BONDS = [("N1", "C2", 1, 1.39), ("C2", "N3", 1, 1.37), ("N3", "C4", 1, 1.38), ("C4", "C5", 2, 1.37), ("C5", "C6", 1, 1.42),
         ("C6", "N1", 1, 1.40), ("C5", "N7", 1, 1.39), ("N7", "C8", 1, 1.35), ("C8", "N9", 2, 1.33), ("N9", "C4", 1, 1.36)]
ANGLES = {"C6 N1 C2": 127, "N1 C2 N3": 117, "C2 N3 C4": 119.5, "N3 C4 C5": 122, "C4 C5 C6": 122.5, "C5 C6 N1": 112, "C4 C5 N7": 105,
          "C5 N7 C8": 106, "N7 C8 N9": 113.5, "C8 N9 C4": 103.5, "N9 C4 C5": 112}
OUTSIDE = [("C2", "O11", 2, 1.22), ("C6", "O13", 2, 1.22), ("N1", "C10", 1, 1.46), ("N3", "C12", 1, 1.46), ("N7", "C14", 1, 1.46),
           ("C8", "H8", 1, 1.08)]
METHYL, TETRAHEDRAL = 1.09, math.radians(109.5)


def wanted_distances():
    lengths = {frozenset((a, b)): length for a, b, _, length in BONDS}
    found = dict(lengths)
    for names, angle in ANGLES.items():
        a, b, c = names.split()
        p, q = lengths[frozenset((a, b))], lengths[frozenset((b, c))]
        found[frozenset((a, c))] = math.sqrt(p * p + q * q - 2 * p * q * math.cos(math.radians(angle)))
    return {tuple(sorted(pair)): distance for pair, distance in found.items()}


def rings():
    """{name: (x, y)} by Gauss-Newton steps from two regular polygons."""
    at = {name: 1.4 * np.array([math.cos(math.radians(d)), math.sin(math.radians(d))])
          for name, d in (("C2", -90), ("N3", -30), ("C4", 30), ("C5", 90), ("C6", 150), ("N1", 210))}
    away = (at["C4"] + at["C5"]) / np.linalg.norm(at["C4"] + at["C5"])
    side = np.array([away[1], -away[0]])
    at |= {"N9": at["C4"] + 1.3 * away + 0.4 * side, "N7": at["C5"] + 1.3 * away - 0.4 * side, "C8": (at["C4"] + at["C5"]) / 2 + 2.1 * away}
    names, wanted = list(at), wanted_distances()
    x = np.concatenate([at[name] for name in names])
    place = {name: 2 * number for number, name in enumerate(names)}
    for _ in range(60):
        rows, rest = [], []
        for (a, b), distance in wanted.items():
            i, j = place[a], place[b]
            apart = x[i:i + 2] - x[j:j + 2]
            row, length = np.zeros(len(x)), np.linalg.norm(apart)
            row[i:i + 2], row[j:j + 2] = apart / length, -apart / length
            rows.append(row)
            rest.append(distance - length)
        x = x + np.linalg.lstsq(np.array(rows), np.array(rest), rcond=None)[0]
    return {name: x[place[name]:place[name] + 2] for name in names}


def whole():
    """{name: (x, y, z)} of all atoms and the bonds [(a, b, order)]; O11 points straight down, below the origin, which is as
    high as the middle of the rings' atoms."""
    flat, bonds = rings(), [(a, b, order) for a, b, order, _ in BONDS]
    at = {name: np.array([*where, 0.0]) for name, where in flat.items()}
    for base, name, order, length in OUTSIDE:
        near = [b if a == base else a for a, b, *_ in BONDS if base in (a, b)]
        away = sum((at[base] - at[one]) / np.linalg.norm(at[base] - at[one]) for one in near)
        at[name] = at[base] + length * away / np.linalg.norm(away)
        bonds.append((base, name, order))
        if name.startswith("C"):
            for number, where in enumerate(hydrogens(at[base], at[name]), 1):
                at[f"H{name[1:]}{number}"] = where
                bonds.append((name, f"H{name[1:]}{number}", 1))
    down = at["O11"] - at["C2"]
    turn = -math.pi / 2 - math.atan2(down[1], down[0])
    c, s = math.cos(turn), math.sin(turn)
    turned = {name: np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ where for name, where in at.items()}
    origin = np.array([turned["O11"][0], sum(turned[name][1] for name in flat) / len(flat), 0.0])
    return {name: where - origin for name, where in turned.items()}, bonds


def hydrogens(nitrogen, carbon):
    """Three, one of them in the plane of the rings."""
    along = (carbon - nitrogen) / np.linalg.norm(carbon - nitrogen)
    up = np.array([0.0, 0.0, 1.0])
    across = np.cross(up, along)
    for turn in (0, 120, 240):
        out = math.cos(math.radians(turn)) * across + math.sin(math.radians(turn)) * up
        yield carbon + METHYL * (-math.cos(TETRAHEDRAL) * along + math.sin(TETRAHEDRAL) * out)


def written():
    at, bonds = whole()
    atoms = ",\n    ".join(json.dumps({"name": name, "element": name[0], "xyz": [round(float(one), 3) + 0.0 for one in where]})
                           for name, where in at.items())
    sticks = ",\n    ".join(json.dumps({"name": f"Bond {a}-{b}", "atoms": [a, b], "order": order}) for a, b, order in bonds)
    told = '  "name": "caffeine",\n  "formula": "C8H10N4O2",\n  "unit": "angstrom",'
    return f'{{\n{told}\n  "atoms": [\n    {atoms}\n  ],\n  "bonds": [\n    {sticks}\n  ]\n}}\n'


if __name__ == "__main__":
    (Path(__file__).parents[1] / "brief" / "molecule.json").write_text(written(), encoding="utf-8")
