"""`playproof check TASK`: the author's loop."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from playproof.author.expected import surprises, variants
from playproof.canonical import digest
from playproof.cli.models import given_models, model_options, told_reached
from playproof.cli.options import grading_options
from playproof.cli.progress import failing, printable
from playproof.cli.run import execute, judges, required_failed
from playproof.report.stored import read_done, write_html
from playproof.run import Request, plan
from playproof.store import Store
from playproof.taskfile import read_task
from playproof.trial import Done, has_voids


@click.command()
@click.argument("task", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--submission", type=click.Path(path_type=Path, exists=True), help="A folder or file instead of the reference.")
@click.option("--variant", "named", multiple=True, metavar="NAME",
              help="accepted:NAME, broken:NAME, mutant:ID or nothing, held against what it promises.")
@click.option("--all", "everything", is_flag=True, help="The reference, every accepted and broken variant, and nothing.")
@click.option("--only", multiple=True, metavar="ID", help="Only this check; may be given more than once.")
@click.option("--headed", is_flag=True, help="Show what is played, where the runtime has a window.")
@model_options
@grading_options
@click.pass_context
def check(ctx: click.Context, /, task: Path, submission: Path | None, named: Sequence[str], everything: bool, only: Sequence[str],
          headed: bool, **asked: Any) -> None:
    """Run the checks of TASK against its reference, a variant, or --submission, and say what each one saw.

    Exits with 1 if a required check fails, or a variant does not fail as it declares; with 3 if something could not be decided."""
    found = read_task(task)
    subjects: list[str] = [f"replay:{submission.resolve()}"] if submission else list(named) or ["reference"]
    if everything:
        subjects = ["reference", *variants(found, "accepted"), *variants(found, "broken"), "nothing"]
    planned = plan(Request([task], subjects, asked["cache"], seed=asked["seed"], workers=1 if headed else asked["workers"], only=list(only),
                           headed=headed, models=given_models(asked)))
    place = asked["cache"] / "check" / f"{found.id}-{digest(str(found.root))[:8]}"
    with judges(asked) as chosen:
        done = execute(planned, place, 1, quiet=asked["quiet"], verbose=asked["verbose"], judges=chosen)
        reached = told_reached(chosen)
    wrong = sum(_tell(one) for one in done) > 0
    void = any(one.grading is None or has_voids(one.verdicts) for one in done)
    page = place / "report.html"
    write_html(read_done(done, Store(place)), page, asked["cache"])
    click.echo(f"evidence: {page.resolve().as_uri()}")
    ctx.exit(reached or (3 if void else int(wrong)))


def _tell(done: Done) -> bool:
    """Say what came of one subject; True if it is not as it should be."""
    verdicts = list(done.result().verdicts.values())
    bad = failing(verdicts)
    click.echo(f"\n{done.trial.subject.label}: {len(verdicts) - len(bad)} of {len(verdicts)} checks hold"
               + (f"; {done.trouble}" if done.trouble else ""))
    for one in bad:
        click.echo(f"  {one.outcome:<5} {one.check:<32} {one.reason}  {printable(one.message, 300)}")
    if (done.trial.subject.source or "").startswith("replay"):
        return required_failed(done)
    wrong = surprises(done)
    for line in wrong:
        click.echo(f"  ! {printable(line, 300)}")
    return bool(wrong)
