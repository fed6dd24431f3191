"""Tracks, scenes and users written down by hand, for tests of statements about them."""

from collections.abc import Mapping, Sequence
from typing import Any

from playproof.model import TICKS
from playproof_xr.body import BodyState, standing
from playproof_xr.geometry import IDENTITY, Box, Matrix, Pose, Quaternion, Vector
from playproof_xr.time.track import Track, thinned

FRAME = TICKS // 60


def at(x: float, y: float = 0.0, z: float = 0.0, turn: Quaternion = IDENTITY, size: float = 0.0) -> Mapping[str, Any]:
    """A thing's value in a track, at a place; with a size, of a cube."""
    return of(Pose(Vector(x, y, z), turn), (size, size, size) if size else None)


def of(pose: Pose, size: Sequence[float] | None = None) -> Mapping[str, Any]:
    """A box of this size about a pose; without a size, of something that has no shape."""
    matrix = Matrix.compose(pose)
    told: dict[str, Any] = {"matrix": list(matrix.values), "box": None, "local": None, "visible": True, "in_view": True}
    if size is not None:
        half = Vector(*size) * 0.5
        local = Box(-half, half)
        world = local.moved(matrix)
        told |= {"local": [*local.low, *local.high], "box": [*world.low, *world.high]}
    return told


def track_value(columns: Mapping[str, Sequence[Any]], step: int = FRAME, planes: Sequence[Any] = ()) -> dict[str, Any]:
    """The value of `xr.track/1`: each name's value at each sample. A plain word stands for a thing that is called so."""
    named = {_key(name): values for name, values in columns.items()}
    count = max(len(values) for values in named.values())
    rows = [(index * step, {name: values[index] for name, values in named.items()}) for index in range(count)]
    return {"step": step, "names": sorted(named), "rows": thinned(rows), "planes": list(planes)}


def track_of(columns: Mapping[str, Sequence[Any]], step: int = FRAME, planes: Sequence[Any] = ()) -> Track:
    return Track.of(track_value(columns, step, planes), ["track"])


def _key(name: str) -> str:
    return name if "." in name or name == "head" else f"scene[name '{name}']"


def scene_value(planes: Sequence[Any] = (), **things: Mapping[str, Any]) -> dict[str, Any]:
    """The value of `xr.scene/1`: things by name, each as in a track with what else is to be said of it."""
    blank = {"type": "Mesh"} | dict.fromkeys(("parent", "occluded", "material", "text", "role", "physics", "audio", "label"))
    objects = [{"id": str(number), "name": name, **blank, **held} for number, (name, held) in enumerate(things.items())]
    return {"engine": "three", "revision": "184", "objects": objects, "left_off": 0, "faults": "", "planes": list(planes)}


def user_value(body: BodyState | None = None) -> dict[str, Any]:
    """The value of `xr.user/1` for a body; somebody 1.7 m tall who stands at the origin without one."""
    whole = body or standing(Pose(Vector(0.0, 1.6, 0.0)))
    hands = {arm.side: {"tracked": arm.tracked, "pinch": arm.pinch, "joints": {
        name: {"position": list(pose.position), "orientation": list(pose.orientation), "radius": arm.radii[name]}
        for name, pose in arm.joints.items()}} for arm in whole.arms}  # fmt: skip
    inputs = [{"handedness": arm.side, "kind": "hand", "ray": list(Matrix.compose(arm.ray).values), "grip": None, "buttons": [arm.pinch],
               "axes": []} for arm in whole.arms if arm.tracked]  # fmt: skip
    return {"head": list(Matrix.compose(whole.head).values), "hands": hands, "inputs": inputs}
