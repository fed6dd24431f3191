"""`check_mutator` says in a sentence what a mutator does wrong, and nothing of one that does it right."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from playproof.interfaces import Services
from playproof.model import Submission
from playproof.mutation import drawn, named
from playproof.testing import ContractBroken, check_mutator, fake_submission

MACHINE = json.dumps({"start": "a", "states": {"a": {"shows": {"light": True, "level": 3}}, "b": {"shows": {"light": False}}}}, indent=1)


@pytest.fixture
def machine(tmp_path: Path) -> Submission:
    return fake_submission(tmp_path / "machine", {"machine.json": MACHINE})


def test_the_toy_mutator_keeps_its_contract(toy: Path, machine: Submission, tmp_path: Path) -> None:
    from playproof_toy.swap import Swap

    found = check_mutator(Swap, tmp_path, machine)
    assert sorted((one.line, one.before, one.after, one.within) for one in found) == [
        (6, "light: true", "light: false", "states.a.shows.light"), (7, "level: 3", "level: 4", "states.a.shows.level"),
        (12, "light: false", "light: true", "states.b.shows.light")]


def test_the_kit_says_what_a_mutator_does_wrong(toy: Path, machine: Submission, tmp_path: Path) -> None:
    from playproof_toy.swap import Swap

    def spoilt(change: object) -> type:
        class Spoilt(Swap):
            def mutants(self, submission: Submission, seed: int, limit: int) -> object:
                found = list(super().mutants(submission, seed, 100))
                return iter(change(found, seed, limit) if found else [])

        return Spoilt

    def each(**changes: object) -> object:
        return lambda found, seed, limit: [evolve(one, **changes) for one in found][:limit]

    for change, message in (
        (lambda found, seed, limit: found[:1], "makes 1 mutants"),
        (lambda found, seed, limit: found, "a limit of 2 does not give the first two"),
        (lambda found, seed, limit: ["x", *found][:limit], "yields something that is no Mutant"),
        (lambda found, seed, limit: list(reversed(found))[:limit], "the order is not that of"),
        (lambda found, seed, limit: found[: min(limit, 3 - seed)], "another seed gives other mutants"),
        (each(file="gone"), "changes a file that is not there"),
        (each(file="../workspace/machine.json"), "changes a file that is not there"),
        (each(start=5000), "are not in a file of"), (each(line=2), "says line 2"), (each(column=99), "says column 99"),
        (each(after="", before=""), "does not show a change"), (each(id=""), "ids are missing or not unique"),
        (each(kind="x"), "ids are not those"),
        (lambda found, seed, limit: drawn(named([*found, evolve(found[0], kind="x")]), seed)[:limit], "are the same change"),
    ):
        with pytest.raises(ContractBroken) as fault:
            check_mutator(spoilt(change), tmp_path, machine)
        assert message in str(fault.value)

    class Idle(Swap):
        def __init__(self, options: object, services: Services) -> None:
            pass

    with pytest.raises(ContractBroken, match="an unknown option is accepted"):
        check_mutator(Idle, tmp_path, machine)
