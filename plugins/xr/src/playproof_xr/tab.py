"""An XR app's page: from its loading, through a person's click on its own button, to the first frame of its session."""

import re
import time
from collections.abc import Sequence
from typing import Any, NoReturn

from attrs import frozen
from playwright.sync_api import BrowserContext

from playproof.model import TICKS, Observer
from playproof_browser.observe import Witness
from playproof_browser.tab import QUIET_S, LoadFault, Place, Tab, TabOptions
from playproof_browser.watchdog import PageHang
from playproof_browser.world import Tampered
from playproof_xr.backends.iwer import Message
from playproof_xr.network import Network

KNOWN = "#XRButton, #VRButton, #ARButton, .a-enter-vr-button, .a-enter-ar-button, .babylonVRicon, .xr-button"
"""Buttons that engines make, by their ids and classes."""

BUTTONS = "button, [role=button], input[type=button], input[type=submit], a"
ENTERS = re.compile(r"\b(xr|vr|ar|mr|immersive|headset|mixed reality|virtual reality)\b", re.IGNORECASE)
STARTS = re.compile(r"\b(enter|start|begin|launch|play|continue|go)\b", re.IGNORECASE)
REFUSES = re.compile(r"\b(not|un(supported|available)|exit|stop|leave)\b", re.IGNORECASE)

PRESS_S = 3.0
"""How long an app may take to begin its session after a press, in seconds of its own time, before another way in is tried."""


Step = tuple[int, Message | None]
"""Ticks, and what the headset tells before they pass: see backends."""


OFFER_FRAMES = 30
"""How long an app that offers a session to the browser may take to show a button of its own, before the browser's is pressed."""


@frozen
class Way:
    """A button, by its place among what a selector finds."""

    selector: str
    place: int
    text: str


@frozen
class Glance:
    """What the page's observers tell of an XR app: see `xrStatus` in page/looks.js. Ticks and frames since the page was made."""

    now: int
    frames: int
    pending: bool
    tampered: int
    session: bool
    mode: str | None
    session_frames: int
    refusal: str
    offered: bool
    events: int
    rendered: int
    stale: int
    stale_by: str
    forged: str
    permissions: str
    lost: int
    restored: int
    left_out: int
    drawn: int


