"""Expected meshes of a task, as evidence that is held: files of `checks/`, which the session writes down as `blender.held/1`.

A file is an .obj; an .npz with `points` (n, 3) and `triangles` (m, 3), metres, z up; or an .npz that is `blender.shapes/1` itself.
"""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from playproof.errors import ExpectationFailed, SubmissionFault, TaskError
from playproof_blender import shapes
from playproof_blender.assertions.stating import Project
from playproof_blender.expected import HELD
from playproof_blender.geometry.soup import NotMeasurable, joined, soup_of


def held_soup(project: Project, file: str, objects: str = "*") -> Any:
    """The triangles of a held file. Raises TaskError for one that is not there or cannot be read: the
    task's fault, never a submission's."""
    name = file.removeprefix("checks/")
    entries = [one for one in project.evidence.of(HELD) if one.source == name]
    if not entries:
        there = sorted(one.source for one in project.evidence.of(HELD) if one.source)
        raise TaskError(f"checks/{name} was not held; there are: {', '.join(there) or 'none'} (files *.npz and *.obj of checks/)")
    project.cites.append(entries[-1].id)
    raw = project.evidence.open(entries[-1])
    try:
        return _obj(raw.decode("utf-8")) if name.endswith(".obj") else _npz(raw, objects)
    except (ValueError, KeyError, IndexError, OSError, NotMeasurable, SubmissionFault, ExpectationFailed) as fault:
        raise TaskError(f"checks/{name} cannot be read: {fault}") from None


def _npz(raw: bytes, objects: str) -> Any:
    with np.load(io.BytesIO(raw), allow_pickle=False) as held:
        if "index" not in held:
            return soup_of(held["points"], held["triangles"])
    found = shapes.read(raw, "").of(objects)
    if not found:
        raise ValueError(f"it holds no object {objects!r}")
    return joined([soup_of(one.points, one.triangles) for one in found.values()])[0]


def _obj(text: str) -> Any:
    """Vertices and faces of an OBJ file, whose axes are taken as they stand; a face of more than three corners becomes a fan."""
    points, triangles = list[Sequence[float]](), list[tuple[int, int, int]]()
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            numbers = [int(word.split("/")[0]) for word in words[1:]]
            corners = [number - 1 if number > 0 else len(points) + number for number in numbers]
            triangles += [(corners[0], corners[at], corners[at + 1]) for at in range(1, len(corners) - 1)]
    return soup_of(points, triangles)
