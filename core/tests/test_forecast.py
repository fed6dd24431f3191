"""`run --dry-run` tells of every trial, its limits and the greatest cost, and starts nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .test_cli import CHECKS

Run = Callable[..., Any]
AGENT = ("--harness", "command:touch machine.json", "--sandbox", "process")


def test_what_would_be_done_and_what_it_could_cost(small: Callable[..., Path], playproof: Run, tmp_path: Path) -> None:
    root = small(CHECKS)
    with (root / "task.toml").open("a") as task:
        task.write("\n[budget]\nwall_s = 1800\nsteps = 40\nusd = 2.5\n")
    asked = ("run", root, *AGENT, "--harness", "reference", "-n", "3", "-o", "out", "--dry-run")
    said = playproof(*asked)
    assert said.code == 0 and "3 trials; each at most: wall_s 1800, steps 40, usd 2.5" in said.out, said
    assert "6 trials into out; agents take at most 1.5 h and cost at most: 7.50 USD." in said.out
    assert not (tmp_path / "out").exists()
    told = json.loads(playproof(*asked, "--json").out)
    assert told["at_most"] == {"agent_hours": 1.5, "usd": 7.5, "unbounded": []}
    assert [(row["stack"], row["agent"], row["limits"]) for row in told["trials"]][1] == ("reference", False, {})


def test_what_is_done_costs_nothing_more_and_what_has_no_bound_is_named(small: Callable[..., Path], playproof: Run) -> None:
    root = small(CHECKS)
    playproof("run", root, *AGENT, "-o", "out", "-q", "--no-html", "--no-table")
    said = playproof("run", root, *AGENT, "-n", "3", "-o", "out", "--dry-run").out
    assert "3 trials, 1 of them done" in said and "at most 1.0 h" in said and "cost at most: no bound in USD on small." in said
