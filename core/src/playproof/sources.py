"""Submissions that no agent made: the workspace as an agent finds it, under a folder of the task or of the caller.

    reference, accepted:NAME, broken:NAME    what the task ships
    mutant:ID                                the reference with one small change, which `certify` has made
    nothing                                  the untouched workspace
    replay:PLACE                             a folder, or one file in place of the file that is to be delivered

A shipped folder may hold a build.toml, which starts from something else and changes it, in this order:

    base = "reference"            another source of the task, or "package@version" of the lock that `lock` names
    patch = "some.diff"           applied by git
    [[replace]]                   file, find (a text that occurs exactly once), with
    script = "make.py"            of this folder, run by the task's runtime over what is there by then (see `Builds`)
    truncate = { file = "index.html", keep = 0.6 }
"""

import json
import shutil
import subprocess
import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path

from attrs import field, frozen, validators

from playproof.building import built
from playproof.canonical import digest, structure
from playproof.errors import InfrastructureError, TaskError, UsageError
from playproof.model import Replace, Task
from playproof.mutation import applied, kept, place_of, written
from playproof.packages import lay_in
from playproof.submission import look, tree_digest
from playproof.workspace import file_in, furnish, overlay, put, replaced, whole

RECIPE = "build.toml"
EXPECTED = "expected.toml"


@frozen
class Truncate:
    """Keep the first part of a file: `keep` is a share of its bytes."""

    file: str
    keep: float = field(validator=[validators.ge(0), validators.lt(1)])


@frozen
class Recipe:
    base: str | None = None
    lock: str | None = None
    patch: str | None = None
    replace: Sequence[Replace] = ()
    script: str | None = None
    truncate: Truncate | None = None


def materialise(task: Task, source: str, into: Path, cache: Path) -> None:
    """Make the workspace of a source at `into`, whole or not at all.

    Raises TaskError with file and place (no such source, a malformed or impossible build.toml), UsageError for a place to
    replay that is not there, InfrastructureError (no npm, no git, a full disk)."""
    kind, _, name = source.partition(":")
    with whole(into) as part:
        furnish(task, part, cache)
        if kind == "replay":
            _replay(task, Path(name), part)
        elif kind == "mutant":
            _mutate(task, name, part, cache)
        elif kind != "nothing":
            _ship(task, source, part, cache, ())


def beneath(task: Task, source: str, into: Path, cache: Path) -> None:
    """Make at `into` what a source stands on and does not hold itself: the workspace as an agent finds it, and below it the pinned
    package that its recipe starts from. Raises as `materialise` does."""
    above: tuple[str, ...] = ()
    with whole(into) as part:
        furnish(task, part, cache)
        while "@" not in source[1:]:
            folder = _folder(task, source, above)
            recipe = _read(folder / RECIPE) if (folder / RECIPE).is_file() else Recipe()
            if recipe.base is None:
                return
            above, source = (*above, source), recipe.base
        overlay(_package(task, folder, recipe, cache), part)


def reference_digest(task: Task) -> str:
    """What the mutants of a task's reference are kept under."""
    return digest([tree_digest(place) for place in origins(task, "reference")])


def origins(task: Task, source: str, cache: Path | None = None) -> Sequence[Path]:
    """Everything that a source is made of: its folder, those that its recipe starts from, and the locks of their packages; for a
    mutant, which is found in the cache, the reference's and its change.

    Raises TaskError for a recipe that is malformed or leads nowhere and for a mutant that nobody has made, UsageError for a place
    to replay that is not there."""
    kind, _, name = source.partition(":")
    if kind == "mutant":
        return [*origins(task, "reference"), _change(task, name, cache)]
    if kind == "nothing":
        return []
    if kind == "replay":
        if not Path(name).is_symlink() and not Path(name).exists():
            raise UsageError(f"{name}: there is nothing to replay")
        return [Path(name)]
    found: list[Path] = []
    above: tuple[str, ...] = ()
    base: str | None = source
    while base is not None and "@" not in base[1:]:
        folder = _folder(task, base, above)
        recipe = _read(folder / RECIPE) if (folder / RECIPE).is_file() else Recipe()
        found += [folder, *([task.root / recipe.lock] if recipe.lock else [])]
        above, base = (*above, base), recipe.base
    return found


def _replay(task: Task, place: Path, workspace: Path) -> None:
    if not place.exists():
        raise UsageError(f"{place}: there is nothing to replay")
    if place.is_dir():
        overlay(place, workspace)
        return
    literal = [glob for glob in task.deliver if not set("*?") & set(glob)]
    target = next((glob for glob in literal if Path(glob).suffix == place.suffix), place.name)
    (workspace / target).parent.mkdir(parents=True, exist_ok=True)
    put(look(place, target), workspace)


