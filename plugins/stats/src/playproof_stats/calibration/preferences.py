"""Which of two is better: a judge's preferences, and the preferences that scores amount to, against people's majority."""

from collections.abc import Sequence

from attrs import frozen

from playproof_stats.agreement.preferences import Correlation, by_score
from playproof_stats.calibration.answers import Judged, Key, Labels
from playproof_stats.calibration.ground import Ground
from playproof_stats.calibration.people import preferring
from playproof_stats.calibration.values import Disagreement, Row, Section
from playproof_stats.calibration.verdicts import disagreement
from playproof_stats.figures import Figure
from playproof_stats.resample import measured, share

LEAN = {"a": 1.0, "tie": 0.0, "b": -1.0}


def preference_sections(judges: Sequence[Judged], ground: Ground) -> Sequence[Section]:
    """People among themselves, the scores, then each judge that was asked for preferences."""
    keys, labels = ground.labels.of("preference"), ground.labels
    if not keys:
        return []
    sections = [Section("preferences", labels.source, "each other", [Row("all", preferring(ground, keys))])]
    names = list(dict.fromkeys(name for key in keys for trial in key.trials for name in ground.scores.get(trial, {})))
    if names:
        sections.append(Section("preferences", "scores", labels.source, [Row(name, _scored(name, ground, keys)) for name in names]))
    sections += [Section("preferences", judge.name, labels.source, [Row("all", _judged(judge, ground, keys))])
                 for judge in judges if any(key.form == "preference" for key in judge.said)]
    return sections


@frozen
class _Pair:
    """What a judge or a score prefers, and people; whether the pair is close."""

    said: str
    truth: str
    close: bool
    task: str


def _agreement(pairs: Sequence[_Pair], ground: Ground, near: str) -> Sequence[Figure]:
    right, tasks = [int(one.said == one.truth) for one in pairs], [one.task for one in pairs]
    close = [int(one.close) for one in pairs]
    hits = [a * b for a, b in zip(right, close, strict=True)]
    return [share("agreement", right, [1] * len(pairs), tasks, ground.how, "no pair has both a preference and people's majority"),
            share("agreement_close", hits, close, tasks, ground.how, near)]


def _gap(ground: Ground, key: Key, name: str) -> float | None:
    a, b = (ground.scores.get(trial, {}).get(name) for trial in key.trials)
    return None if a is None or b is None else a - b


def _close(ground: Ground, key: Key, name: str) -> bool:
    """Whether the whole scores lie close: a score's parts are looked at on the same close pairs."""
    gap = _gap(ground, key, name.partition(":")[0])
    return gap is not None and abs(gap) <= ground.made.close


def _scored(name: str, ground: Ground, keys: Sequence[Key]) -> Sequence[Figure]:
    pairs, gaps, leans = [], [], []
    for key in keys:
        gap, truth = _gap(ground, key, name), ground.labels.truth(key)
        if gap is not None and truth is not None:
            pairs.append(_Pair(by_score(gap, 0), str(truth), _close(ground, key, name), ground.task(key)))
            gaps.append(gap)
            leans.append(_lean(ground.labels, key, str(truth)))
    tasks = [one.task for one in pairs]
    return [*_agreement(pairs, ground, f"no pair lies within {ground.made.close:g} points"),
            measured("pearson", Correlation(gaps, leans), tasks, ground.how),
            measured("spearman", Correlation(gaps, leans, ranks=True), tasks, ground.how)]


def _lean(labels: Labels, key: Key, truth: str) -> float:
    """How far people lean to the first of two: the mean of their votes, 1 for it and -1 for the other."""
    votes = [str(vote) for vote in labels.said.get(key, {}).values()] or [truth]
    return sum(LEAN[vote] for vote in votes) / len(votes)


def _judged(judge: Judged, ground: Ground, keys: Sequence[Key]) -> Sequence[Figure]:
    main = next((name for own in ground.scores.values() for name in own), "")
    decided = {key: str(truth) for key in keys if (truth := ground.labels.truth(key)) is not None}
    asked = sum(len(judge.said.get(key, ())) for key in decided)
    pairs = [_Pair(str(said), truth, _close(ground, key, main), ground.task(key))
             for key, truth in decided.items() for said in judge.said.get(key, ()) if said is not None]
    near = f"no pair lies within {ground.made.close:g} points" if main else "the trials have no scores"
    answered = len(pairs) / asked if asked else None
    return [Figure("answered", answered, asked, len(pairs), why="" if asked else "it was asked about none of these pairs"),
            *_agreement(pairs, ground, near)]


def other_preferences(judge: Judged, labels: Labels) -> Sequence[Disagreement]:
    found = []
    for key in labels.of("preference"):
        truth, said = labels.truth(key), judge.said.get(key, ())
        if truth is not None and any(one is not None and one != truth for one in said):
            found.append(disagreement(judge.name, labels, key, said))
    return found
