"""Space, in one frame of reference: the session's `local-floor` space, metres, right-handed, y up, -z forward.

Frozen values in plain Python: vectors, unit quaternions [x, y, z, w], rigid poses, 4x4 matrices (sixteen numbers, column by
column), boxes, rays, segments and polygons on the floor. Angles are radians wherever a name does not say degrees."""

from playproof_xr.geometry.matrices import Matrix
from playproof_xr.geometry.planar import Point, Polygon, Rectangle
from playproof_xr.geometry.solids import Box, Ray, Segment
from playproof_xr.geometry.vectors import BACK, DOWN, FORWARD, IDENTITY, LEFT, ORIGIN, RIGHT, UP, Pose, Quaternion, Vector

__all__ = [
    "BACK", "DOWN", "FORWARD", "IDENTITY", "LEFT", "ORIGIN", "RIGHT", "UP",
    "Box", "Matrix", "Point", "Polygon", "Pose", "Quaternion", "Ray", "Rectangle", "Segment", "Vector",
]  # fmt: skip
