"""One trial from task to verdicts, each phase a process of its own, and what becomes of failures that are ours."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof.canonical import plain
from playproof.errors import Interrupted
from playproof.evidence import Evidences
from playproof.model import Ended, Outcome, Reason
from playproof.run import Request, plan
from playproof.store import Store
from playproof.trial import Done, Trial, known, run

CHECKS = """
@check("lights", title="lights")
def lights(lamp):
    lamp.press("switch")
    lamp.expect(lamp.state()["light"], "light").is_true()
"""

MACHINE = '{"start": "dark", "states": {"dark": {"shows": {"light": false}, "on": {"switch": "lit"}}, "lit": {"shows": {"light": true}}}}'


def planned(root: Path, cache: Path, *subjects: str, **more: Any) -> Trial:
    return plan(Request([root], subjects, cache, workers=1, sandbox="process", **more)).trials[0]


def harness(script: str) -> dict[str, Any]:
    """A command harness that runs Python."""
    return {"options": {"argv": [sys.executable, "-c", script]}}


def carry_out(trial: Trial, store: Store) -> tuple[Done, list[str]]:
    told: list[str] = []
    return run(trial, store, lambda moment, facts: told.append(moment)), told


def test_a_reference_end_to_end(small: Callable[..., Path], cache: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "run")
    trial = planned(small(CHECKS), cache, "reference")
    done, told = carry_out(trial, store)
    assert [(one.check, one.outcome) for one in done.verdicts] == [("lights", Outcome.PASS)]
    assert told == ["verdict_begins", "verdict_ends"] and done.ending.ended is Ended.COMPLETED
    assert done.generation and done.grading and not list((tmp_path / "run" / "work").iterdir())
    again, told = carry_out(trial, store)
    assert (again.generation, again.grading, told) == (done.generation, done.grading, [])
    assert known(trial, store) == done
    assert [len(store.tries(id)) for id in (trial.generation_id, trial.grading_id(done.generation["submission"]["digest"]))] == [1, 1]


def test_a_grading_bundle_holds_what_its_verdicts_cite(small: Callable[..., Path], cache: Path, tmp_path: Path) -> None:
    from playproof.bundle import GradingBundle

    store = Store(tmp_path / "run")
    done, _ = carry_out(planned(small(CHECKS), cache, "reference"), store)
    assert done.grading is not None
    bundle = GradingBundle(store.bundle(done.grading["bundle"]))
    cited = [bundle.entries[id] for verdict in done.verdicts for id in verdict.cites]
    assert [one.kind for one in cited] == ["toy.state/1", "toy.history/1"], "what the pass rests on, then what to look at"
    assert [list(unit.checks) for unit in bundle.units] == [[], ["lights"]]
    assert isinstance(Evidences(list(bundle.entries.values()), tmp_path).of("toy.state/1")[0].value, Mapping)


def test_a_command_harness_makes_a_submission(small: Callable[..., Path], cache: Path, tmp_path: Path) -> None:
    script = f"import sys; assert 'Deliver machine.json' in sys.stdin.read(); open('machine.json', 'w').write({MACHINE!r})"
    script += "; print('\\x1b[1mdone')"
    done, _ = carry_out(planned(small(CHECKS), cache, "command", **harness(script)), Store(tmp_path / "run"))
    assert done.ending.ended is Ended.COMPLETED and done.ending.message == "\x1b[1mdone" and done.ending.exit_code == 0
    assert [one.outcome for one in done.verdicts] == [Outcome.PASS]


@pytest.mark.parametrize(("script", "ended", "reason"), [
    ("raise SystemExit(3)", Ended.FAILED, Reason.UNDELIVERED),
    ("import time; time.sleep(60)", Ended.WALL, Reason.UNDELIVERED),
    (f"open('machine.json', 'w').write({MACHINE!r}); import time; time.sleep(60)", Ended.WALL, Reason.OK),
    ("import os; os.symlink('/etc/passwd', 'machine.json')", Ended.COMPLETED, Reason.UNDELIVERED),
    ("import os; os.mkfifo('machine.json')", Ended.COMPLETED, Reason.UNDELIVERED),
], ids=["fails", "takes too long", "takes too long but delivers", "delivers a link", "delivers a FIFO"])
def test_how_generation_ends_is_apart_from_the_score(
    small: Callable[..., Path], cache: Path, tmp_path: Path, script: str, ended: Ended, reason: Reason,
) -> None:
    root = small(CHECKS)
    (root / "task.toml").write_text((root / "task.toml").read_text().replace("[runtime]", "[budget]\nwall_s = 5\n[runtime]"))
    done, _ = carry_out(planned(root, cache, "command", **harness(script)), Store(tmp_path / "run"))
    assert (done.ending.ended, [one.reason for one in done.verdicts]) == (ended, [reason])


def test_a_phase_that_fails_for_our_reasons_leaves_no_record_and_can_be_tried_again(
    small: Callable[..., Path], cache: Path, tmp_path: Path,
) -> None:
    root, store = small(CHECKS), Store(tmp_path / "run")
    trial = planned(root, cache, "reference")
    hidden = (root / "brief").rename(root / "hidden")
    done, _ = carry_out(trial, store)
    assert done.generation is None and done.result().void and "brief" in done.trouble
    assert [("trouble" in one, "closed" in one) for one in store.tries(trial.generation_id)] == [(True, True)] * 2
    hidden.rename(root / "brief")
    done, _ = carry_out(trial, store)
    assert [one.outcome for one in done.verdicts] == [Outcome.PASS] and len(store.tries(trial.generation_id)) == 3


def test_a_void_grading_is_no_record_but_its_verdicts_are_known(small: Callable[..., Path], cache: Path, tmp_path: Path) -> None:
    store, root = Store(tmp_path / "run"), small(CHECKS + '\n@check("mine", title="x")\ndef mine(lamp):\n    1 / 0\n')
    trial = planned(root, cache, "reference")
    done, _ = carry_out(trial, store)
    assert {one.check: one.reason for one in done.verdicts} == {"lights": Reason.OK, "mine": Reason.CONTROL_FAILED}
    assert not list((tmp_path / "run" / "records" / "grading").iterdir())
    assert plain(known(trial, store).verdicts) == plain(done.verdicts)


def test_a_phase_ends_when_it_is_told_to_stop(small: Callable[..., Path], cache: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "run")
    trial = planned(small(CHECKS), cache, "command", **harness("import time; time.sleep(60)"))
    asked = iter([False] * 4)
    with pytest.raises(Interrupted):
        run(trial, store, lambda moment, facts: None, lambda: next(asked, True))
    assert ["closed" in one for one in store.tries(trial.generation_id)] == [False]
    assert store.record("generation", trial.generation_id) is None


def test_the_job_of_a_phase_is_plain_json(small: Callable[..., Path], cache: Path) -> None:
    trial = planned(small(CHECKS), cache, "reference")
    from playproof.canonical import structure

    assert structure(json.loads(json.dumps(plain(trial))), Trial) == trial
