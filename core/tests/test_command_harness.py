"""Any command line as an agent: what it is told, how it ends, what it says last."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof.errors import InfrastructureError, TaskError
from playproof.harnesses.command import CommandHarness
from playproof.interfaces import Box, Job, Services
from playproof.model import Budget, Ended, Ending, Usage
from playproof.sandboxes.process import Process


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    (made / "brief").mkdir(parents=True)
    (made / "brief" / "instruction.md").write_text("Make it.")
    return made


def services(folder: Path) -> Services:
    return Services(cache=folder / "cache")


def generated(workspace: Path, script: str, budget: Budget | None = None, **options: Any) -> tuple[Ending, bytes]:
    heard = bytearray()
    harness = CommandHarness({"argv": ["sh", "-c", script], **options}, services(workspace))
    sandbox = Process({}, services(workspace))
    job = Job("tiny", "Make it.", workspace, sandbox, budget or Budget(wall_s=60), 7, lambda _, chunk: heard.extend(chunk))
    return harness.generate(job), bytes(heard)


def test_it_is_told_the_instruction_and_completes(workspace: Path) -> None:
    script = 'cat > asked; cmp asked "$PLAYPROOF_INSTRUCTION"; echo "$PLAYPROOF_TASK $PLAYPROOF_SEED $MODE"; echo err >&2'
    ending, heard = generated(workspace, script, env={"MODE": "fast"})
    assert (ending.ended, ending.exit_code) == (Ended.COMPLETED, 0)
    assert ending.usage.wall_s is not None and 0 < ending.usage.wall_s < 60 and ending.usage == Usage(wall_s=ending.usage.wall_s)
    assert sorted(heard.splitlines()) == [b"err", b"tiny 7 fast"] and "tiny 7 fast" in ending.message
    assert (workspace / "asked").read_text() == "Make it."


@pytest.mark.parametrize(("script", "budget", "ended", "code"), [
    ("echo gave up; exit 3", Budget(), Ended.FAILED, 3),
    ("kill -9 $$", Budget(), Ended.FAILED, -9),
    ("while :; do echo busy; sleep 0.05; done", Budget(wall_s=0.5), Ended.WALL, None),
    ("sleep 600", Budget(idle_s=0.5), Ended.IDLE, None),
    ("(setsid sleep 600 &); exit 0", Budget(wall_s=60), Ended.COMPLETED, 0),
])
def test_how_it_ends(workspace: Path, script: str, budget: Budget, ended: Ended, code: int | None) -> None:
    ending, _ = generated(workspace, script, budget)
    assert (ending.ended, ending.exit_code) == (ended, code)


def test_its_last_words_are_cut_and_may_be_any_bytes(workspace: Path) -> None:
    ending, heard = generated(workspace, r"head -c 100000 /dev/zero | tr '\0' x; printf '\377 the end'; exit 1")
    assert len(heard) == 100_009 and len(ending.message) <= 2000 and ending.message.endswith("x\ufffd the end")


def test_a_sandbox_that_does_not_start_is_no_ending(workspace: Path) -> None:
    class Broken:
        promises: Mapping[str, bool] = {}

        def open(self, box: Box) -> Any:
            raise InfrastructureError("no sandbox")

    harness = CommandHarness({"argv": ["true"]}, services(workspace))
    with pytest.raises(InfrastructureError):
        harness.generate(Job("tiny", "", workspace, Broken(), Budget(), 0, lambda *_: None))


def test_the_stack_says_what_is_under_test(tmp_path: Path) -> None:
    options = {"argv": ["agent", "go"], "env": {"A": "1"}, "version_argv": ["sh", "-c", "echo agent 1.2"]}
    harness = CommandHarness(options, services(tmp_path))
    assert harness.stack == {"argv": ["agent", "go"], "env": {"A": "1"}, "version": "agent 1.2", "network": False}
    for silent in (["false"], ["true"], ["nonesuch-program"]):
        with pytest.raises(TaskError, match=r"version_argv gives no version"):
            _ = CommandHarness({"argv": ["agent"], "version_argv": silent}, services(tmp_path)).stack


@pytest.mark.parametrize(("options", "fault"), [
    ({}, "missing key 'argv'"), ({"argv": []}, "argv"), ({"argv": ["a", 1]}, r"expected str, not int @ \$.argv\[1\]"),
    ({"argv": ["a"], "shell": True}, "unknown key 'shell'"), ({"argv": ["a"], "env": {"A": 1}}, r"expected str, not int @ \$.env"),
])
def test_options_are_refused_with_their_path(tmp_path: Path, options: Any, fault: str) -> None:
    with pytest.raises(TaskError, match=fault):
        CommandHarness(options, services(tmp_path))


def test_a_program_that_is_not_there_is_our_failure_and_no_agents(workspace: Path) -> None:
    """A slip in one's own command line must never become a benchmark's zero."""
    with pytest.raises(InfrastructureError, match="the sandbox has no program 'no-such-agent'"):
        generated(workspace, "", argv=["no-such-agent", "--yes"])
    (workspace / "agent.sh").write_text("#!/bin/sh\necho from the workspace\n")
    (workspace / "agent.sh").chmod(0o755)
    assert generated(workspace, "", argv=["./agent.sh"])[0].ended is Ended.COMPLETED
