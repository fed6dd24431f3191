"""A game that runs: the verbs of a check script. What each sees is written down, and expectations cite it."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from playproof.errors import ExpectationFailed, NotApplicable, SubmissionFault
from playproof.evidence import Record
from playproof.expect import Expect
from playproof.interfaces import Clock
from playproof.model import TICKS, Ask, Evidence, Observer, seconds
from playproof.seen import Seen, cites_of
from playproof_browser.pictures import Picture
from playproof_browser.tab import Tab
from playproof_webgame.input import Keyboard, Mouse, Touch
from playproof_webgame.pixels import IdleControl, PixelExpectation
from playproof_webgame.places import Point, centre, within

INTERFACE = "__gameTest"
SETTLES = seconds(10)
"""How long a promise of the interface may wait for the game's time to pass."""


class GameSession:
    """One page of a game, loaded, in its scenario. Points and regions are in CSS pixels of the viewport, times in ticks.

    Whatever the page gives is wrapped as Seen: what cannot be used in it is the submission's fault (SubmissionFault)."""

    frame = TICKS // 60
    observes = frozenset({
        "image.png/1", "webgame.snapshot/1", "dom.elements/1", "dom.text/1", "page.counters/1", "page.exception/1", "page.listeners/1",
        "page.requests/1", "page.leaks/1", "input.pointer/1", "input.key/1",
    })  # fmt: skip

    def __init__(self, tab: Tab, clock: Clock, record: Record) -> None:
        self.tab, self.clock = tab, clock
        self._record = record
        self.mouse, self.keyboard, self.touch = Mouse(self), Keyboard(self), Touch(self)

    def begin(self, scenario: str) -> None:
        """Load the scenario before the clock starts: the page may take time of its own for it."""
        self._call("loadScenario", [scenario], "webgame.call/1", self.tab.advance)

    # --- time ---

    def advance(self, ticks: int) -> None:
        self.tab.advance(ticks)

    def wait(self, ticks: int) -> None:
        """Let time pass while nobody of this script acts."""
        self.clock.wait(ticks)

    def wait_until(
        self, holds: Callable[[Seen], Any], within: int = seconds(2), every: int = 6 * (TICKS // 60), what: str = "the condition"
    ) -> Seen:
        """The first snapshot that satisfies `holds`, looked at every `every` ticks; fails when `within` ticks bring none."""
        end = self.clock.now + within
        while not holds(snap := self.snapshot()):
            if self.clock.now >= end:
                raise ExpectationFailed(f"{what} did not come within {within / TICKS:g} s", "never", what, snap.cites)
            self.clock.wait(min(every, end - self.clock.now))
        return snap

    # --- the interface of the task ---

    def reset(self) -> Seen:
        return self._call("reset", [], "webgame.call/1")

    def load(self, scenario: str) -> Seen:
        return self._call("loadScenario", [scenario], "webgame.call/1")

    def input(self, action: dict[str, Any]) -> Seen:
        return self._call("input", [action], "webgame.call/1")

    def snapshot(self) -> Seen:
        return self._call("getSnapshot", [], "webgame.snapshot/1")

    def _call(self, method: str, arguments: list[Any], kind: str, wait: Callable[[int], Any] | None = None) -> Seen:
        label = "snapshot" if method == "getSnapshot" else f"{method}({', '.join(json.dumps(one) for one in arguments)})"
        told = self.tab.world.call(INTERFACE, method, arguments, label)
        left = SETTLES
        while isinstance(told, int):
            if left <= 0:
                raise SubmissionFault(label, f"its promise was not settled within {SETTLES / TICKS:g} s")
            (wait or self.clock.wait)(self.frame)
            left -= self.frame
            told = self.tab.world.poll(told)
        value = json.loads(told)
        held = value if kind == "webgame.snapshot/1" else {"call": label, "returned": value}
        noted = self._record.add(kind, Observer.MAIN, tick=self.clock.now, source=f"window.{INTERFACE}", value=spelled(held))
        return Seen(value, label, [noted.id])

    # --- the screen ---

    @staticmethod
    def centre(bounds: Any) -> Point:
        return centre(bounds)

    def screenshot(self, region: Any = None) -> Picture:
        return self.tab.screenshot(None if region is None else within(region, self.tab.options.viewport))

    def idle_control(self, region: Any, over: int = seconds(0.5)) -> IdleControl:
        """Three shots of a region over `over` ticks while nobody acts: what changes there by itself."""
        place = within(region, self.tab.options.viewport)
        shots = [self.tab.screenshot(place)]
        for part in (over // 2, over - over // 2):
            self.clock.wait(part)
            shots.append(self.tab.screenshot(place))
        return IdleControl(place, shots)

    def expect_pixels(self, region: Any) -> PixelExpectation:
        place = within(region, self.tab.options.viewport)
        return PixelExpectation(place, self.tab.screenshot, cites_of(region))

    # --- expectations ---

    def expect(self, value: Any, name: str) -> Expect:
        return Expect(value, name)

    def expect_no_exceptions(self) -> None:
        """Nothing that the page threw since it was loaded, its loading included, went uncaught."""
        status = self.tab.world.look()
        thrown = self.tab.watch.exceptions
        if thrown or status.error_count:
            first = next((entry.value["text"] for entry in self._record.sealed() if entry.id in thrown), status.errors)
            count = len(thrown) + status.error_count
            raise ExpectationFailed(f"{count} uncaught, first: {first.splitlines()[0][:300]}", f"{count} uncaught", "none", thrown)

    def expect_unchanged(self, before: Seen, after: Seen, except_: Sequence[str] = ()) -> None:
        """Two snapshots are equal but for the named top-level keys."""
        names = dict.fromkeys((*before.keys(), *after.keys()))
        for name in names:
            if name not in except_:
                Expect(after.get(name).value, name, cites_of(before, after)).equals(before.get(name).value)

    def not_applicable(self, why: str) -> None:
        raise NotApplicable(why)

    # --- the document ---

    def text(self) -> str:
        """The visible text of the document, from an isolated world. What is painted on a canvas is no text."""
        return str(self._document("dom.text/1", "text"))

    def dom(self, selector: str) -> list[dict[str, Any]]:
        """Elements as {text, bounds, visible}, from an isolated world."""
        return list(self._document("dom.elements/1", "elements", selector))

    def _document(self, kind: str, verb: str, *arguments: str) -> Any:
        told = self.tab.world.document(verb, *arguments)
        self._record.add(kind, Observer.ISOLATED, tick=self.clock.now, source=" ".join((verb, *arguments)), value=told)
        return told

    def draws(self) -> dict[str, int]:
        """Frames and draw calls since the page was made. The page could forge them: never the only ground of a verdict."""
        status = self.tab.world.look()
        if status.replaced_observer:
            raise SubmissionFault("page", f"replaced what counts its drawing: {status.replaced_observer}")
        counted = {"frames": status.frames, "draw_calls": status.draw_calls}
        self._record.add("page.counters/1", Observer.MAIN, tick=self.clock.now, source="saved originals", value=counted)
        return counted

    # --- for the stage and the reader ---

    def act(self, kind: str, value: dict[str, Any], deed: Callable[[], Any]) -> None:
        """Carry out one deed of input and write it down."""
        with self.tab.watchdog.within(self.tab.options.call_s, kind):
            deed()
        self._record.add(kind, Observer.OUTSIDE, tick=self.clock.now, source="input", value=value)

    def observe(self, ask: Ask) -> Sequence[Evidence]:
        raise SubmissionFault("page", f"no observer of {ask.kind}")

    def witness(self) -> Sequence[Evidence]:
        picture = self.tab.screenshot()
        return [entry for entry in self._record.sealed() if entry.id in picture.cites]


def spelled(value: Any) -> Any:
    """JSON data with the numbers that JSON cannot spell as `{"$number": "NaN"}`."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"$number": str(value)}
    if isinstance(value, dict):
        return {key: spelled(inner) for key, inner in value.items()}
    return [spelled(inner) for inner in value] if isinstance(value, list) else value

