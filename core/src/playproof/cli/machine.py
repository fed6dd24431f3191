"""`tasks`, `plugins` and `doctor`: what is here."""

import json
import os
import platform
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from playproof.author.certificate import standing
from playproof.cli.options import cache_option
from playproof.cli.progress import console, printable
from playproof.drivers import INTERFACES, Installed, build, installed, load, names
from playproof.errors import PlayproofError
from playproof.interfaces import Lack, Services
from playproof.model import Ref
from playproof.taskfile import find_tasks


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def tasks(paths: Sequence[Path], as_json: bool) -> None:
    """The tasks at or below PATHS (default: tasks), with their certificates."""
    rows: list[dict[str, Any]] = []
    for task in find_tasks(paths or [Path("tasks")]):
        rows.append({"id": task.id, "version": task.version, "domain": task.domain, "title": task.title, "labels": dict(task.labels),
                     "certificate": standing(task), "folder": str(task.root)})
    if as_json:
        click.echo(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    _table(["task", "version", "domain", "certificate", "title"],
           [[row["id"], row["version"], row["domain"], row["certificate"], row["title"]] for row in rows])


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def plugins(as_json: bool) -> None:
    """Every driver and listener with its distribution; loads each one, so that what fails is seen."""
    offers = list(installed())
    rows = [{"interface": one.interface, "name": one.name, "distribution": one.distribution, "version": one.version,
             "group": one.group, "state": _state(one, offers)} for one in offers]
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    _table(["interface", "name", "distribution", "version", "state"],
           [[row["interface"], row["name"], row["distribution"], row["version"], row["state"]] for row in rows])


def _state(one: Installed, offers: Sequence[Installed]) -> str:
    if not one.speaks:
        return f"speaks {one.group}, this core {INTERFACES[one.interface]}"
    rivals = [other.distribution for other in offers if other.interface == one.interface and other.name == one.name and other.speaks]
    if len(rivals) > 1:
        return f"clash: {' and '.join(rivals)}"
    try:
        load(one.interface, one.name)
    except PlayproofError as fault:
        return f"does not load: {fault.__cause__ or fault}"
    return "ok"


@click.command()
@click.argument("only", nargs=-1, metavar="[DIAGNOSIS]...")
@click.option("--fix", is_flag=True, help="Mend each lack that has a command, after saying what will be done.")
@click.option("--yes", is_flag=True, help="Do not ask before each command; with a DIAGNOSIS, agree to the licence of what it brings.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@cache_option
@click.pass_context
def doctor(ctx: click.Context, /, only: Sequence[str], fix: bool, yes: bool, as_json: bool, cache: Path) -> None:
    """What this machine can run, and how to mend what it cannot; of each DIAGNOSIS alone where some are named.

    Exits with 1 while something is lacking."""
    found = diagnose(cache, only)
    if fix:
        _mend([(name, lack) for name, lacks in found.items() for lack in lacks if lack.command], yes, only if yes else ())
        found = diagnose(cache, only)
    if as_json:
        click.echo(json.dumps({name: [{"what": one.what, "why": one.why, "remedy": one.remedy} for one in lacks]
                               for name, lacks in found.items()}, indent=1))
    else:
        _print_lacks(found)
    ctx.exit(int(any(found.values())))


def diagnose(cache: Path, only: Sequence[str] = ()) -> Mapping[str, Sequence[Lack]]:
    """Diagnosis driver -> what it finds lacking. Raises DriverNotFound for one in `only` that is not installed."""
    found: dict[str, Sequence[Lack]] = {}
    for name in only or names("diagnosis"):
        driver: Any = build("diagnosis", Ref(name), Services(cache))
        found[name] = driver.lacks()
    if platform.system() != "Linux":
        found["system"] = [Lack(f"{platform.system()} is not supported", "sandboxes and process trees are Linux's",
                                "use Linux (x86-64 or arm64) or WSL 2")]
    return found


def _print_lacks(found: Mapping[str, Sequence[Lack]]) -> None:
    for name, lacks in found.items():
        click.echo(f"{name}: {'ok' if not lacks else ''}".rstrip())
        for one in lacks:
            click.echo(f"  {one.what}: {one.why}\n    remedy: {one.remedy}")


def _mend(lacks: Sequence[tuple[str, Lack]], yes: bool, agreed: Sequence[str]) -> None:
    """`agreed`: the diagnoses that the user named when saying yes, for which no default and no answer at a terminal stands."""
    ran: list[Sequence[str]] = []
    for name, one in lacks:
        if one.command in ran:
            continue
        click.echo(f"{one.what}: {one.why}\n  will run: {' '.join(one.command)}")
        if one.licence:
            click.echo(f"  what it brings is under {one.licence}")
            if name not in agreed:
                click.echo(f"  not done; if you agree: playproof doctor --fix --yes {name}")
                continue
        elif not yes and not click.confirm("  go on?", default=True):
            continue
        if one.command[0] == "apt-get" and not any(done[0] == "apt-get" for done in ran):
            _ran(["apt-get", "update", "-q"], one.patience_s)
        ran.append(one.command)
        _ran(one.command, one.patience_s)


def _ran(command: Sequence[str], patience_s: float) -> None:
    """Run it and say how it went; what it printed is shown only when it failed."""
    began = time.monotonic()
    try:
        done = subprocess.run(list(command), check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=patience_s, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    except (OSError, subprocess.TimeoutExpired) as fault:
        click.echo(f"  {fault}", err=True)
        return
    if done.returncode:
        click.echo(f"  it failed with code {done.returncode}:\n{printable(done.stdout.decode(errors='replace')[-2000:], 2000)}", err=True)
    else:
        click.echo(f"  done in {time.monotonic() - began:.0f} s: {' '.join(command[:3]).splitlines()[0]}")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(*heads, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(cell, overflow="fold") for cell in row))
    console().print(table)
