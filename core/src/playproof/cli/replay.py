"""`replay`: what was done to a submission, done again, and what is seen then held against what was seen the first time."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from playproof.cli.look import RUN, found_trial
from playproof.cli.progress import printable
from playproof.model import TICKS
from playproof.replaying import Played, recorded
from playproof.replaying import replay as played_again
from playproof.run import stored
from playproof.store import Store

SHOWN = 5
"""How many differences of a session are printed."""


@click.command()
@RUN
@click.argument("trial")
@click.argument("check", required=False)
@click.option("--case", metavar="ID", help="Only this case.")
@click.option("--times", type=click.IntRange(1), default=1, show_default=True, help="How often each session is played again.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_context
def replay(ctx: click.Context, /, run: Path, trial: str, check: str | None, case: str | None, times: int, as_json: bool) -> None:
    """Play the recorded sessions of one TRIAL of RUN again (its id, or a part of it that is unique), or those of one CHECK: the
    same input at the same ticks, without the check's script. Says whether the same is seen at the same moments.

    Exits with 1 if a session went differently, with 3 if one could not be played."""
    store = Store(run, reading=True)
    done = found_trial(stored(store), trial)
    units = recorded(done, store, check, case)
    if not as_json:
        click.echo(f"{done.trial.id}: {len(units)} recorded session{'s' if len(units) > 1 else ''}", err=True)
    rows = []
    for played in played_again(done, store, units, times):
        rows.append(_row(played))
        if not as_json:
            _tell(rows[-1])
    if as_json:
        click.echo(json.dumps({"trial": done.trial.id, "sessions": rows}, indent=1, ensure_ascii=False))
    states = {row["state"] for row in rows}
    ctx.exit(3 if "not played" in states else int("different" in states))


def _row(played: Played) -> dict[str, Any]:
    reply, row = played.reply, {"checks": list(played.unit.checks), "case": played.unit.case.id}
    if reply.replayed is None:
        return {**row, "state": "not played", "why": f"{reply.error}: {reply.text}"}
    found = reply.replayed
    return {**row, "state": "different" if found.differs else "same", "seconds": found.ticks / TICKS, "compared": found.compared,
            "digest": found.digest, "differs": [{"at_s": tick / TICKS, "what": what} for tick, what in found.differs]}


def _tell(row: Mapping[str, Any]) -> None:
    where = ", ".join(row["checks"]) + ("" if row["case"] == "default" else f" [{row['case']}]")
    if row["state"] == "not played":
        click.echo(f"  not played  {where}: {printable(row['why'], 2000)}")
        return
    click.echo(f"  {row['state']:<11} {where}: {row['seconds']:.1f} s, {row['compared']} compared, {row['digest'][:12]}")
    differs: Sequence[Mapping[str, Any]] = row["differs"]
    for one in differs[:SHOWN]:
        click.echo(f"      at {one['at_s']:.2f} s: {printable(one['what'], 300)}")
    if len(differs) > SHOWN:
        click.echo(f"      and {len(differs) - SHOWN} more")
