"""The light at one place of a room, as the WebXR lighting estimation draft gives it to an app: the strongest light by itself, and the
rest as nine spherical harmonics for each colour.

Walls throw a share of everything back, from everywhere alike; nothing casts a shadow. Lengths and strengths are the room's own."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from attrs import frozen

from playproof_xr.geometry import UP, Vector
from playproof_xr.rooms.description import Light, Room
from playproof_xr.rooms.gltf import linear

BOUNCE = 0.3
NEAREST = 0.1
"""A lamp is never nearer than this, metres: its light would have no bound."""


@frozen
class Ray:
    """Light that arrives: from where (a unit vector), and how much of red, green and blue."""

    source: Vector
    strength: tuple[float, float, float]


def light_in(room: Room) -> Mapping[str, Sequence[float]]:
    """Where somebody starts."""
    return light_at(room.lights, room.start.head.position)


@lru_cache(maxsize=64)
def light_at(lights: tuple[Light, ...], at: Vector) -> Mapping[str, Sequence[float]]:
    """`direction` towards the strongest light and its `intensity` (red, green, blue); `harmonics` of the rest: 27 numbers, three
    colours for each of the coefficients."""
    rays = sorted((_arriving(light, at) for light in lights), key=lambda ray: -sum(ray.strength))
    everything = tuple(sum(ray.strength[k] for ray in rays) for k in range(3))
    basis_of_all = _basis(UP)[0]
    harmonics = [[BOUNCE * everything[k] * basis_of_all if number == 0 else 0.0 for k in range(3)] for number in range(9)]
    for ray in rays[1:]:
        for number, value in enumerate(_basis(ray.source)):
            for k in range(3):
                harmonics[number][k] += value * ray.strength[k]
    first = rays[0] if rays else Ray(UP, (0.0, 0.0, 0.0))
    return {"direction": list(first.source), "intensity": list(first.strength),
            "harmonics": [round(one, 6) for three in harmonics for one in three]}  # fmt: skip


def _arriving(light: Light, at: Vector) -> Ray:
    colour = linear(light.colour)
    if light.kind == "sun":
        way, strength = -Vector(*light.towards), light.intensity
    else:
        way = Vector(*light.at) - at
        strength = light.intensity / max(way.length, NEAREST) ** 2
    red, green, blue = (round(strength * one, 6) for one in colour)
    return Ray(way.unit if way.length > 0.0 else UP, (red, green, blue))


def _basis(way: Vector) -> Sequence[float]:
    """The real spherical harmonics up to the second order, in the order in which engines keep them."""
    x, y, z = way
    one, two, three = math.sqrt(1 / math.pi) / 2, math.sqrt(3 / math.pi) / 2, math.sqrt(15 / math.pi) / 2
    return [one, two * y, two * z, two * x, three * x * y, three * y * z, math.sqrt(5 / math.pi) / 4 * (3 * z * z - 1), three * x * z,
            three / 2 * (x * x - y * y)]  # fmt: skip
