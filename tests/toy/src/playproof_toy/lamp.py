"""The runtime `toy.lamp`, and the session that it opens: a machine on Playproof's clock."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NoReturn

from attrs import fields_dict, frozen

from playproof.canonical import canonical, digest
from playproof.dialogue import Request, Stop, user
from playproof.drivers import settings
from playproof.errors import PlayerStopped, SessionError, SessionHung, SessionLost, SubmissionFault, TaskError
from playproof.evidence import Evidences
from playproof.expect import Expect
from playproof.interfaces import Clock, Grading, Replayed, Services
from playproof.model import TICKS, Ask, Case, Check, Evidence, Observer, Options, Problem, Reason, case
from playproof.seen import Seen
from playproof_toy.machine import Machine, Running, read_machine

FILE = "machine.json"
STATE, HISTORY, INPUT = "toy.state/1", "toy.history/1", "toy.input/1"


class LampSession:
    """A machine that somebody may press and look at. It never moves by itself: `clock` alone lets time pass."""

    def __init__(self, grading: Grading, machine: Machine, start: str, clock: Clock, frame: int) -> None:
        self.frame = frame
        self._grading, self._clock = grading, clock
        self._running = Running(machine, start)
        self._history: list[dict[str, Any]] = []
        self._pressed: list[tuple[int, str]] = []
        self._entered()

    # --- what a check or an actor may do ---

    def press(self, button: str) -> None:
        """At once. A button that is not there, or does nothing now, changes nothing."""
        self._pressed.append((self._running.now, button))
        if self._running.press(button):
            self._entered()

    def hold(self, button: str, ticks: int) -> None:
        """Press it at every frame for so long: a verb that takes time, in steps of at most one frame."""
        left = ticks
        while left > 0:
            self.press(button)
            self._clock.wait(min(self.frame, left))
            left -= self.frame

    def wait(self, ticks: int) -> None:
        self._clock.wait(ticks)

    def consult(self, question: str) -> str:
        """Ask the model that plays what to do, showing it the machine. Whether a refusal is its own fault, a control tells."""
        assert self._grading.bench is not None, "a worker always lends one"
        shown = json.dumps(_storable(self._running.shows))
        reply = self._grading.bench.ask("default", Request([user(f"{question} {shown}")], "Answer with the name of a button."))
        if reply.stop is Stop.REFUSED:
            raise PlayerStopped(f"the model refused: {reply.text}")
        return reply.text

    def state(self) -> Seen:
        """What the machine shows now, as evidence."""
        seen = self._note(STATE, self._running.shows)
        return Seen(self._running.shows, "state", [seen.id])

    def expect(self, value: Any, name: str) -> Expect:
        return Expect(value, name, held=self._grading.record.rest_on)

    # --- what Playproof needs ---

    def advance(self, ticks: int) -> None:
        end = self._running.now + ticks
        while (due := self._running.due) is not None and due <= end:
            self._running.now = due
            self._running.turn()
            self._entered()
        self._running.now = end

    def observe(self, ask: Ask) -> Sequence[Evidence]:
        if ask.kind == HISTORY:
            return [self._note(HISTORY, self._history)]
        return [self._note(STATE, self._running.shows)]

    def witness(self) -> Sequence[Evidence]:
        return self.observe(Ask(HISTORY))

    def finish(self) -> None:
        """What was done to it and what it showed, so that it can be played again."""
        self._note(INPUT, {"pressed": self._pressed, "until": self._running.now, "history": self._history})

    def again(self, pressed: Sequence[tuple[int, str]], until: int) -> Sequence[Any]:
        """What it shows when it is pressed at these ticks."""
        for tick, button in pressed:
            self.advance(tick - self._running.now)
            self.press(button)
        self.advance(until - self._running.now)
        return self._history

    def _entered(self) -> None:
        does = self._running.machine.states[self._running.state].does or ""
        misdeed = MISDEEDS.get(does)
        shown = "otherwise" if does == "drift" and _told(self._grading) else _storable(self._running.shows)
        self._history.append({"tick": self._running.now, "shows": shown})
        if misdeed is not None:
            misdeed(self._grading)

    def _note(self, kind: str, value: Any) -> Evidence:
        return self._grading.record.add(kind, Observer.OUTSIDE, tick=self._running.now, source="machine", value=_storable(value))


def _storable(value: Any) -> Any:
    """A submission's value as evidence may hold it: NaN, say, is JSON to nobody but Python."""
    try:
        canonical(value)
    except (ValueError, RecursionError):
        return {"unreadable": str(value)[:1000]}
    return value


# --- what a bad submission does, for real -----------------------------------------------------------------------------


def _busy(grading: Grading) -> NoReturn:
    while True:
        pass


def _raise(fault: type[Exception], grading: Grading) -> NoReturn:
    raise fault("the machine does this on purpose")


