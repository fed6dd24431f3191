"""Geometry by its laws: what must hold for any vectors, orientations and matrices, and a few figures worked out by hand."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from playproof_xr.geometry import (
    BACK,
    FORWARD,
    IDENTITY,
    ORIGIN,
    RIGHT,
    UP,
    Box,
    Matrix,
    Polygon,
    Pose,
    Quaternion,
    Ray,
    Rectangle,
    Segment,
    Vector,
)

NEAR = 1e-6
metres = st.floats(-20, 20, allow_nan=False, width=32)
vectors = st.builds(Vector, metres, metres, metres)
directions = vectors.filter(lambda v: v.length > 0.1).map(lambda v: v.unit)
angles = st.floats(-math.pi, math.pi)
turns = st.builds(Quaternion.turn, directions, angles)
poses = st.builds(Pose, vectors, turns)
sizes = st.floats(0.1, 10)
scales = st.builds(Vector, sizes, sizes, sizes)
shares = st.floats(0, 1)
flat = st.tuples(metres, metres)


def law(*strategies: st.SearchStrategy[Any]) -> Callable[[Any], Any]:
    """A property with few examples: these are laws of arithmetic, and break at once or not at all."""
    return lambda test: settings(max_examples=30)(given(*strategies)(test))


def close(a: Vector, b: Vector, within: float = 1e-5) -> bool:
    return a.distance(b) <= within


# --- orientations and poses ---


@law(turns, vectors)
def test_a_turn_keeps_lengths_and_comes_back(q: Quaternion, v: Vector) -> None:
    assert q.rotate(v).length == pytest.approx(v.length, abs=NEAR)
    assert close(q.inverse.rotate(q.rotate(v)), v)
    assert (q * q.inverse).angle(IDENTITY) < NEAR


@law(turns, turns, turns, vectors)
def test_turns_compose_as_matrices_do(a: Quaternion, b: Quaternion, c: Quaternion, v: Vector) -> None:
    assert ((a * b) * c).angle(a * (b * c)) < NEAR
    assert close((a * b).rotate(v), a.rotate(b.rotate(v)))


@law(poses, poses, poses, vectors)
def test_poses_are_a_group(a: Pose, b: Pose, c: Pose, v: Vector) -> None:
    assert close(((a * b) * c).at(v), (a * (b * c)).at(v), 1e-4)
    assert close((a * a.inverse).at(v), v, 1e-4) and close((a.inverse * a).at(v), v, 1e-4)
    assert close((a * b).at(v), a.at(b.at(v)), 1e-4)


def test_signs_are_those_of_the_frame() -> None:
    quarter = math.pi / 2
    assert close(Quaternion.yaw(quarter).forward, -RIGHT) and close(Quaternion.pitch(quarter).forward, UP)
    assert close(Quaternion.turn(FORWARD, quarter).rotate(UP), RIGHT)
    assert close(RIGHT.cross(UP), BACK)


@law(turns, turns)
def test_slerp_has_constant_speed_and_takes_the_shorter_way(a: Quaternion, b: Quaternion) -> None:
    whole = a.angle(b)
    assume(whole < math.pi - 1e-3)
    steps = [a.slerp(b, k / 4) for k in range(5)]
    assert steps[0] == a and steps[-1] == b
    for one, two in pairwise(steps):
        assert one.angle(two) == pytest.approx(whole / 4, abs=1e-5)
    opposite = Quaternion(-b.x, -b.y, -b.z, -b.w)
    assert a.slerp(opposite, 0.5).angle(a.slerp(b, 0.5)) < 1e-5


@law(directions, directions)
def test_between_takes_one_direction_to_the_other(a: Vector, b: Vector) -> None:
    assert close(Quaternion.between(a, b).rotate(a), b, 1e-4)


def test_between_opposites() -> None:
    assert all(close(Quaternion.between(axis, -axis).rotate(axis), -axis) for axis in (RIGHT, UP, BACK))


@law(directions)
def test_facing_keeps_the_top_up(d: Vector) -> None:
    q = Quaternion.facing(d)
    assert close(q.forward, d, 1e-4)
    assert q.rotate(UP).y >= -1e-6 and abs(q.rotate(RIGHT).y) < 1e-5


@law(turns)
def test_axes_and_turns_are_one(q: Quaternion) -> None:
    x, y, z = (q.rotate(axis) for axis in (RIGHT, UP, BACK))
    assert Quaternion.axes(x, y, z).angle(q) < 1e-6


@law(angles, st.floats(-1.5, 1.5))
def test_heading_is_the_yaw(yaw: float, pitch: float) -> None:
    heading = (Quaternion.yaw(yaw) * Quaternion.pitch(pitch)).heading
    assert math.cos(heading - yaw) == pytest.approx(1, abs=1e-6)


def test_heading_of_somebody_who_looks_straight_up_or_down() -> None:
    for pitch in (math.pi / 2, -math.pi / 2):
        assert (Quaternion.yaw(0.7) * Quaternion.pitch(pitch)).heading == pytest.approx(0.7)


@law(poses, poses, vectors)
def test_mirroring_is_an_involution_and_keeps_composition(a: Pose, b: Pose, v: Vector) -> None:
    assert a.mirrored.mirrored == a
    assert close((a * b).mirrored.at(v), (a.mirrored * b.mirrored).at(v), 1e-4)
    assert close(a.mirrored.at(Vector(-v.x, v.y, v.z)), Vector(-a.at(v).x, a.at(v).y, a.at(v).z), 1e-4)


@law(vectors, vectors)
def test_angles_and_projections(a: Vector, b: Vector) -> None:
    assume(a.length > 0.1 and b.length > 0.1)
    assert a.dot(b) == pytest.approx(a.length * b.length * math.cos(a.angle(b)), abs=1e-3)
    assert abs(a.cross(b).dot(a)) < 1e-2


@pytest.mark.parametrize("numbers", [[1, 2], [1, 2, math.nan], [1, 2, math.inf], [1, 2, "3"]])
def test_what_is_no_vector_is_refused(numbers: list[float]) -> None:
    with pytest.raises(ValueError, match="a vector is 3 finite numbers"):
        Vector.of(numbers)


def test_nothing_has_no_direction() -> None:
    with pytest.raises(ValueError, match="no direction"):
        _ = ORIGIN.unit
    with pytest.raises(ValueError, match="no orientation"):
        Quaternion.of([0, 0, 0, 0])


# --- matrices ---


@law(poses, scales, vectors)
def test_a_matrix_does_what_its_parts_do(pose: Pose, scale: Vector, v: Vector) -> None:
    matrix = Matrix.compose(pose, scale)
    assert close(matrix.point(v), pose.at(Vector(v.x * scale.x, v.y * scale.y, v.z * scale.z)), 1e-4)
    again, size = matrix.decompose()
    assert close(again.position, pose.position) and again.orientation.angle(pose.orientation) < 1e-5 and close(size, scale, 1e-4)
    assert Matrix.of(list(matrix.values)) == matrix


@law(poses, scales, poses, scales, vectors)
def test_matrices_multiply_and_invert(a: Pose, s: Vector, b: Pose, t: Vector, v: Vector) -> None:
    one, two = Matrix.compose(a, s), Matrix.compose(b, t)
    assert close((one * two).point(v), one.point(two.point(v)), 1e-3)
    assert close(one.inverse.point(one.point(v)), v, 1e-3)
    assert all(x == pytest.approx(y, abs=1e-6) for x, y in zip((one * one.inverse).values, Matrix().values, strict=True))


def test_a_mirroring_matrix_says_so_and_a_projection_divides() -> None:
    matrix = Matrix.compose(Pose(ORIGIN, Quaternion.yaw(0.3)), Vector(-1, 1, 1))
    assert matrix.determinant < 0 and matrix.decompose()[1].x == pytest.approx(-1)
    eye = Matrix((1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0))
    assert eye.project(Vector(1, 1, -2)) == Vector(0.5, 0.5, 0.9)
    assert close(eye.inverse.project(eye.project(Vector(1, 1, -2))), Vector(1, 1, -2))
    with pytest.raises(ValueError, match="plane of the eye"):
        eye.project(ORIGIN)


def test_a_singular_matrix_is_refused() -> None:
    with pytest.raises(ValueError, match="singular"):
        _ = Matrix((0.0,) * 16).inverse
    with pytest.raises(ValueError, match="flattens"):
        Matrix.compose(Pose(), Vector(1, 0, 1)).decompose()
    with pytest.raises(ValueError, match="16 finite"):
        Matrix.of([1.0] * 15)


# --- boxes, segments, rays ---


@law(st.lists(vectors, min_size=1, max_size=6), vectors)
def test_a_box_holds_its_points(points: list[Vector], v: Vector) -> None:
    box = Box.around(points)
    assert all(box.contains(one) for one in points)
    assert box.contains(box.nearest(v)) and (box.distance(v) == 0) == box.contains(v)
    assert Box.of([*box.low, *box.high]) == box


def test_boxes_touch_overlap_and_stand_apart() -> None:
    box = Box(ORIGIN, Vector(1, 1, 1))
    beside = Box(Vector(1, 0, 0), Vector(2, 1, 1))
    assert not box.overlaps(beside) and box.gap(beside) == 0
    assert box.overlaps(Box(Vector(0.9, 0.9, 0.9), Vector(2, 2, 2)))
    assert box.gap(Box(Vector(4, 5, 0), Vector(5, 6, 1))) == 5
    assert box.moved(Matrix.compose(Pose(ORIGIN, Quaternion.yaw(math.pi / 4)))).size.x == pytest.approx(math.sqrt(2))
    assert box.union(beside).size == Vector(2, 1, 1) and box.grown(0.5).holds(box) and box.centre == Vector(0.5, 0.5, 0.5)
    with pytest.raises(ValueError, match="lowest corner"):
        Box.of([1, 0, 0, 0, 1, 1])


@law(vectors, vectors, vectors, vectors, shares, shares)
def test_segment_distances_are_the_least(a: Vector, b: Vector, c: Vector, d: Vector, s: float, t: float) -> None:
    one, two = Segment(a, b), Segment(c, d)
    gap = one.gap(two)
    assert gap <= one.at(s).distance(two.at(t)) + 1e-4
    assert gap == pytest.approx(two.gap(one), abs=1e-4)
    mine, theirs = one.between(two)
    assert one.distance(mine) < 1e-4 and two.distance(theirs) < 1e-4


@law(vectors, directions, vectors, scales)
def test_a_ray_meets_a_box_at_its_surface(origin: Vector, direction: Vector, low: Vector, size: Vector) -> None:
    box = Box(low, low + size)
    hit = Ray(origin, direction).meets_box(box)
    if hit is None:
        assert not box.contains(origin)
    else:
        assert box.grown(1e-4).contains(Ray(origin, direction).at(hit)) and (hit == 0) == box.contains(origin)


def test_rays() -> None:
    ray = Ray.along(Pose(Vector(0, 1, 0)))
    assert ray.meets_plane(Vector(0, 0, -2), BACK) == 2 and ray.meets_plane(Vector(0, 0, 2), BACK) is None
    assert ray.meets_plane(ORIGIN, UP) is None
    triangle = (Vector(-1, 0, -3), Vector(1, 0, -3), Vector(0, 3, -3))
    assert ray.meets_triangle(*triangle) == pytest.approx(3)
    assert Ray(Vector(5, 1, 0), FORWARD).meets_triangle(*triangle) is None
    assert Ray(Vector(0, 1, -4), FORWARD).meets_triangle(*triangle) is None
    assert close(Ray.through(ORIGIN, Vector(0, 3, 4)).at(5), Vector(0, 3, 4))
    assert ray.distance(Vector(3, 1, -9)) == 3 and ray.distance(Vector(0, 1, 7)) == 7


# --- on the floor ---


def test_an_ell_shape() -> None:
    ell = Polygon(((0, 0), (4, 0), (4, 2), (2, 2), (2, 6), (0, 6)))
    assert ell.area == 16 and ell.signed_area == 16 and not ell.crosses_itself()
    assert ell.contains((1, 5)) and not ell.contains((3, 5)) and ell.depth((1, 5)) == 1 and ell.depth((3, 5)) == -1
    triangles = ell.triangles()
    assert len(triangles) == 4
    assert sum(Polygon(tuple(ell.points[k] for k in one)).signed_area for one in triangles) == pytest.approx(16)


@law(st.lists(st.floats(0.5, 5), min_size=3, max_size=12), st.booleans())
def test_star_shapes_fall_into_triangles(radii: list[float], other_way: bool) -> None:
    count = len(radii)
    points = [(r * math.cos(2 * math.pi * k / count), r * math.sin(2 * math.pi * k / count)) for k, r in enumerate(radii)]
    shape = Polygon(tuple(reversed(points)) if other_way else tuple(points))
    assume(not shape.crosses_itself())
    parts = [Polygon(tuple(shape.points[k] for k in one)) for one in shape.triangles()]
    assert len(parts) == count - 2 and sum(part.area for part in parts) == pytest.approx(shape.area)
    assert all(part.signed_area * shape.signed_area > 0 for part in parts)


def test_what_is_no_simple_polygon() -> None:
    assert Polygon(((0, 0), (2, 2), (2, 0), (0, 2))).crosses_itself()
    assert Polygon(((0, 0), (1, 0), (2, 0), (2, 2))).crosses_itself()


@law(flat, sizes, sizes, angles, flat, flat, shares)
def test_a_rectangle_and_what_runs_through_it(
    centre: tuple[float, float], a: float, b: float, yaw: float, start: tuple[float, float], end: tuple[float, float], share: float
) -> None:
    rectangle = Rectangle(centre, a, b, yaw)
    point = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
    if rectangle.grown(-2e-5).contains(point):
        assert rectangle.meets(start, end) or start == end
    if not rectangle.meets(start, end):
        assert not rectangle.grown(-2e-5).contains(point)
    assert Polygon(rectangle.corners).area == pytest.approx(4 * a * b, rel=1e-6)


def test_rectangles_turn_as_orientations_do() -> None:
    rectangle = Rectangle((0.0, 0.0), 1.0, 0.5, math.pi / 6)
    for (x, z), (u, v) in zip(rectangle.corners, ((-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)), strict=True):
        assert close(Quaternion.yaw(math.pi / 6).rotate(Vector(u, 0, v)), Vector(x, 0, z))
    assert rectangle.askew and not Rectangle((0.0, 0.0), 1.0, 0.5, math.pi).askew


def test_rectangles_overlap_by_more_than_a_touch() -> None:
    one = Rectangle((0.0, 0.0), 1.0, 1.0)
    assert not one.overlaps(Rectangle((2.0, 0.0), 1.0, 1.0)) and one.overlaps(Rectangle((1.9, 0.0), 1.0, 1.0))
    assert one.overlaps(Rectangle((2.2, 0.0), 1.0, 1.0, math.pi / 4)) and not one.overlaps(Rectangle((2.0, 2.0), 1.0, 1.0, math.pi / 4))
    assert not one.meets((1.0, -3.0), (1.0, 3.0)) and not one.meets((2.0, 0.0), (0.0, 2.0)) and one.meets((0.9, -3.0), (0.9, 3.0))
