"""Whose fault it is (design, decision 6): a submission's fault is a fail, ours is void, and void must be proved by a control."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof import warden
from playproof.evidence import read
from playproof.grading import HANGS, Graded, Grader, GradingJob
from playproof.model import Ended, Ending, Outcome, Reason
from playproof.plan import survey
from playproof.submission import freeze
from playproof.taskfile import read_task

Small = Callable[..., Path]
LAMP: Mapping[str, Any] = {"start": "dark", "states": {
    "dark": {"shows": {"light": False, "level": 0}, "on": {"switch": "lit"}},
    "lit": {"shows": {"light": True, "level": 80}, "on": {"switch": "dark"}},
}}
"""As the reference of the small tasks."""


class Tried:
    """One grading and what was told of it."""

    def __init__(self, graded: Graded, told: list[tuple[str, Mapping[str, Any]]], folder: Path) -> None:
        self.graded, self.told, self.folder = graded, told, folder
        self.by_check = {one.check: one for one in graded.verdicts}
        self.rulings = {one.check: (one.outcome.value, one.reason.value) for one in graded.verdicts}


Grade = Callable[..., Tried]


@pytest.fixture
def grade(tmp_path: Path, cache: Path) -> Grade:
    count = iter(range(99))

    def run(root: Path, machine: Mapping[str, Any] | bytes | None, **more: Any) -> Tried:
        task, number = read_task(root), next(count)
        workspace = tmp_path / f"workspace-{number}"
        workspace.mkdir()
        if machine is not None:
            (workspace / "machine.json").write_bytes(machine if isinstance(machine, bytes) else json.dumps(machine).encode())
        submission = freeze(workspace, tmp_path / f"frozen-{number}", task.deliver, Ending(Ended.COMPLETED), "test")
        folder = more.pop("folder", tmp_path / f"grading-{number}")
        told: list[tuple[str, Mapping[str, Any]]] = []
        cache.mkdir(exist_ok=True)
        job = GradingJob(root, survey(task, cache), submission, folder, cache, tmp_path / "controls", **{"workers": 1, **more})
        return Tried(Grader(job, task, lambda moment, facts: told.append((moment, facts))).grade(), told, folder)

    return run


def lamp_that(does: str, where: str = "lit") -> dict[str, Any]:
    machine: dict[str, Any] = json.loads(json.dumps(LAMP))
    machine["states"][where]["does"] = does
    return machine


def lamp_showing(shows: Any, where: str = "lit") -> dict[str, Any]:
    machine: dict[str, Any] = json.loads(json.dumps(LAMP))
    machine["states"][where]["shows"] = shows
    return machine


LIGHTS = """
@check("lights", title="lights")
def lights(lamp):
    lamp.press("switch")
    lamp.expect(lamp.state()["light"], "light").is_true()
"""

DARK = """
@check("dark", title="dark at first")
def dark(lamp):
    lamp.expect(lamp.state()["light"], "light").is_false()
"""


def test_pass_and_fail_with_the_evidence(small: Small, grade: Grade) -> None:
    done = grade(small(DARK + LIGHTS), lamp_showing({"light": False}))
    assert done.rulings == {"dark": ("pass", "OK"), "lights": ("fail", "FAIL")}
    failed = done.by_check["lights"]
    assert (failed.seen, failed.wanted, failed.message) == ("false", "true", "light is false, wanted true")
    evidence = {entry.id: entry for unit in done.graded.units for entry in read(unit.folder)}
    assert failed.cites and all(cite in evidence for cite in failed.cites)
    assert evidence[failed.cites[0]].value == {"light": False} and failed.observer == "outside"


ABUSES: list[tuple[str, Any, str]] = [
    ("missing", {}, "state.light: missing"),
    ("another type", {"light": "yes"}, "state.light: wanted a boolean, got a text"),
    ("a number", {"light": 1}, "state.light: wanted a boolean, got a number"),
    ("null", None, "state: wanted an object, got null"),
    ("NaN", {"light": float("nan")}, "state.light: wanted a boolean"),
    ("escapes", {"light": "\x1b[2J\u2028<script>\ud800"}, "state.light: wanted a boolean, got a text"),
]


@pytest.mark.parametrize(("shows", "message"), [pytest.param(shows, message, id=name) for name, shows, message in ABUSES])
def test_a_malformed_state_is_a_fail_of_the_submission(
    small: Small, grade: Grade, shows: Any, message: str,
) -> None:
    done = grade(small(LIGHTS), lamp_showing(shows))
    assert done.rulings == {"lights": ("fail", "SUBMISSION_FAULT")}
    assert done.by_check["lights"].message.startswith(message)


def test_every_verdict_is_told_once(small: Small, grade: Grade) -> None:
    done = grade(small(DARK + LIGHTS), lamp_that("raise"))
    ends = [facts["verdict"]["check"] for moment, facts in done.told if moment == "verdict_ends"]
    assert sorted(ends) == ["dark", "lights"]
    assert {facts["check"] for moment, facts in done.told if moment == "verdict_begins"} == {"dark", "lights"}


ERRS = """
@check("looks-up", title="a check with a blind spot")
def looks_up(lamp):
    lamp.press("switch")
    {"True": 1, "False": 2}[str(lamp.state()["light"])]
