"""A run's stored trials -> what the reports are made of."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from playproof.bundle import GradingBundle
from playproof.drivers import missing
from playproof.exhibits import installed_exhibitors
from playproof.interfaces import Services
from playproof.model import TICKS, Evidence
from playproof.opinions import DEFAULT_SET
from playproof.report.live import is_live
from playproof.report.machine import as_junit
from playproof.report.page import page
from playproof.report.recordings import is_recording
from playproof.report.run import ReportRun, ReportTrial
from playproof.ruling import comes_up
from playproof.scales import scale
from playproof.scoring import load
from playproof.store import Store
from playproof.trial import Done


def bundle_of(done: Done, store: Store) -> GradingBundle:
    """The evidence of a trial; empty where there is no grading."""
    address = done.grading["bundle"] if done.grading else "none"
    return GradingBundle(store.bundle(address))


def read_done(done: Sequence[Done], store: Store, opinions: str = DEFAULT_SET) -> ReportRun:
    """The trials as reports take them; `opinions` names the set that theirs are of. Repeated gradings are for
    flip rates and no samples, so they are left out."""
    first = [one for one in done if one.trial.repeat == 0]
    rules = {one.trial.task.id: load(one.trial.task.scoring) for one in first}
    engines = sorted({one.trial.survey.engine for one in first})
    facts = {"engine": ", ".join(engines), "seed": ", ".join(sorted({str(one.trial.seed) for one in first})),
             "clock": f"{TICKS:,} ticks a second"}
    if any(one.opinions for one in first):
        facts["opinions"] = opinions
    if absent := unrated(first):
        facts["ratings"] = absent
    return ReportRun(store.folder.name, [_trial(one, store) for one in first], rules, facts)


def unrated(done: Sequence[Done]) -> str:
    """Which scales nobody has rated these trials on, and what that takes, in one line; "" where nothing is left to be rated."""
    lines: dict[str, str] = {}
    for one in (one for one in done if one.grading and not one.trial.narrowed and comes_up(one.graded)):
        said = {opinion.question.scale.name for opinion in one.opinions if opinion.question.scale}
        for ref in one.trial.task.ratings:
            if (name := scale(ref.scale).name) not in said:
                lines[name] = missing("judge", ref.judge.driver) or "no model was asked; name one with --model DRIVER:MODEL"
    return "; ".join(f"none on {name}: {why}" for name, why in lines.items())


def _trial(done: Done, store: Store) -> ReportTrial:
    bundle = bundle_of(done, store)
    told = {cite for one in done.verdicts for cite in one.cites} | {cite for one in done.opinions for cite in one.cites}
    told |= {id for one in done.opinions for shown in one.exhibits.values() for id in shown}
    evidence: Sequence[Evidence] = [entry for id, entry in bundle.entries.items() if id in told or is_recording(entry)
                                    or is_live(entry)]
    return ReportTrial(done.result(), done.trial.task.title, done.ending, done.verdicts, evidence, bundle.read, done.trouble,
                       done.opinions)


def coverage(shown: ReportRun) -> float:
    """The smallest share, over all scores, of what was planned and could be decided."""
    return min((score.coverage for own in shown.scores.values() for score in own), default=1.0)


def write_html(shown: ReportRun, place: Path, cache: Path) -> None:
    with ExitStack() as exits:
        place.write_text(page(shown, installed_exhibitors(Services(cache, exits))), "utf-8")


def write_junit(shown: ReportRun, place: Path) -> None:
    place.write_bytes(as_junit(shown))
