"""`playproof rate`: experts judge a run blind, on a page that this machine alone can reach."""

import getpass
import os
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from playproof.cli.options import cache_option
from playproof.errors import UsageError
from playproof.exhibits import installed_exhibitors
from playproof.interfaces import Services
from playproof.judging import with_opinions
from playproof.opinion import By, Form
from playproof.run import stored
from playproof.store import Store
from playproof.trial import Done
from playproof_judges.people.desk import Desk
from playproof_judges.people.door import Door, Token
from playproof_judges.people.gallery import Gallery
from playproof_judges.people.items import FORMS, items, shuffled
from playproof_judges.people.labels import CONSENSUS, Labels
from playproof_judges.people.rating_site import RatingSite
from playproof_judges.people.veil import veil

PAGE = "rate/1"


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--mode", type=click.Choice(list(FORMS)), default="verdict", show_default=True,
              help="verdict: does each requirement hold? rating: each item of a scale. preference: which of two is better?")
@click.option("--scale", "scale_name", metavar="PACKAGE:PATH.toml", help="The scale of --mode rating (default: the tasks' own).")
@click.option("--rater", metavar="NAME", help="Whose labels these are (default: your login name).")
@click.option("--labels", "place", type=click.Path(path_type=Path, dir_okay=False),
              help="The file of labels; several raters may share one (default: RUN/labels.jsonl).")
@click.option("--only", multiple=True, metavar="TEXT", help="Only what has this in TRIAL/CHECK, or matches it as a glob.")
@click.option("--seed", type=int, default=0, show_default=True, help="The order in which things are shown, another one for each rater.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1 (default: any that is free).")
@click.option("--reveal", is_flag=True, help="Begin with the disputes: others' labels are shown, and your own are closed.")
@click.option("--open/--no-open", "browse", default=True, help="Open the page in a browser.")
@cache_option
def rate(run: Path, mode: Form, scale_name: str | None, rater: str | None, place: Path | None, only: Sequence[str], seed: int, port: int,
         reveal: bool, browse: bool, cache: Path) -> None:
    """Judge RUN as an expert, blind: who made what is hidden, and the order is shuffled.

    Serves a page on 127.0.0.1 until Ctrl-C. Each label is one line in a file and on disk at once; the same command goes on where you
    stopped. `playproof calibrate` measures judges and verifiers against the labels.
    """
    name = rater_name(rater)
    store = Store(run, reading=True)
    done = with_opinions(stored(store), store)
    found = shuffled(items(done, mode, scale_name, only), seed, name)
    labels = Labels(place or run / "labels.jsonl")
    with ExitStack() as exits:
        gallery = Gallery(store, installed_exhibitors(Services(cache, exits)), veil(done))
        desk = Desk(found, labels, By("person", name, {"page": PAGE, "seed": seed}),
                    lambda item: {key: gallery.entries(side) for key, side in item.sides.items()}, closed=reveal)
        token = Token()
        door = Door("127.0.0.1", port, RatingSite(desk, gallery, token.form), token)
        say_what_is_gone(done)
        with until_interrupted(door):
            click.echo(f"{desk.finished} of {len(found)} labelled by {name}; labels go to {labels.place}\n{door.address()}")
            if browse:
                look_at(door.address(), exits)
        click.echo(f"\n{desk.finished} of {len(found)} labelled; the same command goes on", err=True)


@contextmanager
def until_interrupted(*doors: Door) -> Iterator[None]:
    """Serve while the body runs, and then until Ctrl-C, which is how this ends, and no failure."""
    for door in doors:
        door.start()
    try:
        yield
        threading.Event().wait()
    except KeyboardInterrupt:
        pass
    finally:
        for door in doors:
            door.stop()


def look_at(address: str, exits: ExitStack) -> None:
    """Open it where there is a screen, by way of a file that nobody else can read: what a program is started with is seen by
    everybody on the machine, and the address holds the token."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    place = Path(exits.enter_context(tempfile.TemporaryDirectory(prefix="playproof-rate-"))) / "open.html"
    place.write_text(f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={address}">')
    webbrowser.open(place.as_uri())


def rater_name(said: str | None) -> str:
    """Raises UsageError for what would be no name in a file of labels."""
    name = (said if said is not None else getpass.getuser()).strip()
    if not name or len(name) > 60 or not name.isprintable() or name.lower() == CONSENSUS:
        raise UsageError(f"--rater {name[:60]!r}: wanted a name of 1 to 60 printable characters, and not {CONSENSUS!r}")
    return name


def say_what_is_gone(done: Sequence[Done]) -> None:
    for root in dict.fromkeys(one.trial.task.root for one in done):
        if not (root / "brief" / "instruction.md").is_file():
            click.echo(f"{root}: the task is not there any more, so its brief cannot be shown", err=True)
