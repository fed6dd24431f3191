"""A run as one HTML page that loads nothing: no address, pictures and style inside, under a strict policy. A script is in it only where an
installed driver brings one for what readers can turn, and the policy names that one.

Every text that is put into the page passes through `clean` and jinja's escaping; a picture is embedded once, as a rule of the
style sheet, however often it is cited.
"""

import hashlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, define, frozen
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from playproof.canonical import short
from playproof.exhibits import Exhibitors
from playproof.model import TICKS, Ended, Evidence, Observer, Outcome, Score, Verdict
from playproof.report.live import Piece, Shelf
from playproof.report.recordings import Cited, Recording, Reel, is_recording
from playproof.report.run import Judged, ReportRun, ReportTrial, clean, figure, judged, parts, rated_items

AS_IS = 800_000
"""A picture without a thumbnail is embedded as it is up to this many bytes."""
CITES = 12
"""How many pieces of evidence are shown for one verdict."""
LOOKS = 10
"""How many pictures stand at the head of a trial, spread over its time."""
ENDINGS = {
    Ended.COMPLETED: "finished by itself", Ended.STEPS: "ran out of steps", Ended.WALL: "ran out of time", Ended.IDLE: "fell silent",
    Ended.TOKENS: "ran out of tokens", Ended.BUDGET: "ran out of budget", Ended.REFUSED: "refused the task", Ended.FAILED: "failed",
    Ended.PROVIDER: "stopped by the model's provider", Ended.AUTH: "stopped, because the provider takes no such key",
    Ended.INFRA: "stopped by a failure of ours",
}
OBSERVERS = {
    Observer.OUTSIDE: "seen from outside", Observer.ISOLATED: "seen in a world of its own", Observer.MAIN: "said by the submission",
    Observer.INSIDE: "seen beside the submission", Observer.HELD: "given by the task",
}


@frozen
class Shot:
    """A piece of evidence as the page shows it: `name` is its picture's class, `html` a driver's own fragment."""

    entry: Evidence
    text: str = ""
    name: str | None = None
    html: Markup | None = None

    @property
    def seconds(self) -> str:
        return f"{self.entry.tick / TICKS:.2f} s"


@define
class Album:
    """The pictures of a page by digest, each once, until `limit` bytes are reached."""

    limit: int
    find: Exhibitors
    rules: dict[str, str] = Factory(dict)
    shown: dict[tuple[str, str], tuple[str | None, Markup | None]] = Factory(dict)
    spent: int = 0

    def shot(self, entry: Evidence, trial: ReportTrial) -> Shot:
        try:
            name, html = self._shown(entry, trial)
        except Exception as fault:  # noqa: BLE001  a blob may be gone, and a submission may have drawn what breaks a driver
            return Shot(entry, f"cannot be shown: {type(fault).__name__}: {fault}")
        if name or html:
            return Shot(entry, name=name, html=html)
        if is_recording(entry):
            return Shot(entry, "see the recordings of this trial")
        return Shot(entry, short(entry.value, 600) if entry.blob is None else f"{entry.media_type}, {entry.blob[:12]}, not embedded")

    def _shown(self, entry: Evidence, trial: ReportTrial) -> tuple[str | None, Markup | None]:
        key = (entry.kind, entry.blob or entry.id)
        if key not in self.shown:
            driver, picture, html = self.find(entry.kind), None, None
            if driver is not None:
                exhibit = driver.show(entry, trial.read)
                picture, html = exhibit.thumbnail, Markup(clean(exhibit.html, len(exhibit.html))) if exhibit.html else None
            elif entry.media_type == "image/png" and entry.blob:
                picture = trial.read(entry.blob)
            self.shown[key] = (None if picture is None else self._keep(picture), html)
        return self.shown[key]

    def _keep(self, png: bytes) -> str | None:
        name, encoded = f"shot-{hashlib.sha256(png).hexdigest()[:20]}", b64encode(png).decode()
        if name in self.rules:
            return name
        if not png.startswith(b"\x89PNG\r\n\x1a\n") or len(png) > AS_IS or self.spent + len(encoded) > self.limit:
            return None
        width, height = (max(1, int.from_bytes(png[at : at + 4])) for at in (16, 20))
        self.spent += len(encoded)
        self.rules[name] = (
            f".{name}{{aspect-ratio:{width}/{height};--width:{width}px;"
            f"background-image:url(data:image/png;base64,{encoded})}}"
        )
        return name


