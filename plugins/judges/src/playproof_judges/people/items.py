"""What there is to label in a run: requirements, ratings and pairs, in an order of each rater's own."""

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import combinations

from attrs import evolve, frozen

from playproof.errors import UsageError
from playproof.model import Check, Reason, Task
from playproof.opinion import Form, Question, Scale, check_question, rating_question
from playproof.scales import scale
from playproof.trial import Done

FORMS: Sequence[Form] = ("verdict", "rating", "preference")
PREFERENCE = "Which of the two does better what the brief asks for?"


@frozen
class Group:
    """Evidence that belongs together: what one case of a check cites. `case` is empty where there is but one."""

    case: str
    cites: Sequence[str]


@frozen
class Side:
    """One trial as it is shown. Without `groups` that is everything of `kinds`, or its pictures and films when that is empty, too."""

    done: Done
    groups: Sequence[Group] = ()
    kinds: Sequence[str] = ()


@frozen
class Item:
    """What is labelled on one screen: one question, or for a rating one for each item of the scale. `sides` has the key
    "submission", or "a" and "b" in the order in which this rater sees them; `check` belongs to a verdict."""

    form: Form
    title: str
    questions: Sequence[Question]
    sides: Mapping[str, Side]
    check: Check | None = None

    @property
    def task(self) -> Task:
        return next(iter(self.sides.values())).done.trial.task

    @property
    def heading(self) -> str:
        """What a rater reads first: the requirement, or what is compared."""
        return self.questions[0].text if self.form == "preference" else self.title

    @property
    def text(self) -> str:
        """What the question says beyond its heading."""
        return self.questions[0].text if self.form == "verdict" and self.questions[0].text != self.title else ""

    @property
    def scale(self) -> Scale | None:
        return self.questions[0].scale

    @property
    def trials(self) -> Mapping[str, str]:
        return {key: side.done.trial.id for key, side in self.sides.items()}

    @property
    def key(self) -> str:
        """Names what is labelled, whoever does it and on whichever side a trial stands."""
        return " | ".join([self.form, self.questions[0].id, *sorted(self.trials.values())])


def items(done: Sequence[Done], form: Form, scale_name: str | None = None, only: Sequence[str] = ()) -> Sequence[Item]:
    """Everything of one form that a run has to label. `only` keeps what a text or glob matches: TRIAL/CHECK for verdicts, else
    TRIAL. Raises UsageError where nothing is left, and where no scale or more than one could be meant."""
    graded = [one for one in done if one.trial.repeat == 0 and any(verdict.cites for verdict in one.graded)]
    if not graded:
        raise UsageError("nothing to rate: no trial of this run has evidence; grade it first, with `playproof run`")
    if form == "verdict":
        found = list(_verdicts(graded))
    elif form == "rating":
        found = list(_ratings(graded, scale_name or _the_scale(graded)))
    else:
        found = list(_pairs(graded))
        if not found:
            raise UsageError("nothing to compare: no task of this run has graded trials of two stacks")
    kept = [one for one in found if not only or any(_matches(name, pattern) for name in _names(one) for pattern in only)]
    if not kept:
        raise UsageError(f"nothing to rate: --only {' --only '.join(only)} matches none of {len(found)}, such as {_names(found[0])[0]}")
    return kept


def shuffled(found: Sequence[Item], seed: int, rater: str) -> Sequence[Item]:
    """The order in which a rater meets them: tasks at random, in a task one question after the other for all its submissions
    (so that one requirement is judged alike, and no submission is remembered as good or bad), these at random. The sides of a
    pair change at random, too."""
    chance = random.Random(int.from_bytes(hashlib.sha256(f"{seed}\0{rater}".encode()).digest()[:8]))
    tasks: dict[str, dict[str, list[Item]]] = {}
    for one in sorted(found, key=lambda one: one.key):
        tasks.setdefault(one.task.id, {}).setdefault(one.questions[0].id, []).append(_turned(one, chance))
    order = []
    for task in chance.sample(sorted(tasks), len(tasks)):
        for question in chance.sample(sorted(tasks[task]), len(tasks[task])):
            own = tasks[task][question]
            order += chance.sample(own, len(own))
    return order


def _turned(one: Item, chance: random.Random) -> Item:
    if one.form != "preference" or chance.random() < 0.5:
        return one
    return evolve(one, sides={"a": one.sides["b"], "b": one.sides["a"]})


def requirement(done: Done, check: Check) -> Item:
    """Whether one check holds in one trial, shown by what its verdicts cite."""
    cases = [one for one in done.graded if one.check == check.id]
    groups = [Group(one.case if len(cases) > 1 else "", one.cites) for one in cases if one.cites]
    title = check.title or check.id
    question = Question(check_question(done.trial.task.id, check.id), check.asks.text if check.asks else title)
    return Item("verdict", title, [question], {"submission": Side(done, groups)}, check)


def _verdicts(graded: Sequence[Done]) -> Iterator[Item]:
    for done in graded:
        judged = {one.check for one in done.graded}
        if not any(one.reason is Reason.UNDELIVERED for one in done.graded):
            yield from (requirement(done, check) for check in done.trial.survey.checks if check.id in judged)


def _ratings(graded: Sequence[Done], name: str) -> Iterator[Item]:
    known = scale(name)
    for done in graded:
        task = done.trial.task
        kinds = next((ref.exhibits for ref in task.ratings if ref.scale == name), ())
        questions = [Question(rating_question(task.id, known.name, one.id), one.text, "rating", known, one.id) for one in known.items]
        yield Item("rating", task.title, questions, {"submission": Side(done, kinds=kinds)})


def _the_scale(graded: Iterable[Done]) -> str:
    named = list(dict.fromkeys(ref.scale for done in graded for ref in done.trial.task.ratings))
    if len(named) != 1:
        wanted = "several: choose one with --scale" if named else "none: name one with --scale PACKAGE:PATH.toml"
        raise UsageError(f"the tasks of this run rate on {wanted}{'; there are ' + ', '.join(named) if named else ''}")
    return named[0]


def _pairs(graded: Sequence[Done]) -> Iterator[Item]:
    """Each two stacks that did the same task, sample by sample."""
    same: dict[tuple[str, int], list[Done]] = {}
    for done in graded:
        same.setdefault((done.trial.task.id, done.trial.sample), []).append(done)
    for (task, _), several in same.items():
        for a, b in combinations(several, 2):
            if a.trial.subject.label != b.trial.subject.label:
                kinds = list(dict.fromkeys(kind for ref in a.trial.task.ratings for kind in ref.exhibits))
                yield Item("preference", a.trial.task.title, [Question(task, PREFERENCE, "preference")],
                           {"a": Side(a, kinds=kinds), "b": Side(b, kinds=kinds)})


def _names(one: Item) -> Sequence[str]:
    return [f"{trial}/{one.check.id}" if one.check else trial for trial in one.trials.values()]


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) if set("*?[") & set(pattern) else pattern in name
