"""One page of a submission, in a browser context of its own, from its loading to its end."""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, NoReturn, Protocol, Self

from attrs import Factory, asdict, frozen
from playwright.sync_api import Browser, BrowserContext, Error

from playproof.errors import SubmissionFault
from playproof.model import TICKS, Observer, Reason
from playproof_browser.box_options import Request
from playproof_browser.clock import PageClock, entrance
from playproof_browser.observe import Watch, Witness, listeners
from playproof_browser.pictures import Picture, Region, clip, decode
from playproof_browser.watchdog import PageHang, Watchdog
from playproof_browser.world import Status, World

LOADS = 4
"""How often a page may load itself in one session: many a game begins again that way."""

MOVE_S = 3.0
"""How long a document that the page has asked for may take to come."""

WHEEL_S = 2.0
"""How long the browser may take to send a wheel event; one that goes to another frame is never counted."""

QUIET_S = 0.05
"""A page that has asked for nothing for so long is not waiting for the network."""


DRIVING = frozenset({"worker", "media", "frame", "Atomics.waitAsync"})
"""What can carry a page on beside the virtual clock. Sound alone cannot, nor can a look at it (see watch.js)."""


class LoadFault(SubmissionFault):
    """The page did not come to the point from which it can be used."""

    reason = Reason.LOAD_FAIL


class Place(Protocol):
    """What a tab needs of a box."""

    @property
    def browser(self) -> Browser: ...
    @property
    def origin(self) -> str: ...
    def kill(self) -> None: ...
    def requests(self) -> Sequence[Request]: ...


@frozen
class TabOptions:
    """`load_s` and `call_s` bound a load and any one call, in wall seconds; `ready_s` is how long after its load a page
    may take to become usable, in seconds of its own time; `global_name` is what it must have then. `parts`: see `entrance`."""

    viewport: tuple[int, int] = (1280, 800)
    touch: bool = False
    clock: PageClock = Factory(PageClock)
    load_s: float = 30.0
    call_s: float = 15.0
    ready_s: float = 5.0
    global_name: str | None = None
    parts: Sequence[str] = ()


