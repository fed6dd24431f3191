"""A game that runs: the verbs of a check script. What each sees is written down, and expectations cite it."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from playproof.errors import ExpectationFailed, NotApplicable, SubmissionFault, TaskError
from playproof.evidence import Record
from playproof.expect import Expect
from playproof.interfaces import Bench, Clock
from playproof.model import TICKS, Ask, Evidence, Observer, Options, seconds
from playproof.seen import Seen, cites_of
from playproof_browser.pictures import Picture
from playproof_browser.tab import Tab
from playproof_browser.world import Tampered
from playproof_webgame.input import Keyboard, Mouse, Touch
from playproof_webgame.pixels import IdleControl, PixelExpectation
from playproof_webgame.places import Point, centre, within

if TYPE_CHECKING:
    from playproof_judges.loop import Played

INTERFACE = "__gameTest"
SETTLES = seconds(10)
"""How long a promise of the interface may wait for the game's time to pass."""


class GameSession:
    """One page of a game, loaded, in its scenario. Points and regions are in CSS pixels of the viewport, times in ticks.

    Whatever the page gives is wrapped as Seen: what cannot be used in it is the submission's fault (SubmissionFault)."""

    frame = TICKS // 60
    observes = frozenset({
        "image.png/1", "webgame.snapshot/1", "dom.elements/1", "dom.text/1", "page.counters/1", "page.exceptions/1", "page.leaks/1",
        "page.listeners/1", "page.requests/1",
    })  # fmt: skip

    def __init__(self, tab: Tab, clock: Clock, record: Record, bench: Bench | None = None) -> None:
        self.tab, self.clock, self.bench = tab, clock, bench
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
        self._record.rest_on(snap.cites)
        return snap

    # --- a model that plays ---

    def adaptive(self, goal: str, *, turns: int = 30, tokens: int = 400_000, advice: str = "", model: str | None = None) -> "Played":
        """Let the model that the check names (`plays=`) play until it says that the goal is reached, or its turns or tokens are spent.

        What it says proves nothing: look at the game afterwards. Raises PlayerStopped when it refuses or is stuck, NoModel where
        none was given, PluginError without the distribution of judges."""
        from playproof_webgame.adaptive import play

        return play(self, goal, turns, tokens, advice, model)

    def exhibit(self, *shown: "Picture | Seen | Evidence | Played") -> None:
        """Lay these before the judge that the check asks, as what else the check rested on."""
        self._record.rest_on(_ids(shown))

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
        noted = self._note(kind, Observer.MAIN, f"window.{INTERFACE}", spelled(held))
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
        return PixelExpectation(place, self.tab.screenshot, cites_of(region), self._record.rest_on)

    # --- expectations ---

    def expect(self, value: Any, name: str) -> Expect:
        return Expect(value, name, held=self._record.rest_on)

    def expect_no_exceptions(self) -> None:
        """Nothing that the page threw since it was loaded, its loading included, went uncaught."""
        uncaught = self._uncaught()
        if count := uncaught.value["count"]:
            first = uncaught.value["texts"][0].splitlines()[0][:300]
            cites = [uncaught.id, *self.tab.watch.exceptions]
            raise ExpectationFailed(f"{count} uncaught, first: {first}", f"{count} uncaught", "none", cites)
        if self.tab.watch.flooded:
            message = "it rejected so many promises that the debugger had to be switched off: what it threw after that is not known"
            raise ExpectationFailed(message, "unknown", "none", [self.tab.watch.flooded])
        self._record.rest_on([uncaught.id])

    def _uncaught(self) -> Evidence:
        """Throws that the debugger saw; rejections that nobody handled come from the page's own world, and make the weaker observer."""
        status, seen = self.tab.world.look(), self._cited(self.tab.watch.exceptions)
        texts = [str(entry.value["text"]) for entry in seen] + (status.errors.split("\n") if status.errors else [])
        observer = Observer.MAIN if status.error_count and not seen else Observer.OUTSIDE
        return self._note("page.exceptions/1", observer, "debugger", {"count": len(seen) + status.error_count, "texts": texts[:20]})

    def expect_unchanged(self, before: Seen, after: Seen, except_: Sequence[str] = ()) -> None:
        """Two snapshots are equal but for the named top-level keys."""
        names = dict.fromkeys((*before.keys(), *after.keys()))
        for name in names:
            if name not in except_:
                Expect(after.get(name).value, name, cites_of(before, after), self._record.rest_on).equals(before.get(name).value)

    def not_applicable(self, why: str, *shown_by: Picture | IdleControl | Seen | Evidence) -> NoReturn:
        """Leave a check of an optional feature. `shown_by` is what shows that the feature is not there: pictures, or evidence
        (see `observe`) that was seen from outside or in an isolated world. The page's own word shows nothing."""
        cites = _ids(shown_by)
        if self._record.weakest(cites) not in (Observer.OUTSIDE, Observer.ISOLATED):
            raise TypeError("not_applicable needs what shows it: pictures, or evidence from outside or an isolated world")
        raise NotApplicable(why, cites)

    # --- the document ---

    def text(self) -> str:
        """The visible text of the document, from an isolated world. What is painted on a canvas is no text."""
        return str(self._document("dom.text/1", "text").value)

    def dom(self, selector: str) -> list[dict[str, Any]]:
        """Elements as {text, bounds, visible}, from an isolated world."""
        return list(self._document("dom.elements/1", "elements", selector).value)

    def _document(self, kind: str, verb: str, *arguments: str) -> Evidence:
        return self._note(kind, Observer.ISOLATED, " ".join((verb, *arguments)), self.tab.world.document(verb, *arguments))

    def draws(self) -> dict[str, int]:
        """Frames and draw calls since the page was made. The page could forge them: never the only ground of a verdict."""
        return dict(self._counters().value)

    def _counters(self) -> Evidence:
        status = self.tab.world.look()
        if status.replaced_observer:
            raise Tampered("page", f"it replaced what counts its drawing: {status.replaced_observer}")
        return self._note("page.counters/1", Observer.MAIN, "saved originals", {"frames": status.frames, "draw_calls": status.draw_calls})

    # --- for the stage and the reader ---

    def act(self, kind: str, value: dict[str, Any], deed: Callable[[], Any]) -> None:
        """Carry out one deed of input and write it down."""
        with self.tab.watchdog.within(self.tab.options.call_s, kind):
            deed()
        self._note(kind, Observer.OUTSIDE, "input", value)

    def observe(self, ask: Ask) -> Sequence[Evidence]:
        """One look. Options: `region` ([x, y, width, height]) for image.png/1, `selector` for dom.elements/1, `on` (window,
        document, or a selector's first element) for page.listeners/1."""
        looks: Mapping[str, Callable[[Options], Sequence[Evidence]]] = {
            "image.png/1": lambda options: self._shot(options.get("region")),
            "webgame.snapshot/1": lambda _: self._cited(self.snapshot().cites),
            "page.counters/1": lambda _: [self._counters()],
            "dom.text/1": lambda _: [self._document("dom.text/1", "text")],
            "dom.elements/1": lambda options: [self._document("dom.elements/1", "elements", options.get("selector", "body *"))],
            "page.exceptions/1": lambda _: [self._uncaught()],
            "page.listeners/1": lambda options: [self._listeners(options.get("on", "window"))],
            "page.requests/1": lambda _: [self._note("page.requests/1", Observer.OUTSIDE, "file server", self.tab.requests())],
            "page.leaks/1": lambda _: [self._note("page.leaks/1", Observer.OUTSIDE, "clock", self.tab.leaks())],
        }
        if ask.kind not in looks:
            raise TaskError(f"a game has no evidence of the kind {ask.kind!r}; it has {', '.join(sorted(self.observes))}")
        return looks[ask.kind](ask.options)

    def _listeners(self, on: str) -> Evidence:
        return self._note("page.listeners/1", Observer.OUTSIDE, on, self.tab.listeners(on))

    def witness(self) -> Sequence[Evidence]:
        return self._shot(None)

    def _shot(self, region: Any) -> Sequence[Evidence]:
        return self._cited(self.screenshot(region).cites)

    def _cited(self, cites: Sequence[str]) -> Sequence[Evidence]:
        return [entry for entry in self._record.sealed() if entry.id in cites]

    def _note(self, kind: str, observer: Observer, source: str, value: Any) -> Evidence:
        return self.tab.witness.note(kind, observer, source, value)


def _ids(shown: Sequence[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cite for one in shown for cite in ([one.id] if isinstance(one, Evidence) else one.cites)))


def spelled(value: Any) -> Any:
    """JSON data with the numbers that JSON cannot spell as `{"$number": "NaN"}`."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"$number": str(value)}
    if isinstance(value, dict):
        return {key: spelled(inner) for key, inner in value.items()}
    return [spelled(inner) for inner in value] if isinstance(value, list) else value

