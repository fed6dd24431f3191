"""Opinions sorted by what they are about: what each judge answered, what each person answered, and what people say in the end."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from attrs import Factory, frozen

from playproof.canonical import digest
from playproof.opinion import Form, Opinion, Scale
from playproof.opinions import Line
from playproof_stats.agreement.preferences import majority

CONSENSUS = "consensus"
"""The name that labels bear which people settled together: they are the truth, and nobody's own."""

Said = bool | float | str
"""A verdict (holds or not), a rating, a preference (`a`, `b`, `tie`, for the first and second of the key's trials)."""


@frozen
class Key:
    """What is answered: a question about a trial, or a pair of trials in the order of their ids. Repeated gradings of a submission
    are the same trial here."""

    form: Form
    question: str
    trials: tuple[str, ...]

    @property
    def about(self) -> str:
        """The trial, or both."""
        return " | ".join(self.trials)


def in_order(keys: Iterable[Key]) -> Sequence[Key]:
    """So that the order of lines in a file decides nothing, not even the draws of a bootstrap."""
    return sorted(keys, key=lambda key: (key.form, key.question, key.trials))


def submission(trial: str) -> tuple[str, int]:
    """A trial's id without its repeat, and the repeat: `task/stack/0/r2` is repeat 2 of `task/stack/0`."""
    base, _, last = trial.rpartition("/")
    return (base, int(last[1:])) if base.count("/") > 1 and last[:1] == "r" and last[1:].isdecimal() else (trial, 0)


def key_of(line: Line) -> Key:
    """Raises ValueError for a line that names no trial."""
    opinion = line.opinion
    trials = sorted(submission(one)[0] for one in line.trials.values())
    if len(trials) != (2 if opinion.question.form == "preference" else 1):
        raise ValueError(f"an opinion of the form {opinion.question.form} names its trial, or for a preference both")
    return Key(opinion.question.form, opinion.question.id, tuple(trials))


def said_in(line: Line) -> Said | None:
    """The value, with a preference turned to the order of the key's trials; None without one or of another form than was asked."""
    value = line.opinion.value
    if value is None:
        return None
    if line.opinion.question.form == "preference":
        turned = key_of(line).trials[0] != submission(line.trials.get("a", ""))[0]
        return {"a": "b", "b": "a"}.get(value.preference or "", value.preference) if turned else value.preference
    return value.verdict if line.opinion.question.form == "verdict" else value.rating


@frozen
class Judged:
    """One judge's answers: key -> one for each time it was asked (repeated grading, vote); None where it gave none. A check that
    was asked case by case holds if it holds in every case."""

    name: str
    said: Mapping[Key, Sequence[Said | None]]
    exhibits: Mapping[Key, frozenset[str]] = Factory(dict)


def judges(lines: Iterable[Line]) -> Sequence[Judged]:
    """The judges of a set of opinions, by name; by their models, too, where one name asked several."""
    by: dict[str, dict[str, list[Line]]] = {}
    for line in lines:
        models = line.opinion.by.settings.get("models")
        version = digest(models)[:8] if models else ""
        by.setdefault(line.opinion.by.name, {}).setdefault(version, []).append(line)
    return [_judged(name if len(versions) == 1 else f"{name} #{version}", own)
            for name, versions in sorted(by.items()) for version, own in sorted(versions.items())]


def _judged(name: str, lines: Iterable[Line]) -> Judged:
    times: dict[Key, dict[tuple[int, int], dict[tuple[str, ...], Said | None]]] = {}
    exhibits: dict[Key, set[str]] = {}
    for line in lines:
        key = key_of(line)
        repeat = max(submission(trial)[1] for trial in line.trials.values())
        shown = tuple(id for ids in line.opinion.exhibits.values() for id in ids)
        times.setdefault(key, {}).setdefault((repeat, line.opinion.vote), {})[shown] = said_in(line)
        exhibits.setdefault(key, set()).update(shown)
    said = {key: [_over_cases(list(times[key][at].values())) for at in sorted(times[key])] for key in in_order(times)}
    return Judged(name, said, {key: frozenset(ids) for key, ids in exhibits.items()})


