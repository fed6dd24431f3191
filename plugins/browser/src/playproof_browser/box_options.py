"""The values that a box takes and gives."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import Factory, frozen


@frozen
class BoxOptions:
    """How to box a browser.

    `boxed`: None takes bubblewrap where it works and the denying proxy elsewhere; True insists on bubblewrap; False is the
    proxy. `memory` bounds the browser's whole tree, `process_memory` the writable memory of each of its processes, both in
    bytes. `display` (":0") and `xauthority` are the X server that a headed browser shows itself on. `hidden` are folders
    that must not be seen even where they lie below something that is shown. `start_s` bounds the opening.

    `host` is the name of the submission's origin: "127.0.0.1", or "localhost" for pages that ask for it by name. `shelves` are
    folders beside the submission, served read only below a first path segment: {"@npm": Path(...)} gives /@npm/..."""

    headed: bool = False
    display: str | None = None
    xauthority: Path | None = None
    boxed: bool | None = None
    memory: int | None = 2 << 30
    process_memory: int | None = 3 << 30
    hidden: Sequence[Path] = ()
    start_s: float = 30.0
    flags: Sequence[str] = ()
    host: str = "127.0.0.1"
    shelves: Mapping[str, Path] = Factory(dict)


@frozen
class Request:
    """One request that reached our server: what was asked, what was answered, body bytes sent. Seen from outside."""

    method: str
    path: str
    status: int
    bytes: int


@frozen
class Protection:
    """What keeps the submission in, by name (processes, network, files, identity, memory), and in words.

    `boxed` is False for the weaker way: a proxy that denies, but no namespace around the browser."""

    boxed: bool
    promises: Mapping[str, bool]
    words: str


def protection(boxed: bool, root: bool, memory: bool, why_not: str | None) -> Protection:
    """What the two ways hold. `identity`: another uid than the grader's, so the grader's files are out of reach."""
    if boxed:
        promises = {"processes": True, "network": True, "files": True, "identity": root, "memory": memory}
        return Protection(True, promises, "boxed: own network without a way out, own processes, own files")
    promises = {"processes": False, "network": False, "files": False, "identity": root, "memory": memory}
    words = "weaker: the browser is not boxed; pages reach no network, by a proxy that denies and the browser's own policies"
    return Protection(False, promises, f"{words} ({why_not})" if why_not else words)