class Tab:
    """A context manager: entering loads `path`. Raises LoadFault, PageHang or PageCrash when it cannot be used.

    On the virtual clock the page's time stands still except in `advance`; loading may take some of it, before tick 0."""

    def __init__(self, place: Place, options: TabOptions, witness: Witness, path: str = "/index.html") -> None:
        self.place, self.options, self.witness, self._path = place, options, witness, path
        self.watchdog = Watchdog(place.kill)
        self._portion = 30 * options.clock.frame
        self._requests_before = len(place.requests())
        self._loads = 0

    def __enter__(self) -> Self:
        options, made = self.options, entrance(self.options.clock, self.options.parts)
        width, height = options.viewport
        with self.watchdog.within(options.load_s, "opening a page"):
            self._context = self.place.browser.new_context(
                viewport={"width": width, "height": height}, device_scale_factor=1, has_touch=options.touch, accept_downloads=False,
                service_workers="block", locale="en-US", timezone_id="UTC",
            )  # fmt: skip
            self._context.add_init_script(made.script)
            self.furnish(self._context)
            self.page = self._context.new_page()
            self.cdp = self._context.new_cdp_session(self.page)
            self.watch = Watch(self.page, self.cdp, self.witness)
            self.watch.begin(self._context)
            if options.clock.virtual:
                self.cdp.send("Animation.enable")
                self.cdp.send("Animation.setPlaybackRate", {"playbackRate": 0})
            self.page.on("crash", lambda _: self.watchdog.mourn())
        self.world = World(self.cdp, made, self.watchdog, options.call_s, self._arrive)
        try:
            self._load()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def furnish(self, context: BrowserContext) -> None:
        """What a domain adds to the context before its page is made."""

    def close(self) -> None:
        with suppress(Error):  # a browser that is dead or was killed has closed its pages already
            self._context.close()

    def advance(self, ticks: int) -> Status | None:
        """Let time pass: virtual time at once, in portions that bound how long one call may take; real time by sleeping."""
        clock = self.options.clock
        if not clock.virtual:
            with self.watchdog.within(ticks / TICKS + self.options.call_s, "waiting"):
                self.page.wait_for_timeout(ticks * 1000 / TICKS)
            return None
        status, portion = None, self._portion
        while ticks > 0:
            begun = time.monotonic()
            status = self.world.advance(min(ticks, portion))
            ticks -= portion
            if time.monotonic() - begun > self.options.call_s / 5 and portion > clock.frame:
                portion = self._portion = max(clock.frame, portion // 2 // clock.frame * clock.frame)
        return status

    def screenshot(self, region: Region | None = None) -> Picture:
        """The viewport, or a region of it, as it is now; it is written down as evidence (`image.png/1`)."""
        asked = {"format": "png", "optimizeForSpeed": True, "captureBeyondViewport": False}
        if region is not None:
            asked["clip"] = clip(region)
        with self.watchdog.within(self.options.call_s, "a screenshot"):
            png = decode(self.cdp.send("Page.captureScreenshot", asked))
        whole = (0, 0, *self.options.viewport)
        x, y, width, height = region or whole
        source = f"viewport {x:g},{y:g} {width:g}x{height:g}"
        return Picture(png, region or whole, [self.witness.note("image.png/1", Observer.OUTSIDE, source, png=png).id])

    def wheel(self, dx: float, dy: float) -> None:
        """Turn the mouse's wheel, and wait until the page has been told: the browser itself does not wait."""
        before, begun = self.world.look().wheels, time.monotonic()
        with self.watchdog.within(self.options.call_s, "the wheel"):
            self.page.mouse.wheel(dx, dy)
        while self.world.settle().wheels == before and time.monotonic() - begun < WHEEL_S:
            continue

    def listeners(self, on: str = "window") -> list[dict[str, Any]]:
        """Event listeners on the window, the document, or the first element of a selector, as the debugger sees them."""
        expression = on if on in ("window", "document") else f"document.querySelector({json.dumps(on)})"
        with self.watchdog.within(self.options.call_s, "the listeners"):
            return listeners(self.cdp, expression)

    def requests(self) -> list[dict[str, Any]]:
        """What this page asked our server for, so far."""
        return [asdict(one) for one in self.place.requests()[self._requests_before :]]

    def leaks(self) -> dict[str, int]:
        """What runs beside the virtual clock, with how often it was begun: workers, media, frames of another origin."""
        status = self.world.look()
        strangers = len(self.page.frames) - status.realms
        found = {**status.leaks, **{name: count for name, count in self.watch.foreign.items() if name not in status.leaks}}
        return {**found, "frame": strangers} if strangers > 0 else found

    # --- loading ---

    def _load(self) -> None:
        options = self.options
        begun = time.monotonic()
        try:
            with self.watchdog.within(options.load_s, "loading the page"):
                answer = self.page.goto(self.place.origin + self._path, wait_until="load", timeout=0)
        except Error as error:
            raise LoadFault("page", error.message.splitlines()[0]) from None
        if answer is None or answer.status != 200:
            raise LoadFault("page", f"{self._path} was answered with status {answer.status if answer else 'none'}")
        self._loads = 1
        self.world.enter()
        self._become_ready()
        self.witness.note("page.load/1", Observer.OUTSIDE, "browser", {"wall_ms": round((time.monotonic() - begun) * 1000)})

    def _arrive(self, replaced: bool) -> None:
        """If the page has asked for another document, or has another, wait for it. The same page once more is usable as
        before, with its clock begun again; anything else is a fault."""
        if not (self.watch.moving or replaced):
            return
        self.watch.moving = False
        with self.watchdog.within(self.options.load_s, "loading the page again"):
            self.page.wait_for_timeout(1)
            with suppress(Error):  # a request that leads to no document, such as a refused download
                self.page.wait_for_load_state("load", timeout=MOVE_S * 1000)
        address = self.page.url.partition("#")[0].partition("?")[0]
        if address not in (self.place.origin + self._path.partition("?")[0], f"{self.place.origin}/"):
            raise SubmissionFault("page", f"navigated away, to {address[:200]}")
        if not self.world.enter():
            return
        self._loads += 1
        if self._loads > LOADS:
            raise SubmissionFault("page", f"loaded itself again {self._loads - 1} times")
        self._become_ready()

    def _become_ready(self) -> None:
        """Wait for the global. First real time alone, while anything is on its way; then the page's own time as well; and
        never less than `ready_s` of either, since what a page prepares may take real time that we do not see."""
        options, clock, name = self.options, self.options.clock, self.options.global_name
        status, begun = self.world.settle(), time.monotonic()
        busy, frames_left = begun, round(options.ready_s * TICKS / clock.frame)
        while name is not None and not self.world.has(name):
            now = time.monotonic()
            if status.pending:
                busy = now
            if now - begun > options.load_s or (frames_left <= 0 and now - begun > options.ready_s):
                self._refuse(f"window.{name}", now - begun, settled=frames_left <= 0 and not status.pending)
            if clock.virtual and (now - busy < QUIET_S or frames_left <= 0):
                self.page.wait_for_timeout(5)
                status = self.world.look()
            else:
                frames_left -= 1
                status = self.advance(clock.frame) or self.world.look()
        self.advance(2 * clock.frame)

    def _refuse(self, path: str, after_s: float, *, settled: bool) -> NoReturn:
        """The page is not usable. That is its fault when its own time is over and nothing goes on beside that time: another
        machine would see the same. Else it may be this machine that is slow, which a control must tell (PageHang)."""
        beside = sorted(DRIVING & self.leaks().keys())
        told = {"missing": path, "wall_ms": round(after_s * 1000), "exceptions": len(self.watch.exceptions), "beside": beside,
                "on_its_way": self.watch.on_its_way}
        noted = self.witness.note("page.load/1", Observer.OUTSIDE, "browser", told)
        if settled and self.options.clock.virtual and not beside and not self.watch.on_its_way:
            within = f"within {self.options.ready_s:g} s of the page's load"
            raise LoadFault(path, f"did not appear {within}", [noted.id, *self.watch.exceptions])
        raise PageHang(f"{path} did not appear within {after_s:.0f} s")
