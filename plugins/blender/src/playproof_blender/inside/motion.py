"""The stage `motion`: where objects and bones are at the frames of the timeline: `blender.motion/1`, JSON.

{"fps", "frames": [numbers], "tracks": [{"object", "bone" | null, "moves", "places": [[x, y, z]], "turns": [[w, x, y, z]],
"boxes": [[6]] | null}], "left_off": how many tracks}. In the world, metres; a box goes from its smallest corner to its largest. What never
moves has one entry in each list instead of one for each frame. Frames are stepped one after the other, so that simulations run along.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from reading import name_of, text
from visibility import Visibility

MOST_FRAMES, MOST_THINGS, MOST_TRACKS = 1000, 2000, 300
STILL = 1e-6
"""Metres, and parts of a quaternion: what changes by less does not move."""


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """Options: `objects` (patterns), `bones` (whether), `first`, `last` (frames; else those of the scene), `step`."""
    scene = bpy.context.scene
    Visibility()
    first, last = int(options.get("first", scene.frame_start)), int(options.get("last", scene.frame_end))
    step = max(int(options.get("step", 1)), -(-max(last - first, 0) // MOST_FRAMES), 1)
    wanted = options.get("objects", ["*"])
    things = [one for one in scene.objects if any(fnmatchcase(name_of(one), pattern) for pattern in wanted)]
    sampler = Sampler(things, bones=bool(options.get("bones", True)))
    for frame in range(first, last + 1):  # every frame, since what is simulated cannot leap
        scene.frame_set(frame)
        if (frame - first) % step == 0:
            sampler.take(frame)
    (out / "motion.json").write_text(json.dumps(sampler.told()), encoding="ascii")
    seal("motion", file="motion.json")


class Sampler:
    """Takes the places of objects, and of the bones of those that are armatures, frame by frame."""

    def __init__(self, objects: Iterable[Any], bones: bool) -> None:
        self.objects = list(objects)
        self.left_off = max(len(self.objects) - MOST_THINGS, 0)
        self.objects = self.objects[:MOST_THINGS]
        self.bones = [(one, bone) for one in self.objects if one.type == "ARMATURE" and one.pose for bone in islice(one.pose.bones, 300)]
        self.bones = self.bones[: MOST_THINGS if bones else 0]
        self.frames = list[int]()
        self.rows = list[Any]()

    def take(self, frame: int) -> None:
        depsgraph = bpy.context.evaluated_depsgraph_get()
        self.frames.append(frame)
        row = [_placed(now.matrix_world, now) for now in (one.evaluated_get(depsgraph) for one in self.objects)]
        for one, bone in self.bones:
            now = one.evaluated_get(depsgraph)
            row.append(_placed(now.matrix_world @ now.pose.bones[bone.name].matrix, None))
        self.rows.append(row)

    def told(self) -> Mapping[str, Any]:
        scene = bpy.context.scene
        names = [(name_of(one), None) for one in self.objects] + [(name_of(one), text(bone, "name")) for one, bone in self.bones]
        all_ = np.array(self.rows, np.float64).reshape(len(self.frames), len(names), 13)
        tracks, moving = list[Mapping[str, Any]](), 0
        for number, (thing, bone) in enumerate(names):
            rows = all_[:, number]
            moves = bool(len(rows) and (np.isnan(rows[:, :7]).any() or np.ptp(rows[:, :7], axis=0).max() > STILL or _grows(rows)))
            moving += moves
            if moves and moving > MOST_TRACKS:
                self.left_off += 1
                continue
            tracks.append(_track(thing, bone, moves, rows if moves else rows[:1]))
        return {"fps": scene.render.fps / scene.render.fps_base, "frames": self.frames, "tracks": tracks, "left_off": self.left_off}


def _placed(matrix: Any, now: Any) -> Sequence[float]:
    """13 numbers: place, turn, box (none, for what has none, is said by NaN)."""
    row = [*matrix.translation, *matrix.to_quaternion()]
    if now is None or now.type not in ("MESH", "CURVE", "SURFACE", "FONT", "META"):
        return [*row, *[float("nan")] * 6]
    corners = np.array([tuple(corner) for corner in now.bound_box]) @ np.array(matrix)[:3, :3].T + np.array(matrix)[:3, 3]
    return [*row, *corners.min(0), *corners.max(0)]


def _grows(rows: Any) -> bool:
    return bool(np.isfinite(rows[:, 7:]).all() and np.ptp(rows[:, 7:], axis=0).max() > STILL)


def _track(thing: str, bone: str | None, moves: bool, rows: Any) -> Mapping[str, Any]:
    boxes = rows[:, 7:]
    shown = None if np.isnan(boxes).all() else np.round(boxes, 7).tolist()
    return {"object": thing, "bone": bone, "moves": moves, "places": np.round(rows[:, :3], 7).tolist(),
            "turns": np.round(rows[:, 3:7], 7).tolist(), "boxes": shown}  # fmt: skip
