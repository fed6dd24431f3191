"""Recordings in a report: each a `<video>` with its own bytes inside the page, and under it what was judged and what happened when.

Without a script nobody can be taken to a moment of an embedded video, so the times stand beside it as a line and as a list, and each
verdict in the list leads to where it is told."""

from base64 import b64encode
from collections.abc import Sequence

from attrs import Factory, define, frozen
from markupsafe import Markup

from playproof.exhibits import Exhibitors
from playproof.interfaces import Exhibit
from playproof.model import TICKS, Evidence, Outcome, Verdict
from playproof.report.run import ReportTrial

MAGIC = {"video/webm": (0, b"\x1aE\xdf\xa3"), "video/mp4": (4, b"ftyp")}
"""What an embedded recording may be, and how such a file begins: at a place, some bytes."""
AS_IS = 6_000_000
"""Bytes up to which a recording is embedded; a larger one is named, and lies in the run's folder."""
GROUPS = 6
"""How many sessions of a trial are shown; those with failed checks first."""
MARKS = 40
"""How many times stand under one recording."""


@frozen
class Mark:
    """Something at a time. `at` is its place on the line, `outcome` a verdict's, `anchor` where in the page more is said."""

    tick: int
    at: str
    words: str
    outcome: str = ""
    anchor: str = ""

    @property
    def seconds(self) -> str:
        return f"{self.tick / TICKS:.2f} s"


@frozen
class Recorded:
    """One video: `address` holds all of it; without one, `trouble` says why. It is made of a known type and of base64, so it is safe."""

    entry: Evidence
    address: Markup = Markup("")
    trouble: str = ""


@frozen
class Recording:
    """The videos of one session, and its times; `more` is how many times are left off."""

    videos: Sequence[Recorded]
    marks: Sequence[Mark]
    more: int

    @property
    def seconds(self) -> str:
        return f"{self.videos[0].entry.tick / TICKS:.2f} s"


@frozen
class Cited:
    """A verdict that cites a recording, what else it cites, and how a reader finds it."""

    verdict: Verdict
    entries: Sequence[Evidence]
    title: str
    anchor: str


@define
class Reel:
    """The recordings of a page, each embedded once, until `limit` bytes are reached."""

    limit: int
    find: Exhibitors
    spent: int = 0
    known: dict[str, Recorded] = Factory(dict)

    def of(self, trial: ReportTrial, cited: Sequence[Cited]) -> tuple[Sequence[Recording], int]:
        """The trial's recordings by session, and of how many sessions they are left off."""
        groups: dict[tuple[str, ...], list[Evidence]] = {}
        by_anchor = {one.anchor: one for one in cited}
        for entry in trial.evidence:
            if is_recording(entry):
                groups.setdefault(tuple(one.anchor for one in cited if entry.id in one.verdict.cites), []).append(entry)
        found = [([by_anchor[anchor] for anchor in anchors], entries) for anchors, entries in groups.items()]
        found.sort(key=lambda one: all(by.verdict.outcome is not Outcome.FAIL for by in one[0]))
        return [self._recording(trial, by, entries) for by, entries in found[:GROUPS]], max(0, len(found) - GROUPS)

    def _recording(self, trial: ReportTrial, cited: Sequence[Cited], entries: Sequence[Evidence]) -> Recording:
        marks = self._marks(trial, cited, max(entry.tick for entry in entries))
        return Recording([self._recorded(entry, trial) for entry in entries], marks[:MARKS], max(0, len(marks) - MARKS))

    def _recorded(self, entry: Evidence, trial: ReportTrial) -> Recorded:
        key = f"{entry.blob}"
        if key not in self.known:
            self.known[key] = self._embedded(entry, trial)
        return Recorded(entry, self.known[key].address, self.known[key].trouble)

    def _embedded(self, entry: Evidence, trial: ReportTrial) -> Recorded:
        try:
            content = trial.read(entry.blob or "")
        except (OSError, KeyError):
            return Recorded(entry, trouble="the run no longer has it")
        at, magic = MAGIC[entry.media_type]
        if not content.startswith(magic, at):
            return Recorded(entry, trouble=f"it is called {entry.media_type}, and is none")
        encoded = b64encode(content).decode()
        if len(content) > AS_IS or self.spent + len(encoded) > self.limit:
            return Recorded(entry, trouble=f"{len(content) / 1e6:.1f} MB, too large for this page: {entry.blob}, in the run's folder")
        self.spent += len(encoded)
        return Recorded(entry, Markup(f"data:{entry.media_type};base64,{encoded}"))

    def _marks(self, trial: ReportTrial, cited: Sequence[Cited], end: int) -> Sequence[Mark]:
        found: dict[tuple[int, str], Mark] = {}

        def put(tick: int, words: str, outcome: str = "", anchor: str = "") -> None:
            if 0 <= tick <= end:
                found.setdefault((tick, words), Mark(tick, f"{100 * tick / max(end, 1):.2f}%", words, outcome, anchor))

        for one in cited:
            put(one.verdict.tick, one.title, one.verdict.outcome, one.anchor)
            for entry in one.entries:
                if is_recording(entry):
                    continue
                moments = self._moments(entry, trial)
                for tick, words in moments:
                    put(tick, words)
                if not moments:
                    put(entry.tick, f"seen: {entry.source or entry.kind}")
        return sorted(found.values(), key=lambda mark: (mark.tick, not mark.outcome))

    def _moments(self, entry: Evidence, trial: ReportTrial) -> Sequence[tuple[int, str]]:
        driver = self.find(entry.kind)
        try:
            shown = driver.show(entry, trial.read) if driver else Exhibit("")
            return [(int(tick), str(words)) for tick, words in shown.moments]
        except Exception:  # noqa: BLE001 - a blob may be gone, and a submission may have made what breaks a driver: the page tells of it elsewhere
            return []


def is_recording(entry: Evidence) -> bool:
    return entry.media_type in MAGIC and entry.blob is not None

