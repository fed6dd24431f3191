"""The runtime `xr.webxr`: opens a WebXR app in a page of its own for each check, with an emulated headset, all in one boxed browser."""

import itertools
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import structlog
from attrs import asdict, frozen

from playproof.drivers import settings
from playproof.errors import SessionError, SubmissionFault, TaskError
from playproof.evidence import Evidences
from playproof.interfaces import Clock, Grading, Replayed, Services
from playproof.model import TICKS, Case, Check, Observer, Options, Problem, Reason, case, seconds
from playproof.packages import lay_in
from playproof_browser.box import Box, BoxOptions
from playproof_browser.clock import PageClock
from playproof_browser.finding import Found, find
from playproof_browser.observe import Witness
from playproof_browser.tab import TabOptions
from playproof_xr.backends import SIMULATOR, backend_named
from playproof_xr.body import read_modifiers
from playproof_xr.injection import Gate, Headset, script
from playproof_xr.network import Network
from playproof_xr.options import CaseOptions, CheckOptions, Settings, check_backend
from playproof_xr.performance import OpenTab, Performance
from playproof_xr.person import Person, person_in
from playproof_xr.replaying import INPUT, played_again
from playproof_xr.rooms import find_room, light_in, scenes_of, synthetic
from playproof_xr.serving import Library, Packages, prepare
from playproof_xr.session import XRSession
from playproof_xr.tab import XRTab
from playproof_xr.video.filming import Filming

OURS = Path(__file__).parent / "packages"
SETS = ("three", "xrblocks", "babylonjs", "aframe", "profiles")


@frozen
class NeedsDraws:
    """Whether a submission reads its own pixels so often that every frame is drawn. It decides how long a session takes and
    nothing else; kept under the submission's digest."""

    cache: Path
    digest: str

    @property
    def _finding(self) -> Path:
        return self.cache / "xr" / f"draws-{WebXRRuntime.grading_version}" / self.digest

    @property
    def known(self) -> bool:
        return self._finding.exists()

    def learn(self) -> None:
        with suppress(OSError):  # a full disk: then it is found out again
            self._finding.parent.mkdir(parents=True, exist_ok=True)
            self._finding.touch()


