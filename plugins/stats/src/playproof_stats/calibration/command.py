"""`playproof calibrate`: how far a run's judges, and its own verdicts, agree with people."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from playproof.opinions import DEFAULT_SET


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--labels", "files", multiple=True, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="What people said, as `playproof rate` writes it; may be given several times.")
@click.option("--known", is_flag=True, help="Also hold judges against the answers that the reference, accepted and broken variants give.")
@click.option("--opinions", default=DEFAULT_SET, show_default=True, metavar="SET", help="The set of judges' opinions to calibrate.")
@click.option("--against", metavar="SET", help="Another set on the same exhibits: what has changed since.")
@click.option("--close", type=click.FloatRange(min=0), default=5.0, show_default=True, metavar="GAP",
              help="A pair is close whose scores lie at most so many points of 100 apart.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the resampling behind intervals.")
@click.option("--resamples", type=click.IntRange(100, 100_000), default=2000, show_default=True, help="How often tasks are drawn anew.")
@click.option("--json", "form", flag_value="json", help="As JSON, whole.")
@click.option("--markdown", "form", flag_value="markdown", help="As Markdown, whole.")
def calibrate(run: Path, files: Sequence[Path], known: bool, opinions: str, against: str | None, close: float, seed: int, resamples: int,
              form: str | None) -> None:
    """How far the judges of RUN, and its own verdicts, agree with people, with known answers, or with an earlier set.

    Nothing is asked and nothing runs. A figure that the answers do not have is shown without a value, with the reason."""
    from playproof.canonical import plain
    from playproof.cli.progress import console
    from playproof.errors import UsageError
    from playproof_stats.calibration.calibrating import calibrate as calibrated
    from playproof_stats.calibration.reading import read
    from playproof_stats.calibration.shown import markdown, print_tables
    from playproof_stats.calibration.values import Settings
    from playproof_stats.figures import Resampling

    if not (files or known or against):
        raise UsageError("there is nothing to calibrate against: give --labels FILE, --known or --against SET")
    if against == opinions:
        raise UsageError(f"--against is the set {opinions!r} itself")
    given = read(run, files, opinions, against, known)
    made = Settings(Resampling(seed, resamples), close)
    found = calibrated(given.judged, given.labelled, given.tasks, known=given.known, scores=given.scores, with_=made, notes=given.notes,
                       against=(against, opinions, given.before) if against else None,
                       facts={"run": run.resolve().name, "opinions": opinions, "labels": ", ".join(file.name for file in files)})
    if form == "json":
        click.echo(json.dumps(plain(found), indent=1, allow_nan=False))
    elif form == "markdown":
        click.echo(markdown(found))
    else:
        print_tables(found, console())
