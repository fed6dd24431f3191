"""Distances, solids and samples against what is known in closed form, and on what is no geometry at all."""

import math
from typing import Any

import numpy as np
import pytest

from playproof_blender.geometry.nearness import point_triangle, segment_segment, triangle_triangle
from playproof_blender.geometry.samples import apart, mirrored, principal, spread
from playproof_blender.geometry.solids import enclosed, grid_over, outline, shared
from playproof_blender.geometry.soup import NotMeasurable, areas, closure, parts, soup_of, volume
from playproof_blender.geometry.surface import Surface

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
SIDES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def box(size: Any = 1.0, at: Any = 0.0, turned: float = 0.0) -> Any:
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    return soup_of(CORNERS * size @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + at, SIDES)


def ball(radius: Any = 1.0, at: Any = 0.0, rings: int = 64) -> Any:
    """A sphere of latitudes and longitudes, 4 x rings x rings triangles about."""
    up = np.linspace(0, math.pi, rings + 1)[:, None]
    round_ = np.linspace(0, 2 * math.pi, 2 * rings + 1)[None, :]
    points = np.stack(np.broadcast_arrays(np.sin(up) * np.cos(round_), np.sin(up) * np.sin(round_), np.cos(up)), -1) * radius + at
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    soup = np.concatenate([np.stack([a, b, c], 2).reshape(-1, 3, 3), np.stack([a, c, d], 2).reshape(-1, 3, 3)])
    return soup[areas(soup) > 1e-12]


@pytest.mark.parametrize(("point", "wanted"), [
    ((0.2, 0.2, 3.0), 9.0), ((-1.0, 0.5, 0.0), 1.0), ((-3.0, -4.0, 0.0), 25.0), ((1.0, 1.0, 0.0), 0.5), ((0.25, 0.25, 0.0), 0.0),
])  # fmt: skip
def test_a_point_and_a_triangle(point: Any, wanted: float) -> None:
    triangle = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    assert point_triangle(np.array([point]), triangle)[0] == pytest.approx(wanted)


def test_a_point_and_a_triangle_without_area_is_the_distance_to_its_edges() -> None:
    assert point_triangle(np.array([[0.0, 2, 0]]), np.array([[[-1.0, 0, 0], [1, 0, 0], [3, 0, 0]]]))[0] == pytest.approx(4.0)
    assert point_triangle(np.array([[0.0, 2, 0]]), np.array([[[0.0, 0, 0]] * 3]))[0] == pytest.approx(4.0)


def test_segments_by_brute_force() -> None:
    rng = np.random.default_rng(3)
    p, q, r, s = rng.normal(size=(4, 50, 3))
    along = np.linspace(0, 1, 200)
    one, other = (start[:, None] + along[None, :, None] * (end - start)[:, None] for start, end in ((p, q), (r, s)))
    brute = ((one[:, :, None] - other[:, None, :]) ** 2).sum(-1).min((1, 2))
    found = segment_segment(p, q, r, s)
    assert (found <= brute + 1e-12).all()
    assert np.abs(np.sqrt(found) - np.sqrt(brute)).max() < 0.02


@pytest.mark.parametrize(("one", "other", "wanted"), [
    (box(), box(at=(1.25, 0, 0)), 0.25),
    (box(), box(at=(1.3, 1.4, 0)), 0.5),
    (box(), box(at=(1.0, 0, 0)), 0.0),
    (box(), box(at=(0.9, 0.3, 0.2)), 0.0),
    (box(), box(at=(0.5 + math.sqrt(0.5) + 0.1, 0, 0), turned=45), 0.1),
    (box(4.0), box(1.0), 1.5),
    (ball(), ball(at=(3.0, 0, 0)), 1.0),
    (ball(), box(at=(0, 0, 2.0)), 0.5),
])  # fmt: skip
def test_the_gap_of_two_surfaces(one: Any, other: Any, wanted: float) -> None:
    assert Surface(one).gap(Surface(other)).distance == pytest.approx(wanted, rel=2e-3, abs=1e-9)
    assert Surface(other).gap(Surface(one)).distance == pytest.approx(wanted, rel=2e-3, abs=1e-9)


def test_what_goes_through_the_middle_of_a_triangle_touches_it() -> None:
    sheet = np.array([[[-9.0, -9, 0], [9, -9, 0], [0, 9, 0]]])
    needle = np.array([[[0.0, 0, -2], [0, 0.1, 2], [0.1, 0, 2]]])
    assert Surface(sheet).gap(Surface(needle)).distance == 0.0
    assert Surface(needle).gap(Surface(sheet)).distance == 0.0
    assert Surface(sheet).gap(Surface(needle + np.array([0, 0, 2.5]))).distance == pytest.approx(0.5)


def test_the_gap_of_two_soups_by_brute_force() -> None:
    rng = np.random.default_rng(5)
    for _ in range(10):
        one, other = rng.normal(size=(2, 40, 1, 3)) + 0.1 * rng.normal(size=(2, 40, 3, 3))
        other += (3.0, 0, 0)
        every = np.repeat(one, 40, 0).reshape(-1, 3, 3), np.tile(other, (40, 1, 1))
        assert Surface(one).gap(Surface(other)).distance == pytest.approx(math.sqrt(triangle_triangle(*every).min()), rel=2e-3)


def test_distances_from_points_to_a_ball() -> None:
    points = np.random.default_rng(1).normal(size=(3000, 3)) * 2
    wanted = np.abs(np.linalg.norm(points, axis=1) - 1.0)
    assert np.abs(Surface(ball()).distances(points) - wanted).max() < 0.004


