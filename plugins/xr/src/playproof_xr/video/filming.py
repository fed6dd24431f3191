"""A session filmed: it is played again in a page of its own, in which some frames are drawn and encoded (page/filming.js).

So nobody has to know beforehand that a video will be wanted, and the session that is judged is the same with and without one."""

import base64
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import structlog
from attrs import field, frozen, validators

from playproof.drivers import settings
from playproof.errors import CheckSignal, SessionError
from playproof.evidence import Record
from playproof.model import TICKS, Evidence, Observer, Options
from playproof_browser.observe import Witness
from playproof_xr.performance import Performance
from playproof_xr.tab import Step, XRTab
from playproof_xr.video.webm import Film, Frame, muxed

VIEWS = {"first": "first person", "third": "third person"}
PATIENCE = 4.0
"""How much longer a call into the page may take that draws: of 30 frames are 6 drawn twice, in 100 to 250 ms each time."""
PORTION = 2 * TICKS
"""What is encoded is fetched after so many ticks."""
MICROSECONDS = 1000


@frozen
class FilmOptions:
    """What `[observe."xr.video/1"]` and `xr.record` may say: which `views` ("first", "third"); how many frames a `rate` of a second, as
    near as the session's own rate allows; `width` and `height` bound its pixels; one longer than `seconds` is cut off there."""

    views: Sequence[str] = field(
        default=tuple(VIEWS), validator=validators.deep_iterable(validators.in_(tuple(VIEWS)), validators.min_len(1))
    )
    rate: float = field(default=12.0, validator=[validators.ge(1), validators.le(30)])
    width: int = field(default=640, validator=[validators.ge(64), validators.le(1920)])
    height: int = field(default=480, validator=[validators.ge(64), validators.le(1080)])
    bits: int = field(default=800_000, validator=[validators.ge(50_000), validators.le(20_000_000)])
    seconds: float = field(default=120.0, validator=validators.gt(0))


def film_options(told: Options) -> FilmOptions:
    """Raises TaskError on what a film cannot have."""
    return settings(FilmOptions, told, "xr.video/1")


@frozen
class Filmed:
    """A view's film. `faithful`: at its end the scene was that of the session."""

    view: str
    film: Film
    faithful: bool


class Filming:
    """Makes films of one performance, and writes them down. What has been filmed is not filmed again until more has been played."""

    def __init__(self, performance: Performance, record: Record, scratch: Path) -> None:
        self._performance, self._record, self._scratch = performance, record, scratch
        self._done: dict[tuple[int, FilmOptions], Sequence[Evidence]] = {}
        self.wanted: FilmOptions | None = None
        """That the session is to be filmed when it ends."""

    def evidence(self, options: FilmOptions) -> Sequence[Evidence]:
        """`xr.video/1` of each view that can be had, from the session's beginning to now; nothing of a browser that encodes no video."""
        key = (len(self._performance.steps), options)
        if key not in self._done:
            self._done[key] = [self._noted(one) for one in self._films(options)]
        return self._done[key]

    def at_the_end(self) -> Sequence[Evidence]:
        """The films that were wanted for the reader. A page that breaks when it is played again breaks nothing else."""
        if self.wanted is None:
            return []
        try:
            return self.evidence(self.wanted)
        except (SessionError, CheckSignal) as fault:
            structlog.get_logger().warning("the session cannot be filmed", fault=str(fault)[:200])
            self.wanted = None
            return []

    def _noted(self, one: Filmed) -> Evidence:
        source = VIEWS[one.view] + ("" if one.faithful else "; played again, and it ended otherwise")
        return self._record.add("xr.video/1", Observer.MAIN, tick=self._performance.ticks, source=source, blob=muxed(one.film),
                                media_type="video/webm")  # fmt: skip

    def _films(self, options: FilmOptions) -> Sequence[Filmed]:
        folder = self._scratch / f"film-{len(self._done)}"
        aside = Record(folder)  # what the page does is written down already, where it was done first
        try:
            tab = self._performance.again(PATIENCE, Witness(aside))
            try:
                return list(self._shot(tab, options))
            finally:
                tab.close()
        finally:
            aside.close()
            shutil.rmtree(folder, ignore_errors=True)

    def _shot(self, tab: XRTab, options: FilmOptions) -> Iterator[Filmed]:
        rate, (width, height) = TICKS / tab.options.clock.frame, fitted(tab.options.viewport, options)
        every = max(1, round(rate / options.rate))
        wanted = {"views": list(options.views), "width": width, "height": height, "bitrate": options.bits, "every": every,
                  "keys": max(1, round(rate / every / 2))}  # fmt: skip
        views = tab.world.ask("xrFilm", wanted)["views"].split()
        taken: dict[str, list[Frame]] = {view: [] for view in views}
        for portion in portions(self._performance.steps, round(options.seconds * TICKS)):
            tab.play(portion)
            self._take(tab, taken, last=False)
        self._take(tab, taken, last=True)
        length = min(self._performance.ticks, round(options.seconds * TICKS)) * 1000 // TICKS
        faithful = length * TICKS < self._performance.ticks * 1000 - TICKS or tab.look("scene") == self._performance.tab.look("scene")
        for view, frames in taken.items():
            if frames and frames[0].key:
                yield Filmed(view, Film(width, height, frames, max(length, frames[-1].at_ms + 1)), faithful)

    def _take(self, tab: XRTab, taken: Mapping[str, list[Frame]], *, last: bool) -> None:
        for one in tab.world.ask("xrFilmed", last)["films"]:
            if one["fault"]:
                structlog.get_logger().warning("the browser stopped encoding", view=one["view"], fault=one["fault"][:200])
            taken[one["view"]] += map(_frame, one["chunks"])


def fitted(viewport: tuple[int, int], options: FilmOptions) -> tuple[int, int]:
    """The viewport's shape within the bounds, in even numbers of pixels: that is what encoders take."""
    width, height = viewport
    share = min(1.0, options.width / width, options.height / height)
    return max(2, int(width * share) // 2 * 2), max(2, int(height * share) // 2 * 2)


def portions(steps: Sequence[Step], most: int) -> Iterator[Sequence[Step]]:
    """Steps in groups of about PORTION ticks, `most` ticks in all."""
    group: list[Step] = []
    left, room = most, PORTION
    for ticks, told in steps:
        if left <= 0:
            break
        ticks = min(ticks, left)
        group.append((ticks, told))
        left, room = left - ticks, room - ticks
        if room <= 0:
            yield group
            group, room = [], PORTION
    if group:
        yield group


def _frame(chunk: Mapping[str, Any]) -> Frame:
    return Frame(round(chunk["at_us"] / MICROSECONDS), bool(chunk["key"]), base64.b64decode(chunk["base64"]))
