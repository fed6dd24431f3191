"""The shapes that a project shows, as we read them: `blender.shapes/1`, triangles in metres of the world (z up).

They are those of Blender's viewport (the subdivision level of the viewport, modifiers that are on there) for all that a render would show.
"""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from playproof.errors import SubmissionFault, TaskError
from playproof.evidence import Evidences
from playproof_blender.scene import meets

KIND = "blender.shapes/1"
MOST_BYTES = 2 << 30

MOST_DRAWN = 10_000_000
"""Triangles (or points, where there are more) of all that is drawn, each instance counted, that are given as they are: 400 MB."""

BOX = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7],
                [1, 7, 3]], np.int64)  # fmt: skip
"""Around the eight corners of a box, in the order of x, y, z, smaller before larger."""


@frozen(eq=False)
class Solid:
    """`points` (n, 3) float64, metres of the world; `triangles` (m, 3) int64, three points each, against the clock as seen from outside."""

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]

    @property
    def corners(self) -> NDArray[np.float64]:
        """(m, 3, 3): the three points of each triangle."""
        return self.points[self.triangles]

    @property
    def box(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The smallest corner and the largest. Raises ValueError for a solid without points."""
        return self.points.min(0), self.points.max(0)


@frozen(eq=False)
class Part:
    """One thing that is drawn: `owner` is the object that draws it, as itself (`own`) or by instancing; `object` the one whose shape it is.
    What geometry nodes make and instance in place is no other object's: its `object` is the owner."""

    owner: str
    object: str
    mesh: int
    matrix: NDArray[np.float64]
    own: bool = True


@frozen(eq=False)
class Meshes:
    """Each in its own space: mesh i has the points and triangles from starts[i] to starts[i + 1]."""

    points: NDArray[np.float32]
    triangles: NDArray[np.int32]
    starts: NDArray[np.int64]

    def __getitem__(self, number: int) -> Solid:
        (points, triangles), (points_end, triangles_end) = self.starts[number].tolist(), self.starts[number + 1].tolist()
        return Solid(self.points[points:points_end].astype(np.float64), self.triangles[triangles:triangles_end].astype(np.int64))


@define(eq=False)
class Shapes:
    """`parts` in the order in which Blender draws them; `left_off` counts those that were too many to be kept."""

    meshes: Meshes = field(repr=False)
    parts: Sequence[Part] = field(repr=False)
    left_off: int = 0
    cites: Sequence[str] = ()

    @cached_property
    def _by_owner(self) -> Mapping[str, Sequence[Part]]:
        found: dict[str, list[Part]] = {}
        for part in self.parts:
            found.setdefault(part.owner, []).append(part)
        return found

    @property
    def objects(self) -> Sequence[str]:
        """The names of the objects that draw triangles, in order."""
        return tuple(self._by_owner)

    def of(self, pattern: str = "*", own: bool = False) -> dict[str, Solid]:
        """By object name what it draws, with all that it draws by instancing (`own`: without; what only instances is left out then). Of
        `coarse` objects each part is the box around its shape.
        Raises SubmissionFault where a point of one of them is not finite."""
        wanted = [name for name in self._by_owner if meets(name, pattern)]
        found = ((name, [part for part in self._by_owner[name] if not own or part.own]) for name in wanted)
        return {name: self._solid(name, parts) for name, parts in found if parts}

    def instances(self, pattern: str = "*") -> Iterator[tuple[Part, Solid]]:
        """Each part of the objects by itself, where it stands: the single trees of a wood that one object scatters."""
        for name, parts in self._by_owner.items():
            if meets(name, pattern):
                yield from ((part, self._solid(name, [part])) for part in parts)

    @cached_property
    def coarse(self) -> frozenset[str]:
        """The objects of which boxes stand for shapes, since all that is drawn would be too much to hold: those that draw the most."""
        sizes = np.diff(self.meshes.starts, axis=0).max(1).tolist()
        drawn = {name: sum(sizes[part.mesh] for part in parts) for name, parts in self._by_owner.items()}
        total, found = 0, set[str]()
        for name in sorted(drawn, key=drawn.__getitem__):
            total += drawn[name]
            if total > MOST_DRAWN:
                found.add(name)
        return frozenset(found)

    def _solid(self, name: str, parts: Sequence[Part]) -> Solid:
        """Around all parts, those of one mesh at once."""
        by_mesh: dict[int, list[Part]] = {}
        for part in parts:
            by_mesh.setdefault(part.mesh, []).append(part)
        placed = [self._placed(name, self._mesh(number, name), some) for number, some in by_mesh.items()]
        if not all(np.isfinite(one.points).all() for one in placed):
            raise SubmissionFault(f"shapes.objects[{name}]", "has points that are not finite", self.cites)
        if len(placed) == 1:
            return placed[0]
        starts = np.cumsum([0, *(len(one.points) for one in placed[:-1])])
        triangles = [one.triangles + start for one, start in zip(placed, starts, strict=True)]
        return Solid(np.concatenate([one.points for one in placed]), np.concatenate(triangles))

    def _mesh(self, number: int, name: str) -> Solid:
        mesh = self.meshes[number]
        if len(mesh.triangles) and not 0 <= mesh.triangles.min() <= mesh.triangles.max() < len(mesh.points):
            raise SubmissionFault(f"shapes.objects[{name}]", "has triangles of points that are not there", self.cites)
        return _boxed(mesh) if name in self.coarse and max(len(mesh.points), len(mesh.triangles)) > len(BOX) else mesh

    def _placed(self, name: str, mesh: Solid, parts: Sequence[Part]) -> Solid:
        matrices = np.array([part.matrix for part in parts])
        with np.errstate(invalid="ignore", over="ignore"):
            points = mesh.points @ matrices[:, :3, :3].transpose(0, 2, 1) + matrices[:, None, :3, 3]
            mirrored = np.linalg.det(matrices[:, :3, :3]) < 0
        triangles = np.where(mirrored[:, None, None], mesh.triangles[:, ::-1], mesh.triangles)
        triangles += len(mesh.points) * np.arange(len(parts))[:, None, None]
        return Solid(points.reshape(-1, 3), triangles.reshape(-1, 3))


def _boxed(mesh: Solid) -> Solid:
    low, high = mesh.box
    return Solid(np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]), BOX)


