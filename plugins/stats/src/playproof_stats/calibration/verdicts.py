"""Verdicts of a judge against labels: accuracy over answer x repeat, both kinds of error, agreement beyond chance, flakiness."""

from collections.abc import Sequence

import numpy as np
from attrs import evolve, frozen

from playproof.scoring.trials import Share
from playproof_stats.agreement.alpha import Alpha
from playproof_stats.agreement.gwet import Gwet
from playproof_stats.agreement.rates import Confusion, Corrected, rogan_gladen_interval
from playproof_stats.calibration.answers import Judged, Key, Labels
from playproof_stats.calibration.ground import Ground
from playproof_stats.calibration.people import Group
from playproof_stats.calibration.values import Disagreement, Row, Section, spoken
from playproof_stats.figures import Array, Figure, Resampling, Undefined
from playproof_stats.resample import measured, share

NONE = "no question has both an answer and a label"
BOTH = np.array([0.0, 1.0])


@frozen
class Compared:
    """(judge, label) for each answer that has a label, with its task."""

    pairs: Sequence[tuple[bool, bool]]
    tasks: Sequence[str]
    asked: int
    """answers that were asked for, given or not"""

    @property
    def found(self) -> Array:
        """answers x (fail, pass): how many of judge and label say so"""
        rows = [[int(not a) + int(not b), int(a) + int(b)] for a, b in self.pairs]
        return np.array(rows, float).reshape(-1, 2)


def whole(key: Key) -> bool:
    """Whether a verdict is on the whole submission (the question is the task's), and not on one requirement."""
    return "/" not in key.question


def compared(judge: Judged, ground: Ground, keys: Sequence[Key]) -> Compared:
    pairs, own, asked = [], [], 0
    for key in keys:
        truth = ground.labels.truth(key)
        if truth is None or key not in judge.said:
            continue
        for said in judge.said[key]:
            asked += 1
            if said is not None:
                pairs.append((bool(said), bool(truth)))
                own.append(ground.task(key))
    return Compared(pairs, own, asked)


def verdict_section(judge: Judged | None, ground: Ground) -> Section:
    """A row for requirements and one for whole submissions, where there are labels of that kind. Without a judge, people alone."""
    rows, labels = [], ground.labels
    for name, of_whole in (("requirements", False), ("submissions", True)):
        keys = [key for key in labels.of("verdict") if whole(key) is of_whole]
        if keys:
            figures = _judges_figures(judge, ground, keys) if judge else []
            rows.append(Row(name, [*figures, *(_people(ground, keys) if labels.source == "people" else ())]))
    return Section("verdicts", judge.name if judge else "", labels.source, rows)


def _judges_figures(judge: Judged, ground: Ground, keys: Sequence[Key]) -> Sequence[Figure]:
    met, how = compared(judge, ground, keys), ground.how
    confusion = Confusion.of(met.pairs)
    ones = [1] * len(met.pairs)
    holds, fails = [int(b) for _, b in met.pairs], [int(not b) for _, b in met.pairs]
    answered = len(met.pairs) / met.asked if met.asked else None
    return [
        Figure("answered", answered, met.asked, len(met.pairs), why="" if met.asked else NONE),
        share("accuracy", [int(a == b) for a, b in met.pairs], ones, met.tasks, how, NONE),
        share("sensitivity", [int(a and b) for a, b in met.pairs], holds, met.tasks, how, "no label says that it holds"),
        share("specificity", [int(not a and not b) for a, b in met.pairs], fails, met.tasks, how, "no label says that it does not hold"),
        measured("ac1", Gwet(met.found, BOTH), met.tasks, how),
        measured("alpha", Alpha(met.found, BOTH), met.tasks, how),
        Figure("kappa", confusion.kappa, confusion.n, why="" if confusion.kappa is not None else "judge and labels never vary"),
        _flakiness(judge, whole(keys[0]), ground),
        *_passed(judge, whole(keys[0]), confusion, ground),
    ]


def _people(ground: Ground, keys: Sequence[Key]) -> Sequence[Figure]:
    group, split = Group(ground, keys), [int(ground.labels.truth(key) is None) for key in keys]
    return [group.agreement("people"), group.one_of_them("person"), group.ac1("people_ac1", (0, 1)), group.alpha("people_alpha", "nominal"),
            share("split", split, [1] * len(keys), group.tasks, ground.how, "no verdict has been labelled")]


def _flakiness(judge: Judged, of_whole: bool, ground: Ground) -> Figure:
    """Of what was answered more than once, labelled or not, the share with different answers."""
    kept = {key: given for key, said in judge.said.items() if key.form == "verdict" and whole(key) is of_whole
            and len(given := [one for one in said if one is not None]) > 1}
    return share("flakiness", [int(len(set(given)) > 1) for given in kept.values()], [1] * len(kept),
                 ground.tasks_of(list(kept)), ground.how, "nothing was answered twice (--repeats, --votes)")


def _passed(judge: Judged, of_whole: bool, confusion: Confusion, ground: Ground) -> Sequence[Figure]:
    """The share that the judge passes, and the share that truly holds after Rogan and Gladen. The shares are of everything that
    the judge answered; known answers only say how the judge errs, and are not of what is measured."""
    rows: list[tuple[bool, bool | None, str]] = []
    labels, how = ground.labels, ground.how
    for key, said in judge.said.items():
        if key.form == "verdict" and whole(key) is of_whole:
            truth = labels.truth(key)
            rows += [(bool(one), None if truth is None else bool(truth), ground.task(key)) for one in said if one is not None]
    population = [labels.source == "people" or label is None for _, label, _ in rows]
    passed = [int(said and of) for (said, _, _), of in zip(rows, population, strict=True)]
    clusters = [task for _, _, task in rows]
    found = share("passed", passed, [int(of) for of in population], clusters, how, "every answer is about a known case")
    statistic = Corrected([said for said, _, _ in rows], [label for _, label, _ in rows], population)
    corrected = measured("corrected", statistic, clusters, how)
    if corrected.value is not None and (corrected.low is None or confusion.accuracy.rate == 1):
        corrected = _without_tasks(corrected, Share(sum(passed), sum(population)), confusion, how)
    return [found, evolve(corrected, n=found.n)]


def _without_tasks(corrected: Figure, passed: Share, confusion: Confusion, how: Resampling) -> Figure:
    """Where tasks are too few to draw, or the labels show no error that drawing could vary."""
    try:
        low, high = rogan_gladen_interval(passed, confusion.sensitivity, confusion.specificity, how.level)
    except Undefined as lack:
        return evolve(corrected, low=None, high=None, interval=f"no interval: {lack}")
    return evolve(corrected, low=low, high=high, interval="Lang-Reiczigel, answers taken as independent")


def wrong_verdicts(judge: Judged, labels: Labels) -> Sequence[Disagreement]:
    """Each question on which the judge said at least once what the labels do not say."""
    found = []
    for key in labels.of("verdict"):
        truth, said = labels.truth(key), judge.said.get(key, ())
        if truth is not None and any(one is not None and one != truth for one in said):
            found.append(disagreement(judge.name, labels, key, said))
    return found


def disagreement(by: str, labels: Labels, key: Key, said: Sequence[object]) -> Disagreement:
    people = {name: spoken(value) for name, value in labels.said.get(key, {}).items()} if labels.source == "people" else {}
    return Disagreement(key.about, key.question, by, [spoken(one) for one in said], labels.source, spoken(labels.truth(key)), people,
                        labels.causes.get(key, ""))