class XRTab(Tab):
    """Entering it loads the page and enters its session. `entered` is the tick of the page's clock at which that was done."""

    def __init__(self, place: Place, options: TabOptions, witness: Witness, path: str, network: Network, enter: str | None) -> None:
        super().__init__(place, options, witness, path)
        self.network, self._enter_by = network, enter
        self.entered = 0
        self._asked: set[str] = set()
        self._waited = 0

    def furnish(self, context: BrowserContext) -> None:
        self.network.watch(context)

    # --- time ---

    def play(self, steps: Sequence[Step]) -> Glance:
        """Put the body where it is and let time pass, step by step; in portions that bound how long one call may take."""
        left = list(steps)
        glance = None
        while left or glance is None:
            portion, begun = self._next(left), time.monotonic()
            glance = self._play(portion)
            frame, ticks = self.options.clock.frame, sum(ticks for ticks, _ in portion)
            if time.monotonic() - begun > self.options.call_s / 5 and ticks > frame:
                self._portion = max(frame, ticks // 2 // frame * frame)
        return glance

    def _next(self, left: list[Step]) -> Sequence[Step]:
        """Take as many steps as make a portion; a longer one is cut."""
        taken: list[Step] = []
        room = self._portion
        while left and room > 0:
            ticks, told = left[0]
            if ticks > room:
                left[0] = (ticks - room, None)
                ticks = room
            else:
                left.pop(0)
            taken.append((ticks, told))
            room -= ticks
        return taken

    def _play(self, steps: Sequence[Step]) -> Glance:
        glance = Glance(**self.world.ask("xrPlay", steps))
        if glance.tampered:
            raise Tampered("page", "it called the function by which only its observers may speak to it")
        if glance.forged:
            raise Tampered("page", f"it moved the headset or the hands itself: {glance.forged}")
        for asked in set(filter(None, glance.permissions.split(";"))) - self._asked:
            self._asked.add(asked)
            self.watch.note("page.permission/1", "saved originals", {"asked": asked, "answer": "denied"})
        return glance

    def look(self, what: str) -> Any:
        return self.world.ask("xrLook", what)

    # --- the way in ---

    def _become_ready(self) -> None:
        if self._loads > 1:
            raise LoadFault("page", "it loaded itself again, and its session ended with it")
        frames_left = round(self.options.ready_s * TICKS / self.options.clock.frame)
        begun, pressed = time.monotonic(), ""
        glance = self._calm()
        while not glance.session:
            if frames_left <= 0 or time.monotonic() - begun > self.options.load_s:
                self._stuck(glance, pressed, hung=frames_left > 0)
            pressed = self._press(glance) or pressed
            for _ in range(round(PRESS_S * TICKS / self.options.clock.frame) if pressed else 1):
                glance = self._calm(1)
                frames_left -= 1
                if glance.session:
                    break
        self._first_frames(glance)

    def _first_frames(self, glance: Glance) -> None:
        """A session counts as entered when the app has been given a few frames of it."""
        left = round(self.options.ready_s * TICKS / self.options.clock.frame)
        while glance.session_frames < 3 and left > 0:
            glance = self._calm(1)
            left -= 1
        if glance.session_frames < 3:
            raise LoadFault("session", f"began, but the app asked for {glance.session_frames} of its frames in {self.options.ready_s:g} s")
        self.entered = glance.now

    def _calm(self, frames: int = 0) -> Glance:
        """Let frames pass, and then real time alone while anything that the page asked for is on its way: what is seen next
        does not depend on how fast this machine is."""
        glance = self.play([(frames * self.options.clock.frame, None)])
        begun = quiet = time.monotonic()
        while (now := time.monotonic()) - quiet < (0.0 if frames and not self._busy(glance) else QUIET_S):
            if self._busy(glance):
                quiet = now
            if now - begun > self.options.load_s:
                raise PageHang(f"the page waits for what does not come within {self.options.load_s:g} s")
            self.page.wait_for_timeout(5)
            glance = self.play([])
        return glance

    def _busy(self, glance: Glance) -> bool:
        return glance.pending or self.watch.on_its_way > 0

    def _press(self, glance: Glance) -> str:
        """Click the app's own way in, as a person would; what was pressed, or nothing where there is no such thing."""
        for way in self._ways():
            with self.watchdog.within(self.options.call_s, "the way in"):
                element = self.world.document("show", way.selector, way.place)
                if element is None or not element["visible"]:
                    continue
                x, y = (element["bounds"][at] + element["bounds"][size] / 2 for at, size in (("x", "width"), ("y", "height")))
                self.page.mouse.click(x, y)
            self.witness.note("xr.entry/1", Observer.OUTSIDE, "input", {"pressed": way.text[:200], "x": x, "y": y})
            return way.text or "a button without text"
        self._waited += 1
        if glance.offered and self._waited > OFFER_FRAMES and self.world.ask("xrGrant")["granted"]:
            self.witness.note("xr.entry/1", Observer.OUTSIDE, "input", {"granted": "the session that the app offered"})
            return "the browser's own button"
        return ""

    def _ways(self) -> Sequence[Way]:
        """Buttons that may lead in, the likeliest first: the one that the task names, an engine's, one that speaks of XR, one
        that starts something."""
        if self._enter_by is not None:
            return self._reachable(self._enter_by)
        known, every = self._reachable(KNOWN), self._reachable(BUTTONS)
        usable = [one for one in [*known, *every] if not REFUSES.search(one.text)]
        speaking = [one for one in usable if ENTERS.search(one.text)]
        starting = [one for one in usable if STARTS.search(one.text)]
        return [*(one for one in known if one in usable), *speaking, *starting]

    def _reachable(self, selector: str) -> Sequence[Way]:
        return [Way(selector, one["place"], one["text"]) for one in self.world.document("reachable", selector)]

    def _stuck(self, glance: Glance, pressed: str, *, hung: bool) -> NoReturn:
        told = {"pressed": pressed, "offered": glance.offered, "refusal": glance.refusal, "exceptions": len(self.watch.exceptions)}
        noted = self.witness.note("page.load/1", Observer.OUTSIDE, "browser", told)
        if hung:
            raise PageHang(f"no session within {self.options.load_s:g} s of the page's load")
        cites = [noted.id, *self.watch.exceptions]
        if glance.refusal:
            raise LoadFault("session", f"was refused: {glance.refusal}", cites)
        if pressed:
            raise LoadFault("session", f"was never asked for, though {pressed!r} was pressed", cites)
        raise LoadFault("way in", "there is no button that leads into XR, and no session was asked for", cites)
