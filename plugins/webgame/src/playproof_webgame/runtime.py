"""The runtime `webgame.page`: opens a game in a page of its own for each check, all pages in one boxed browser."""

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import structlog
from attrs import asdict, evolve, field, frozen, validators

from playproof.drivers import settings
from playproof.errors import CheckSignal, InfrastructureError, PluginError, SessionError, SubmissionFault, TaskError
from playproof.interfaces import Clock, Grading, Services
from playproof.model import TICKS, Case, Check, Observer, Options, Problem, Reason, case
from playproof_browser.box import Box, BoxOptions
from playproof_browser.clock import PageClock
from playproof_browser.finding import Found, find
from playproof_browser.observe import Witness
from playproof_browser.tab import DRIVING, Tab, TabOptions
from playproof_webgame.session import INTERFACE, GameSession

ENTRY = "index.html"
CLOSING = re.compile(rb"</html\s*>", re.IGNORECASE)


@frozen
class _Settings:
    """Options of the runtime in task.toml. Wall seconds: `load_s` for a load, `call_s` for any one call into the page;
    `ready_s` in seconds of the page's own time, until its interface is there."""

    load_s: float = field(default=30.0, validator=validators.gt(0))
    call_s: float = field(default=15.0, validator=validators.gt(0))
    ready_s: float = field(default=5.0, validator=validators.gt(0))


@frozen
class _CheckOptions:
    """What a check may say to this runtime (keywords of `@check`)."""

    scenario: str | None = None
    clock: str = field(default="virtual", validator=validators.in_(("virtual", "real")))
    viewport: tuple[int, int] = (1280, 800)
    touch: bool = False


