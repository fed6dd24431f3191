"""The workspace that an agent left -> a frozen copy, named by its digest. The workspace is hostile: no link is followed, nothing
but regular files is opened, and whatever cannot be taken is a Problem of the submission, never an exception."""

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from playproof.bundle import digest_file
from playproof.canonical import digest
from playproof.errors import InfrastructureError
from playproof.model import Ending, Problem, Reason, Submission

CHUNK = 1 << 20
DEEPEST = 64
"""Beyond this many folders in folders nothing is looked at; no submission may be half as deep."""


@frozen
class Bounds:
    """How large a submission may be: bytes of all files as they say (a sparse file counts whole), entries (folders included),
    folders in folders, and bytes of a path."""

    bytes: int = 1 << 30
    entries: int = 20_000
    depth: int = 32
    path: int = 800


BOUNDS = Bounds()


@frozen
class Found:
    """Something in a folder: `kind` is file, link, folder or special (a device, a socket, a FIFO); `path` is relative, with slashes."""

    path: str
    kind: str
    place: Path
    size: int
    executable: bool


@frozen
class Entry:
    """What identifies one frozen file (content: SHA-256) or link (content: its target). Empty folders do not count."""

    path: str
    kind: str
    executable: bool
    content: str


class Refused(Exception):
    """Why this folder is no submission, with the path in it."""


def look(place: Path, path: str) -> Found:
    """What stands at a place, to be called `path`."""
    seen = place.lstat()
    kind = {stat.S_IFREG: "file", stat.S_IFLNK: "link", stat.S_IFDIR: "folder"}.get(stat.S_IFMT(seen.st_mode), "special")
    return Found(path, kind, place, seen.st_size, bool(seen.st_mode & 0o100))


def walk(root: Path, above: str = "") -> Iterator[Found]:
    """All that is below a folder, each folder before its content, by name. Nothing is opened, no link followed."""
    for place in sorted(root.iterdir(), key=lambda one: os.fsencode(one.name)):
        one = look(place, above + place.name)
        yield one
        if one.kind == "folder" and one.path.count("/") < DEEPEST:
            yield from walk(place, f"{one.path}/")


def tree_digest(place: Path) -> str:
    """The digest of a folder of ours as `freeze` would give it, without its bounds; of a file; of nothing where there is nothing.

    What Python compiles beside a script is no part of it: it differs from clone to clone."""
    if place.is_file():
        return digest([digest_file(place)])
    there = walk(place) if place.is_dir() else ()
    found = [one for one in there if one.kind != "folder" and "__pycache__" not in one.path.split("/")]
    return digest([Entry(one.path, one.kind, one.executable and one.kind == "file", _content(one)) for one in found])


def _content(found: Found) -> str:
    if found.kind == "link":
        return str(found.place.readlink())
    return digest_file(found.place) if found.kind == "file" else ""


def freeze(
    workspace: Path, into: Path, deliver: Sequence[str], ending: Ending, source: str, *, bounds: Bounds = BOUNDS,
) -> Submission:
    """Copy a workspace into the fresh folder `into`. A refused one is an empty submission with the reason in its problems.

    Links stay links if they lead to a place inside. `deliver`: each glob matches a regular, non-empty file, else that is a
    problem, too. Raises InfrastructureError only if `into` cannot be written."""
    _fresh(into)
    try:
        found = _survey(workspace, bounds)
        entries = [_take(one, into, bounds) for one in found]
        for one in found:
            _stays_inside(one, into)
    except Refused as why:
        _fresh(into)
        return Submission(into, digest({"refused": str(why)}), 0, 0, source, ending, (Problem(Reason.UNDELIVERED, str(why)),))
    files = [one for one in found if one.kind == "file"]
    size = sum(one.size for one in files)
    return Submission(into, digest(entries), len(files), size, source, ending, tuple(_undelivered(deliver, found)))


def _fresh(folder: Path) -> None:
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    except OSError as fault:
        raise InfrastructureError(f"cannot write the submission: {fault}") from fault


