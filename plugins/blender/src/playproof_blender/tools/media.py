"""Tools for pictures and films of the workspace: what a brief shows, seen at a size at which it is looked at."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen, validators

from playproof.canonical import structure
from playproof.errors import SessionError
from playproof_blender.tools.calls import Failed
from playproof_blender.tools.pictures import Unreadable, as_png, read_picture
from playproof_blender.tools.tool import Answer, Tool, bounded, table
from playproof_blender.tools.workshop import Workshop

MEDIA = "media"
MOST_SIDE = 1024
MOST_FRAMES = 12
FRAME_SIDE = 512


@frozen
class View:
    path: str
    crop: tuple[int, int, int, int] | None = None


@frozen
class Sample:
    """`times` are seconds from the beginning; without them `count` moments, evenly from the first frame to the last."""

    path: str
    count: int = field(default=6, validator=validators.and_(validators.ge(1), validators.le(MOST_FRAMES)))
    times: tuple[float, ...] | None = field(default=None, validator=lambda _, __, times: _moments_only(times))
    size: int = field(default=FRAME_SIDE, validator=validators.and_(validators.ge(16), validators.le(MOST_SIDE)))


def _moments_only(times: Sequence[float] | None) -> None:
    if times is not None and not (1 <= len(times) <= MOST_FRAMES and all(0 <= time < float("inf") for time in times)):
        raise ValueError(f"times are 1 to {MOST_FRAMES} seconds from 0 on")


@frozen
class Media:
    """Shows files of one workshop."""

    workshop: Workshop

    def offered(self) -> Iterator[Tool]:
        yield Tool("view_image", MEDIA,
                   f"See a picture of the workspace, a reference of the brief, say. It is shown with at most {MOST_SIDE} pixels a side; "
                   "`crop` (left, top, right, bottom, in its own pixels) shows a part closer.",
                   table(["path"], path={"type": "string"},
                         crop={"type": "array", "items": {"type": "integer"}, "minItems": 4, "maxItems": 4}), self._view)  # fmt: skip
        yield Tool("sample_video", MEDIA,
                   "See frames of a video of the workspace: `count` of them evenly from the first to the last, or those at `times` "
                   "(seconds). Its length, rate and size are told.",
                   table(["path"], path={"type": "string"}, count=bounded("integer", 1, MOST_FRAMES),
                         size=bounded("integer", 16, MOST_SIDE),
                         times={"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 1, "maxItems": MOST_FRAMES}),
                   self._sample)  # fmt: skip

    def _view(self, arguments: Mapping[str, Any]) -> Answer:
        asked = structure(dict(arguments), View)
        with self.workshop.file(asked.path).open("rb") as source:
            try:
                read = read_picture(source, MOST_SIDE, asked.crop)
            except Unreadable as fault:
                raise Failed(f"{asked.path}: {fault}") from None
        left, top, right, bottom = asked.crop or (0, 0, *read.size)
        part = f", of which {right - left} x {bottom - top} from ({left}, {top}) are shown" if asked.crop else ""
        made = f", at {read.picture.width} x {read.picture.height}" if read.picture.size != (right - left, bottom - top) else ""
        through = ", over white where it lets through" if "A" in read.mode else ""
        return Answer(f"{asked.path}: {read.format}, {read.size[0]} x {read.size[1]} pixels{part}{made}{through}", [as_png(read.picture)])

    def _sample(self, arguments: Mapping[str, Any]) -> Answer:
        asked = structure(dict(arguments), Sample)
        place = self.workshop.file(asked.path)
        options = {"path": str(place), "count": asked.count, "times": asked.times, "size": asked.size}
        staged = self.workshop.run("sample_video", None, options)
        if refused := staged.get("unreadable"):
            raise Failed(f"{asked.path}: {refused.value['why']}")
        try:
            film, frames = staged.named("film").value, [one for one in staged.seals if one.name == "frame"]
            staged.named("end")
        except SessionError as fault:
            raise Failed(f"{asked.path}: {fault}") from None
        size, rate = " x ".join(map(str, film["size"])), f"{film['frames']} frames, {film['fps']:g} a second"
        told = f"{asked.path}: {size} pixels, {rate}, {film['s']:.2f} s"
        return Answer(f"{told}\nShown {_moments([one.value for one in frames])}{_past(asked, film)}", [one.read() for one in frames])


def _moments(frames: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"frame {one['frame']} at {one['at_s']:.2f} s" for one in frames)


def _past(asked: Sample, film: Mapping[str, Any]) -> str:
    late = [time for time in asked.times or () if time > film["s"]]
    return f"; it ends before {', '.join(f'{time:g} s' for time in late)}: the last frame is shown for it" if late else ""
