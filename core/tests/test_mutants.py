"""The mutant tier of certify: what is drawn, what kills, what survives, what is marked, and that nothing is paid twice."""

import json
import shutil
from pathlib import Path

import pytest
from attrs import evolve

from playproof.author.certificate import FILE, Equal, read_certificate, standing
from playproof.author.mutants import draw, fits, summary, weigh
from playproof.author.order import Order
from playproof.canonical import plain
from playproof.errors import DriverNotFound, PluginError, TaskError
from playproof.model import Check, Equivalent, MutatorRef, Outcome, Reason, Verdict
from playproof.mutation import Mutant
from playproof.run import Request, plan
from playproof.taskfile import read_task
from playproof.trial import Done

from .conftest import MakeTask, Run
from .test_certify import Certify, blinker, certify  # noqa: F401 - fixtures

LIT = ('@check("lit", priority="P1", title="x")\ndef lit(lamp):\n    lamp.press("switch")\n'
       '    lamp.expect(lamp.state()["light"], "x").is_true()\n')
DARK = '@check("dark", priority="P0", title="x")\ndef dark(lamp):\n    lamp.expect(lamp.state()["light"], "x").is_false()\n'
BROKEN = {"always": {"start": "dark", "states": {"dark": {"shows": {"light": True, "level": 1}, "on": {"switch": "off"}},
                                                  "off": {"shows": {"light": False, "level": 1}}}}}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared") / "cache"


@pytest.fixture
def cache(shared: Path) -> Path:
    """One for all tests here: what was graded for one is not graded again for another."""
    return shared


@pytest.fixture
def lamps(small: MakeTask) -> Path:
    """A task with two checks and a reference of four values: two that the checks look at, and two levels that none does."""
    root = small(DARK + LIT, broken=BROKEN)
    (root / "task.toml").write_text((root / "task.toml").read_text() + '[mutants]\ndriver = "toy.swap"\n')
    (root / "broken" / "always" / "expected.toml").write_text("all = true\n")
    shutil.copytree(root / "reference", root / "accepted" / "same")
    return root


def tier(task: Path) -> dict[str, object]:
    return json.loads((task / FILE).read_text())["mutation"]


def verdict(check: str, outcome: Outcome = Outcome.PASS, reason: Reason | None = None, wall_ms: int = 0) -> Verdict:
    return Verdict(check, "default", outcome, reason or (Reason.FAIL if outcome is Outcome.FAIL else Reason.OK), wall_ms=wall_ms)


# --- the tier ---


def test_killed_and_survived_stand_in_the_certificate_and_on_the_terminal(lamps: Path, certify: Certify) -> None:  # noqa: F811
    code, said = certify(lamps, "--repeats", "1")
    assert code == 0 and "small: certified" in said, said
    assert "mutants: 2 of 4 killed (50%, 95 % interval 0.15 to 0.85); 2 survived" in said, said
    mutation = read_certificate(read_task(lamps)).mutation
    assert (mutation.mutator, mutation.seed, mutation.drawn, mutation.killed, mutation.share) == ("toy.swap", 0, 4, 2, 0.5)
    assert mutation.killers == {"dark": 1, "lit": 1} and not mutation.undecided and not mutation.equivalent
    assert [(one.line, one.kind, one.before, one.after, one.within) for one in mutation.survived] == [
        (1, "number", "level: 0", "level: 1", "states.dark.shows.level"), (1, "number", "level: 80", "level: 81", "states.lit.shows.level")]
    for one in mutation.survived:
        assert f"~ mutant:{one.id} survives: machine.json:1: number: {one.before}  ->  {one.after}" in said


def test_a_mutant_shows_that_a_required_check_can_fail(lamps: Path, certify: Certify) -> None:  # noqa: F811
    """The only broken variant here spoils both checks; take one from it, and only a mutant kills that one."""
    (lamps / "broken" / "always" / "machine.json").write_text(json.dumps(
        {"start": "dark", "states": {"dark": {"shows": {"light": True, "level": 1}, "on": {"switch": "dark"}}}}))
    (lamps / "broken" / "always" / "expected.toml").write_text('must_fail = ["dark"]\n')
    code, said = certify(lamps, "--repeats", "1")
    assert code == 0, said
    certificate = read_certificate(read_task(lamps))
    assert certificate.killed_by["dark"] == "broken:always" and certificate.killed_by["lit"].startswith("mutant:")
    assert not certificate.unkilled and certify(lamps, "--repeats", "1", "--mutants", "0")[0] == 1


