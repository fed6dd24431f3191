"""Surfaces that things rest on: planes that the headset has found in the room, and upper sides of things."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from playproof_xr.geometry import Matrix, Polygon, Pose, Quaternion, Vector
from playproof_xr.shapes import Solid, solid
from playproof_xr.targets import Target
from playproof_xr.time.track import Nothing, Track

EDGE = 0.005
"""Metres by which something may stick out beyond an edge and still lie over a surface: polygons of planes are rough."""


@frozen
class Surface:
    """`frame` has y out of the surface, and the polygon in its x and z."""

    frame: Pose
    polygon: Polygon

    def inner(self, point: Vector) -> Vector:
        return self.frame.inverse.at(point)


def surfaces(told: Any, on: Target | None, track: Track) -> Sequence[Sequence[Surface] | Nothing]:
    """For each row, the surfaces that are meant. `told` is a plane's label or id where `on`, a thing, is None.

    Planes are as they were when the track was recorded; where the room has been changed, as they were at each row."""
    if on is not None:
        return [one if isinstance(one, Nothing) else [_top(solid(one))] for one in on.column(track)]
    if not track.planes_at:
        return [_named(told, track.planes)] * len(track.rows)
    return [_named(told, track.planes_of(row)) for row in track.rows]


def _named(told: Any, planes: Sequence[Mapping[str, Any]]) -> Sequence[Surface] | Nothing:
    wanted = str(told).lower()
    found = [one for one in planes if wanted in (str(one.get("label") or "").lower(), str(one.get("id") or "").lower())]
    return _planes(found) if found else Nothing(f"there is no plane {told!r}")


def _planes(found: Sequence[Mapping[str, Any]]) -> Sequence[Surface] | Nothing:
    try:
        return [Surface(Matrix.of(one["matrix"]).pose, Polygon(tuple((float(x), float(z)) for x, z in one["polygon"]))) for one in found]
    except ValueError:
        return Nothing("a plane has numbers that are not finite")


def _top(body: Solid) -> Surface:
    """The face of a box that looks up most."""
    at = max(range(3), key=lambda index: abs(body.axes[index].y))
    up = body.axes[at] * (1.0 if body.axes[at].y >= 0.0 else -1.0)
    across, along = body.axes[(at + 1) % 3], body.axes[(at + 2) % 3]
    wide, deep = body.half[(at + 1) % 3], body.half[(at + 2) % 3]
    frame = Pose(body.centre + up * body.half[at], Quaternion.axes(across, up, across.cross(up)))
    sign = 1.0 if across.cross(up).dot(along) >= 0.0 else -1.0
    corners = ((-wide, -deep * sign), (wide, -deep * sign), (wide, deep * sign), (-wide, deep * sign))
    return Surface(frame, Polygon(corners))


def heights(body: Solid, surface: Surface) -> float:
    """How high its lowest corner is above a surface; negative below."""
    return min(surface.inner(corner).y for corner in body.corners)


def lies_over(body: Solid, surface: Surface, whole: bool) -> bool:
    points = [surface.inner(point) for point in (body.corners if whole else [body.centre])]
    return all(surface.polygon.depth((point.x, point.z)) >= -EDGE for point in points)