@pytest.mark.parametrize("cells", [48, 96])
def test_the_share_in_common_of_boxes_and_balls(cells: int) -> None:
    assert shared(box(), box(at=(0.5, 0, 0)), cells) == pytest.approx(1 / 3, abs=0.02)
    assert shared(box(turned=30), box(turned=30), cells) == 1.0
    assert shared(ball(), ball((1, 1, 0.8)), cells) == pytest.approx(0.8, abs=0.01)
    assert shared(box(), box(at=(2, 0, 0)), cells) == 0.0


def test_a_box_with_a_side_turned_in_or_missing_is_still_filled() -> None:
    whole = box()
    grid = grid_over(np.array([[-0.5] * 3, [0.5] * 3]), 40)
    full = enclosed(whole, grid).mean()
    turned, topless = whole.copy(), whole[:10]
    turned[10:] = turned[10:, ::-1]
    for broken in (turned, topless, whole[2:], whole[:, ::-1]):
        assert enclosed(broken, grid).mean() == pytest.approx(full, abs=0.002)
    assert enclosed(whole[:2], grid).sum() == 0, "a single side encloses nothing"


def test_volumes_areas_and_closure() -> None:
    assert volume(box(2.0, at=(1e6, 0, 0))) == pytest.approx(8.0)
    assert volume(ball()) == pytest.approx(4 / 3 * math.pi, rel=0.003)
    assert areas(box(2.0)).sum() == pytest.approx(24.0)
    whole = closure(CORNERS, SIDES)
    assert whole.closed
    assert (whole.parts, whole.volume) == (1, pytest.approx(1.0))
    assert closure(CORNERS, SIDES[1:]).open_edges == 3
    turned = SIDES.copy()
    turned[0] = turned[0, ::-1]
    assert closure(CORNERS, turned).flipped_edges == 3
    assert closure(CORNERS, np.concatenate([SIDES, [[0, 7, 1]]])).crowded_edges == 2
    split = box().reshape(-1, 3), np.arange(36).reshape(-1, 3)
    assert closure(*split).open_edges == 36
    assert closure(*split, weld=1e-6).closed
    assert len(set(parts(np.concatenate([SIDES, SIDES + 8])).tolist())) == 2


def test_outlines() -> None:
    assert outline(box(2.0), (0, 0, 1)) == pytest.approx((4.0, 1.0), rel=0.03)
    assert outline(box(2.0, turned=45), (0, 0, 1)) == pytest.approx((4.0, 1.0), rel=0.03)
    assert outline(box(1.0), (1, 1, 0))[0] == pytest.approx(math.sqrt(2), rel=0.03)
    assert outline(ball(), (1, 2, 3)) == pytest.approx((math.pi, math.pi / 4), rel=0.03)
    assert outline(box((1.0, 1e-5, 1.0)), (1, 0, 0))[0] < 0.001
    assert outline(box()[:2], (0, 1, 0)) == (0.0, 0.0), "a card seen from its edge"
    crosswise = np.concatenate([box((1.0, 0.01, 2.0)), box((1.0, 0.01, 2.0), turned=90)])
    assert outline(crosswise, (0, 0, 1))[1] == pytest.approx(0.02, abs=0.02)


def test_samples_symmetry_and_distance() -> None:
    assert np.abs(spread(box(), 6000).mean(0)).max() < 0.01
    one = Surface(ball())
    assert apart(one, Surface(ball(1.1)), 2000).mean == pytest.approx(0.1, rel=0.03)
    assert mirrored(one, 0, 0.0).max() < 0.01
    assert mirrored(one, 0, 0.1).max() == pytest.approx(0.2, rel=0.05)
    axes, reach = principal(box((3.0, 1.0, 0.1), turned=30))
    assert np.abs(axes[0]).tolist() == pytest.approx([0, 0, 1], abs=0.02)
    assert reach.tolist() == pytest.approx([0.1, 1.0, 2.7], rel=0.06)


@pytest.mark.parametrize(("points", "triangles", "says"), [
    ([[math.nan, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], "1 of 1 triangles have a corner that is no number"),
    ([[math.inf, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], "no number"),
    ([[0, 0, 0]], [[0, 0, 1]], "1 of 1 triangles name points that are not there"),
    ([[0, 0, 0]], [[0, 0, -1]], "name points"),
    ([[1e200, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], "too large"),
])  # fmt: skip
def test_what_cannot_be_measured(points: Any, triangles: Any, says: str) -> None:
    with pytest.raises(NotMeasurable, match=says):
        soup_of(points, triangles)


def test_nothing_one_point_and_points_that_nobody_uses() -> None:
    with pytest.raises(NotMeasurable, match="no triangles"):
        Surface(soup_of(np.zeros((0, 3)), np.zeros((0, 3))))
    with pytest.raises(NotMeasurable, match="no area"):
        spread(soup_of([[1, 2, 3]], [[0, 0, 0]]), 10)
    assert Surface(soup_of([[1, 2, 3]], [[0, 0, 0]])).gap(Surface(box())).distance == pytest.approx(math.sqrt(0.25 + 2.25 + 6.25))
    assert len(soup_of([[0, 0, 0], [1, 0, 0], [0, 1, 0], [math.nan] * 3], [[0, 1, 2]])) == 1
    assert math.isnan(shared(box()[:1], box()[:1]))
    assert closure([[1, 2, 3]], [[0, 0, 0]]).flat_triangles == 1


def test_far_from_the_origin() -> None:
    there = (1e9, -1e9, 1e9)
    assert Surface(box(at=there)).gap(Surface(box(at=np.add(there, (1.25, 0, 0))))).distance == pytest.approx(0.25, abs=1e-5)
    assert shared(box(at=there), box(at=np.add(there, (0.5, 0, 0)))) == pytest.approx(1 / 3, abs=0.02)
    assert apart(Surface(box(1e9)), Surface(box(1.1e9)), 2000).mean == pytest.approx(0.05e9, rel=0.2)
