"""`run` and `evaluate`: trials carried out."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from playproof.bench import Budget
from playproof.canonical import digest
from playproof.cli.forecast import forecast, tell
from playproof.cli.models import given_models, model_options, panel, told_reached
from playproof.cli.options import grading_options
from playproof.cli.progress import console, display
from playproof.errors import UsageError
from playproof.events import Events
from playproof.judging import Panel, with_opinions
from playproof.logs import Journal, configure
from playproof.model import Outcome
from playproof.report import as_json as spelled
from playproof.report import show
from playproof.report.stored import coverage, read_done, write_html, write_junit
from playproof.run import Ready, Request, Run, carry_out, plan, stored
from playproof.store import Store
from playproof.trial import Done


@click.command()
@click.argument("tasks", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--harness", "subjects", multiple=True, required=True, metavar="NAME",
              help="What does the tasks: a harness (command:'PROGRAM ARGS'), or a source of submissions: reference, nothing, "
                   "accepted[:NAME], broken[:NAME], replay:FOLDER. May be given more than once.")
@click.option("--set", "pairs", multiple=True, metavar="KEY=JSON", help="An option of the harness.")
@click.option("--sandbox", default="bubblewrap", show_default=True, help="Where the harness's agent runs.")
@click.option("-n", "--samples", type=click.IntRange(1), default=1, show_default=True, help="Planned repetitions of each task.")
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True, help="Gradings of each submission.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Trials at a time.")
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="The run's folder; the same folder goes on.")
@click.option("--min-coverage", type=click.FloatRange(0, 1), default=1.0, show_default=True,
              help="Exit with 3 if a smaller share of what was planned could be decided.")
@click.option("--only", multiple=True, metavar="ID", help="Only this check; may be given more than once.")
@click.option("--priority", "priorities", multiple=True, type=click.Choice(["P0", "P1", "P2"]),
              help="Only checks of this priority; P1 brings whatever else is required.")
@click.option("--append", is_flag=True, help="Add these trials to those that the run's folder holds already.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, within which limits and at which greatest cost; start nothing.")
@click.option("--html/--no-html", default=True, help="Write report.html into the run's folder.")
@click.option("--table/--no-table", default=True, help="Print the result as a table.")
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Write the verdicts as JUnit XML.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@model_options
@grading_options
@click.pass_context
def run(ctx: click.Context, /, tasks: Sequence[Path], subjects: Sequence[str], pairs: Sequence[str], out: Path | None, jobs: int,
        min_coverage: float, append: bool, dry_run: bool, html: bool, table: bool, junit: Path | None, as_json: bool, **asked: Any) -> None:
    """Let agents, or stored submissions, do TASKS (folders), and grade what they leave.

    A run can be stopped at any moment; the same command goes on where it stopped."""
    request = Request(list(tasks), list(subjects), asked["cache"], asked["samples"], asked["repeats"], asked["seed"], asked["workers"],
                      asked["sandbox"], settings(pairs), asked["only"], asked["priorities"], models=given_models(asked))
    planned = plan(request)
    place = out or default_out(planned)
    if dry_run:
        tell(forecast(planned, place), as_json=as_json)
        return
    with judges(asked) as chosen:
        execute(planned, place, jobs, quiet=asked["quiet"], verbose=asked["verbose"], append=append, judges=chosen)
        reached = told_reached(chosen)
    code = _present(place, asked["cache"], html, junit, "json" if as_json else "table" if table else "", min_coverage)
    ctx.exit(reached or code)


@click.command()
@click.argument("task", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("submission", type=click.Path(path_type=Path, exists=True))
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="Where the evidence is kept.")
@click.option("--html/--no-html", default=True, help="Write report.html.")
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Write the verdicts as JUnit XML.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@model_options
@grading_options
@click.pass_context
def evaluate(ctx: click.Context, /, task: Path, submission: Path, out: Path | None, html: bool, junit: Path | None, as_json: bool,
             **asked: Any) -> None:
    """Grade SUBMISSION (a folder, or the one file that the task wants) against TASK.

    Exits with 1 if a required check fails."""
    place = out or Path("runs") / f"evaluate-{task.resolve().name}-{digest(str(submission.resolve()).encode())[:8]}"
    planned = plan(Request([task], [f"replay:{submission.resolve()}"], asked["cache"], seed=asked["seed"], workers=asked["workers"],
                           models=given_models(asked)))
    with judges(asked) as chosen:
        done = execute(planned, place, 1, quiet=asked["quiet"], verbose=asked["verbose"], judges=chosen)
        reached = told_reached(chosen)
    code = _present(place, asked["cache"], html, junit, "json" if as_json else "table", 1.0)
    ctx.exit(reached or code or int(any(required_failed(one) for one in done)))


def execute(planned: Run, place: Path, jobs: int, *, quiet: bool, verbose: bool, append: bool = False,
            judges: Panel | None = None, listeners: Sequence[object] = (), ready: Ready = lambda trial: trial) -> Sequence[Done]:
    """Carry a plan out in a run's folder, with progress on standard error and a log in the folder."""
    store = Store(place)
    configure(place / "log.jsonl", verbose=verbose)
    with store.locked():
        events = Events(Journal(), *display(quiet=quiet, verdicts=verbose), *listeners)
        done = carry_out(planned, store, events, jobs, append=append, judges=judges, ready=ready)
    shutil.rmtree(place / "work", ignore_errors=True)
    return done


@contextmanager
def judges(asked: Mapping[str, Any]) -> Iterator[Panel | None]:
    """The panel of a command line; None where no model is given, and then what judges would decide is void."""
    if not (models := given_models(asked)):
        yield None
        return
    with panel(models, asked["cache"], votes=asked["votes"], budget=Budget(asked["budget_usd"], asked["budget_requests"])) as made:
        yield made


def required_failed(done: Done) -> bool:
    required = {check.id for check in done.trial.survey.checks if check.required}
    return any(verdict.check in required and verdict.outcome is Outcome.FAIL for verdict in done.result().verdicts.values())


def default_out(planned: Run) -> Path:
    """The same for the same request, so that the same command goes on: named after what is asked, told apart by a digest."""
    request = planned.request
    name = "-".join([*(path.resolve().name for path in request.tasks[:2]), *(one.split(":")[0] for one in request.subjects[:2])])
    asked = [sorted(str(path.resolve()) for path in request.tasks), list(request.subjects), dict(request.options), request.samples,
             request.repeats, request.seed, list(request.only), list(request.priorities)]
    return Path("runs") / f"{name}-{digest(asked)[:8]}"


def _present(place: Path, cache: Path, html: bool, junit: Path | None, form: str, min_coverage: float) -> int:
    store = Store(place)
    shown = read_done(with_opinions(stored(store), store), store)
    if html:
        write_html(shown, place / "report.html", cache)
    if junit:
        write_junit(shown, junit)
    if form == "json":
        click.echo(spelled(shown).decode())
    if form == "table":
        show(shown, console())
        click.echo(f"kept in {place}" + (f"; report: {(place / 'report.html').resolve().as_uri()}" if html else ""))
    return 3 if coverage(shown) < min_coverage else 0


def settings(pairs: Sequence[str]) -> Mapping[str, Any]:
    found = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--set {pair!r}: wanted KEY=JSON")
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found