def _change(task: Task, name: str, cache: Path | None) -> Path:
    """Where a mutant's change is kept."""
    place = place_of(name, reference_digest(task), cache) if cache and Path(name).name == name else None
    if place is None or not place.is_file():
        raise TaskError(f"task {task.id!r}: there is no mutant {name!r} of its reference as it is now; `playproof certify` makes them")
    return place


def _mutate(task: Task, name: str, workspace: Path, cache: Path) -> None:
    place = _change(task, name, cache)
    _ship(task, "reference", workspace, cache, ())
    try:
        mutant = kept(place)
        if mutant.script:
            built(task, written(mutant, cache), workspace, cache)
            return
        changed = workspace / mutant.file
        changed.write_bytes(applied(mutant, changed.read_bytes()))
    except (ValueError, FileNotFoundError) as fault:
        raise InfrastructureError(f"{place}: does not fit the reference ({fault}); remove it and certify again") from None


def _ship(task: Task, source: str, workspace: Path, cache: Path, above: Sequence[str]) -> None:
    folder = _folder(task, source, above)
    recipe = _read(folder / RECIPE) if (folder / RECIPE).is_file() else Recipe()
    if recipe.base is not None and "@" in recipe.base[1:]:
        overlay(_package(task, folder, recipe, cache), workspace)
    elif recipe.base is not None:
        _ship(task, recipe.base, workspace, cache, (*above, source))
    overlay(folder, workspace, skip=_own_files(folder, recipe))
    if recipe.patch is not None:
        _patch(folder, recipe.patch, workspace)
    for number, change in enumerate(recipe.replace):
        replaced(change, workspace, folder / RECIPE, f"$.replace[{number}]")
    if recipe.script is not None:
        built(task, file_in(folder, recipe.script, folder / RECIPE, "$.script"), workspace, cache)
    if recipe.truncate is not None:
        place = file_in(workspace, recipe.truncate.file, folder / RECIPE, "$.truncate.file")
        whole = place.read_bytes()
        place.write_bytes(whole[: int(len(whole) * recipe.truncate.keep)])


def _own_files(folder: Path, recipe: Recipe) -> Collection[str]:
    """What a source's folder holds for making it, and is no part of it: with a script all of that kind, since it may import them."""
    scripts = [place.relative_to(folder).as_posix() for place in folder.rglob("*" + Path(recipe.script).suffix)] if recipe.script else []
    return {RECIPE, EXPECTED, *([recipe.patch] if recipe.patch else []), *scripts}


def _folder(task: Task, source: str, above: Sequence[str]) -> Path:
    where = f"{_folder(task, above[-1], ()) / RECIPE}: base {source!r} @ $.base" if above else f"task {task.id!r}: source {source!r}"
    kind, _, name = source.partition(":")
    if source in above:
        raise TaskError(f"{where} leads back to itself: {' -> '.join((*above, source))}")
    if source != "reference" and not (kind in ("accepted", "broken") and name and Path(name).name == name):
        raise TaskError(f"{where}: expected reference, accepted:NAME or broken:NAME{', or package@version' if above else ''}")
    folder = task.root / kind / name
    if not folder.is_dir():
        raise TaskError(f"{where}: there is no folder {folder}")
    return folder


def _read(place: Path) -> Recipe:
    try:
        data = tomllib.loads(place.read_text("utf-8"))
        return structure(data, Recipe)
    except (OSError, ValueError) as fault:  # TOML, UTF-8 and structure faults are all ValueErrors
        raise TaskError(f"{place}: {fault}") from None


def _package(task: Task, folder: Path, recipe: Recipe, cache: Path) -> Path:
    """The folder of a pinned package, if the lock has it in that version."""
    name, _, version = (recipe.base or "").rpartition("@")
    if recipe.lock is None:
        raise TaskError(f"{folder / RECIPE}: a package as base needs `lock`, the path of its lock in the task @ $.lock")
    place = lay_in(task.root / recipe.lock, cache) / "node_modules" / name
    there = json.loads((place / "package.json").read_text("utf-8"))["version"] if (place / "package.json").is_file() else "none"
    if there != version:
        raise TaskError(f"{folder / RECIPE}: {recipe.lock} has {name} in version {there}, not {version} @ $.base")
    return place


def _patch(folder: Path, name: str, workspace: Path) -> None:
    """By `git apply`, which refuses to leave the folder; told of no repository, since inside one it skips what is not tracked."""
    diff = folder / name
    if not diff.is_file():
        raise TaskError(f"{folder / RECIPE}: there is no file {name!r} @ $.patch")
    git = shutil.which("git")
    if git is None:
        raise InfrastructureError(f"{folder / RECIPE}: a patch needs git: apt-get install git")
    alone = {"GIT_CEILING_DIRECTORIES": str(workspace.resolve().parent), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    done = subprocess.run([git, "apply", str(diff.resolve())], cwd=workspace, env=alone, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TaskError(f"{diff}: {done.stderr.strip()}")
