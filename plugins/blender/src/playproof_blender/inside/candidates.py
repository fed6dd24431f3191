"""Cameras that might be good: rings around the subject, close looks at its parts, places on the land, places in a room."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atan2, degrees, radians, tan
from typing import Any

import numpy as np
from framing import Camera, Subject, fit, look, towards
from probes import FAR, Enclosure, Probes, Sight
from scenery import Scenery

ANGLE, CLOSE_ANGLE, INSIDE_ANGLE = radians(40), radians(50), radians(75)
WIDEST = radians(110)
SECTORS = ("right", "back right", "back", "back left", "left", "front left", "front", "front right")
FLAT_LAND = 0.25
"""A scene is a landscape that is lower than so much of its extent and holds more than a few things."""

FEW, SMALL = 4, 0.2
MOST_CLOSE, MOST_INSIDE = 14, 120
THING = 0.5
"""What is smaller than that share of a room stands in it; what is larger is its walls and its floor."""


@dataclass(frozen=True)
class Candidate:
    """`kind` is ring, below, close, land, inside, given or own; `words` say from where it looks; `sight` what it would see."""

    camera: Camera
    kind: str
    words: str
    sight: Sight


def is_landscape(subject: Subject, scenery: Scenery) -> bool:
    flat = subject.size[2] < FLAT_LAND * max(subject.size[:2])
    return bool(flat and (~subject.surroundings).sum() > FEW)


def outside(probes: Probes) -> Iterator[Candidate]:
    """Rings whose views are set off against each other; from below only where no ground is in the way."""
    subject, land = probes.subject, is_landscape(probes.subject, probes.scenery)
    rings = [(12, 15), (30, 0), (55, 15)] if not land else [(20, 15), (36, 0), (58, 15)]
    ways = [(azimuth + offset, elevation) for elevation, offset in rings for azimuth in range(0, 360, 30)]
    ways += [(-90, 88)]
    if not subject.surroundings.any() and not land:
        ways += [(azimuth + 45, -25) for azimuth in range(0, 360, 90)] + [(-90, -88)]
    shells = probes.scenery.only(subject.surroundings) if subject.surroundings.any() else None
    for azimuth, elevation in ways:
        way = towards(radians(azimuth), radians(elevation))
        camera = fit(subject.hull, way, ANGLE, _room(shells, subject, way))
        if camera.angle <= WIDEST:
            yield Candidate(camera, "ring" if elevation > 0 else "below", f"from {direction(way)}", probes.sight(camera))


def _room(shells: Any, subject: Subject, way: Any) -> float:
    """How far off a camera may stand before it leaves the dome."""
    met = shells.ray_cast(subject.middle.tolist(), way.tolist(), FAR)[3] if shells is not None else None
    return np.inf if met is None or met < 0.6 * subject.diagonal else 0.9 * float(met)


def close(probes: Probes) -> Iterator[Candidate]:
    """Three views of each of some small parts, of different forms before the same form again."""
    subject, scenery = probes.subject, probes.scenery
    sizes = np.linalg.norm(scenery.highs - scenery.lows, axis=1)
    small = set(np.flatnonzero(sizes < THING * subject.diagonal).tolist())
    for piece in _small(scenery, subject):
        low, high = scenery.lows[piece], scenery.highs[piece]
        size = max(float(np.linalg.norm(high - low)), 0.02 * subject.diagonal)
        for azimuth in (-110, -20, 75, 160):
            way = towards(radians(azimuth + 17 * (piece % 5)), radians(22))
            place = (low + high) / 2 + way * size * 1.9
            lifted = _lifted(probes, place, 0.35 * size)
            camera = Camera(look(lifted, (low + high) / 2), CLOSE_ANGLE)
            sight = probes.sight(camera)
            words = f"close to {scenery.names[piece]}, from {direction(camera.place - (low + high) / 2)}"
            if sight.pieces.get(piece, 0.0) >= max((share for one, share in sight.pieces.items() if one in small), default=1.0):
                yield Candidate(camera, "close", words, sight)  # nothing else of its size stands in the way


def _small(scenery: Scenery, subject: Subject) -> Sequence[int]:
    sizes = np.linalg.norm(scenery.highs - scenery.lows, axis=1)
    fits = ~subject.surroundings & (sizes < SMALL * subject.diagonal)
    small = [int(one) for one in np.argsort(-sizes, kind="stable") if fits[one]]
    if (~subject.surroundings).sum() <= 3 * FEW:
        return []
    chosen, middles = list[int](), (scenery.lows + scenery.highs) / 2
    kin: dict[int, int] = {}
    while small and len(chosen) < MOST_CLOSE:
        def rank(one: int) -> tuple[float, float, int]:
            gap = min((float(np.linalg.norm(middles[one] - middles[other])) for other in chosen), default=0.0)
            return kin.get(int(scenery.kin[one]), 0), -gap, one

        best = min(small[:2000], key=rank)
        small.remove(best)
        chosen.append(best)
        kin[int(scenery.kin[best])] = kin.get(int(scenery.kin[best]), 0) + 1
    return chosen


def _lifted(probes: Probes, place: Any, least: float) -> Any:
    """The place, at least so far above what lies under it."""
    top = max(float(probes.subject.high[2]), float(place[2])) + least
    hits, depths = probes.cast((float(place[0]), float(place[1]), top), [(0.0, 0.0, -1.0)])
    ground = top - float(depths[0]) if hits[0] >= 0 else -np.inf
    return np.array((place[0], place[1], max(float(place[2]), ground + least)))


def on_land(probes: Probes) -> Iterator[Candidate]:
    """A person's views across the land: from some places in it, towards its middle and along its edge."""
    subject = probes.subject
    for azimuth in range(0, 360, 45):
        way = towards(radians(azimuth + 10), 0.0)
        place = subject.middle + way * subject.size * (0.34, 0.34, 0)
        place = _lifted(probes, np.array((place[0], place[1], subject.low[2])), 0.035 * subject.diagonal)
        for turn in (180, 235):
            ahead = towards(radians(azimuth + 10 + turn), radians(-9))
            camera = Camera(look(place, place + ahead), INSIDE_ANGLE)
            yield Candidate(camera, "land", f"standing in the {side(way)}, looking {side(ahead)}", probes.sight(camera))