def _over_cases(values: Sequence[Said | None]) -> Said | None:
    """A verdict over its cases; of anything else there is one, and the last counts."""
    if len(values) == 1 or not all(isinstance(value, bool | None) for value in values):
        return values[-1]
    if any(value is False for value in values):
        return False
    return None if None in values or not all(value is True for value in values) else True


@frozen
class Labels:
    """`said`: key -> rater -> answer. `settled`: what people agreed on afterwards. `causes`: why opinions differ, where a label
    says so. `scales`: what the ratings were given on. `source`: people, or known answers. `notes`: what was left out."""

    source: str
    said: Mapping[Key, Mapping[str, Said]]
    settled: Mapping[Key, Said]
    causes: Mapping[Key, str]
    scales: Mapping[Key, Scale]
    notes: Sequence[str] = ()

    @property
    def raters(self) -> Sequence[str]:
        return sorted({name for said in self.said.values() for name in said})

    def truth(self, key: Key) -> Said | None:
        """What people say in the end: what they settled, else the majority, and of ratings the median. None for a split vote."""
        if key in self.settled:
            return self.settled[key]
        values = list(self.said.get(key, {}).values())
        if not values:
            return None
        if key.form == "rating":
            return float(median(float(value) for value in values))
        if key.form == "preference":
            return majority(values)  # type: ignore[arg-type] # preferences are texts of three kinds
        return None if 2 * values.count(True) == len(values) else 2 * values.count(True) > len(values)

    def of(self, form: Form) -> Sequence[Key]:
        """What has been labelled, in order."""
        return in_order({key for key in (*self.said, *self.settled) if key.form == form})


def labels(lines: Iterable[Line], source: str = "people", scales: Mapping[str, Scale] | None = None) -> Labels:
    """Labels by what they are about; of a rater's several on one question the last counts. A rating off its scale, and a value of
    another form than was asked, is left out and told. `scales`: question id -> scale, for labels that name none."""
    said: dict[Key, dict[str, Said]] = {}
    settled: dict[Key, Said] = {}
    causes: dict[Key, dict[str, str]] = {}
    used: dict[Key, Scale] = {}
    left: Counter[str] = Counter()
    for line in lines:
        key, value = key_of(line), said_in(line)
        scale = line.opinion.question.scale or (scales or {}).get(key.question)
        if value is None or (reason := _unfit(key, value, scale)):
            left["unsure" if line.opinion.value is None else "of another form than the question" if value is None else reason] += 1
            continue
        if scale:
            used[key] = scale
        name = line.opinion.by.name
        if name == CONSENSUS and line.opinion.by.kind == "person":
            settled[key] = value
        else:
            left["given again by the same rater, so that the last counts"] += name in said.get(key, {})
            said.setdefault(key, {})[name] = value
        causes.setdefault(key, {})[name] = _cause(line.opinion)
    notes = [f"{source}: {count} {'answer is' if count == 1 else 'answers are'} {reason}" for reason, count in left.items() if count]
    return Labels(source, said, settled, {key: _agreed(told) for key, told in causes.items()}, used, notes)


def _unfit(key: Key, value: Said, scale: Scale | None) -> str:
    if key.form != "rating" or scale is None or scale.low <= float(value) <= scale.high:
        return ""
    return f"outside the scale {scale.name} ({scale.low} to {scale.high}) and left out"


def _agreed(causes: Mapping[str, str]) -> str:
    """The cause that was settled, else every one that somebody named."""
    return causes.get(CONSENSUS) or "; ".join(dict.fromkeys(filter(None, causes.values())))


def _cause(opinion: Opinion) -> str:
    """`by.settings.cause`, with the label's note."""
    cause = str(opinion.by.settings.get("cause", ""))
    return f"{cause}: {opinion.message}" if cause and opinion.message else cause