class WebXRRuntime:
    """Keeps one box for the submission that it grades; each session is a fresh browser context in it."""

    session = XRSession
    observes = XRSession.observes
    grading_version = 1
    played_from = INPUT

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(Settings, options, "xr.webxr")
        self._services = services
        self._box: Box | None = None
        self._boxed = ""
        self._sites = itertools.count()
        services.exits.callback(self._leave_box)

    @property
    def engine(self) -> str:
        return f"chromium {self._browser.version}"

    @cached_property
    def _browser(self) -> Found:
        return find(self._services.cache, os.environ)

    def cases(self, check: Check) -> Sequence[Case]:
        """Every combination of the check's rooms, hands and modifiers. Raises TaskError on options that a check cannot have."""
        chosen = settings(CheckOptions, check.options, f"check {check.id}")
        if min(chosen.viewport) < 100 or max(chosen.viewport) > 4096:
            raise TaskError(f"options of 'check {check.id}': a viewport is 100 to 4096 pixels wide and high, not {chosen.viewport}")
        check_backend(self._backend(chosen), chosen, f"check {check.id}")
        for modifier in chosen.modifiers:
            read_modifiers(modifier)
        for room in chosen.rooms:
            if not room.endswith(".toml"):  # a task's own is read when it is played: its folder is not known here
                find_room(room)
        matrix = {"room": chosen.rooms, "hand": chosen.hands, "modifier": chosen.modifiers}
        axes = {name: values for name, values in matrix.items() if values}
        rest = {name: value for name, value in check.options.items() if name not in ("rooms", "hands", "modifiers")}
        return [case(**dict(zip(axes, values, strict=True)), **rest) for values in itertools.product(*axes.values())]

    # --- sessions ---

    def preflight(self, grading: Grading) -> Sequence[Problem]:
        """Whether the app's page is there, and its session can be entered.

        A page that hangs or dies meanwhile is not judged here: that SessionError is for the grader to settle, as every other."""
        sdk = self._settings.sdk
        if missing := sdk.missing(grading.submission.root) if sdk else self._undelivered(grading):
            return [Problem(Reason.UNDELIVERED, missing)]
        witness = Witness(grading.record)
        try:
            with self._session(witness), self._performance(grading, CaseOptions(), witness) as performance:
                self._protection(performance.tab)
                return []
        except SubmissionFault as fault:
            return [Problem(Reason.LOAD_FAIL, self._with_errors(str(fault), grading), fault.cites)]

    def _undelivered(self, grading: Grading) -> str | None:
        entry = self._settings.entry
        page = grading.submission.root / entry
        if page.is_symlink() or not page.is_file():
            return f"{entry} is not a regular file" if page.is_symlink() or page.exists() else f"there is no {entry}"
        return None if page.read_bytes().strip() else f"{entry} is empty"

    def _protection(self, tab: XRTab) -> None:
        box = self._box
        assert box is not None, "a tab is open"
        tab.witness.note("page.protection/1", Observer.OUTSIDE, "box", {**asdict(box.protection), "events": box.events()})
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
    def open(self, grading: Grading, case: Case, clock: Clock) -> Iterator[XRSession]:
        options = settings(CaseOptions, case.options, f"case {case.id}")
        witness = Witness(grading.record)
        with self._session(witness), self._performance(grading, options, witness) as performance:
            filming = Filming(performance, grading.record, grading.scratch)
            session = XRSession(performance, clock, grading.record, self._person(grading, options), filming, options.hand)
            if self._settings.video:
                session.record(**grading.task.observe.get("xr.video/1", {}))
            session.bench, session.scratch = grading.bench, grading.scratch
            session.watching.begin(grading.task.observe.get("xr.track/1", {}))
            yield session
            session.finish()

    def replay(self, grading: Grading, case: Case, recorded: Evidences) -> Replayed:
        options = settings(CaseOptions, case.options, f"case {case.id}")
        witness = Witness(grading.record)
        with self._session(witness), self._performance(grading, options, witness) as performance:
            return played_again(performance, recorded)

    @contextmanager
    def _performance(self, grading: Grading, options: CaseOptions, witness: Witness) -> Iterator[Performance]:
        needs = NeedsDraws(self._services.cache, grading.submission.digest)
        gate = Gate("always" if options.draws == "always" or needs.known or grading.headed else "never")
        performance = Performance(self._opening(grading, options, witness), gate, needs.learn)
        witness.now = lambda: performance.ticks
        try:
            yield performance
        finally:
            performance.close()

    def _backend(self, options: CheckOptions | CaseOptions) -> str:
        return options.backend or self._settings.backend

    def _person(self, grading: Grading, options: CaseOptions) -> Person:
        return person_in(find_room(options.room, grading.task.root), options.modifier, options.mode, grading.seed,
                         backend_named(self._backend(options)))  # fmt: skip

    def _opening(self, grading: Grading, options: CaseOptions, usual: Witness) -> OpenTab:
        def open_tab(gate: Gate, patience: float = 1.0, witness: Witness | None = None) -> XRTab:
            return self._tab(grading, options, witness or usual, gate, patience)

        return open_tab

    def _tab(self, grading: Grading, options: CaseOptions, witness: Witness, gate: Gate, patience: float) -> XRTab:
        library = self._library(grading)
        box = self._open_box(grading, library)
        person = self._person(grading, options)
        backend = self._backend(options)
        check_backend(backend, options, "this case")
        room, body = synthetic(person.room), person.backend.message(None, person.told)
        headset = Headset(backend, rate=options.rate, room=room, cancels=options.cancels, gaze=options.mode == "gaze",
                          surfaces=seconds(options.surfaces_after), light=light_in(person.room), body=body, gate=gate)
        page_clock = PageClock(frame=TICKS // options.rate, seed=grading.seed)
        mine, parts = self._settings, (script(headset, self._services.cache),)
        chosen = TabOptions(options.viewport, False, page_clock, mine.load_s, mine.call_s * patience, mine.ready_s, parts=parts)
        page, scenes = f"/{options.page or self._settings.entry}", scenes_of(person.room) if backend == SIMULATOR else {}
        if backend == SIMULATOR:
            page += "&debug=1" if "?" in page else "?debug=1"  # so the SDK shows itself
        network = Network(box.origin, library, witness, scenes)
        return XRTab(box, chosen, witness, page, network, self._settings.enter).__enter__()

    def _library(self, grading: Grading) -> Library:
        """Each set of packages on a shelf of its own: ours by name, a task's by its lock file."""
        found = []
        for number, name in enumerate(self._settings.packages):
            lock = OURS / name / "package-lock.json" if name in SETS else grading.task.root / name
            shelf = f"@{name}" if name in SETS else f"@packages-{number}"
            instead = self._settings.sdk.instead if self._settings.sdk else {}
            found.append(Packages(lay_in(lock, self._services.cache) / "node_modules", shelf, instead))
        return Library(found)

    def _open_box(self, grading: Grading, library: Library) -> Box:
        if self._box is not None and not (self._box.alive and self._boxed == grading.submission.digest):
            self._leave_box()
        if self._box is None:
            site = self._site(grading, library)
            authority = os.environ.get("XAUTHORITY")
            options = BoxOptions(headed=grading.headed, display=os.environ.get("DISPLAY"),
                                 xauthority=Path(authority) if authority else None, hidden=[grading.held_out], host="localhost",
                                 shelves=library.shelves)
            self._box = Box(site, grading.scratch, self._browser.path, options).__enter__()
            shutil.rmtree(site, ignore_errors=True)
            self._boxed = grading.submission.digest
        return self._box

    def _site(self, grading: Grading, library: Library) -> Path:
        """A folder of its own to serve: the submission, or the held-out pages with what is built of it."""
        into = grading.scratch / f"site-{os.getpid()}-{next(self._sites)}"
        if self._settings.sdk is None:
            return prepare(grading.submission.root, into, library)
        pages = into.with_name(f"{into.name}-pages")
        self._settings.sdk.site(grading, self._services, pages)
        prepare(pages, into, library)
        shutil.rmtree(pages)
        return into

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