def inside(probes: Probes, enclosed: Enclosure) -> Iterator[Candidate]:
    """From free places of a room in all directions, and at the things in it; few rays first, all of them for what shows most."""
    rough = []
    for place in _spread(enclosed.free, 36):
        for ahead in [towards(radians(azimuth + 7), radians(-10)) for azimuth in range(0, 360, 30)] + _at_things(probes, place):
            camera = Camera(look(place, place + ahead), INSIDE_ANGLE)
            rough.append((_worth(probes.sight(camera, 8), probes.subject.diagonal), camera, ahead))
    rough.sort(key=lambda one: -one[0])
    taken = list[Camera]()
    for _, camera, ahead in rough:
        if len(taken) >= MOST_INSIDE:
            return
        near = 0.12 * probes.subject.diagonal
        if any(np.linalg.norm(camera.place - one.place) < near and camera.ahead @ one.ahead > 0.88 for one in taken):
            continue
        taken.append(camera)
        yield Candidate(camera, "inside", f"inside, looking {side(ahead)}{' and down' if ahead[2] < -0.3 else ''}", probes.sight(camera))


def _at_things(probes: Probes, place: Any) -> list[Any]:
    """Directions to what stands in the room, not nearer than one can see it whole."""
    scenery = probes.scenery
    sizes = np.linalg.norm(scenery.highs - scenery.lows, axis=1)
    ways = (scenery.lows + scenery.highs) / 2 - place
    far = np.linalg.norm(ways, axis=1)
    good = (sizes < THING * probes.subject.diagonal) & (far > 0.9 * sizes) & (far > 0.12 * probes.subject.diagonal)
    chosen = [int(one) for one in np.argsort(-sizes, kind="stable") if good[one]][:12]
    return [ways[one] / far[one] for one in chosen if abs(ways[one][2]) < 0.7 * far[one]]


def _worth(sight: Sight, diagonal: float) -> float:
    """Many things, none of them over the whole picture, and room before the camera."""
    if sight.fault(diagonal):
        return 0.0
    return float(sum(share**0.5 for share in sight.pieces.values())) * min(1.0, 6 * sight.near / diagonal) * (1.2 - sight.shows[0][1])


def _spread(places: Any, most: int) -> Any:
    """Some of the places, far from each other: the first is the one nearest to all."""
    if len(places) <= most:
        return places
    chosen = [int(np.linalg.norm(places - places.mean(0), axis=1).argmin())]
    gaps = np.full(len(places), np.inf)
    while len(chosen) < most:
        gaps = np.minimum(gaps, np.linalg.norm(places - places[chosen[-1]], axis=1))
        chosen.append(int(gaps.argmax()))
    return places[chosen]


def side(way: Any) -> str:
    """Of eight sides the one that a direction goes to, as seen from the front (-y)."""
    return SECTORS[round(degrees(atan2(way[1], way[0])) / 45) % 8]


def direction(way: Any) -> str:
    """The place of one who looks from there, in words."""
    rise = degrees(atan2(way[2], float(np.hypot(way[0], way[1]))))
    if abs(rise) > 75:
        return "the top" if rise > 0 else "below"
    height = "low" if -8 < rise < 20 else "below" if rise <= -8 else "above" if rise < 42 else "high above"
    return f"the {side(way)}, {height}"


def given(probes: Probes, place: Sequence[float], target: Sequence[float], angle: float) -> Candidate:
    """A camera that somebody wishes for. Angle in degrees."""
    camera = Camera(look(np.array(place, np.float64), np.array(target, np.float64)), radians(angle))
    return Candidate(camera, "given", f"as proposed, from {direction(-camera.ahead)}", probes.sight(camera))


def lens_mm(angle: float) -> float:
    """What an angle is on a sensor 36 mm wide."""
    return 18 / tan(angle / 2)
