"""`judge`: the stored evidence of a run before judges, beside what was said before and never over it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from playproof.bench import Budget
from playproof.bundle import GradingBundle
from playproof.canonical import digest, plain
from playproof.cli.models import given_models, model_options, panel, told_reached
from playproof.cli.options import cache_option
from playproof.cli.progress import console
from playproof.cli.run import settings
from playproof.errors import UsageError
from playproof.judging import Forecast, Panel, asked, forecast, judge_trial, with_opinions
from playproof.model import Ref
from playproof.opinions import DEFAULT_SET
from playproof.report import ReportRun, show
from playproof.report import as_json as spelled
from playproof.report.stored import coverage, read_done, write_html
from playproof.ruling import tally
from playproof.run import stored
from playproof.store import Store
from playproof.trial import Done


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@model_options
@click.option("--judge", "driver", metavar="NAME", help="This judge for every yes-or-no question, instead of the one that it names.")
@click.option("--set", "pairs", multiple=True, metavar="KEY=JSON", help="An option of --judge.")
@click.option("--as", "name", default=DEFAULT_SET, show_default=True, metavar="SET", help="The opinion set that is written.")
@click.option("--only", multiple=True, metavar="TEXT", help="Only questions whose id (task/check, task/scale/item) holds this.")
@click.option("--fresh", is_flag=True, help="Take no reply from the cache.")
@click.option("--dry-run", is_flag=True, help="Say how many requests, tokens and USD it could cost at most, and send nothing.")
@click.option("--min-coverage", type=click.FloatRange(0, 1), default=1.0, show_default=True,
              help="Exit with 3 if a smaller share of what was planned could be decided.")
@click.option("--html/--no-html", default=True, help="Write report.html into the run's folder.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@cache_option
@click.pass_context
def judge(ctx: click.Context, /, run: Path, driver: str | None, pairs: Sequence[str], name: str, only: Sequence[str], fresh: bool,
          dry_run: bool, min_coverage: float, html: bool, as_json: bool, cache: Path, **given: Any) -> None:
    """Ask judges about the stored evidence of RUN; what was said before stays. No submission runs again, but for a reference that a
    refusal has to be held against.

    The same question to the same model is answered from a cache; with --votes each vote is asked for itself. A run that is
    stopped goes on with the same command."""
    models = given_models(given)
    if not models:
        raise UsageError("no model is given: --model DRIVER:MODEL, or --models FILE")
    if pairs and not driver:
        raise UsageError("--set gives options to --judge, which is not given")
    store = Store(run)
    done = [one for one in stored(store) if one.trial.repeat == 0]
    ref = Ref(driver, settings(pairs)) if driver else None
    budget = Budget(given["budget_usd"], given["budget_requests"])
    with panel(models, cache, opinions=name, votes=given["votes"], judge=ref, only=only, fresh=fresh, budget=budget) as judges:
        _refuse_early(done, store, judges)
        if dry_run:
            _tell_forecast(forecast(done, store, judges), as_json)
            return
        with store.locked():
            judged = [_one(trial, store, judges, quiet=as_json) for trial in done]
        code = told_reached(judges)
    shown = read_done(with_opinions(judged, store, name), store, opinions=name)
    _present(shown, store, name, html, as_json, cache)
    ctx.exit(code or (3 if coverage(shown) < min_coverage else 0))


def _refuse_early(done: Sequence[Done], store: Store, judges: Panel) -> None:
    """Raises UsageError where there is no question at all, TaskError where one asks a judge or a model that is not there."""
    questions = [one for trial in done if trial.grading for one in asked(trial, GradingBundle(store.bundle(trial.grading["bundle"])))]
    if not questions:
        raise UsageError("nothing to ask: no check of this run asks a judge, and no task of it names ratings; see docs/judges.md")
    for one in {digest(one.judge): one for one in questions}.values():
        judges.judge_of(one)


def _one(done: Done, store: Store, judges: Panel, *, quiet: bool) -> Done:
    judged = judge_trial(done, store, judges)
    if not quiet:
        counts = ", ".join(f"{count} {kind}" for kind, count in tally(judged.opinions).items())
        click.echo(f"{judged.trial.id}: {counts}", err=True)
    return judged


def _present(shown: ReportRun, store: Store, name: str, html: bool, as_json: bool, cache: Path) -> None:
    if html:
        write_html(shown, store.folder / "report.html", cache)
    if as_json:
        click.echo(spelled(shown).decode())
    else:
        show(shown, console())
        page = f"; report: {(store.folder / 'report.html').resolve().as_uri()}" if html else ""
        click.echo(f"opinions in {store.opinions(name)}{page}")


def _tell_forecast(said: Forecast, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(plain(said)))
        return
    cost = "a cost that is not known (no price for a model)" if said.usd is None else f"{said.usd:.4f} USD"
    click.echo(f"{said.questions} questions, {said.answered} answered before\n"
               f"{said.requests} requests at most ({said.cached} more are in the cache): {said.input_tokens:,} tokens in, "
               f"{said.output_tokens:,} out, {cost}")
