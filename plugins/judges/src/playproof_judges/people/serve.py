"""`playproof serve`: an expert uses a submission on a device of their own, a headset say, and notes there what holds."""

import secrets
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from attrs import frozen

from playproof.bundle import unpack
from playproof.cli.options import cache_option
from playproof.errors import UsageError
from playproof.judging import with_opinions
from playproof.model import Ended, Ending
from playproof.opinion import By
from playproof.plan import survey_all
from playproof.run import stored
from playproof.store import Store
from playproof.subjects import source
from playproof.submission import freeze
from playproof.taskfile import read_task
from playproof.trial import Done, Trial
from playproof_judges.people.certificate import Certificate, self_signed
from playproof_judges.people.desk import Desk
from playproof_judges.people.device_site import HOME, DeviceSite
from playproof_judges.people.door import Door, Site, Token
from playproof_judges.people.items import requirement
from playproof_judges.people.labels import Labels
from playproof_judges.people.network import addresses, checked, code
from playproof_judges.people.rate import rater_name, until_interrupted
from playproof_judges.people.submission_site import SubmissionSite

PAGE = "serve/1"
HERE = ("localhost", "127.0.0.1")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What is easily told apart and typed on a device without a keyboard; 12 of them are 59 bits, and a door takes few wrong tokens."""


@click.command()
@click.argument("submission", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--lan", is_flag=True, help="Let other devices in: listen at all addresses, over HTTPS with a certificate of this session.")
@click.option("--trial", metavar="TEXT", help="Which trial, where SUBMISSION is a run's folder: its id, or a part of it that is unique.")
@click.option("--task", type=click.Path(path_type=Path, exists=True, file_okay=False),
              help="The task of a plain folder; its requirements are then listed on a page of their own.")
@click.option("--rater", metavar="NAME", help="Whose labels these are (default: your login name).")
@click.option("--labels", "place", type=click.Path(path_type=Path, dir_okay=False),
              help="The file of labels (default: RUN/labels.jsonl, else ./labels.jsonl).")
@click.option("--port", type=click.IntRange(0, 65534), default=0, help="Port of the submission; labels get the next (default: free ones).")
@click.option("--address", "named", multiple=True, metavar="NAME", help="A name or address of this machine that is not found by itself.")
@cache_option
def serve(submission: Path, lan: bool, trial: str | None, task: Path | None, rater: str | None, place: Path | None, port: int,
          named: Sequence[str], cache: Path) -> None:
    """Open SUBMISSION (a folder, or a run's folder with --trial) in a browser on another device, and note what holds.

    The submission and the page for labels have different origins and different tokens, so that a submission cannot label itself.
    Without --lan both are on 127.0.0.1, for a browser here or a headset that is connected by cable.
    """
    name = rater_name(rater)
    with tempfile.TemporaryDirectory(prefix="playproof-serve-") as scratch:
        of = _of_run if (submission / "run.json").is_file() else _of_folder
        subject = of(submission, trial, task, Path(scratch), cache)
        names = [*map(checked, named), *(addresses() if lan else ()), *HERE]
        tls = self_signed(Path(scratch), names) if lan else None
        doors = [_door(SubmissionSite(subject.files), Token(_short()), names, tls, port)]
        if subject.done:
            desk = Desk([requirement(subject.done, check) for check in subject.done.trial.survey.checks],
                        Labels(place or subject.home / "labels.jsonl"), By("person", name, {"page": PAGE}), lambda item: {"submission": ()})
            token = Token(_short())
            site = DeviceSite(desk, token.form, doors[0].address(names[0]))
            doors.append(_door(site, token, names, tls, port + 1 if port else 0))
            click.echo(f"{desk.finished} of {len(desk.items)} labelled by {name}; labels go to {desk.labels.place}")
        with until_interrupted(*doors):
            _tell(doors, names, tls)


@frozen
class _Subject:
    """What is served: a copy of the files; and the trial that labels are about, unless no task was named. `home` is where they go."""

    files: Path
    done: Done | None
    home: Path


def _of_run(run: Path, trial: str | None, task: Path | None, scratch: Path, cache: Path) -> _Subject:
    if task:
        raise UsageError(f"--task: {run} is a run, which knows the tasks of its trials")
    store = Store(run, reading=True)
    done = chosen(with_opinions(stored(store), store), trial or "")
    if done.generation is None:
        raise UsageError(f"{done.trial.id}: there is no submission: {done.trouble}")
    unpack(store.bundle(done.generation["bundle"]), scratch / "files", "submission")
    return _Subject(scratch / "files", done, run)


def _of_folder(folder: Path, trial: str | None, task: Path | None, scratch: Path, cache: Path) -> _Subject:
    """A trial of the same id as `playproof run --harness replay:FOLDER` makes, so that its verdicts meet these labels."""
    if trial:
        raise UsageError(f"--trial: {folder} is no run's folder, it has no run.json")
    frozen_copy = freeze(folder, scratch / "files", (), Ending(Ended.COMPLETED), "replay")
    if frozen_copy.problems:
        raise UsageError(f"{folder}: {frozen_copy.problems[0].message}")
    if task is None:
        return _Subject(frozen_copy.root, None, Path())
    found = read_task(task)
    made = Trial(found, survey_all([found], cache)[found.id], source(found, f"replay:{folder.resolve()}"), "", cache)
    return _Subject(frozen_copy.root, Done(made, None, None), Path())


def chosen(done: Sequence[Done], part: str) -> Done:
    """The one trial that is meant. Raises UsageError where that could be several, or none."""
    found = [one for one in done if one.trial.id == part] or [one for one in done if part in one.trial.id]
    if len(found) != 1:
        raise UsageError(f"--trial {part!r} means {'several trials' if found else 'no trial'}; "
                         f"there are: {', '.join(one.trial.id for one in (found or done))}")
    return found[0]


def _door(site: Site, token: Token, names: Sequence[str], tls: Certificate | None, port: int) -> Door:
    if tls is None:
        return Door("127.0.0.1", port, site, token, names=names)
    return Door("0.0.0.0", port, site, token, names=names, lan=True, tls=tls.context)


def _short() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def _tell(doors: Sequence[Door], names: Sequence[str], tls: Certificate | None) -> None:
    """Every address; the one to be scanned is the labels', which a phone opens, else the submission's."""
    shown = names[: -len(HERE)] or names
    for what, path, door in zip(("the submission", "what holds"), ("/", HOME), doors, strict=False):
        click.echo(f"{what}: {'  '.join(door.address(name, path) for name in shown)}")
    if tls:
        click.echo(f"the certificate is this session's own, SHA-256 {tls.fingerprint}: compare it before you trust it")
    if tls and sys.stdout.isatty():
        click.echo(code(doors[-1].address(shown[0], HOME if len(doors) > 1 else "/")))
