"""Check scripts of a task, loaded from its held-out folder."""

import sys
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from playproof.canonical import digest
from playproof.checks import ScriptCheck
from playproof.errors import TaskError


def held_out_files(root: Path, globs: Sequence[str]) -> Sequence[Path]:
    """The files that the globs name below `root`, sorted. Raises TaskError for a glob that matches nothing."""
    found: dict[Path, None] = {}
    for glob in globs:
        matched = sorted(path for path in root.glob(glob) if path.is_file())
        if not matched:
            raise TaskError(f"{root}: no file matches {glob!r}")
        found.update(dict.fromkeys(matched))
    return list(found)


def load_scripts(root: Path, globs: Sequence[str]) -> dict[str, ScriptCheck]:
    """Every `@check` of the files, by id, in the order written. A file that begins with an underscore is only imported.

    Raises TaskError: a script that fails to load, a duplicate id, a file without a check."""
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    found: dict[str, ScriptCheck] = {}
    homes: dict[str, Path] = {}
    for path in held_out_files(root, globs):
        if path.name.startswith("_"):
            continue
        checks = [value for value in vars(_module(path)).values() if isinstance(value, ScriptCheck)]
        if not checks:
            raise TaskError(f"{path}: no @check in it")
        for one in checks:
            if one.check.id in found:
                raise TaskError(f"{path}: check {one.check.id!r} is already declared in {homes[one.check.id]}")
            found[one.check.id], homes[one.check.id] = one, path
    return found


def _module(path: Path) -> object:
    spec = spec_from_file_location(f"playproof_checks_{digest(str(path).encode())[:16]}", path)
    if spec is None or spec.loader is None:
        raise TaskError(f"{path}: cannot be loaded as Python")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as fault:  # the author's code: whatever it raises is told with its place
        raise TaskError(f"{path}: {type(fault).__name__}: {fault}") from fault
    return module
