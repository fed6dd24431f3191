"""Actions, their curves and keys; and the drivers of a file."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import bpy
import numpy as np
from reading import name_of, text

DRIVEN = ("objects", "meshes", "shape_keys", "materials", "armatures", "node_groups", "curves", "lights", "cameras", "worlds", "scenes")
MOST_CURVES, MOST_KEYS, MOST_KEYS_IN_ALL, MOST_DRIVERS = 500, 200, 400_000, 200


class Actions:
    """All actions of a file share a bound of keys."""

    def __init__(self) -> None:
        self._keys = MOST_KEYS_IN_ALL

    def told(self, action: Any) -> Mapping[str, Any]:
        curves = list(curves_of(action))
        kept = [self._curve(one) for one in curves[:MOST_CURVES]]
        left = len(curves) - len(kept)
        return {"frames": [float(one) for one in action.frame_range], "users": action.users, "curves": kept,
                **({"curves_left_off": left} if left else {})}  # fmt: skip

    def _curve(self, curve: Any) -> Mapping[str, Any]:
        points = curve.keyframe_points
        count = len(points)
        keys = np.empty(2 * count, np.float32)
        points.foreach_get("co", keys)
        kept = min(count, MOST_KEYS, self._keys)
        self._keys -= kept
        told = {
            "path": text(curve, "data_path"), "index": curve.array_index, "keys": keys.reshape(-1, 2)[:kept].tolist(),
            "interpolation": sorted({one.interpolation for one in islice(points, kept)}), "extrapolation": curve.extrapolation,
            "modifiers": [one.type for one in curve.modifiers], "muted": curve.mute,
        }  # fmt: skip
        return told | ({"keys_left_off": count - kept} if count > kept else {})


def curves_of(action: Any) -> Iterator[Any]:
    """Of all slots, where an action has layers (Blender 4.4 and newer)."""
    if not hasattr(action, "layers"):
        yield from action.fcurves
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in getattr(strip, "channelbags", ()):
                yield from bag.fcurves


def owners_of_drivers() -> Iterator[Any]:
    for name in DRIVEN:
        for one in getattr(bpy.data, name):
            for owner in (one, getattr(one, "node_tree", None)):
                if owner is not None and owner.animation_data is not None and len(owner.animation_data.drivers):
                    yield owner


def drivers() -> Sequence[Mapping[str, Any]]:
    """`valid` is false for one that Blender would not evaluate: a Python expression, which stays off here."""
    found = ((owner, one) for owner in owners_of_drivers() for one in owner.animation_data.drivers)
    return [{"owner": name_of(owner), "path": text(one, "data_path"), "index": one.array_index, "type": one.driver.type,
             "expression": text(one.driver, "expression"), "simple": one.driver.is_simple_expression,
             "valid": one.is_valid and one.driver.is_valid} for owner, one in islice(found, MOST_DRIVERS)]  # fmt: skip