def _die(grading: Grading) -> NoReturn:
    os._exit(9)


def _eat_disk(grading: Grading) -> None:
    for number in range(1 << 16):
        grading.record.add("toy.ballast/1", Observer.OUTSIDE, tick=0, blob=number.to_bytes(4) * (1 << 18), media_type="application/x")


def _once(misdeed: Callable[[Grading], object], grading: Grading) -> None:
    """Only the first time that anybody meets this submission."""
    mark = grading.services.cache / f"toy-{grading.submission.digest}"
    if not mark.exists():
        mark.touch()
        misdeed(grading)


def _told(grading: Grading) -> bool:
    """Whether whoever looks on has put a file into the cache, to see the same submission behave in another way."""
    return (grading.services.cache / "toy-told").exists()


def _when_told(misdeed: Callable[[Grading], object], grading: Grading) -> None:
    if _told(grading):
        misdeed(grading)


MISDEEDS: Mapping[str, Callable[[Grading], object]] = {
    "busy": _busy,
    "hang": partial(_raise, SessionHung),
    "die": _die,
    "lose": partial(_raise, SessionLost),
    "raise": partial(_raise, RuntimeError),
    "eat_disk": _eat_disk,
    "die_once": partial(_once, _die),
    "raise_once": partial(_once, partial(_raise, RuntimeError)),
    "die_when_told": partial(_when_told, _die),
}
"""`busy` never answers, `die` ends the process, `raise` breaks the session from within; `hang` and `lose` are what a runtime
with a watchdog of its own reports; `..._once` is a flaky submission. `drift` shows something else when it is told."""


# --- the runtime ------------------------------------------------------------------------------------------------------


@frozen
class _Settings:
    frame_hz: int = 10


@frozen
class _CheckOptions:
    """`start`: states to start from, one case each; the machine's own start when there is none."""

    start: Sequence[str] = ()


class Lamp:
    session = LampSession
    observes = frozenset({STATE, HISTORY})
    grading_version = 1
    engine = "toy 1"
    played_from = INPUT

    def __init__(self, options: Options, services: Services) -> None:
        self._frame = TICKS // settings(_Settings, options, "toy.lamp").frame_hz

    def cases(self, check: Check) -> Sequence[Case]:
        options = {name: value for name, value in check.options.items() if check.examiner == "python"}
        if unknown := set(options) - set(fields_dict(_CheckOptions)):
            raise TaskError(f"check {check.id!r}: toy.lamp knows no option {', '.join(sorted(unknown))}")
        return [case(start=name) for name in options.get("start", ())] or [Case()]

    def build(self, script: Path, workspace: Path) -> None:
        """A script is a machine whose keys replace those of the one that is there. It is stamped, so that no two builds are the same."""
        try:
            keys = json.loads(script.read_text("utf-8"))
        except ValueError as fault:
            raise TaskError(f"{script}: {fault}") from None
        there = json.loads((workspace / FILE).read_text("utf-8")) if (workspace / FILE).exists() else {}
        (workspace / FILE).write_text(json.dumps({**there, **keys}))
        (workspace / "stamp.txt").write_text(os.urandom(8).hex())

    def preflight(self, grading: Grading) -> Sequence[Problem]:
        try:
            with self.open(grading, Case(), _Still()):
                return []
        except SessionHung as fault:
            return [Problem(Reason.HANG, str(fault))]
        except SessionError as fault:
            return [Problem(Reason.CRASH, str(fault))]
        except (OSError, ValueError) as fault:
            return [Problem(Reason.LOAD_FAIL, f"{FILE}: {fault}")]

    @contextmanager
    def open(self, grading: Grading, case: Case, clock: Clock) -> Iterator[LampSession]:
        machine = read_machine((grading.submission.root / FILE).read_text("utf-8"))
        start = case.options.get("start", machine.start)
        if start not in machine.states:
            raise SubmissionFault(f"states.{start}", "missing")
        session = LampSession(grading, machine, start, clock, self._frame)
        yield session
        session.finish()

    def replay(self, grading: Grading, case: Case, recorded: Evidences) -> Replayed:
        (entry,) = recorded.of(INPUT)
        told = json.loads(recorded.open(entry))
        with self.open(grading, case, _Still()) as session:
            seen = session.again(told["pressed"], told["until"])
        pairs = zip_longest(told["history"], seen, fillvalue={"tick": told["until"], "shows": None})
        differs = [(was["tick"], f"was {was['shows']}, is {now['shows']}") for was, now in pairs if was != now]
        return Replayed(told["until"], len(seen), digest(seen), differs)


class _Still:
    """A clock for looking only."""

    now = 0

    def wait(self, ticks: int) -> None:
        raise RuntimeError("nobody acts during the preflight")