def test_marked_mutants_are_passed_over_with_the_reason(lamps: Path, certify: Certify) -> None:  # noqa: F811
    mark = '[[mutants.equivalent]]\nwithin = ["states.dark.shows.level", "states.lit.shows.level"]\nreason = "levels are free"\n'
    (lamps / "task.toml").write_text((lamps / "task.toml").read_text() + mark)
    code, said = certify(lamps, "--repeats", "1")
    assert code == 0 and "2 of 2 killed" in said and "; 2 passed over" in said
    assert tier(lamps)["passed_over"] == {"levels are free": 2} and tier(lamps)["survived"] == []


def test_a_mutant_that_is_marked_by_its_id_keeps_its_place_in_the_sample(lamps: Path, cache: Path) -> None:
    """Who judges a survivor is not given another one to judge; a region that is marked is as if it were not there."""
    task = read_task(lamps)
    first, *rest = draw(task, MutatorRef("toy.swap"), 3, 0, cache).mutants
    by_id = draw(task, MutatorRef("toy.swap", equivalent=[Equivalent("judged", id=first.id)]), 3, 0, cache)
    assert (list(by_id.mutants), list(by_id.equivalent), by_id.passed_over) == (rest, [Equal(first.id, "judged")], {})
    by_place = draw(task, MutatorRef("toy.swap", equivalent=[Equivalent("free", within=[first.within])]), 3, 0, cache)
    assert list(by_place.mutants[:2]) == rest and len(by_place.mutants) == 3 and by_place.passed_over == {"free": 1}
    marked = weigh(evolve(by_id, mutants=[]), [])
    assert (marked.drawn, marked.share) == (1, None) and summary(marked) == "0 of 0 killed; 1 equivalent"


def test_what_cannot_be_decided_is_neither_killed_nor_survived(lamps: Path, cache: Path) -> None:
    """A failure of our own on the way says nothing of a mutant, unless another check has killed it all the same."""
    sample = draw(read_task(lamps), MutatorRef("toy.swap"), 4, 0, cache)
    trials = plan(Request([lamps], [f"mutant:{one.id}" for one in sample.mutants], cache, first_fail=True)).trials
    ours, theirs = verdict("lit", Outcome.VOID, Reason.INFRA), verdict("dark", Outcome.VOID, Reason.CONTROL_FAILED)
    graded = ([ours, verdict("dark")], [verdict("lit"), theirs], [ours, verdict("dark", Outcome.FAIL)], None)
    done = [Done(trial, None, None if row is None else {"verdicts": plain(row)}) for trial, row in zip(trials, graded, strict=True)]
    tier = weigh(sample, done)
    assert (tier.killed, tier.killers, list(tier.survived)) == (1, {"dark": 1}, [])
    assert set(tier.undecided) == {sample.mutants[number].id for number in (0, 1, 3)}
    assert summary(tier) == "1 of 1 killed (100%, 95 % interval 0.21 to 1.00); 3 undecided"
    assert summary(weigh(evolve(sample, mutants=[]), [])) == "0 of 0 killed"


@pytest.mark.parametrize(("spoil", "why"), [
    ("none", "the task names no mutator"), ("zero", "not asked for"), ("broken", "not tried, because the rest does not hold"),
])
def test_why_there_are_no_mutants(lamps: Path, certify: Certify, spoil: str, why: str) -> None:  # noqa: F811
    if spoil == "none":
        (lamps / "task.toml").write_text((lamps / "task.toml").read_text().split("[mutants]")[0])
    if spoil == "broken":
        shutil.copytree(lamps / "reference", lamps / "broken" / "always", dirs_exist_ok=True)
    said = certify(lamps, "--repeats", "1", *(["--mutants", "0"] if spoil == "zero" else []))[1]
    certificate = read_certificate(read_task(lamps))
    assert f"mutants: {why}" in said and certificate.mutants == why and certificate.mutation is None
    assert "mutants" not in certificate.proved


