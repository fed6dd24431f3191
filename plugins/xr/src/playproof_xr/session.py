"""An app that runs: a person's head and hands in it, and what is seen. Everything is in the session's frame, `local-floor`:
metres, right-handed, y up, -z ahead of where the user stood at the start."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from attrs import evolve

from playproof.errors import ExpectationFailed, TaskError
from playproof.evidence import Record
from playproof.expect import Expect
from playproof.interfaces import Clock
from playproof.model import TICKS, Ask, Evidence, Observer, Options, seconds
from playproof.seen import Seen
from playproof_browser.pictures import Picture
from playproof_browser.world import Tampered
from playproof_xr.acting import perform
from playproof_xr.body import SIDES, BodyState, device_state, two_handed
from playproof_xr.geometry import Vector
from playproof_xr.hands import Hand
from playproof_xr.head import Head
from playproof_xr.judging import Judged
from playproof_xr.looking import Looking, spelled
from playproof_xr.observe.scene import Scene
from playproof_xr.performance import Performance
from playproof_xr.person import Person
from playproof_xr.predicates import Predicate
from playproof_xr.rooms import Ground, Room
from playproof_xr.surroundings import Surroundings
from playproof_xr.tab import XRTab
from playproof_xr.targets import Target
from playproof_xr.things import Thing
from playproof_xr.time.asking import Answer, demand
from playproof_xr.time.live import at_present, over_time
from playproof_xr.time.operators import Temporal
from playproof_xr.time.windows import Window
from playproof_xr.video.filming import Filming, film_options
from playproof_xr.watching import Watching


class XRSession(Judged):
    """What a check script drives. Times are in ticks; whatever the app gives is wrapped as Seen."""

    frame = TICKS // 60
    observes = frozenset({
        "xr.scene/1", "xr.user/1", "xr.events/1", "xr.track/1", "image.png/1", "page.exceptions/1", "page.leaks/1", "page.requests/1",
        "page.patched/1", "xr.video/1", "xr.crop/1", "xr.step/1",
    })  # fmt: skip

    def __init__(
        self, performance: Performance, clock: Clock, record: Record, person: Person, filming: Filming, dominant: str = "right"
    ) -> None:
        self.clock, self.frame = clock, performance.tab.options.clock.frame
        self.body, self.surroundings = person.body, Surroundings(self, person.room)
        self.performance, self._record, self._filming = performance, record, filming
        self.watching = Watching(self, person.body)
        self._live, self._sent, self._gaze, self._backend = person.live, person.told, 0.0, person.backend
        self.looking = Looking(performance)
        self.head = Head(self)
        self.left, self.right = (Hand(self, side) for side in SIDES)
        self.dominant_hand, self.other_hand = (self.right, self.left) if dominant == "right" else (self.left, self.right)
        self.modifier = person.modifier

    @property
    def tab(self) -> XRTab:
        return self.performance.tab

    @property
    def room(self) -> Room:
        return self.surroundings.room

    @property
    def ground(self) -> Ground:
        return self.surroundings.state.ground

    # --- time ---

    def press_gaze(self, strength: float) -> None:
        """The button of a headset that points with its gaze, from the next frame on."""
        self._gaze = strength

    def become(self, body: BodyState) -> None:
        """How the user is from the next frame on."""
        self.body = body

    def advance(self, ticks: int) -> None:
        """Modifiers change what is told in every frame, and what is awaited is looked for in each; without these, a body that does
        not move is told once."""
        steps, now = [], self.performance.ticks
        step = self.frame if self._live or self.watching.awaits or self.surroundings.moving else ticks
        for done in range(0, max(ticks, 1), max(step, 1)):
            body = (self._live(now + done, self.body) if self._live else self.body).told
            told = evolve(device_state(body), gaze=self._gaze)
            message = self._backend.message(self._sent, told)
            message = self._backend.with_room(message, self.surroundings.told(now + min(done + step, ticks)))
            steps.append((min(step, ticks - done), self.watching.told(now + done, body, message)))
            self._sent = told
            if self.watching.awaits:
                self.performance.play(steps)
                self.watching.look()
                steps = []
        if steps:
            self.performance.play(steps)

    def see(self, visibility: str) -> None:
        """What the headset shows of the app from the next frame on: "visible", "visible-blurred" (a menu lies over it) or "hidden"."""
        self.become(evolve(self.body, visibility=visibility))

    def wait(self, ticks: int) -> None:
        """Let time pass while nobody of this script acts."""
        self.clock.wait(ticks)

    def wait_until(
        self, holds: Callable[[], Any] | Predicate, within: int = seconds(2), every: int = TICKS // 10, what: str = "the condition"
    ) -> None:
        """Returns when `holds()`, or a predicate of the present moment, is true, which is asked every `every` ticks; fails when
        `within` ticks bring it not."""
        end = self.clock.now + within
        if isinstance(holds, Predicate):
            predicate = holds
            what, holds = predicate.label, lambda: at_present(self, predicate).finding.holds
        while not holds():
            if self.clock.now >= end:
                raise ExpectationFailed(f"{what} did not come within {within / TICKS:g} s", "never", what, self.scene().cites)
            self.clock.wait(min(every, end - self.clock.now))
        self._record.rest_on(self.scene().cites)

    # --- both hands ---

    def stretch(self, scale: float, ticks: int = seconds(0.8)) -> None:
        """Bring both hands `scale` times as far apart, about the middle between them."""
        perform(self, two_handed(self.body, ticks, scale=scale))

    def twist(self, degrees: float, axis: Sequence[float] = (0.0, 1.0, 0.0), ticks: int = seconds(0.8)) -> None:
        """Turn both hands about the middle between them."""
        perform(self, two_handed(self.body, ticks, angle=math.radians(degrees), axis=Vector.of(list(axis))))

    # --- what is there ---

    def find(self, **wanted: Any) -> Thing:
        """A thing of the app's scene; see Scene.select for what can be said of it. What is not there is the submission's fault."""
        return self.watching.add(Thing.found(self, **wanted))

    def find_all(self, **wanted: Any) -> Sequence[Thing]:
        return [self.watching.add(one) for one in Thing.all_found(self, **wanted)]

    def watch(self, **wanted: Any) -> Target:
        """What may come later: looked for after each frame until it is there. Statements about time speak of it as of a thing."""
        return self.watching.look_for(wanted)

    def scene(self) -> Scene:
        """The scene graph at this moment: one look serves until time passes."""
        return self.looking.scene()

    def occlusion(self, identity: str, path: str, room: bool = False) -> Seen:
        """How much of an object the eye cannot see for other things, or for what is real: see `Thing.occluded` and `obstructed`."""
        return self.looking.occlusion(identity, path, room)

    def user(self) -> Seen:
        """Head, hands and input sources, as the headset gives them to the app (`xr.user/1`)."""
        noted = self.looking.user()
        return Seen(noted.value, "user", [noted.id])

    def events(self) -> Seen:
        """What the app was told of input and session, since its page was loaded; what came before the session has a negative tick."""
        noted = self.looking.events()
        return Seen(noted.value, "events", [noted.id])

    # --- expectations ---

    @overload
    def expect(self, value: Temporal | Predicate, *, over: Window | None = None) -> Answer: ...
    @overload
    def expect(self, value: Any, name: str) -> Expect: ...
    def expect(self, value: Any, name: str = "", *, over: Window | None = None) -> Expect | Answer:
        """A value, with what it is called; a statement about time (`always(...)`), over a part of what was recorded; or a predicate,
        which is of the present moment."""
        if isinstance(value, Temporal | Predicate):
            answer = demand(over_time(self, value, over) if isinstance(value, Temporal) else at_present(self, value))
            self._record.rest_on(answer.cites)
            return answer
        return Expect(value, name, held=self._record.rest_on)

    def note_track(self, value: Any) -> Evidence:
        return self._note("xr.track/1", Observer.MAIN, "scene graph, frame by frame", spelled(value))

    def expect_no_exceptions(self) -> None:
        """Nothing that the page threw since it was loaded, its loading included, went uncaught."""
        uncaught = self._uncaught()
        if count := uncaught.value["count"]:
            first = uncaught.value["texts"][0].splitlines()[0][:300]
            cites = [uncaught.id, *self.tab.watch.exceptions]
            raise ExpectationFailed(f"{count} uncaught, first: {first}", f"{count} uncaught", "none", cites)
        if self.tab.watch.flooded:
            message = "it threw so often that the debugger had to be switched off"
            raise ExpectationFailed(message, "unknown", "none", [self.tab.watch.flooded])
        self._record.rest_on([uncaught.id])

    def expect_no_loss(self) -> None:
        """The app's WebGL contexts have not been lost since its page was loaded."""
        glance = self.tab.play([])
        noted = self._note("page.webgl/1", Observer.MAIN, "saved originals", {"lost": glance.lost, "restored": glance.restored})
        times = f"lost {glance.lost} time{'s' if glance.lost != 1 else ''}"
        Expect(glance.lost, f"a WebGL context was {times}: losses", [noted.id], self._record.rest_on).equals(0)

    def expect_no_missing_files(self) -> None:
        """Everything that the app asked its own folder for was there."""
        noted = self._requests()
        missing = [one["path"] for one in noted.value if one["status"] == 404 and one["path"] != "/favicon.ico"]
        if missing:
            message = f"{len(missing)} files were asked for and are not there, first: {missing[0][:200]}"
            raise ExpectationFailed(message, missing[:20], "none", [noted.id])
        self._record.rest_on([noted.id])

    def _requests(self) -> Evidence:
        return self._note("page.requests/1", Observer.OUTSIDE, "file server", self.tab.requests())

    def _uncaught(self) -> Evidence:
        status, seen = self.tab.world.look(), self._cited(self.tab.watch.exceptions)
        texts = [str(entry.value["text"]) for entry in seen] + (status.errors.split("\n") if status.errors else [])
        observer = Observer.MAIN if status.error_count and not seen else Observer.OUTSIDE
        return self._note("page.exceptions/1", observer, "debugger", {"count": len(seen) + status.error_count, "texts": texts[:20]})

    # --- pictures ---

    def screenshot(self) -> Picture:
        """What the eye sees now, room and app (`image.png/1`). Of an engine that cannot be made to draw once more, what it sees in
        the next frame, which passes meanwhile."""
        if not self.tab.world.ask("xrDraw")["drawn"]:
            self.tab.world.ask("xrGate", True)
            self.clock.wait(self.frame)
            self.tab.world.ask("xrGate", False)
        return self.tab.screenshot()

    def record(self, **options: Any) -> None:
        """Have the whole session filmed when it ends (`xr.video/1`), for whoever reads the report; see FilmOptions for `options`."""
        self._filming.wanted = film_options(options)

    # --- for the stage and the reader ---

    def observe(self, ask: Ask) -> Sequence[Evidence]:
        looks: Mapping[str, Callable[[Options], Sequence[Evidence]]] = {
            "xr.scene/1": lambda _: self._cited(self.scene().cites),
            "xr.user/1": lambda _: [self.looking.user()],
            "xr.events/1": lambda _: [self.looking.events()],
            "xr.track/1": lambda options: [self.note_track(self.watching.everything(options))],
            "xr.video/1": lambda options: self._filming.evidence(film_options(options)),
            "xr.crop/1": self._crops,
            "xr.step/1": lambda options: self.steps(**options),
            "image.png/1": lambda _: self._cited(self.screenshot().cites),
            "page.exceptions/1": lambda _: [self._uncaught()],
            "page.leaks/1": lambda _: [self._note("page.leaks/1", Observer.OUTSIDE, "clock", self.tab.leaks())],
            "page.requests/1": lambda _: [self._requests()],
            "page.patched/1": lambda _: [self._patched()],
        }
        if ask.kind not in looks:
            raise TaskError(f"an XR session has no evidence of the kind {ask.kind!r}; it has {', '.join(sorted(self.observes))}")
        return looks[ask.kind](ask.options)

    def witness(self) -> Sequence[Evidence]:
        seen = self._cited(self.screenshot().cites)
        films = self._filming.at_the_end()
        return [*films, *([self.looking.events()] if films else ()), *seen]

    def finish(self) -> None:
        """At the end: the body's states by tick, from which the session can be played again; and who laid hands on the emulator."""
        self._note("xr.input/1", Observer.OUTSIDE, "actors", {"frame": self.frame, **self.looking.recorded(), **self.surroundings.recorded})
        if leaks := self.tab.leaks():
            self._note("page.leaks/1", Observer.OUTSIDE, "clock", leaks)
        patched = self._patched()
        if patched.value["emulator"]:
            raise Tampered("page", f"it replaced what the emulated headset is made of: {patched.value['emulator']}")
        self._filming.at_the_end()

    def _patched(self) -> Evidence:
        return self._note("page.patched/1", Observer.MAIN, "saved originals", self.tab.world.ask("xrPatched"))

    def _note(self, kind: str, observer: Observer, source: str, value: Any) -> Evidence:
        return self.tab.witness.note(kind, observer, source, value)