def shapes_of(evidence: Evidences, kind: str = KIND) -> Shapes:
    """The last `blender.shapes/1`, or that of another `kind` with the same form. Raises TaskError where none was observed,
    SubmissionFault where what was observed is none."""
    entry = evidence.last(kind)
    if entry is None:
        raise TaskError(f"no {kind} was observed; kinds here: {', '.join(sorted({one.kind for one in evidence})) or 'none'}")
    return read(evidence.open(entry), entry.id)


@lru_cache(maxsize=2)  # each assertion of a rubric reads the same shapes (and those of a starter), which may be a gigabyte
def read(raw: bytes, cite: str) -> Shapes:
    """Of the bytes of a `blender.shapes/1`, which the evidence `cite` holds."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as members:
            unpacked = sum(one.file_size for one in members.infolist())
        if unpacked > MOST_BYTES:
            raise ValueError(f"{unpacked:,} bytes when unpacked, more than {MOST_BYTES:,}")
        held = np.load(io.BytesIO(raw), allow_pickle=False)
        index = json.loads(held["index"].tobytes())
        meshes = Meshes(held["points"].reshape(-1, 3), held["triangles"].reshape(-1, 3), held["starts"].reshape(-1, 2))
        parts = list(_parts(index["names"], held["parts"].reshape(-1, 4), held["matrices"].reshape(-1, 4, 4), len(meshes.starts) - 1))
        return Shapes(meshes, parts, int(index["left_off"]), [cite])
    except (KeyError, IndexError, ValueError, TypeError, OverflowError, OSError, RecursionError, zipfile.BadZipFile) as fault:
        raise SubmissionFault("shapes", f"cannot be read: {fault}", [cite]) from None


def _parts(names: Sequence[str], parts: NDArray[np.int32], matrices: NDArray[np.float64], meshes: int) -> Iterator[Part]:
    if len(parts) and (parts.min() < 0 or parts[:, 2].max() >= meshes):
        raise ValueError("a part of a mesh that is not there")
    for (owner, whose, mesh, own), matrix in zip(parts.tolist(), matrices, strict=True):
        yield Part(str(names[owner]), str(names[whose]), mesh, matrix, bool(own))
