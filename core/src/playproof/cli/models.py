"""Models on the command line, and in a file: what judges ask."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from playproof.bench import Budget, Purse
from playproof.errors import UsageError
from playproof.interfaces import Services
from playproof.judging import Panel, bench_of
from playproof.model import Ref

F = TypeVar("F", bound=Callable[..., Any])


def player_options(command: F) -> F:
    """--model, --models: what judges ask, and what plays where a check says that a model plays."""
    for option in (
        click.option("--model", "model", multiple=True, metavar="[NAME=]DRIVER:MODEL",
                     help="A model, by the name that checks and judges use (default: `default`). May be given more than once."),
        click.option("--models", "models_file", type=click.Path(path_type=Path, exists=True, dir_okay=False),
                     help="A TOML file with a table for each model: driver = \"...\", and its options."),
    ):
        command = option(command)
    return command


def model_options(command: F) -> F:
    """--model, --models, --votes, --budget-usd, --budget-requests."""
    for option in (
        click.option("--budget-requests", type=click.IntRange(1), help="Stop before judges have sent more requests than this."),
        click.option("--budget-usd", type=click.FloatRange(min=0, min_open=True), help="Stop before judges have cost more than this."),
        click.option("--votes", type=click.IntRange(1), default=1, show_default=True,
                     help="How often each question is asked; a strict majority of all votes decides."),
        player_options,
    ):
        command = option(command)
    return command


def given_models(asked: Mapping[str, Any]) -> Mapping[str, Ref]:
    """The models of a command line: name -> driver with options. Raises UsageError, with file and place."""
    found = _from_file(asked["models_file"]) if asked["models_file"] else {}
    for spec in asked["model"]:
        name, _, rest = spec.partition("=") if "=" in spec.partition(":")[0] else ("default", "", spec)
        driver, colon, model = rest.partition(":")
        if not driver or not colon or not model:
            raise UsageError(f"--model {spec!r}: wanted [NAME=]DRIVER:MODEL, as in some-driver:its-model")
        found = {**found, name: Ref(driver, {"model": model})}
    return found


def _from_file(place: Path) -> Mapping[str, Ref]:
    try:
        tables = tomllib.loads(place.read_text("utf-8"))
    except (OSError, ValueError) as fault:
        raise UsageError(f"{place}: {fault}") from None
    found = {}
    for name, table in tables.items():
        if not isinstance(table, dict) or not isinstance(table.get("driver"), str):
            raise UsageError(f"{place}: [{name}] is no table with a driver")
        found[name] = Ref(table["driver"], {key: value for key, value in table.items() if key != "driver"})
    return found


@contextmanager
def panel(models: Mapping[str, Ref], cache: Path, **chosen: Any) -> Iterator[Panel]:
    """A panel over these models, closed when left. `chosen`: opinions, votes, judge, only; fresh, budget."""
    with ExitStack() as exits:
        services = Services(cache, exits)
        bench = bench_of(models, services, purse=Purse(chosen.pop("budget", Budget())), fresh=chosen.pop("fresh", False))
        yield Panel(bench, services, **chosen)


def told_reached(judges: Panel | None) -> int:
    """4, after saying so, when a budget left questions unasked; else 0."""
    if judges is None or not judges.reached:
        return 0
    click.echo(f"playproof: the budget is reached: {judges.reached[0]}; {len(judges.reached)} opinions were not asked for; the same "
               "command with more goes on from there", err=True)
    return 4
