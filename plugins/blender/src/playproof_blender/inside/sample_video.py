"""The stage `sample_video`: some frames of a video file, decoded by Blender's own reader in an empty scene."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy

MOST_PIXELS = 64 << 20
MOST_FRAMES = 10_000_000


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """`options`: path, times (seconds) or null, count, size (the longest side). Seals `film` {fps, frames, s, size} and a `frame` (PNG)
    {frame, at_s} for each moment, the first frame being 0; or `unreadable` {why}."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    clip = bpy.data.movieclips.load(options["path"])
    fps, frames, size = float(clip.fps), int(clip.frame_duration), [int(side) for side in clip.size]
    if not (0 < fps < 1000 and 0 < frames < MOST_FRAMES):  # 0 is what a picture has, and what cannot be read
        seal("unreadable", {"why": "it is no video that Blender reads; it may be cut off, or of another kind"})
        return
    if min(size) < 1 or size[0] * size[1] > MOST_PIXELS:
        seal("unreadable", {"why": f"its pictures have {size[0]} x {size[1]} pixels, and more than {MOST_PIXELS:,} are not decoded"})
        return
    seal("film", {"fps": fps, "frames": frames, "s": frames / fps, "size": size})
    scene = _projector(options["path"], size, options["size"])
    for frame in _wanted(options, fps, frames):
        scene.frame_set(frame + 1)
        scene.render.filepath = str(out / f"{frame:08}.png")
        bpy.ops.render.render(write_still=True, scene=scene.name)
        seal("frame", {"frame": frame, "at_s": frame / fps}, file=f"{frame:08}.png")


def _projector(path: str, size: Sequence[int], most: int) -> Any:
    """The scene, so that frame n of the film is shown at frame n + 1, in the colours that the file has. It is the window's own scene: of
    another one every picture shows the same frame."""
    scene = bpy.context.scene
    scale = min(1.0, most / max(size))
    render = scene.render
    render.resolution_x, render.resolution_y = (max(1, round(side * scale)) for side in size)
    render.resolution_percentage = 100
    render.use_sequencer, render.use_compositing, render.use_stamp, render.dither_intensity = True, False, False, 0.0
    render.image_settings.file_format, render.image_settings.color_mode = "PNG", "RGB"
    scene.view_settings.view_transform = "Standard"
    scene.sequence_editor_create()
    scene.sequence_editor.sequences.new_movie("film", path, 1, 1, fit_method="STRETCH")
    return scene


def _wanted(options: Mapping[str, Any], fps: float, frames: int) -> Sequence[int]:
    """Frames to show, each once, in order."""
    if options["times"] is not None:
        found = [min(frames - 1, int(time * fps + 1e-6)) for time in options["times"]]
    else:
        count = min(options["count"], frames)
        found = [round((frames - 1) * number / max(1, count - 1)) for number in range(count)]
    return sorted(set(found))
