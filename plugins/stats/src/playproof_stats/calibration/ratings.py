"""Ratings of a judge against people's, for each item of a scale and over all; and how far judges and their votes vary."""

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import frozen

from playproof_stats.agreement.alpha import Alpha
from playproof_stats.agreement.variance import Split, split
from playproof_stats.calibration.answers import Judged, Key, Labels, in_order
from playproof_stats.calibration.ground import Ground
from playproof_stats.calibration.people import Group
from playproof_stats.calibration.values import Disagreement, Row, Section
from playproof_stats.calibration.verdicts import disagreement
from playproof_stats.figures import Figure, Resampling, Undefined
from playproof_stats.resample import Ratio, measured, share

NONE = "no rating of the judge has a label"


def items(keys: Sequence[Key]) -> Mapping[str, Sequence[Key]]:
    """`all`, then `scale/item` -> the keys of its questions."""
    found: dict[str, list[Key]] = {"all": list(keys)} if keys else {}
    for key in keys:
        found.setdefault("/".join(key.question.split("/")[1:]), []).append(key)
    return found


def rating_section(judge: Judged | None, ground: Ground) -> Section:
    """A row over all items and one for each. Without a judge, people alone."""
    found = items(ground.labels.of("rating")).items()
    rows = [Row(name, [*(_judges_figures(judge, ground, keys) if judge else ()), *_people(Group(ground, keys))]) for name, keys in found]
    return Section("ratings", judge.name if judge else "", ground.labels.source, rows)


def _people(group: Group) -> Sequence[Figure]:
    return [group.agreement("people_exact"), group.agreement("people_within_1", 1), group.one_of_them("person_exact"),
            group.one_of_them("person_within_1", 1), *group.reliability(), group.alpha("people_alpha", "ordinal")]


@frozen
class _Answers:
    """A judge's ratings: for each, its key's place and its value; and the tasks that they belong to."""

    given: Sequence[tuple[int, float]]
    tasks: Sequence[str]


def _answers(judge: Judged, ground: Ground, keys: Sequence[Key]) -> _Answers:
    given = [(at, float(said)) for at, key in enumerate(keys) for said in judge.said.get(key, ()) if said is not None]
    return _Answers(given, [ground.task(keys[at]) for at, _ in given])


def _judges_figures(judge: Judged, ground: Ground, keys: Sequence[Key]) -> Sequence[Figure]:
    labels, how, found = ground.labels, ground.how, _answers(judge, ground, keys)
    asked = sum(len(judge.said.get(key, ())) for key in keys)
    people = [[float(value) for value in labels.said.get(key, {}).values()] for key in keys]
    truth = [float(labels.truth(key) or 0) for key in keys]  # of ratings there is always one
    figures = [Figure("answered", len(found.given) / asked if asked else None, asked, len(found.given), why="" if asked else NONE)]
    for id, distance in (("exact", 0), ("within_1", 1)):
        hits = [sum(abs(said - one) <= distance for one in people[at]) for at, said in found.given]
        figures.append(share(id, hits, [len(people[at]) for at, _ in found.given], found.tasks, how, NONE))
    for id, distance in (("consensus_exact", 0), ("consensus_within_1", 1)):
        hits = [int(abs(said - truth[at]) <= distance) for at, said in found.given]
        figures.append(share(id, hits, [1] * len(hits), found.tasks, how, NONE))
    shift = Ratio([said - truth[at] for at, said in found.given], [1] * len(found.given), NONE)
    return [*figures, _alpha(found, truth, how), measured("shift", shift, found.tasks, how), *_variance(judge, keys)]


def _alpha(found: _Answers, truth: Sequence[float], how: Resampling) -> Figure:
    """Krippendorff's ordinal alpha of the judge and the consensus, as of two raters."""
    values = np.unique([value for at, said in found.given for value in (said, truth[at])])
    counted = np.array([[float(value == said) + float(value == truth[at]) for value in values] for at, said in found.given])
    return measured("alpha", Alpha(counted.reshape(-1, len(values)), values, "ordinal"), found.tasks, how)


def _variance(judge: Judged, keys: Sequence[Key]) -> Sequence[Figure]:
    """Between subjects, and within the judge: from the votes on one question."""
    cells = [[own] for key in keys if (own := [float(said) for said in judge.said.get(key, ()) if said is not None])]
    try:
        found = split(cells)
    except Undefined as lack:
        return [Figure(id, None, len(cells), why=str(lack)) for id in ("var_subjects", "var_within")]
    why = "no question was answered twice (--votes)"
    return [Figure("var_subjects", found.subjects, len(cells), why="" if found.subjects is not None else why),
            Figure("var_within", found.within, len(cells), why="" if found.within is not None else why)]


def judges_section(judges: Sequence[Judged]) -> Section | None:
    """Where several judges rated the same: the variance between subjects, between judges and within one. None where they did not."""
    rating = [judge for judge in judges if any(key.form == "rating" for key in judge.said)]
    if len(rating) < 2:
        return None
    keys = in_order({key for judge in rating for key in judge.said if key.form == "rating"})
    rows = []
    for name, own in items(keys).items():
        cells = [[[float(said) for said in judge.said.get(key, ()) if said is not None] for judge in rating] for key in own]
        common = [row for row in cells if all(row)]
        try:
            found, why = split(common), ""
        except Undefined as lack:
            found, why = Split(None, None, None, None), f"of what all of them rated there are {lack}"
        lacks = why or "no question was answered twice (--votes)"
        parts = (("var_subjects", found.subjects), ("var_judges", found.judges), ("var_interaction", found.interaction),
                 ("var_within", found.within))
        rows.append(Row(name, [Figure(id, one, len(common), why="" if one is not None else lacks) for id, one in parts]))
    return Section("judges", ", ".join(judge.name for judge in rating), "each other", rows)


def far_ratings(judge: Judged, labels: Labels) -> Sequence[Disagreement]:
    """Each rating more than a point away from the consensus, the farthest first."""
    found = []
    for key in labels.of("rating"):
        truth, said = labels.truth(key), judge.said.get(key, ())
        gap = max((abs(float(one) - float(truth)) for one in said if one is not None and truth is not None), default=0.0)
        if gap > 1:
            found.append((gap, disagreement(judge.name, labels, key, said)))
    return [one for _, one in sorted(found, key=lambda pair: -pair[0])]
