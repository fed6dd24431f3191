"""The mutant tier of `certify`: small changes to the reference, drawn, tried, and counted by what became of them."""

import difflib
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path

from attrs import Factory, frozen

from playproof.author.certificate import Equal, MutantTier, Survivor
from playproof.drivers import build
from playproof.errors import PluginError
from playproof.interfaces import Mutator, Services
from playproof.model import Ended, Ending, Equivalent, MutatorRef, Outcome, Ref, Submission, Task, Verdict
from playproof.mutation import Mutant, applied, keep
from playproof.scoring.trials import wilson
from playproof.sources import beneath, materialise, reference_digest
from playproof.submission import freeze, walk
from playproof.trial import Done, has_voids
from playproof.workspace import put

MOST = 100_000
"""Of how many mutants a sample is drawn at most, those that are marked as equivalent included."""


@frozen
class Sample:
    """The mutants to try, those beside them that the task marks by their id, and how many were passed over for each reason."""

    ref: MutatorRef
    seed: int
    mutants: Sequence[Mutant]
    equivalent: Sequence[Equal] = ()
    passed_over: Mapping[str, int] = Factory(dict)


def refuse_early(ref: MutatorRef, cache: Path) -> None:
    """Raises DriverNotFound, PluginError or TaskError for a mutator that cannot be built, before anything is spent."""
    with ExitStack() as exits:
        build("mutator", Ref(ref.driver, ref.options), Services(cache, exits))


def draw(task: Task, ref: MutatorRef, wanted: int, seed: int, cache: Path) -> Sample:
    """Draw `wanted` mutants, and keep those to try in the cache as sources. One that is marked by its id has been judged and keeps
    its place in the sample, which so stays the same; marks of another kind say what is not worth drawing, and it is passed over.

    Raises TaskError (a reference that cannot be read or made), DriverNotFound, PluginError (a mutant that does not fit)."""
    base, chosen, equal, passed_over = reference_digest(task), list[Mutant](), list[Equal](), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="playproof-") as scratch, ExitStack() as exits:
        mutator: Mutator = build("mutator", Ref(ref.driver, ref.options), Services(cache, exits))
        own, lines = _own(task, Path(scratch), cache)
        for one in mutator.mutants(own, seed, MOST):
            if len(chosen) + len(equal) == wanted:
                break
            if one.file in lines and one.line not in lines[one.file]:
                continue
            if mark := next((mark for mark in ref.equivalent if fits(mark, one)), None):
                if mark.id:
                    equal.append(Equal(one.id, mark.reason))
                else:
                    passed_over[mark.reason] += 1
                continue
            _fitting(one, own, ref.driver)
            keep(one, base, cache)
            chosen.append(one)
    return Sample(ref, seed, chosen, equal, passed_over)


def fits(mark: Equivalent, mutant: Mutant) -> bool:
    """Whether everything that a mark says is so of a mutant."""
    said = ((mark.id, mutant.id), (mark.file, mutant.file), (mark.line, mutant.line), (mark.kind, mutant.kind))
    return (
        all(wanted in (None, there) for wanted, there in said)
        and (mark.before is None or fnmatchcase(mutant.before, mark.before))
        and (not mark.within or any(f"{mutant.within}.".startswith(f"{place}.") for place in mark.within))
    )


def _fitting(mutant: Mutant, own: Submission, driver: str) -> None:
    try:
        if not mutant.script:
            applied(mutant, (own.root / mutant.file).read_bytes())
    except (OSError, ValueError) as fault:
        raise PluginError(f"the mutator {driver!r} gives a mutant that does not fit the reference: {mutant.file}: {fault}") from None


def _own(task: Task, scratch: Path, cache: Path) -> tuple[Submission, Mapping[str, Collection[int]]]:
    """What the reference itself holds; and of files that it changes and does not bring, the lines that are its own."""
    whole, given, own = scratch / "reference", scratch / "given", scratch / "own"
    materialise(task, "reference", whole, cache)
    beneath(task, "reference", given, cache)
    own.mkdir()
    lines: dict[str, Collection[int]] = {}
    for one in walk(whole):
        before = given / one.path
        if one.kind != "file":
            continue
        if before.is_file():
            if before.read_bytes() == one.place.read_bytes():
                continue
            lines[one.path] = _changed(before, one.place)
        (own / one.path).parent.mkdir(parents=True, exist_ok=True)
        put(one, own)
    return freeze(own, scratch / "frozen", [], Ending(Ended.COMPLETED), "reference"), lines


def _changed(before: Path, after: Path) -> Collection[int]:
    """The lines of `after`, from 1, that `before` has not."""
    old, new = (place.read_bytes().splitlines() for place in (before, after))
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return {line + 1 for tag, _, _, first, last in blocks if tag != "equal" for line in range(first, last)}


def weigh(sample: Sample, done: Iterable[Done]) -> MutantTier:
    """What became of each. Any failing check kills; a mutant that none kills survives only if every check could be asked."""
    fates = {(one.trial.subject.source or "").removeprefix("mutant:"): one for one in done}
    killers, survived, undecided = Counter[str](), list[Survivor](), list[str]()
    for mutant in sorted(sample.mutants, key=lambda mutant: (mutant.file, mutant.start, mutant.end)):
        one = fates[mutant.id]
        if verdict := killer(one):
            killers[verdict.check] += 1
        elif one.grading is None or has_voids(one.graded):
            undecided.append(mutant.id)
        else:
            survived.append(Survivor(mutant.id, mutant.file, mutant.line, mutant.kind, mutant.before, mutant.after, mutant.within))
    killed, decided = sum(killers.values()), sum(killers.values()) + len(survived)
    low, high = wilson(killed, decided) if decided else (0.0, 1.0)
    return MutantTier(
        sample.ref.driver, sample.seed, len(sample.mutants) + len(sample.equivalent), killed, killed / decided if decided else None,
        low, high,
        survived, undecided, sample.equivalent, dict(sorted(sample.passed_over.items())), dict(sorted(killers.items())),
    )


def killer(done: Done) -> Verdict | None:
    """The verdict that shows a mutant up: a required check's, if one failed."""
    failed = [verdict for verdict in done.graded if verdict.outcome is Outcome.FAIL]
    required = {check.id for check in done.trial.survey.checks if check.required}
    return next((verdict for verdict in failed if verdict.check in required), failed[0] if failed else None)


def summary(tier: MutantTier) -> str:
    """The tier in one line, for the certificate and the terminal."""
    said = [f"{tier.killed} of {tier.killed + len(tier.survived)} killed"]
    if tier.share is not None:
        said[0] += f" ({tier.share:.0%}, 95 % interval {tier.low:.2f} to {tier.high:.2f})"
    said += [f"{len(tier.survived)} survived"] if tier.survived else []
    said += [f"{len(tier.undecided)} undecided"] if tier.undecided else []
    said += [f"{len(tier.equivalent)} equivalent"] if tier.equivalent else []
    said += [f"{sum(tier.passed_over.values())} passed over"] if tier.passed_over else []
    return "; ".join(said)