def _survey(workspace: Path, bounds: Bounds) -> Sequence[Found]:
    """The files and links of a workspace, unopened. Raises Refused."""
    if workspace.is_symlink():
        raise Refused("the submission is itself a link")
    if not workspace.is_dir():
        raise Refused("the submission is no folder" if workspace.exists() else "there is no submission: its folder does not exist")
    kept, size = [], 0
    try:
        for count, one in enumerate(walk(workspace), 1):
            size += one.size if one.kind == "file" else 0
            _admit(one, bounds)
            if count > bounds.entries:
                raise Refused(f"more than {bounds.entries} files and folders")
            if size > bounds.bytes:
                raise Refused(f"{one.path!r}: more than {bounds.bytes} bytes in all (this file: {one.size})")
            if one.kind != "folder":
                kept.append(one)
    except OSError as fault:
        raise Refused(f"{str(fault.filename).removeprefix(f'{workspace}/')!r}: cannot be read: {fault.strerror}") from None
    return kept


def _admit(one: Found, bounds: Bounds) -> None:
    try:
        one.path.encode()
    except UnicodeEncodeError:
        raise Refused(f"{os.fsencode(one.path)!r}: its name is not UTF-8") from None
    if len(one.path.encode()) > bounds.path:
        raise Refused(f"{one.path[:80]!r}…: its path is longer than {bounds.path} bytes")
    if one.path.count("/") >= bounds.depth:
        raise Refused(f"{one.path!r}: more than {bounds.depth} folders deep")
    if one.kind == "special":
        raise Refused(f"{one.path!r}: is a device, a socket or a FIFO")


def _take(one: Found, into: Path, bounds: Bounds) -> Entry:
    place = into / one.path
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if one.kind == "link":
            target = _target(one)
            place.symlink_to(target)
            return Entry(one.path, "link", False, target)
        with place.open("xb") as copy:
            content = hashlib.sha256()
            for chunk in _chunks(one):
                content.update(chunk)
                copy.write(chunk)
        place.chmod(0o755 if one.executable else 0o644)
    except OSError as fault:
        raise InfrastructureError(f"cannot write the submission: {fault}") from fault
    return Entry(one.path, "file", one.executable, content.hexdigest())


def _target(one: Found) -> str:
    target = str(one.place.readlink())
    try:
        target.encode()
    except UnicodeEncodeError:
        raise Refused(f"{one.path!r}: is a link to a name that is not UTF-8") from None
    return target


def _chunks(one: Found) -> Iterator[bytes]:
    """The bytes of a regular file, and of nothing that has taken its place since; never more than it said."""
    left = one.size
    try:
        source = os.open(one.place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as fault:
        raise Refused(f"{one.path!r}: cannot be read: {fault.strerror}") from None
    try:
        while left > 0 and (chunk := os.read(source, min(CHUNK, left))):
            left -= len(chunk)
            yield chunk
    except OSError as fault:
        raise Refused(f"{one.path!r}: cannot be read: {fault.strerror}") from None
    finally:
        os.close(source)


def _stays_inside(one: Found, into: Path) -> None:
    """A link must lead inside as it is written and, since it may pass over other links, as the copy resolves it."""
    if one.kind != "link":
        return
    target = _target(one)
    written = os.path.normpath(Path(one.path).parent / target)
    root = os.path.realpath(into)
    resolved = os.path.realpath(into / one.path)
    if target.startswith("/") or written.split("/")[0] == ".." or os.path.commonpath([root, resolved]) != root:
        raise Refused(f"{one.path!r}: is a link that leaves the submission, to {target!r}")


def _undelivered(deliver: Sequence[str], found: Sequence[Found]) -> Iterator[Problem]:
    for glob in deliver:
        matches = [one for one in found if _pattern(glob).fullmatch(one.path)]
        if not any(one.kind == "file" and one.size > 0 for one in matches):
            empty = any(one.kind == "file" for one in matches)
            why = "it is empty" if empty else "it is a link, not a file" if matches else "there is no such file"
            yield Problem(Reason.UNDELIVERED, f"{glob!r} was not delivered: {why}")


def delivered(deliver: Sequence[str], one: Found) -> bool:
    """Whether something is a regular file that was asked for, or a folder, which may hold one."""
    return one.kind == "folder" or (one.kind == "file" and any(_pattern(glob).fullmatch(one.path) for glob in deliver))


def _pattern(glob: str) -> re.Pattern[str]:
    """`*` and `?` stay in one folder, `**/` passes over any number of folders."""
    spelled = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    return re.compile("".join(spelled.get(part, re.escape(part)) for part in parts), re.DOTALL)
