"""`run --dry-run`: what would be done, within which limits, and what it could cost at most; nothing is started."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from playproof.cli.progress import printable
from playproof.run import Run
from playproof.store import Store
from playproof.trial import known

HOUR = 3600


def forecast(planned: Run, place: Path) -> Mapping[str, Any]:
    """Each task and stack with its samples, those of them that the run's folder has already, and the limits of one; and the greatest cost
    of what is left: `usd` is None where a task bounds none, `agent_hours` the sum of all wall limits. A try after a failure of ours costs
    again."""
    store = Store(place, reading=True) if (place / "run.json").is_file() else None
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for trial in planned.trials:
        budget, agent = trial.task.budget, trial.subject.source is None
        limits = {"wall_s": budget.wall_s, "steps": budget.steps, "tokens": budget.tokens, "usd": budget.usd} if agent else {}
        row = rows.setdefault((trial.task.id, trial.subject.label), {
            "task": trial.task.id, "stack": trial.subject.label, "agent": agent, "trials": 0, "done": 0, "limits": limits})
        row["trials"] += 1
        row["done"] += store is not None and known(trial, store).grading is not None
    owed = [row for row in rows.values() if row["agent"] and row["trials"] > row["done"]]
    paid = [(row["trials"] - row["done"], row["limits"]) for row in owed]
    usd = [left * limits["usd"] for left, limits in paid if limits["usd"] is not None]
    return {"out": str(place), "trials": list(rows.values()), "at_most": {
        "agent_hours": sum(left * limits["wall_s"] for left, limits in paid) / HOUR,
        "usd": sum(usd) if len(usd) == len(paid) else None, "unbounded": [row["task"] for row in owed if row["limits"]["usd"] is None]}}


def tell(told: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(told, indent=1))
        return
    for row in told["trials"]:
        limits = ", ".join(f"{name} {value:g}" for name, value in row["limits"].items() if value is not None)
        done = f", {row['done']} of them done" if row["done"] else ""
        bounds = f"; each at most: {limits}" if limits else ""
        click.echo(f"{row['task']}  {printable(row['stack'])}  {_counted(row['trials'])}{done}{bounds}")
    most, trials = told["at_most"], sum(row["trials"] for row in told["trials"])
    cost = f"{most['usd']:.2f} USD" if most["usd"] is not None else f"no bound in USD on {', '.join(sorted(set(most['unbounded'])))}"
    click.echo(f"{_counted(trials)} into {told['out']}; agents take at most {most['agent_hours']:.1f} h and cost at most: {cost}. "
               "A try after a failure of ours costs again. Judges are told of by `judge --dry-run`. Nothing was started.")  # fmt: skip


def _counted(trials: int) -> str:
    return f"{trials} trial" + ("" if trials == 1 else "s")