def test_a_second_certification_plays_nothing_and_more_mutants_play_only_the_new(
        lamps: Path, certify: Certify, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    def tries() -> set[str]:
        return {one.as_posix() for one in (tmp_path / "out" / "small" / "tries").rglob("*.json")}

    def tried(number: int) -> int:
        assert certify(lamps, "--repeats", "1", "--out", str(tmp_path / "out"), "--mutants", str(number))[0] == 0
        return int(tier(lamps)["drawn"])

    certify(lamps, "--repeats", "1")
    shutil.copytree(cache / "certify" / "small", tmp_path / "out" / "small")
    for place in (tmp_path / "out" / "small" / "records").rglob("*.json"):
        if "/mutant:" in json.loads(place.read_text())["trial"]:
            place.unlink()
    assert tried(1) == 1
    before = tries()
    assert tried(1) == 1 and tries() == before
    assert tried(2) == 2 and len(tries() - before) == 2, "one generation and one grading of the mutant that is new"


def test_a_survivor_can_be_looked_at(lamps: Path, certify: Certify, playproof: Run, cache: Path) -> None:  # noqa: F811
    certify(lamps, "--repeats", "1")
    survived = tier(lamps)["survived"][0]["id"]
    said = playproof("check", lamps, "--variant", f"mutant:{survived}", "-q")
    assert said.code == 1 and f"mutant:{survived}: 2 of 2 checks hold" in said.out and "survives: no check tells it apart" in said.out
    assert playproof("check", lamps, "--variant", "mutant:0123456789ab", "-q").code == 2


# --- what a certificate says of them ---


def test_marks_are_part_of_what_a_certificate_with_mutants_says_and_of_no_grading(lamps: Path, certify: Certify) -> None:  # noqa: F811
    certify(lamps, "--repeats", "1")
    assert standing(read_task(lamps)) == "certified" and json.loads((lamps / FILE).read_text())["schema"] == 4
    text = (lamps / "task.toml").read_text()
    (lamps / "task.toml").write_text(text + '[[mutants.equivalent]]\nkind = "number"\nreason = "levels are free"\n')
    assert standing(read_task(lamps)) == "stale (mutants changed)"
    certify(lamps, "--repeats", "1", "--mutants", "0")
    assert standing(read_task(lamps)) == "certified"
    (lamps / "task.toml").write_text(text)
    assert standing(read_task(lamps)) == "certified", "a certificate that tried none says nothing of them"


def test_an_old_certificate_stands_and_a_later_one_is_refused(lamps: Path, certify: Certify) -> None:  # noqa: F811
    certify(lamps, "--repeats", "1", "--mutants", "0")
    facts = json.loads((lamps / FILE).read_text())
    known = {name: value for name, value in facts.items() if name not in ("schema", "mutation", "reliability", "brief")}
    old = known | {"mutants": "none installed"}
    (lamps / FILE).write_text(json.dumps(old))
    assert standing(read_task(lamps)) == "certified" and read_certificate(read_task(lamps)).schema == 1
    (lamps / FILE).write_text(json.dumps({**facts, "schema": 5, "unheard_of": 1}))
    with pytest.raises(TaskError, match=r"certificate\.json: schema is 5, this Playproof reads 1 to 4"):
        read_certificate(read_task(lamps))


@pytest.mark.parametrize(("text", "message"), [
    ("[[mutants.equivalent]]\nreason = 'x'", "says of no mutant that it is equivalent"),
    ("[[mutants.equivalent]]\nid = 'x'", "missing key 'reason' @ $.mutants.equivalent[0].reason"),
    ("[[mutants.equivalent]]\nid = 'x'\nreason = ''", "reason"),
    ("[[mutants.equivalent]]\nid = 'x'\nreason = 'y'\nlines = 3", "unknown key 'lines' @ $.mutants.equivalent[0]"),
    ("files = ['x']", "unknown key 'files' @ $.mutants"),
])
def test_marks_are_read_strictly(lamps: Path, text: str, message: str) -> None:
    (lamps / "task.toml").write_text((lamps / "task.toml").read_text() + text)
    with pytest.raises(TaskError, match=r"task\.toml: ") as fault:
        read_task(lamps)
    assert message in str(fault.value)


# --- drawing ---


def test_only_what_is_the_references_own_is_changed(lamps: Path, cache: Path) -> None:
    """A file that was given is left alone; of one that was given and changed, the changed lines alone are tried."""
    (lamps / "starter").mkdir()
    reference = json.loads((lamps / "reference" / "machine.json").read_text())
    (lamps / "reference" / "machine.json").write_text(json.dumps(reference, indent=1))
    given = json.dumps(reference, indent=1).replace("80", "70")
    (lamps / "starter" / "machine.json").write_text(given)
    task = read_task(lamps)
    assert [one.before for one in draw(task, MutatorRef("toy.swap"), 40, 0, cache).mutants] == ["level: 80"]
    (lamps / "starter" / "machine.json").write_text(given.replace("70", "80"))
    assert not draw(task, MutatorRef("toy.swap"), 40, 0, cache).mutants


def test_what_is_wrong_with_the_reference_or_the_mutator_is_said(lamps: Path, cache: Path, certify: Certify) -> None:  # noqa: F811
    with pytest.raises(DriverNotFound, match=r"no mutator named 'toy\.shuffle'; installed: .*toy\.swap"):
        draw(read_task(lamps), MutatorRef("toy.shuffle"), 40, 0, cache)
    with pytest.raises(TaskError, match=r"unknown key 'often' @ \$"):
        draw(read_task(lamps), MutatorRef("toy.swap", {"often": 1}), 40, 0, cache)
    (lamps / "reference" / "machine.json").write_text('{"start": "x", "states": {}}')
    with pytest.raises(TaskError, match=r"the reference cannot be read: machine\.json: there is no state 'x'"):
        draw(read_task(lamps), MutatorRef("toy.swap"), 40, 0, cache)


def test_a_mutator_that_cannot_be_built_is_refused_before_anything_is_played(lamps: Path, certify: Certify, tmp_path: Path) -> None:  # noqa: F811
    (lamps / "task.toml").write_text((lamps / "task.toml").read_text().replace("toy.swap", "toy.shuffle"))
    code, said = certify(lamps, "--out", str(tmp_path / "out"))
    assert code == 2 and "no mutator named 'toy.shuffle'" in said and not list((tmp_path / "out").rglob("*.json"))


def test_a_mutant_that_does_not_fit_is_the_plugins_fault(lamps: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from playproof_toy.swap import Swap

    lost = Mutant("gone.json", 1, 1, "x", "a", "b", 0, 1, "b", id="lost")
    monkeypatch.setattr(Swap, "mutants", lambda *_: iter([lost]))
    with pytest.raises(PluginError, match=r"the mutator 'toy\.swap' gives a mutant that does not fit the reference: gone\.json"):
        draw(read_task(lamps), MutatorRef("toy.swap"), 40, 0, cache)


@pytest.mark.parametrize(("mark", "fit"), [
    ({"id": "abc"}, True), ({"id": "abd"}, False), ({"file": "a.js", "line": 3, "kind": "number"}, True),
    ({"file": "a.js", "line": 4, "kind": "number"}, False), ({"file": "b.js"}, False), ({"kind": "string"}, False),
    ({"before": "tone(*"}, True), ({"before": "tone"}, False), ({"within": ["house"]}, True), ({"within": ["house.door"]}, True),
    ({"within": ["hou"]}, False), ({"within": ["door"]}, False), ({"within": ["garden", "house"]}, True),
    ({"within": ["house"], "kind": "string"}, False),
])
def test_everything_that_a_mark_says_must_fit(mark: dict[str, object], fit: bool) -> None:
    one = Mutant("a.js", 3, 1, "number", "tone(1)", "tone(2)", 0, 1, "2", "house.door", "abc")
    assert fits(Equivalent("because", **mark), one) is fit


# --- the order of checks ---


class Graded:
    def __init__(self, *graded: Verdict) -> None:
        self.graded = graded


def test_what_kills_for_little_is_asked_first() -> None:
    checks = [Check("slow", "python", "x"), Check("quick", "python", "x"), Check("nice", "python", "x", required=False)]
    times = Graded(verdict("slow", wall_ms=4000), verdict("quick", wall_ms=400), verdict("nice", wall_ms=1))
    order = Order(checks, [times], [], {})
    assert order.ranked() == ["quick", "slow", "nice"]
    for _ in range(40):
        order.verdict_ends("t", verdict("quick"))
        order.verdict_ends("t", verdict("slow", Outcome.FAIL))
    assert order.ranked() == ["slow", "quick", "nice"]
    assert Order(checks, [times], [], {"slow": 30}).ranked()[0] == "slow"
    assert Order(checks, [times], [Graded(*[verdict("slow", Outcome.FAIL), verdict("quick")] * 30)], {}).ranked()[0] == "slow"
    assert 60 < order.estimate_s(40, 2) < 100