@frozen
class ShownVerdict:
    verdict: Verdict
    shots: Sequence[Shot]
    more: int
    anchor: str


@frozen
class ShownCheck:
    judged: Judged
    verdicts: Sequence[ShownVerdict]


@frozen
class ShownTrial:
    """A trial as the template reads it; `anchor` is its place in the page."""

    trial: ReportTrial
    anchor: str
    outcome: Outcome
    value: str
    passed: int
    counted: int
    checks: Sequence[ShownCheck]
    looks: Sequence[Shot]
    recordings: Sequence[Recording]
    more_recordings: int
    pieces: Sequence[Piece]

    def of(self, *outcomes: str) -> Sequence[ShownCheck]:
        return [check for check in self.checks if check.judged.outcome in outcomes]


def page(run: ReportRun, exhibitors: Exhibitors = lambda kind: None, picture_bytes: int = 24_000_000, video_bytes: int = 48_000_000,
         live_bytes: int = 48_000_000) -> str:
    """The whole report. `picture_bytes` bounds all embedded pictures together, `video_bytes` all videos, `live_bytes` what can be turned;
    what is beyond is named, not shown."""
    album, reel, shelf = Album(picture_bytes, exhibitors), Reel(video_bytes, exhibitors), Shelf(live_bytes, exhibitors)
    trials = [_trial(run, trial, f"trial-{i}", album, reel, shelf) for i, trial in enumerate(run.trials, 1)]
    cells: Mapping[tuple[str, str], list[ShownTrial]] = {(task, stack): [] for task in run.tasks for stack in run.stacks}
    for shown in trials:
        cells[shown.trial.result.task, shown.trial.result.stack].append(shown)
    ends = Environment(
        loader=PackageLoader("playproof.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=lambda value: clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
    )
    ends.globals.update(endings=ENDINGS, observers=OBSERVERS, figure=figure, parts=parts, strip=strip, rated_items=rated_items)
    style = ends.loader.get_source(ends, "page.css")[0] + "\n".join(album.rules.values())  # type: ignore[union-attr]
    policy = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return ends.get_template("page.html").render(
        run=run, trials=trials, cells=cells, pictures=list(album.rules), style=Markup(style), policy=Markup(policy), plays=reel.spent > 0,
        shelf=shelf,
    )


def _trial(run: ReportRun, trial: ReportTrial, anchor: str, album: Album, reel: Reel, shelf: Shelf) -> ShownTrial:
    mark, outcome = run.mark(trial)
    found = judged(trial)
    known = {entry.id: entry for entry in trial.evidence}
    checks, citing = [], list[Cited]()
    for one in found:
        cited = [[known[cite] for cite in dict.fromkeys(case.cites) if cite in known] for case in one.cases]
        own = [Cited(case, entries, one.check.title or one.check.id, f"{anchor}-verdict-{at}")
               for at, (case, entries) in enumerate(zip(one.cases, cited, strict=True), len(citing))]
        citing += own
        checks.append(ShownCheck(one, [
            ShownVerdict(by.verdict, [album.shot(entry, trial) for entry in by.entries[:CITES]], max(0, len(by.entries) - CITES), by.anchor)
            for by in own
        ]))
    counted = [j for j in found if j.outcome is not Outcome.NOT_APPLICABLE]
    passed = sum(j.outcome is Outcome.PASS for j in counted)
    value = "" if mark.value is None or mark.value in (0, 1) else figure(float(mark.value), 100)
    return ShownTrial(trial, anchor, outcome, value, passed, len(counted), checks, _looks(trial, album), *reel.of(trial, citing),
                      shelf.of(trial))


def _looks(trial: ReportTrial, album: Album) -> Sequence[Shot]:
    pictures = list({e.blob: e for e in trial.evidence if e.blob and e.media_type.startswith("image/")}.values())
    step = max(1, -(-len(pictures) // LOOKS))
    return [shot for entry in pictures[::step] if (shot := album.shot(entry, trial)).name]


def strip(score: Score) -> Mapping[str, Any]:
    """Where a score's figures lie on a line from 0 to 100 %, as the attributes of a drawing."""
    def at(value: float | None) -> str | None:
        return None if value is None else f"{100 * value / score.top:.2f}%"

    low, high = score.parts.get("wilson_low"), score.parts.get("wilson_high")
    return {"value": at(score.value), "low": at(score.low), "high": at(score.high), "from": at(low), "to": at(high)}
