"""A certificate says that checks tell good from bad; it is refused where they do not, and stale when anything changes."""

import json
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog

from playproof.author.certificate import read_certificate, standing
from playproof.author.expected import read_expected, untouched
from playproof.author.reliability import labels_of_nothing
from playproof.author.requirements import Mapped
from playproof.cli import _guarded
from playproof.cli.run import execute
from playproof.errors import TaskError
from playproof.model import Check, Outcome, Reason, Verdict
from playproof.run import Request, plan
from playproof.taskfile import read_task

from .conftest import LAMP, MakeTask

Certify = Callable[..., tuple[int, str]]


@pytest.fixture
def certify(cache: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Certify:
    def run(task: Path, *more: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["playproof", "certify", str(task), "-q", "--cache", str(cache), "-j", "2", *more])
        try:
            code = int(_guarded())
        finally:
            structlog.reset_defaults()
        out, err = capfd.readouterr()
        return code, out + err

    return run


@pytest.fixture
def blinker(toy: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(toy / "blinker", tmp_path / "blinker"))


def test_a_good_task_is_certified_until_something_changes(blinker: Path, certify: Certify) -> None:
    code, said = certify(blinker, "--repeats", "2")
    assert code == 0 and "blinker: certified" in said and "mutants: " in said, said
    certificate = read_certificate(read_task(blinker))
    assert certificate is not None and certificate.holds and not certificate.surprises and not certificate.unkilled
    assert certificate.killed_by["waits"] == "broken:always" and certificate.killed_by["walks"] == "broken:never"
    assert [(one.subject, one.n, one.flips) for one in certificate.flips] == [("reference", 2, 0), ("accepted:slow-start", 2, 0)]
    assert standing(read_task(blinker)) == "certified" and certify(blinker, "--verify") == (0, "blinker: certified\n")
    for place, part in (("brief/instruction.md", "view"), ("checks/walk.toml", "held_out"), ("reference/machine.json", "submissions"),
                        ("broken/never/machine.json", "submissions")):
        before = (blinker / place).read_text()
        (blinker / place).write_text(before + "\n")
        assert standing(read_task(blinker)) == f"stale ({part} changed)"
        assert certify(blinker, "--verify")[0] == 1
        (blinker / place).write_text(before)
    assert standing(read_task(blinker)) == "certified"


JUDGED = """
[[criteria]]
id = "looks-calm"
asks = { judge = "toy.eye", question = "does it look calm?", exhibits = ["toy.state/1"] }
"""
RATED = """
[[ratings]]
scale = "playproof_toy:scales/manners-1.toml"
judge = { driver = "toy.eye" }
exhibits = ["toy.state/1"]
[scoring]"""


def test_what_only_a_judge_looks_at_is_not_made_for_a_certificate(blinker: Path, certify: Certify, cache: Path, tmp_path: Path) -> None:
    with (blinker / "checks" / "walk.toml").open("a") as rubric:
        rubric.write(JUDGED)
    (blinker / "task.toml").write_text((blinker / "task.toml").read_text().replace("[scoring]", RATED, 1))
    code, said = certify(blinker, "--repeats", "1", "--mutants", "3")
    assert code == 0 and "blinker: certified" in said, said
    assert "toy.state/1" not in _seen(cache / "certify" / "blinker")
    execute(plan(Request([blinker], ["reference"], cache)), tmp_path / "run", 1, quiet=True, verbose=False)
    assert "toy.state/1" in _seen(tmp_path / "run"), "a run keeps what a judge may be asked about later"


def _seen(run: Path) -> set[str]:
    """The kinds of evidence in a run's bundles."""
    lines = []
    for place in (run / "bundles").glob("*.zip"):
        with zipfile.ZipFile(place) as bundle:
            lines += [line for name in bundle.namelist() if name.startswith("evidence/") for line in bundle.read(name).splitlines()]
    return {json.loads(line)["kind"] for line in lines}


def test_a_brief_that_asks_for_more_than_the_checks_is_refused(blinker: Path, certify: Certify) -> None:
    brief = blinker / "brief" / "instruction.md"
    brief.write_text(brief.read_text() + "\nIt hums.\n")
    for more in ("--repeats", "1", "--mutants", "0"), ("--quick",):
        code, said = certify(blinker, *more)
        assert code == 1 and "brief: brief/instruction.md: no check asks for it" in said and said.count("It hums.") == 1, said
    with (blinker / "checks" / "walk.toml").open("a") as rubric:
        rubric.write('[[unchecked]]\nsource = "brief/instruction.md#It hums"\nreason = "nobody listens"\n')
    code, said = certify(blinker, "--repeats", "1", "--mutants", "0")
    assert code == 0 and "  brief: checks ask for 2 of its requirements, 1 are left unchecked with a reason" in said, said
    certificate = read_certificate(read_task(blinker))
    assert certificate is not None and certificate.brief == Mapped(2, 1, ())
    old = json.loads((blinker / "certificate.json").read_text())
    (blinker / "certificate.json").write_text(json.dumps({**old, "schema": 3, "brief": None}))
    assert certify(blinker, "--verify") == (1, "blinker: stale (how the brief maps to checks was not looked at)\n")


def test_a_variant_that_survives_is_refused(blinker: Path, certify: Certify) -> None:
    shutil.copy(blinker / "reference" / "machine.json", blinker / "broken" / "never" / "machine.json")
    code, said = certify(blinker, "--repeats", "1")
    assert code == 1 and "blinker: refused" in said
    assert "broken:never: walks should fail and passes" in said and "required check walks is failed by no broken variant" in said
    certificate = read_certificate(read_task(blinker))
    assert certificate is not None and not certificate.holds and list(certificate.unkilled) == ["walks"]
    assert standing(read_task(blinker)) == "refused" and certify(blinker, "--verify")[0] == 1


def test_a_check_that_is_too_narrow_a_surprise_and_a_missing_alternative(blinker: Path, certify: Certify) -> None:
    machine = json.loads((blinker / "accepted" / "slow-start" / "machine.json").read_text())
    machine["states"]["walking"]["shows"]["text"] = "go now"
    (blinker / "accepted" / "slow-start" / "machine.json").write_text(json.dumps(machine))
    (blinker / "broken" / "never" / "expected.toml").write_text('must_fail = ["walks"]\n')
    code, said = certify(blinker, "--repeats", "1")
    assert code == 1 and "accepted:slow-start: says-so fails" in said
    assert "broken:never: says-so fails and is neither in must_fail nor may_fail" in said
    shutil.rmtree(blinker / "accepted")
    code, said = certify(blinker, "--repeats", "1")
    assert code == 1 and "the task ships no accepted alternative" in said


CASES = """
@check("stays", priority="P0", title="as it was", start=["dark", "lit"])
def stays(lamp):
    before = lamp.state()["light"].value
    lamp.wait(seconds(3))
    lamp.expect(lamp.state()["light"], "light").equals(before)
"""
GOES_OUT = {**LAMP, "states": {**LAMP["states"], "lit": {"shows": {"light": True}, "after": {"seconds": 2, "to": "dark"}}}}


def test_how_reliable_verdicts_are_in_each_case(small: MakeTask, certify: Certify) -> None:
    """The light that goes out is caught where it was lit, and not where it was dark."""
    root = small(CASES, broken={"goes-out": GOES_OUT})
    shutil.copytree(root / "reference", root / "accepted" / "other")
    (root / "broken" / "goes-out" / "expected.toml").write_text('must_fail = ["stays"]\n')
    code, said = certify(root, "--repeats", "3", "--study")
    assert code == 0, said
    assert "  reliability: 18 of 21 decisions as labelled (" in said
    assert "9 of 12 faults caught, 9 of 9 others spared; 0 of 14 repeated decisions flip" in said
    assert "    start=dark: 9 of 12 decisions as labelled (" in said and "3 of 6 faults caught" in said
    certificate = read_certificate(read_task(root))
    assert certificate is not None
    rows = {one.where: (one.caught.right, one.caught.n, one.spared.n, one.steady.n) for one in certificate.reliability}
    assert set(rows) == {"all", "start=dark", "start=lit"} and rows["start=lit"][0] == rows["start=lit"][1]


CHECKS = [Check("walks", "rubric", "x"), Check("waits", "rubric", "x")]


@pytest.mark.parametrize(("text", "message"), [
    (None, "missing; it says what this variant must fail"), ("must_fail = []", "must_fail is empty"),
    ("all = 1", "expected bool, not int @ $.all"), ('must_fail = "walks"', "expected a list, not str @ $.must_fail"),
    ('must_fail = ["lost"]', "no check named 'lost'; there are: waits, walks"),
    ('must_fail = ["walks"]\n[[may_fail]]\ncheck = "waits"', "missing key 'reason' @ $.may_fail[0].reason"),
    ('must_fail = ["walks"]\nmay = 1', "unknown key 'may' @ $"), ("must_fail = [", "expected.toml: "),
])
def test_what_a_variant_promises_is_read_strictly(blinker: Path, text: str | None, message: str) -> None:
    place = blinker / "broken" / "never" / "expected.toml"
    place.unlink() if text is None else place.write_text(text)
    with pytest.raises(TaskError, match=r"broken/never/expected\.toml: ") as fault:
        read_expected(read_task(blinker), "never", CHECKS)
    assert message in str(fault.value)


@pytest.mark.heavy
def test_the_night_lamp_is_certified(lamp: Path, certify: Certify) -> None:
    code, said = certify(lamp, "--repeats", "2")
    assert code == 0, said


@pytest.mark.parametrize(("passing", "wanted"), [
    ("", ["old is to pass before the work, and fails"]), ("old", []), ("old still", []),
    ("old still new", ["all that is required passes without any work"]),
])
def test_a_workspace_that_works_in_part_may_pass_what_worked(passing: str, wanted: list[str]) -> None:
    """Where tests are to pass before the work and after it; elsewhere nothing that is required passes without work."""
    checks = [Check("old", "command", "t", category="pass-to-pass"), Check("still", "python", "t"), Check("new", "python", "t")]
    told = {one.id: Outcome.PASS if one.id in passing.split() else Outcome.FAIL for one in checks}
    verdicts = {id: Verdict(id, "default", outcome, Reason.FAIL) for id, outcome in told.items()}
    assert untouched(checks, verdicts) == wanted
    assert labels_of_nothing(checks) == {"old": False} and labels_of_nothing(checks[1:]) == {"still": True, "new": True}
    assert untouched(checks[1:], verdicts) == [f"{id} passes an empty submission" for id in passing.split() if id != "old"]
