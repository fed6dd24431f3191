"""`check_mutator`: where a mutator breaks its contract, in a sentence."""

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from playproof.errors import TaskError
from playproof.interfaces import Mutator, Services
from playproof.model import Options, Submission
from playproof.mutation import Mutant, applied, drawn, named
from playproof.testing.contracts import Factory, _need, _refuses_unknown
from playproof.testing.fakes import fake_submission

MANY = 10_000


def check_mutator(factory: Factory, folder: Path, submission: Submission, *, options: Options | None = None) -> Sequence[Mutant]:
    """A mutator with a submission of which it makes two mutants at least; `folder` is a place to work in. Returns the mutants.

    Raises ContractBroken: options, a mutant that does not fit the file that it names or changes nothing, the same change twice,
    ids, places, the order that a seed gives, a limit, and what it makes of nothing."""
    with ExitStack() as exits:
        services = Services(folder / "cache", exits)
        _refuses_unknown(factory, options or {}, services)
        mutator: Mutator = factory(options or {}, services)
        found = list(mutator.mutants(submission, 0, MANY))
        _need(all(isinstance(one, Mutant) for one in found), "mutants yields something that is no Mutant")
        _need(len(found) >= 2, f"it makes {len(found)} mutants of a submission that two at least were hoped for from")
        for one in found:
            _fits(one, submission)
        _distinct(found, submission)
        _ordered(factory(options or {}, services), submission, found)
        empty = fake_submission(folder / "fake-empty")
        with suppress(TaskError):
            _need(not list(mutator.mutants(empty, 0, MANY)), "it makes mutants of an empty submission")
    return found


def _fits(one: Mutant, submission: Submission) -> None:
    where = f"the mutant {one.id!r} ({one.file}:{one.line}, {one.kind})"
    place = submission.root / one.file
    _need(place.is_file() and place.resolve().is_relative_to(submission.root.resolve()), f"{where} changes a file that is not there")
    _need(one.kind and one.before and one.before != one.after, f"{where} does not show a change: {one.before!r} to {one.after!r}")
    if one.script:  # which a runtime runs: bytes and places say nothing of it
        return
    content = place.read_bytes()
    try:
        applied(one, content)
    except ValueError as fault:
        _need(False, f"{where}: {fault}")
    above = content[: one.start]
    line = above.count(b"\n") + 1
    _need(one.line == line, f"{where} says line {one.line}; byte {one.start} is in line {line}")
    column = len(above[above.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    _need(one.column == column, f"{where} says column {one.column}; byte {one.start} is in column {column}, counted in characters")


def _distinct(found: Sequence[Mutant], submission: Submission) -> None:
    _need(all(one.id for one in found) and len({one.id for one in found}) == len(found), "ids are missing or not unique")
    made: dict[tuple[str, bytes], Mutant] = {}
    for one in found:
        change = one.script.encode() or applied(one, (submission.root / one.file).read_bytes())
        twin = made.setdefault((one.file, change), one)
        _need(twin is one, f"the mutants {twin.id!r} and {one.id!r} of {one.file}:{one.line} are the same change")
    again = {one.id: one for one in named(sorted(found, key=lambda one: (one.file, one.start, one.end)))}
    _need(all(again.get(one.id) == one for one in found),
          "ids are not those that playproof.mutation.named gives to the mutants in the order of the files")


def _ordered(mutator: Mutator, submission: Submission, found: Sequence[Mutant]) -> None:
    _need(list(mutator.mutants(submission, 0, MANY)) == list(found), "asked twice with one seed, it gives other mutants or another order")
    _need(list(mutator.mutants(submission, 0, 2)) == list(found[:2]), "a limit of 2 does not give the first two")
    _need(not list(mutator.mutants(submission, 0, 0)), "a limit of 0 gives mutants")
    _need(list(drawn(found, 0)) == list(found), "the order is not that of playproof.mutation.drawn")
    other = list(mutator.mutants(submission, 1, MANY))
    _need({one.id for one in other} == {one.id for one in found}, "another seed gives other mutants, not another order")
