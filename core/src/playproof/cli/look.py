"""`score`, `show` and `report`: what is stored, looked at again. None of them opens a session."""

import json
from collections.abc import Sequence
from pathlib import Path

import click
from attrs import evolve

from playproof.bundle import GradingBundle
from playproof.canonical import plain
from playproof.cli.options import cache_option, opinions_option
from playproof.cli.progress import console, printable
from playproof.errors import UsageError
from playproof.judging import with_opinions
from playproof.model import Outcome, Verdict
from playproof.report import as_json as spelled
from playproof.report import show as show_table
from playproof.report.stored import bundle_of, read_done, write_html, write_junit
from playproof.run import stored
from playproof.store import Store
from playproof.taskfile import FILE, read_task
from playproof.trial import Done

RUN = click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))


@click.command()
@RUN
@opinions_option
@click.option("--assert", "assertions", is_flag=True, help="Ask the task's assertions again too, on the stored evidence.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def score(run: Path, opinions: str, assertions: bool, as_json: bool) -> None:
    """Apply the scoring rules, as the tasks have them now, to the stored verdicts of RUN."""
    store = Store(run, reading=True)
    done = with_opinions([_with_rules_of_now(one) for one in stored(store)], store, opinions)
    if assertions:
        from playproof.again import asserted

        done = [asserted(one, store) for one in done]
    _show_all(done, store, opinions, as_json)


@click.command()
@RUN
@opinions_option
@click.option("--format", "form", type=click.Choice(["html", "table", "json", "junit"]), default="html", show_default=True)
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Where to write html or junit (default: in RUN).")
@cache_option
def report(run: Path, opinions: str, form: str, out: Path | None, cache: Path) -> None:
    """RUN as one self-contained page, a table, JSON or JUnit."""
    store = Store(run, reading=True)
    shown = read_done(with_opinions(stored(store), store, opinions), store, opinions)
    if form == "table":
        show_table(shown, console())
    elif form == "json":
        click.echo(spelled(shown).decode())
    else:
        place = out or run / ("report.html" if form == "html" else "junit.xml")
        if form == "html":
            write_html(shown, place, cache)
        else:
            write_junit(shown, place)
        click.echo(place.resolve().as_uri())


@click.command()
@RUN
@click.argument("trial")
@click.argument("check", required=False)
@opinions_option
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--blobs", type=click.Path(path_type=Path, file_okay=False), help="Write the cited pictures and other blobs here.")
def show(run: Path, trial: str, check: str | None, opinions: str, as_json: bool, blobs: Path | None) -> None:
    """One TRIAL of RUN (its id, or a part of it that is unique), or one CHECK of it, with the evidence that it cites."""
    store = Store(run, reading=True)
    done = found_trial(with_opinions(stored(store), store, opinions), trial)
    verdicts = [one for one in done.verdicts if check in (None, one.check)]
    if check and not verdicts:
        raise UsageError(f"{done.trial.id} has no verdict on {check!r}; it has: {', '.join(sorted({one.check for one in done.verdicts}))}")
    cited = bundle_of(done, store)
    if as_json:
        click.echo(json.dumps({"trial": done.trial.id, "ending": plain(done.ending), "verdicts": plain(verdicts),
                               "evidence": [plain(cited.entries[id]) for one in verdicts for id in one.cites if id in cited.entries]},
                              indent=1, ensure_ascii=False))
        return
    click.echo(f"{done.trial.id}: generation {done.ending.ended}" + (f", {printable(done.ending.message)}" if done.ending.message else ""))
    if done.trouble:
        click.echo(f"  {printable(done.trouble, 2000)}")
    for one in verdicts:
        _print_verdict(one, deep=check is not None)
        if check:
            _print_evidence([id for id in one.cites if id in cited.entries], cited, blobs)


def _print_verdict(one: Verdict, *, deep: bool) -> None:
    where = "" if one.case == "default" else f" [{one.case}]"
    click.echo(f"  {one.outcome:<15}{one.check}{where}  {one.reason}  {one.wall_ms} ms{'  flaky' if one.flaky else ''}")
    if one.outcome is not Outcome.PASS or deep:
        for name in ("message", "seen", "wanted", "observer", "by"):
            if text := getattr(one, name):
                click.echo(f"      {name}: {printable(str(text), 2000)}")


def _print_evidence(ids: Sequence[str], cited: GradingBundle, blobs: Path | None) -> None:
    for id in ids:
        entry = cited.entries[id]
        shown = entry.media_type if entry.blob else printable(json.dumps(entry.value, ensure_ascii=False), 400)
        click.echo(f"      {entry.kind} at {entry.tick} ticks, seen from {entry.observer}: {shown}")
        if blobs and entry.blob:
            blobs.mkdir(parents=True, exist_ok=True)
            place = blobs / f"{entry.blob[:16]}.{entry.media_type.split('/')[-1].split('+')[0]}"
            place.write_bytes(cited.read(entry.blob))
            click.echo(f"        written to {place}")


def _with_rules_of_now(done: Done) -> Done:
    """The trial with its task's [scoring] as it is now, where the task is still there."""
    root = done.trial.task.root
    if not (root / FILE).is_file():
        return done
    return evolve(done, trial=evolve(done.trial, task=evolve(done.trial.task, scoring=read_task(root).scoring)))


def found_trial(done: Sequence[Done], part: str) -> Done:
    exact = [one for one in done if one.trial.id == part]
    found = exact or [one for one in done if part in one.trial.id]
    if len(found) != 1:
        problem = "several trials match" if found else "no trial matches"
        raise UsageError(f"{problem} {part!r}; there are: {', '.join(one.trial.id for one in (found or done))}")
    return found[0]


def _show_all(done: Sequence[Done], store: Store, opinions: str, as_json: bool) -> None:
    shown = read_done(done, store, opinions)
    if as_json:
        click.echo(spelled(shown).decode())
    else:
        show_table(shown, console())
