"""`calibrate`: opinions of judges and labels of people in, a Calibration out. Pure."""

from collections.abc import Mapping, Sequence

from playproof.opinion import Form
from playproof.opinions import Line
from playproof_stats.calibration.answers import Judged, Labels, judges, labels
from playproof_stats.calibration.drift import changes, drift_section, shared
from playproof_stats.calibration.ground import Ground, Scores
from playproof_stats.calibration.preferences import other_preferences, preference_sections
from playproof_stats.calibration.ratings import far_ratings, judges_section, rating_section
from playproof_stats.calibration.values import Calibration, Section, Settings
from playproof_stats.calibration.verdicts import verdict_section, wrong_verdicts


def calibrate(
    judged: Sequence[Line], labelled: Sequence[Line], tasks: Mapping[str, str], *, known: Sequence[Line] = (),
    against: tuple[str, str, Sequence[Line]] | None = None, scores: Scores | None = None, with_: Settings | None = None,
    notes: Sequence[str] = (), facts: Mapping[str, str] | None = None,
) -> Calibration:
    """What `judged` say (judges' opinions, and a run's own verdicts in the same form), against `labelled` by people and `known`
    answers. `tasks`: each trial -> its task, the clusters of every interval. `against`: the names of the set before and of this
    one, and what the set before said; drift is from there to `judged`. `scores`: trial -> score, for preferences. `notes` and
    `facts` (of which run, which set) are kept.

    A figure that these answers do not have is there without a value, and with the reason. Raises ValueError for an opinion that
    names no trial, KeyError for a trial without a task."""
    made = with_ or Settings()
    seated = judges(judged)
    scales = {line.opinion.question.id: line.opinion.question.scale for line in judged if line.opinion.question.scale}
    people, truth = labels(labelled, "people", scales), labels(known, "known answers")
    ground = Ground(people, tasks, made, scores or {})
    sections = [*_verdicts(seated, ground), *_verdicts(seated, Ground(truth, tasks, made)),
                *(rating_section(judge, ground) for judge in _answering(seated, people, "rating")), *preference_sections(seated, ground)]
    several = judges_section(seated)
    told, turned = [*notes, *people.notes, *truth.notes], []
    if against is not None:
        met = shared(judges(against[2]), [one for one in seated if one.name != VERIFIER])
        sections.append(drift_section(met, against[:2], tasks, made.resampling))
        turned = list(changes(met))
        told += _drift_notes(met.elsewhere, met.alone)
    differing = [one for judge in seated for source in (people, truth) for one in wrong_verdicts(judge, source)]
    differing += [one for judge in seated for one in (*far_ratings(judge, people), *other_preferences(judge, people))]
    return Calibration([*sections, *([several] if several else ())], differing, turned, told, people.raters,
                       facts or {}, made.resampling.seed, made.resampling.resamples)


VERIFIER = "verifier"
"""The name under which a run's own verdicts are given."""


def _answering(seated: Sequence[Judged], source: Labels, form: Form) -> Sequence[Judged | None]:
    """The judges that answered something of what is labelled; where none did, nobody, so that people's own figures are told."""
    labelled = set(source.of(form))
    found = [judge for judge in seated if labelled & set(judge.said)]
    return found or ([None] if labelled else [])


def _verdicts(seated: Sequence[Judged], ground: Ground) -> Sequence[Section]:
    return [verdict_section(judge, ground) for judge in _answering(seated, ground.labels, "verdict")
            if judge or ground.labels.source == "people"]


def _drift_notes(elsewhere: int, alone: int) -> Sequence[str]:
    notes = []
    if elsewhere:
        notes.append(f"drift: {elsewhere} questions were asked on other exhibits in the other set, and are left out")
    if alone:
        notes.append(f"drift: {alone} questions were asked in one of the sets alone, and are left out")
    return notes
