"""Listeners hear everything and change nothing."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import structlog

from playproof import hookspecs
from playproof.errors import PluginError
from playproof.events import Events
from playproof.hookspecs import hookimpl
from playproof.model import Outcome, Reason, Score, Verdict
from playproof.run import Request, carry_out, plan, score
from playproof.store import Store

MOMENTS = ("run_begins", "run_ends", "trial_begins", "trial_ends", "verdict_begins", "verdict_ends")


class Listener:
    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []

    @hookimpl
    def run_begins(self, run: str, trials: Sequence[str]) -> None:
        self.heard.append(("run_begins", list(trials)))

    @hookimpl
    def run_ends(self, run: str) -> None:
        self.heard.append(("run_ends", run))

    @hookimpl
    def trial_begins(self, trial: str) -> None:
        self.heard.append(("trial_begins", trial))

    @hookimpl
    def trial_ends(self, trial: str, ended: str, scores: Sequence[Score]) -> None:
        self.heard.append(("trial_ends", [one.value for one in scores]))

    @hookimpl
    def verdict_begins(self, trial: str, check: str, case: str) -> None:
        self.heard.append(("verdict_begins", check))

    @hookimpl
    def verdict_ends(self, trial: str, verdict: Verdict) -> None:
        self.heard.append(("verdict_ends", verdict.check))


class Breaking:
    """Raises at every moment."""

    @hookimpl
    def run_begins(self) -> None:
        raise RuntimeError("run")

    @hookimpl
    def trial_ends(self, scores: Sequence[Score]) -> None:
        raise KeyError("scores")

    @hookimpl
    def verdict_begins(self) -> None:
        raise AssertionError

    @hookimpl
    def verdict_ends(self, verdict: Verdict) -> Verdict:
        raise ValueError(verdict)


class Meddling:
    """Tries to change what it hears, and returns another verdict."""

    @hookimpl
    def verdict_ends(self, verdict: Verdict) -> Verdict:
        object.__setattr__(verdict, "outcome", Outcome.FAIL)
        return Verdict(verdict.check, verdict.case, Outcome.FAIL, Reason.FAIL)


CHECKS = """
@check("dark", title="dark at first")
def dark(lamp):
    lamp.expect(lamp.state()["light"], "light").is_false()
"""


def test_all_six_moments_fire_and_no_listener_changes_a_score(small: Callable[..., Path], cache: Path, tmp_path: Path) -> None:
    root, listener = small(CHECKS), Listener()
    planned = plan(Request([root], ["reference"], cache, workers=1))
    with structlog.testing.capture_logs() as logs:
        done = carry_out(planned, Store(tmp_path / "run"), Events(Breaking(), Meddling(), listener, discover=False), 1)
    assert [moment for moment, _ in listener.heard] == [
        "run_begins", "trial_begins", "verdict_begins", "verdict_ends", "trial_ends", "run_ends"]
    assert dict(listener.heard)["run_begins"] == ["small/reference/0"] and dict(listener.heard)["trial_ends"] == [1.0]
    assert score(done)["reference"][0].value == 1.0 and done[0].verdicts[0].outcome is Outcome.PASS
    broken = [(one["moment"], one["event"]) for one in logs if one["event"] == "listener failed"]
    assert [moment for moment, _ in broken] == ["run_begins", "verdict_begins", "verdict_ends", "trial_ends"]


def test_the_six_moments_are_the_specification() -> None:
    assert sorted(name for name in vars(hookspecs) if hasattr(getattr(hookspecs, name), "playproof_spec")) == sorted(MOMENTS)
    assert all(getattr(hookspecs, name).__doc__ for name in MOMENTS)


def test_a_listener_takes_the_facts_that_it_asks_for() -> None:
    heard = []

    class Short:
        @hookimpl
        def trial_ends(self, ended: str) -> None:
            heard.append(ended)

    Events(Short(), discover=False).fire("trial_ends", trial="t", ended="completed", scores=[])
    assert heard == ["completed"]


def test_an_installed_listener_hears_and_a_broken_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described = tmp_path / "acme_ears-3.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-ears\nVersion: 3\n")
    (described / "entry_points.txt").write_text("[playproof.listener.v1]\nears = acme_ears\n")
    (tmp_path / "acme_ears.py").write_text(
        "from playproof.hookspecs import hookimpl\nheard = []\n@hookimpl\ndef run_ends(run):\n    heard.append(run)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    Events().fire("run_ends", run="mine")
    assert sys.modules.pop("acme_ears").heard == ["mine"]
    (tmp_path / "acme_ears.py").write_text("import no_such_library\n")
    with pytest.raises(PluginError, match=r"listener 'ears' of acme-ears 3 does not load: No module named 'no_such_library'"):
        Events()


def test_a_listener_for_no_moment_is_refused() -> None:
    class Lost:
        @hookimpl
        def trial_finished(self) -> None:
            pass

    class Greedy:
        @hookimpl
        def trial_begins(self, colour: str) -> None:
            pass

    with pytest.raises(PluginError, match="unknown hook 'trial_finished'"):
        Events(Lost(), discover=False)
    with pytest.raises(PluginError, match="colour"):
        Events(Greedy(), discover=False)