"""


def test_an_error_on_the_submission_alone_is_a_fail(small: Small, grade: Grade) -> None:
    done = grade(small(ERRS + DARK), lamp_showing({"light": "perhaps"}))
    assert done.rulings == {"looks-up": ("fail", "CHECK_ERROR_ON_SUBMISSION"), "dark": ("pass", "OK")}
    assert "KeyError: 'perhaps'" in done.by_check["looks-up"].message and done.by_check["looks-up"].cites


def test_an_error_on_both_is_void(small: Small, grade: Grade) -> None:
    done = grade(small('@check("mine", title="x")\ndef mine(lamp):\n    1 / 0\n' + DARK), LAMP)
    assert done.rulings == {"mine": ("void", "CONTROL_FAILED"), "dark": ("pass", "OK")}
    assert "ZeroDivisionError" in done.by_check["mine"].message


def test_a_check_that_leaves_its_process_is_void(small: Small, grade: Grade) -> None:
    done = grade(small('import sys\n@check("leaves", title="x")\ndef leaves(lamp):\n    sys.exit(0)\n' + DARK), LAMP)
    assert done.rulings == {"leaves": ("void", "CONTROL_FAILED"), "dark": ("pass", "OK")}


def test_the_reference_itself_erring_is_void_without_a_second_run(small: Small, grade: Grade) -> None:
    done = grade(small(LIGHTS + DARK), lamp_that("raise"), is_reference=True)
    assert done.rulings == {"lights": ("void", "CONTROL_FAILED"), "dark": ("pass", "OK")}
    assert not list(done.folder.glob("units/*-again"))


MISDEEDS = [("die", "CRASH"), ("lose", "CRASH"), ("hang", "HANG"), ("raise", "CHECK_ERROR_ON_SUBMISSION")]


@pytest.mark.parametrize(("misdeed", "reason"), MISDEEDS)
def test_what_recurs_is_a_fail_with_its_reason(small: Small, grade: Grade, misdeed: str, reason: str) -> None:
    done = grade(small(LIGHTS + DARK), lamp_that(misdeed))
    assert done.rulings == {"lights": ("fail", reason), "dark": ("pass", "OK")}
    assert not done.by_check["lights"].flaky and list(done.folder.glob("units/*-again"))


@pytest.mark.parametrize("misdeed", ["die_once", "raise_once"])
def test_a_second_run_that_decides_stands_and_is_marked(small: Small, grade: Grade, misdeed: str) -> None:
    done = grade(small(LIGHTS + DARK), lamp_that(misdeed))
    assert done.rulings == {"lights": ("pass", "OK"), "dark": ("pass", "OK")}
    assert done.by_check["lights"].flaky and not done.by_check["dark"].flaky


def test_the_second_run_may_also_fail(small: Small, grade: Grade) -> None:
    machine = lamp_that("raise_once")
    machine["states"]["lit"]["shows"] = {"light": False}
    done = grade(small(LIGHTS), machine)
    assert done.rulings == {"lights": ("fail", "FAIL")} and done.by_check["lights"].flaky


@pytest.mark.heavy
def test_a_worker_that_never_answers_is_ended(small: Small, grade: Grade, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playproof.workers.START_S", 8.0)
    done = grade(small(LIGHTS.replace('title="lights"', 'title="lights", timeout_s=0.1') + DARK), lamp_that("busy"))
    assert done.rulings == {"lights": ("fail", "HANG"), "dark": ("pass", "OK")}
    assert done.by_check["lights"].message == "no answer within 0.1 s"


def test_after_three_hangs_the_rest_is_stopped_early(small: Small, grade: Grade) -> None:
    checks = "".join(LIGHTS.replace("lights", f"lights{number}").replace('light"', 'light"') for number in range(6))
    done = grade(small(checks), lamp_that("hang"))
    reasons = [one.reason for one in done.graded.verdicts]
    assert reasons == [Reason.HANG] * HANGS + [Reason.STOPPED_EARLY] * 3
    assert all(one.outcome is Outcome.FAIL for one in done.graded.verdicts)


def test_hangs_that_do_not_recur_stop_nothing(small: Small, grade: Grade) -> None:
    """Three checks that hang on the reference, too, prove nothing against the submission."""
    script = "from playproof.errors import SessionHung\n"
    for number in range(4):
        script += f'@check("h{number}", title="x")\ndef h{number}(lamp):\n    raise SessionHung("mine")\n'
    done = grade(small(script + DARK), LAMP)
    assert done.rulings == {**{f"h{number}": ("void", "CONTROL_FAILED") for number in range(4)}, "dark": ("pass", "OK")}


def test_what_core_itself_observes_is_void_at_once(small: Small, grade: Grade) -> None:
    script = "from playproof.errors import InfrastructureError\n"
    script += '@check("full", title="x")\ndef full(lamp):\n    raise InfrastructureError("no room")\n'
    done = grade(small(script + DARK), LAMP)
    assert done.rulings == {"full": ("void", "INFRA"), "dark": ("pass", "OK")}
    assert done.by_check["full"].message == "no room" and not (done.folder / "control").exists()


def test_a_full_disk_is_void_and_no_fail(small: Small, grade: Grade, tiny_disk: Path) -> None:
    done = grade(small(LIGHTS), lamp_that("eat_disk"), folder=tiny_disk / "grading")
    assert done.rulings == {"lights": ("void", "INFRA")}
    assert "No space left" in done.by_check["lights"].message


@pytest.mark.parametrize(("machine", "reason"), [
    (None, "UNDELIVERED"), (b"", "UNDELIVERED"), (b"{", "LOAD_FAIL"), (b"[1]", "LOAD_FAIL"), (b'{"start": "x", "states": {}}', "LOAD_FAIL"),
    (b"[" * 100_000, "LOAD_FAIL"), (b"\xff\xfe{", "LOAD_FAIL"),
], ids=["absent", "empty", "not JSON", "no object", "no states", "bottomless", "not UTF-8"])
def test_what_does_not_load_fails_everything_at_the_cost_of_one(small: Small, grade: Grade, machine: bytes | None, reason: str) -> None:
    done = grade(small(LIGHTS + DARK), machine)
    assert done.rulings == {"lights": ("fail", reason), "dark": ("fail", reason)}
    assert played(done) == []


def played(done: Tried) -> list[str]:
    """The units that were put to a worker."""
    return [place.name for place in (done.folder / "units").glob("0*")]


@pytest.mark.parametrize(("misdeed", "reason"), MISDEEDS)
def test_what_dies_on_load_fails_everything_at_the_cost_of_one(
    small: Small, grade: Grade, misdeed: str, reason: str,
) -> None:
    done = grade(small(LIGHTS + DARK), lamp_that(misdeed, "dark"))
    assert done.rulings == {"lights": ("fail", reason), "dark": ("fail", reason)}
    assert played(done) == []


def test_a_runtime_that_errs_on_the_reference_is_void(small: Small, grade: Grade) -> None:
    done = grade(small(LIGHTS + DARK, reference=lamp_that("raise", "dark")), lamp_that("raise", "dark"))
    assert done.rulings == {"lights": ("void", "CONTROL_FAILED"), "dark": ("void", "CONTROL_FAILED")}
    assert [facts["verdict"]["check"] for moment, facts in done.told if moment == "verdict_ends"] == ["lights", "dark"]


def test_a_control_is_asked_once_and_kept(small: Small, grade: Grade) -> None:
    root = small(LIGHTS)
    first, second = grade(root, lamp_that("raise")), grade(root, lamp_that("die"))
    assert first.rulings == {"lights": ("fail", "CHECK_ERROR_ON_SUBMISSION")} and second.rulings == {"lights": ("fail", "CRASH")}
    assert [len(list(tried.folder.glob("control/*/evidence.jsonl"))) for tried in (first, second)] == [1, 0]


def test_a_mended_reference_is_asked_again(small: Small, grade: Grade) -> None:
    root = small(LIGHTS, reference=lamp_that("raise"))
    assert grade(root, lamp_that("raise")).rulings == {"lights": ("void", "CONTROL_FAILED")}
    (root / "reference" / "machine.json").write_text(json.dumps(LAMP))
    assert grade(root, lamp_that("raise")).rulings == {"lights": ("fail", "CHECK_ERROR_ON_SUBMISSION")}


def test_workers_change_nothing(lamp: Path, grade: Grade) -> None:
    def essence(tried: Tried) -> list[tuple[Any, ...]]:
        return [(one.check, one.case, one.outcome, one.reason, one.message, one.tick, one.observer) for one in tried.graded.verdicts]

    machine = (lamp / "broken" / "malformed" / "machine.json").read_bytes()
    assert essence(grade(lamp, machine, workers=3)) == essence(grade(lamp, machine, workers=1))


def test_only_some_checks_and_one_case(small: Small, grade: Grade) -> None:
    root = small(DARK + LIGHTS.replace('title="lights"', 'title="lights", start=["dark", "lit"]'))
    assert [(one.check, one.case) for one in grade(root, LAMP).graded.verdicts] == [
        ("dark", "default"), ("lights", "start=dark"), ("lights", "start=lit")]
    narrowed = grade(root, LAMP, only=["lights"], pin_case=True).graded.verdicts
    assert [(one.check, one.case) for one in narrowed] == [("lights", "start=dark")]


def test_a_start_that_a_submission_lacks_is_its_fault(small: Small, grade: Grade) -> None:
    machine = {"start": "only", "states": {"only": {"shows": {"light": False}}}}
    done = grade(small(DARK.replace('title="dark at first"', 'title="dark", start=["dark"]')), machine)
    assert done.rulings == {"dark": ("fail", "SUBMISSION_FAULT")} and done.by_check["dark"].message == "states.dark: missing"


def test_not_applicable_is_for_optional_features_alone(small: Small, grade: Grade) -> None:
    script = "from playproof.errors import NotApplicable\n"
    for id, more in (("optional", ", optional_feature=True"), ("needed", "")):
        script += f'@check("{id}", title="x"{more})\ndef {id}(lamp):\n    lamp.state()\n    raise NotApplicable("no dimmer")\n'
    assert grade(small(script), LAMP).rulings == {"optional": ("not_applicable", "OK"), "needed": ("fail", "FAIL")}


def test_what_a_script_prints_reaches_nobody_and_spoils_nothing(small: Small, grade: Grade) -> None:
    script = LIGHTS.replace("lamp.press", 'print("{\\"done\\": true}", flush=True)\n    import os; os.write(1, b"raw"); lamp.press')
    done = grade(small(script), LAMP)
    assert done.rulings == {"lights": ("pass", "OK")}
    assert "raw" in (done.folder / "workers.log").read_text()


def test_nothing_is_left_running(small: Small, grade: Grade) -> None:
    script = LIGHTS.replace("lamp.press", 'import subprocess; subprocess.Popen(["sleep", "99"], start_new_session=True); lamp.press', 1)
    before = warden.descendants([os.getpid()])
    assert grade(small(script), LAMP).rulings == {"lights": ("pass", "OK")}
    assert warden.descendants([os.getpid()]) <= before
