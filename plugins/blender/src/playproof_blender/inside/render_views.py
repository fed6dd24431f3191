"""The stage `render_views`: one picture after another, each sealed when it is whole, so that a crash costs the one in hand.

Afterwards a picture that is black or flat is looked into: where the geometry channel shows something, the scene is dark, which is a fact of
it; where that shows nothing either, the view is no good, and a substitute is rendered in its place, twice at most.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy
import neutral
import pictures
from cameras import Eye

MOST_AGAIN = 2
PROBE = 96
"""Pixels of the picture by which a suspicious view is looked into."""


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """`options`: views and substitutes (of `choose_views`), channel, size, samples, time_limit. Seals `engine`, and for each view `picture`
    (PNG) with its measures and seconds, or `failed` with why; at the end `invalid` for each that shows nothing."""
    neutral.make_safe(str(out))
    taking = Taking(options, out, seal)
    taken = [view for view in options["views"] if taking.take(view)]
    taking.mend(taken)


class Taking:
    """Takes pictures in the open scene."""

    def __init__(self, options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
        self.options, self.out, self.seal, self.scene = options, out, seal, bpy.context.scene
        self.shape = self.scene.render.resolution_x / max(1, self.scene.render.resolution_y)
        self.eye, self.count = Eye(self.scene), 0
        self.measures: dict[str, Mapping[str, Any]] = {}
        seal("engine", self._use(self.options["channel"], options["size"]))

    def _use(self, channel: str, size: int) -> Mapping[str, Any]:
        return neutral.use_channel(self.scene, channel, size, size, self.options["samples"], self.options["time_limit"])

    def take(self, view: Mapping[str, Any]) -> bool:
        """Whether there is a picture of it now. What Blender refuses to render is told, and the next one has its turn."""
        start, file = time.perf_counter(), f"picture-{self.count:03}.png"
        self.count += 1
        try:
            self._render(view, file)
        except (RuntimeError, KeyError) as fault:
            self.seal("failed", {"view": view["name"], "why": str(fault).strip()[:500]})
            return False
        seconds = round(time.perf_counter() - start, 3)
        self.measures[view["name"]] = measures = pictures.measured(self.out / file)
        self.seal("picture", {"view": view["name"], "seconds": seconds, **measures}, file=file)
        return True

    def _render(self, view: Mapping[str, Any], file: str) -> None:
        render = self.scene.render
        if view["kind"] == "own":
            self.eye.borrow(view["object"])
            render.resolution_x, render.resolution_y = _within(self.shape, self.options["size"])
        else:
            self.eye.look(view)
            render.resolution_x = render.resolution_y = self.options["size"]
        render.filepath = str(self.out / file)
        bpy.ops.render.render(write_still=True, layer=bpy.context.view_layer.name, scene=self.scene.name)
        if not (self.out / file).is_file():
            raise RuntimeError("Blender wrote no picture")

    def mend(self, taken: Sequence[Mapping[str, Any]]) -> None:
        """Says which views are invalid, and renders others for them."""
        suspicious = [view for view in taken if self._is_suspicious(view["name"])]
        empty = [view for view in suspicious if self.options["channel"] == "workbench" or self._shows_nothing(view)]
        if not empty:
            return
        self._use(self.options["channel"], self.options["size"])
        spare = iter(self.options["substitutes"])
        for view in empty:
            self.seal("invalid", {"view": view["name"], "why": "the picture is one colour, and so is that of the geometry alone"})
            if view["kind"] != "own":
                self._again(view, spare)

    def _again(self, view: Mapping[str, Any], spare: Iterator[Mapping[str, Any]]) -> None:
        for number, other in zip(range(1, MOST_AGAIN + 1), spare, strict=False):
            instead = {**other, "name": f"{view['name']}-again-{number}"}
            self.seal("instead", {"of": view["name"], "view": instead})
            if self.take(instead) and not self._is_suspicious(instead["name"]):
                return
            self.seal("invalid", {"view": instead["name"], "why": "the picture is one colour"})

    def _is_suspicious(self, name: str) -> bool:
        return bool(self.measures[name]["black"] or self.measures[name]["flat"])

    def _shows_nothing(self, view: Mapping[str, Any]) -> bool:
        channel, size = self.options["channel"], self.options["size"]
        self.options = {**self.options, "channel": "workbench", "size": PROBE}
        try:
            self._use("workbench", PROBE)
            self._render(view, "probe.png")
            found = pictures.measured(self.out / "probe.png")
        except RuntimeError:  # a machine may have no geometry channel: then nothing is held against the view
            return False
        finally:
            self.options = {**self.options, "channel": channel, "size": size}
        return bool(found["black"] or found["flat"])


def _within(shape: float, size: int) -> tuple[int, int]:
    """Width and height of the project's own shape, the longer side `size`."""
    return (size, max(4, round(size / shape))) if shape >= 1 else (max(4, round(size * shape)), size)
