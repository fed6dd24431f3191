"""Options that several commands share."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def default_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof"


def cache_option(command: F) -> F:
    return click.option("--cache", type=click.Path(path_type=Path, file_okay=False), default=default_cache, envvar="PLAYPROOF_CACHE",
                        show_default="~/.cache/playproof", help="Where packages and other costly things are kept between runs.")(command)


def opinions_option(command: F) -> F:
    return click.option("--opinions", default="judges", show_default=True, metavar="SET",
                        help="Whose opinions decide what judges were asked.")(command)


def default_workers() -> int:
    """Half the cores, at least two (design, decision 3)."""
    return max(2, (os.cpu_count() or 2) // 2)


def grading_options(command: F) -> F:
    """--workers, --seed, --cache, --quiet, --verbose."""
    for option in (
        click.option("--workers", type=click.IntRange(1, 64), default=default_workers, show_default="cores / 2, at least 2",
                     help="Processes that grade one submission."),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything random in a grading."),
        cache_option,
        click.option("-q", "--quiet", is_flag=True, help="No progress."),
        click.option("-v", "--verbose", is_flag=True, help="Every verdict as it comes, and what is logged."),
    ):
        command = option(command)
    return command
