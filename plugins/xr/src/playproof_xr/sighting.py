"""What a person sees of an app beside its picture: what a ray meets and how far away that is, what is in sight, where in the picture it is.

Rays are cast against the triangles of what the app shows (page/sight.js) and against the room: they tell of depth what no picture can."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen

from playproof_xr.geometry import Matrix, Pose, Ray, Vector
from playproof_xr.observe.scene import Scene
from playproof_xr.rooms import Room
from playproof_xr.rooms.solids import solids_of
from playproof_xr.tab import XRTab
from playproof_xr.time.track import Placed, placed

MOST_LISTED = 30
"""Things that are told of at once: the nearest."""


@frozen
class Met:
    """What a ray meets, so many metres from its origin: a thing of the app's by its id, or a part of the room by its label."""

    distance: float
    thing: str | None = None
    room: str = ""

    @property
    def words(self) -> str:
        """Without a name of the app's: these are words of ours."""
        return f"{f'thing {self.thing}' if self.thing else f'the {self.room} of the room'} at {self.distance:.2f} m"


@frozen
class Sighted:
    """A thing that is in sight: its entry in the scene, the middle of its box, and the share of it, 0 to 1, that others hide."""

    entry: Mapping[str, Any]
    place: Placed
    away: float
    hidden: float

    @property
    def id(self) -> str:
        return str(self.entry["id"])


def met_by(tab: XRTab, room: Room, ray: Ray) -> Sequence[Met]:
    """Things of the app, the nearest first, and the first part of the room behind or before them."""
    told = tab.world.ask("xrMeets", list(ray.origin), list(ray.direction))["met"]
    return sorted([*(Met(one["distance"], one["id"]) for one in told), *_first_of(room, ray)], key=lambda one: one.distance)


def _first_of(room: Room, ray: Ray) -> Iterator[Met]:
    triangles = ((solid.label, face[0], *ends) for solid in solids_of(room) for face in solid.faces for ends in pairwise(face[1:]))
    met = [(far, label) for label, *corners in triangles if (far := ray.meets_triangle(*corners)) is not None]
    if met:
        distance, label = min(met)
        yield Met(distance, room=label)


def told_of(met: Sequence[Met]) -> str:
    return ", then ".join(one.words for one in met) or "nothing"


def rays_of(tab: XRTab) -> Mapping[str, Ray]:
    """The target ray of each input source, as the headset tells it: right, left, or none (of the gaze)."""
    return {one["handedness"]: Ray.along(Matrix.of(one["ray"]).pose) for one in tab.look("user")["inputs"]}


# --- the picture ---


def eye_ray(tab: XRTab, x: float, y: float) -> Ray:
    """From the eye through a point of the picture, in shares of its width and height from the upper left corner."""
    eye = tab.world.ask("xrEye")
    matrix = Matrix.of(eye["matrix"])
    return Ray(matrix.column(3), matrix.direction(Vector((2 * x - 1) * eye["right"], (1 - 2 * y) * eye["up"], -1.0)).unit)


def picture_area(tab: XRTab, identity: str) -> Sequence[float] | None:
    """The part of the picture that a thing's box covers: left, top, right, bottom in shares; None where it covers none."""
    area: Sequence[float] | None = tab.world.ask("xrArea", identity)["area"]
    return area


# --- things ---


def in_sight(tab: XRTab, *, named: bool = True) -> Sequence[Sighted]:
    """What is shown, in the view, and not wholly hidden by other things: the nearest MOST_LISTED of all with a surface of their own and,
    if `named`, of all that have a name or another word that tells what they are."""
    scene, eye = Scene(tab.look("scene"), ()), Matrix.of(tab.world.ask("xrEye")["matrix"]).column(3)
    boxed = [(one, at) for one in scene.objects() if _may_be_seen(one, named) and isinstance(at := placed(one), Placed)]
    near = sorted(((at.centre.distance(eye), one, at) for one, at in boxed), key=lambda found: found[0])[: 3 * MOST_LISTED]
    shares = tab.world.ask("xrInSight", [one["id"] for _, one, _ in near])["hidden"]
    found = [Sighted(one, at, away, share) for (away, one, at), share in zip(near, shares, strict=True) if share is not None and share < 1]
    return found[:MOST_LISTED]


def _may_be_seen(one: Mapping[str, Any], named: bool) -> bool:
    words = named and any(one[key] for key in ("name", "text", "role", "label"))
    return bool(one["visible"] and one["in_view"] and one["box"] is not None and one["type"] != "Scene" and (one["material"] or words))


def pose_words(pose: Pose) -> str:
    return f"at {spelled_point(pose.position)}, looking along {spelled_point(pose.orientation.forward)}"


def spelled_point(point: Vector) -> str:
    return "(" + ", ".join(f"{one:.2f}" for one in point) + ")"