class PageRuntime:
    """Keeps one box for the submission that it grades; each session is a fresh browser context in it."""

    session = GameSession
    observes = GameSession.observes
    grading_version = 1

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(_Settings, options, "webgame.page")
        self._services = services
        self._box: Box | None = None
        self._boxed = ""
        services.exits.callback(self._leave_box)

    @property
    def engine(self) -> str:
        return f"chromium {self._browser.version}"

    @cached_property
    def _browser(self) -> Found:
        return find(self._services.cache, os.environ)

    def cases(self, check: Check) -> Sequence[Case]:
        """One case, named after the check's options; those of a rubric's criterion are its own. Raises TaskError on options that a
        check cannot have."""
        if check.examiner == "rubric":
            return [Case()]
        chosen = settings(_CheckOptions, check.options, f"check {check.id}")
        if min(chosen.viewport) < 100 or max(chosen.viewport) > 4096:
            raise TaskError(f"options of 'check {check.id}': a viewport is 100 to 4096 pixels wide and high, not {chosen.viewport}")
        return [case(**check.options)]

    # --- sessions ---

    def preflight(self, grading: Grading) -> Sequence[Problem]:
        """Appendix B of the paper: a regular, non-empty index.html that closes its document. Then one load.

        A page that hangs or dies meanwhile is not judged here: that SessionError is for the grader to settle, as every other."""
        if missing := undelivered(grading):
            return [Problem(Reason.UNDELIVERED, missing)]
        witness = Witness(grading.record)
        try:
            with self._session(witness), self._tab(grading, _CheckOptions(), witness) as tab:
                self._protection(tab)
                Reach(self._services.cache, grading).learn(tab)
                return []
        except SubmissionFault as fault:
            return [Problem(Reason.LOAD_FAIL, self._with_errors(str(fault), grading), fault.cites)]

    def _protection(self, tab: Tab) -> None:
        """Write down what keeps this submission in, and warn where that is the weaker way."""
        box = self._box
        assert box is not None, "a tab is open"
        held = asdict(box.protection)
        tab.witness.note("page.protection/1", Observer.OUTSIDE, "box", {**held, "events": box.events()})
        if not box.protection.boxed:
            structlog.get_logger().warning("the browser is not boxed", protection=box.protection.words)

    @contextmanager
    def _session(self, witness: Witness) -> Iterator[None]:
        """Ends the box under which a page broke, and writes down what the box saw of that."""
        try:
            yield
        except SessionError:
            if events := self._leave_box():
                witness.note("page.box/1", Observer.OUTSIDE, "box", events)
            raise

    @contextmanager
    def open(self, grading: Grading, case: Case, clock: Clock) -> Iterator[GameSession]:
        options = settings(_CheckOptions, case.options, f"case {case.id}")
        reach = Reach(self._services.cache, grading)
        options = reach.fit(options)
        witness = Witness(grading.record, ticking(clock, options.clock == "virtual"))
        with self._session(witness), self._tab(grading, options, witness) as tab:
            session = GameSession(tab, clock, grading.record, grading.bench)
            if options.scenario is not None:
                session.begin(options.scenario)
            try:
                yield session
            except CheckSignal as signal:
                reach.judge(tab, signal)
                raise
            reach.judge(tab, None)

    def _tab(self, grading: Grading, options: _CheckOptions, witness: Witness) -> Tab:
        page_clock = PageClock(virtual=options.clock == "virtual", frame=TICKS // 60, seed=grading.seed)
        chosen = TabOptions(options.viewport, options.touch, page_clock, self._settings.load_s, self._settings.call_s,
                            self._settings.ready_s, INTERFACE)
        return Tab(self._open_box(grading), chosen, witness, f"/{ENTRY}")

    def _open_box(self, grading: Grading) -> Box:
        if self._box is not None and not (self._box.alive and self._boxed == grading.submission.digest):
            self._leave_box()
        if self._box is None:
            authority = os.environ.get("XAUTHORITY")
            options = BoxOptions(headed=grading.headed, display=os.environ.get("DISPLAY"),
                                 xauthority=Path(authority) if authority else None, hidden=[grading.held_out])
            self._box = Box(grading.submission.root, grading.scratch, self._browser.path, options).__enter__()
            self._boxed = grading.submission.digest
        return self._box

    def _leave_box(self) -> Sequence[Mapping[str, Any]]:
        """Close the box, if there is one; what it saw."""
        box, self._box = self._box, None
        if box is None:
            return []
        box.close()
        return box.events()

    @staticmethod
    def _with_errors(message: str, grading: Grading) -> str:
        thrown = [entry.value["text"].splitlines()[0][:300] for entry in grading.record.sealed().of("page.exception/1")]
        return f"{message}; uncaught while loading: {thrown[0]}" if thrown else message


def ticking(clock: Clock, virtual: bool) -> Callable[[], int]:
    """What evidence bears as its tick: the clock's, or on real time the ticks that have really passed."""
    begun = time.monotonic()
    return lambda: clock.now if virtual else round((time.monotonic() - begun) * TICKS)


class BeyondClock(PluginError):
    """A session on the virtual clock in which the page ran something that this clock does not drive."""


@frozen
class Reach:
    """Whether the virtual clock reaches all of a submission. Where it does not, no verdict may rest on it: a finding is kept
    in the cache under the submission's digest, and from then on each of its checks runs on real time."""

    cache: Path
    grading: Grading

    @property
    def _finding(self) -> Path:
        return self.cache / "webgame" / f"real-time-{PageRuntime.grading_version}" / self.grading.submission.digest

    def fit(self, options: _CheckOptions) -> _CheckOptions:
        return evolve(options, clock="real") if self._finding.exists() else options

    def learn(self, tab: Tab) -> Sequence[str]:
        """What runs beside the clock in this page; written down, and kept when it may drive the game."""
        if not tab.options.clock.virtual:
            return []
        leaks = tab.leaks()
        if leaks:
            tab.witness.note("page.leaks/1", Observer.OUTSIDE, "clock", leaks)
        driving = sorted(DRIVING & leaks.keys())
        if driving:
            try:
                self._finding.parent.mkdir(parents=True, exist_ok=True)
                self._finding.write_text(" ".join(driving))
            except OSError as fault:  # a full disk is not the submission's fault
                raise InfrastructureError(f"cannot write down that a page needs real time: {fault}") from fault
        return driving

    def judge(self, tab: Tab, signal: CheckSignal | None) -> None:
        """Raises BeyondClock instead of a verdict that would rest on a clock which did not reach the page."""
        if driving := self.learn(tab):
            raise BeyondClock(f"the page began a {', a '.join(driving)}, which the virtual clock does not drive: its checks need "
                              'real time (clock="real"); the next run of this submission takes it') from signal


def undelivered(grading: Grading) -> str | None:
    """Why there is nothing to open, or None."""
    page = grading.submission.root / ENTRY
    if page.is_symlink() or not page.is_file():
        return f"{ENTRY} is not a regular file" if page.is_symlink() or page.exists() else f"there is no {ENTRY}"
    content = page.read_bytes()
    if not content.strip():
        return f"{ENTRY} is empty"
    return None if CLOSING.search(content) else f"{ENTRY} has no </html>: it was not written to its end"
