"""Scales: versioned data files in plugins, named `package:path/to.toml`."""

import tomllib
from functools import cache
from importlib.resources import files

from playproof.canonical import structure
from playproof.errors import TaskError
from playproof.opinion import Scale


@cache
def scale(name: str) -> Scale:
    """The scale of a data file. Raises TaskError: no such package or file, not TOML, an unknown or missing key."""
    package, _, path = name.partition(":")
    try:
        return structure(tomllib.loads(files(package).joinpath(path).read_text("utf-8")), Scale)
    except (ModuleNotFoundError, OSError, ValueError) as problem:
        raise TaskError(f"scale {name!r} (package:path/to.toml): {problem}") from None
