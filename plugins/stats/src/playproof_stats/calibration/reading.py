"""From a run's folder and files of labels to what `calibrate` takes, and what had to be left out."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from playproof.bundle import GradingBundle
from playproof.errors import UsageError
from playproof.judging import with_opinions
from playproof.opinions import DEFAULT_SET, Line, read_lines
from playproof.run import stored
from playproof.store import Store
from playproof.trial import Done
from playproof_stats.calibration.answers import key_of, submission
from playproof_stats.calibration.known import known_lines
from playproof_stats.calibration.verifier import scores_of, verdict_lines


@frozen
class Read:
    """`judged`: a set's opinions and the run's own verdicts. `tasks`: trial -> task."""

    judged: Sequence[Line]
    labelled: Sequence[Line]
    known: Sequence[Line]
    before: Sequence[Line]
    tasks: Mapping[str, str]
    scores: Mapping[str, Mapping[str, float]]
    notes: Sequence[str]


def read(run: Path, files: Sequence[Path], opinions: str, against: str | None, known: bool) -> Read:
    """Everything that a calibration of a run needs. Raises UsageError: no run, a set that is not there, labels that cannot be read or
    that are all of another run."""
    store = Store(run, reading=True)
    done, notes = stored(store), list[str]()
    own = _set(store, opinions, done, notes, needed=opinions != DEFAULT_SET)
    before = _set(store, against, done, notes, needed=True) if against else ()
    ruled = with_opinions(done, store, opinions)
    home = _Home(store, {one.trial.id: one for one in done})
    labelled = [line for file in files for line in _labels(file, home, notes)]
    sure = list(known_lines(ruled, notes)) if known else []
    if known and not sure:
        notes.append("known answers: this run has none; they come with the subjects reference, accepted and broken")
    tasks = {submission(one.trial.id)[0]: one.trial.task.id for one in done}
    return Read([*own, *verdict_lines(ruled)], labelled, sure, before, tasks, scores_of(ruled), notes)


def _set(store: Store, name: str, done: Sequence[Done], notes: list[str], needed: bool) -> Sequence[Line]:
    """What a set says of the gradings that stand; what it says of earlier ones is told."""
    place = store.opinions(name)
    if not place.is_file():
        there = sorted(one.stem for one in place.parent.glob("*.jsonl"))
        if needed:
            raise UsageError(f"{store.folder}: no set of opinions named {name!r}; there are: {', '.join(there) or 'none'}")
        notes.append(f"this run has no opinions of judges ({place.name}), so its own verdicts are calibrated alone")
        return ()
    trials = {one.trial.id for one in done}
    standing = {one.grading["id"] for one in done if one.grading and "id" in one.grading}
    lines = store.opinion_lines(name)
    kept = [line for line in lines if _places(line) and trials.issuperset(line.trials.values())
            and (not line.grading or standing.issuperset(line.grading.split(",")))]
    if left := len(lines) - len(kept):
        notes.append(f"{place.name}: {left} {'opinion is' if left == 1 else 'opinions are'} on gradings that no longer stand, and left out")
    return kept


def _places(line: Line) -> bool:
    try:
        key_of(line)
    except ValueError:
        return False
    return True


@frozen
class _Home:
    """The run that labels should belong to. `trials`: id -> trial."""

    store: Store
    trials: Mapping[str, Done]

    def why_not(self, line: Line) -> str:
        """Why a label is none of this run; empty where it is."""
        if not _places(line):
            return "name no trial, or for a preference not two"
        ids = list(line.trials.values())
        if any(id not in self.trials for id in ids):
            return "are on trials that this run does not have"
        if not any(line.opinion.exhibits.values()) and not line.grading:
            return ""  # given on a device: nothing of the evidence was shown
        known = all(self._graded(id, line.grading.split(",")) or self._seen(id, line) for id in ids)
        return "" if known else "are on evidence that this run does not have"

    def _graded(self, trial: str, gradings: Iterable[str]) -> bool:
        """Whether one of the gradings is of this trial's submission, if an earlier one."""
        made = self.trials[trial].generation
        digest = made["submission"]["digest"] if made and "submission" in made else None
        found = (self.store.record("grading", id) for id in gradings if id.isalnum())
        return any(one is not None and one["inputs"].get("submission") == digest for one in found)

    def _seen(self, trial: str, line: Line) -> bool:
        grading = self.trials[trial].grading
        if not grading:
            return False
        entries = GradingBundle(self.store.bundle(grading["bundle"])).entries
        return any(id in entries for ids in line.opinion.exhibits.values() for id in ids)


def _repeated(file: Path) -> int:
    """How many lines a later line replaces."""
    ids = []
    for row in file.read_text("utf-8").split("\n"):
        with suppress(ValueError):  # a torn last line
            said = json.loads(row)
            ids.append((said["id"], said.get("grading", "")))
    return len(ids) - len(set(ids))


def _labels(file: Path, home: _Home, notes: list[str]) -> Sequence[Line]:
    """The labels of a file that are of this run. Raises UsageError where none is."""
    lines = read_lines(file)
    if not lines:
        raise UsageError(f"{file}: there are no labels in it")
    if again := _repeated(file):
        notes.append(f"{file.name}: {again} {'answer was' if again == 1 else 'answers were'} given again; of each the last counts")
    reasons = [home.why_not(line) for line in lines]
    foreign = Counter(reason for reason in reasons if reason)
    told = "; ".join(f"{count} of {len(lines)} labels {reason}" for reason, count in foreign.items())
    if all(reasons):
        raise UsageError(f"{file}: these labels have nothing in common with {home.store.folder}: {told}")
    if told:
        notes.append(f"{file.name}: {told}, and are left out")
    return [line for line, reason in zip(lines, reasons, strict=True) if not reason]
