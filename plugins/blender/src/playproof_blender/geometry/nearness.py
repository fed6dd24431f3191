"""How near points, segments and triangles come to each other, many pairs at once. All distances are squared."""

from typing import Any

import numpy as np

TINY = 1e-300


def dot(one: Any, other: Any) -> Any:
    return np.einsum("...i,...i->...", one, other)


def point_segment(point: Any, start: Any, end: Any) -> Any:
    way = end - start
    along = np.clip(dot(point - start, way) / np.maximum(dot(way, way), TINY), 0.0, 1.0)
    away = point - start - along[..., None] * way
    return dot(away, away)


def point_triangle(point: Any, triangle: Any) -> Any:
    """`point` (k, 3), `triangle` (k, 3, 3). A triangle without area counts as its edges."""
    a, b, c = triangle[:, 0], triangle[:, 1], triangle[:, 2]
    ab, ac, ap = b - a, c - a, point - a
    normal = np.cross(ab, ac)
    square = dot(normal, normal)
    u, v = dot(np.cross(ap, ac), normal), dot(np.cross(ab, ap), normal)
    inside = (square > TINY) & (u >= 0) & (v >= 0) & (u + v <= square)
    result = dot(ap, normal) ** 2 / np.maximum(square, TINY)
    out = np.flatnonzero(~inside)
    if len(out):
        p, a, b, c = point[out], a[out], b[out], c[out]
        result[out] = np.minimum(np.minimum(point_segment(p, a, b), point_segment(p, b, c)), point_segment(p, c, a))
    return result


def segment_segment(p: Any, q: Any, r: Any, s: Any) -> Any:
    """From segment p-q to segment r-s: the nearest of the lines' own nearest points, clamped, and of the four ends."""
    d, e, w = q - p, s - r, p - r
    a, b, c, f, g = dot(d, d), dot(d, e), dot(e, e), dot(d, w), dot(e, w)
    square = a * c - b * b
    along = np.clip(np.where(square > 1e-12 * a * c, (b * g - c * f) / np.maximum(square, TINY), 0.0), 0.0, 1.0)
    other = np.clip((b * along + g) / np.maximum(c, TINY), 0.0, 1.0)
    along = np.clip((b * other - f) / np.maximum(a, TINY), 0.0, 1.0)
    away = w + along[..., None] * d - other[..., None] * e
    return np.minimum(dot(away, away), np.minimum(point_segment(p, r, s), point_segment(q, r, s)))


def segment_crosses(p: Any, q: Any, triangle: Any) -> Any:
    """Whether segment p-q goes through the triangle (not in its plane)."""
    a = triangle[:, 0]
    normal = np.cross(triangle[:, 1] - a, triangle[:, 2] - a)
    before, after = dot(p - a, normal), dot(q - a, normal)
    astride = before * after < 0
    share = before / np.where(astride, before - after, 1.0)
    hit = p + share[:, None] * (q - p)
    u, v = dot(np.cross(hit - a, triangle[:, 2] - a), normal), dot(np.cross(triangle[:, 1] - a, hit - a), normal)
    return astride & (u >= 0) & (v >= 0) & (u + v <= dot(normal, normal))


def triangle_triangle(one: Any, other: Any) -> Any:
    """(k, 3, 3) each: 0 where they cross."""
    best = np.full(len(one), np.inf)
    crossing = np.zeros(len(one), bool)
    for a in range(3):
        best = np.minimum(best, np.minimum(point_triangle(one[:, a], other), point_triangle(other[:, a], one)))
        start, end = one[:, a], one[:, (a + 1) % 3]
        crossing |= segment_crosses(start, end, other) | segment_crosses(other[:, a], other[:, (a + 1) % 3], one)
        for b in range(3):
            best = np.minimum(best, segment_segment(start, end, other[:, b], other[:, (b + 1) % 3]))
    return np.where(crossing, 0.0, best)
