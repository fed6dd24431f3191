"""The stage `render_films`: a turn around the subject, and the project's timeline, as MP4 by Blender's own encoder, of shapes and colours.

The pictures of a film are rendered one by one, as those of views are; an empty scene of ours, in which nothing of the project takes part,
then puts them together.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, degrees, radians
from pathlib import Path
from typing import Any

import bpy
import neutral
import numpy as np
from cameras import Eye
from candidates import ANGLE
from framing import Camera, fit, look, towards
from reading import name_of

TURN_FPS = 12
RISE = radians(20)
SAMPLED = 6
"""Pictures of each film that are kept as pictures, too."""

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """`options`: turntable and timeline (pictures of each, 0 for none), size, subject (of `choose_views`), view (the timeline's). Seals for
    each film `frame` (PNG) of some moments, then `film` (MP4); what Blender refuses is sealed as `failed`."""
    neutral.make_safe(str(out))
    filming = Filming(options, out, seal)
    for name, shots in (("turntable", filming.turntable), ("timeline", filming.timeline)):
        if options[name]:
            try:
                filming.film(name, *shots(options[name]))
            except RuntimeError as fault:
                seal("failed", {"film": name, "why": str(fault).strip()[:500]})


Shots = Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]
"""Where the camera is, and what is said of the moment; the scene is set to it when it is asked for."""


class Filming:
    def __init__(self, options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
        self.options, self.out, self.seal, self.scene = options, out, seal, bpy.context.scene
        self.eye = Eye(self.scene)
        neutral.use_channel(self.scene, "workbench", options["size"], options["size"], 1, 0)
        self.frame = self.scene.frame_current

    def turntable(self, count: int) -> tuple[Shots, int, float]:
        """Once around, always as far off, at the frame that the project was saved at; in a room it turns about itself."""
        swept, view = _swept(np.array(self.options["subject"]["hull"])), self.options["view"]

        def shots() -> Shots:
            for number in range(count):
                turned = 2 * np.pi * number / count
                if view["kind"] == "inside":
                    place, ahead = np.array(view["matrix"]).reshape(4, 4)[:3, 3], _turn(turned) @ _ahead(view)
                    camera = Camera(look(place, place + ahead), radians(view["angle_deg"]))
                else:
                    camera = fit(swept, towards(turned - np.pi / 2, RISE), ANGLE)
                yield self._view(camera), {"turned_deg": round(degrees(turned), 3), "frame": self.frame}

        return shots(), count, TURN_FPS

    def timeline(self, count: int) -> tuple[Shots, int, float]:
        """Evenly from the first frame to the last, both included, by one camera that has everything in its picture all the time."""
        first, last = self.scene.frame_start, max(self.scene.frame_start, self.scene.frame_end)
        count = min(count, last - first + 1)
        frames = [round(first + (last - first) * number / max(1, count - 1)) for number in range(count)]
        camera = fit(self._ever(frames), -_ahead(self.options["view"]), ANGLE)
        rate = self.scene.render.fps / self.scene.render.fps_base

        def shots() -> Shots:
            for frame in frames:
                self.scene.frame_set(frame)
                yield self._view(camera), {"frame": frame, "at_s": round((frame - first) / rate, 4)}
            self.scene.frame_set(self.frame)

        return shots(), count, max(1.0, count / max((last - first + 1) / rate, 1e-3))

    def _view(self, camera: Any) -> Mapping[str, Any]:
        extent = float(np.linalg.norm(camera.place)) + self.options["subject"]["diagonal"]
        return {"matrix": camera.matrix.ravel().tolist(), "angle_deg": degrees(camera.angle),
                "clip": [1e-4 * self.options["subject"]["diagonal"], max(1000.0, 100 * extent)]}  # fmt: skip

    def _ever(self, frames: Sequence[int]) -> Any:
        """Corners of what moves at all these frames, and the subject's hull. What is no subject moves unheeded."""
        left_out = {one["object"] for one in self.options["subject"]["left_out"]}
        shown = [one for one in self.scene.objects if one.type == "MESH" and not one.hide_render and one.visible_get()]
        things = [one for one in shown if name_of(one) not in left_out]
        points = [np.array(self.options["subject"]["hull"])]
        for frame in frames:
            self.scene.frame_set(frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            for one in things:
                now = one.evaluated_get(depsgraph)
                corners = np.array([tuple(corner) for corner in now.bound_box]) @ np.array(now.matrix_world)[:3, :3].T
                points.append(corners + np.array(now.matrix_world)[:3, 3])
        whole = np.concatenate(points)
        whole = whole[np.isfinite(whole).all(1)]
        low, high = whole.min(0), whole.max(0)
        return low + CORNERS * (high - low)

    def film(self, name: str, shots: Shots, count: int, fps: float) -> None:
        files, kept = list[str](), {round(number * (count - 1) / max(1, SAMPLED - 1)) for number in range(SAMPLED)}
        for number, (view, told) in enumerate(shots):
            files.append(f"{name}-{number:04}.png")
            self.eye.look(view)
            self.scene.render.filepath = str(self.out / files[-1])
            bpy.ops.render.render(write_still=True, layer=bpy.context.view_layer.name, scene=self.scene.name)
            if number in kept:
                self.seal("frame", {"film": name, "number": number, **told}, file=files[-1])
        made = _joined(self.out, files, f"{name}.mp4", self.options["size"], fps)
        self.seal("film", {"film": name, "pictures": count, "fps": made}, file=f"{name}.mp4")


def _joined(out: Path, files: Sequence[str], name: str, size: int, fps: float) -> float:
    """Writes the MP4; gives its pictures for each second. A rate that Blender cannot have is rounded up to one that it has."""
    scene = bpy.data.scenes.new("Playproof film")
    rate = ceil(fps) if fps >= 1 else 1
    scene.sequence_editor_create()
    for number, file in enumerate(files, 1):
        strip = scene.sequence_editor.sequences.new_image(file, str(out / file), 1, number)
        strip.frame_final_duration = 1
    render = scene.render
    scene.frame_start, scene.frame_end = 1, len(files)
    render.resolution_x = render.resolution_y = size
    render.resolution_percentage, render.fps, render.fps_base = 100, rate, 1.0
    render.use_sequencer, render.use_compositing, render.use_file_extension = True, False, False
    scene.view_settings.view_transform = "Standard"
    render.image_settings.file_format = "FFMPEG"
    render.ffmpeg.format, render.ffmpeg.codec, render.ffmpeg.constant_rate_factor = "MPEG4", "H264", "HIGH"
    render.ffmpeg.gopsize, render.ffmpeg.audio_codec = 12, "NONE"
    render.filepath = str(out / name)
    bpy.ops.render.render(animation=True, scene=scene.name)
    if not (out / name).is_file():
        raise RuntimeError("Blender wrote no film")
    return float(rate)


def _ahead(view: Mapping[str, Any]) -> Any:
    return -np.array(view["matrix"]).reshape(4, 4)[:3, 2]


def _turn(angle: float) -> Any:
    """About the vertical, to the left; radians."""
    return np.array(((np.cos(angle), -np.sin(angle), 0), (np.sin(angle), np.cos(angle), 0), (0, 0, 1)))


def _swept(hull: Any) -> Any:
    """What the hull passes through while it turns once about its middle."""
    middle = (hull.min(0) + hull.max(0)) / 2
    return np.concatenate([(hull - middle) @ _turn(2 * np.pi * step / 36).T + middle for step in range(36)])
