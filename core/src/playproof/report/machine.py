"""A run for programs: JSON with every verdict, and JUnit XML for what shows test results."""

import json
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from playproof.canonical import plain
from playproof.model import Outcome
from playproof.report.run import Judged, ReportRun, ReportTrial, clean, judged
from playproof.scoring.compare import Overlap


def as_json(run: ReportRun) -> bytes:
    """The whole report as data: scores by stack, and trials with the verdict of every check in every case."""
    scores = {stack: [{**plain(score), "coverage": score.coverage} for score in own] for stack, own in run.scores.items()}
    trials = [_trial(run, trial) for trial in run.trials]
    whole = {"schema": "playproof.report/1", "title": run.title, "facts": dict(run.facts), "scores": scores, "trials": trials,
             "comparisons": [_comparison(a, b, met) for a, b, met in run.comparisons]}
    return json.dumps(whole, indent=1, ensure_ascii=True, allow_nan=False).encode()


def _comparison(a: str, b: str, met: Overlap) -> Mapping[str, Any]:
    return {"a": a, "b": b, **plain(met), "p": float(met.p), "kappa": None if met.kappa is None else float(met.kappa)}


def _trial(run: ReportRun, trial: ReportTrial) -> Mapping[str, Any]:
    mark, outcome = run.mark(trial)
    result = trial.result
    return {
        "task": result.task, "title": trial.title, "stack": result.stack, "sample": result.sample, "ending": plain(trial.ending),
        "delivered": result.delivered, "evaluated": result.evaluated, "valid": result.valid, "trouble": trial.trouble,
        "outcome": outcome.value, "value": None if mark.value is None else float(mark.value),
        "checks": [{**plain(j.check), "outcome": j.outcome.value, "cases": plain(list(j.cases))} for j in judged(trial)],
        "ratings": plain(list(result.ratings)),
        "opinions": [{k: v for k, v in plain(one).items() if k not in ("raw", "question")} | {"question": one.question.id}
                     for one in trial.opinions],
        "evidence": [{k: v for k, v in plain(entry).items() if k != "value"} for entry in trial.evidence],
    }


def as_junit(run: ReportRun) -> bytes:
    """One suite for each trial, one case for each check. A void is an error, NOT_APPLICABLE is skipped; checks that are not
    required carry that as a property, and fail none the less."""
    root = ElementTree.Element("testsuites", name=clean(run.title))
    for trial in run.trials:
        found = judged(trial)
        counts = {outcome: sum(j.outcome is outcome for j in found) for outcome in Outcome}
        name = f"{trial.result.task}/{trial.result.stack}/{trial.result.sample}"
        wall = sum(one.wall_s for one in found)
        suite = ElementTree.SubElement(root, "testsuite", name=clean(name), tests=str(len(found)), time=f"{wall:.3f}")
        for tag, outcome in (("failures", Outcome.FAIL), ("errors", Outcome.VOID), ("skipped", Outcome.NOT_APPLICABLE)):
            suite.set(tag, str(counts[outcome]))
        for one in found:
            _case(suite, one, clean(f"{trial.result.task}.{trial.result.stack}"))
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def _case(suite: ElementTree.Element, one: Judged, home: str) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=home, name=clean(one.check.id), time=f"{one.wall_s:.3f}")
    properties = ElementTree.SubElement(case, "properties")
    for name, value in (("title", one.check.title), ("layer", one.check.layer), ("required", str(one.check.required).lower())):
        ElementTree.SubElement(properties, "property", name=name, value=clean(value))
    tag = {Outcome.FAIL: "failure", Outcome.VOID: "error", Outcome.NOT_APPLICABLE: "skipped"}.get(one.outcome)
    if tag:
        kind, message = (one.cases[0].reason.value, one.note or one.cases[0].message) if one.cases else ("MISSING_RESULT", one.note)
        told = [f"case {v.case}: {v.outcome}, seen {v.seen}, wanted {v.wanted}" for v in one.cases]
        ElementTree.SubElement(case, tag, type=kind, message=clean(message)).text = clean("\n".join(told))
