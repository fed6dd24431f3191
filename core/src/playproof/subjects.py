"""What is under test, from what a user writes: `reference`, `broken:NAME`, `replay:FOLDER`, or a harness."""

import shlex
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from playproof.canonical import digest, plain
from playproof.drivers import build, names
from playproof.errors import DriverNotFound, UsageError
from playproof.interfaces import Services
from playproof.model import Ref, Task
from playproof.sources import origins
from playproof.trial import Subject
from playproof.workspace import tree_digest

SOURCES = ("reference", "accepted", "broken", "mutant", "nothing", "replay")
"""The sources of submissions; every other subject is a harness."""


class Ways(Protocol):
    """How harnesses are built: the part of a request that concerns them."""

    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def sandbox(self) -> str: ...
    @property
    def cache(self) -> Path: ...


def subjects(task: Task, spec: str, ways: Ways) -> Sequence[Subject]:
    kind, _, name = spec.partition(":")
    if kind not in SOURCES:
        return [_harness(spec, ways)]
    if kind in ("accepted", "broken") and name in ("", "*"):
        folder = task.root / kind
        names = [one.name for one in sorted(folder.iterdir()) if one.is_dir()] if folder.is_dir() else []
        return [source(task, f"{kind}:{name}", ways.cache) for name in names]
    return [source(task, spec, ways.cache)]


def source(task: Task, spec: str, cache: Path | None = None) -> Subject:
    """`cache` is where a mutant is looked for."""
    kind = spec.partition(":")[0]
    try:
        content = digest([tree_digest(place) for place in origins(task, spec, cache)])
    except OSError as fault:
        raise UsageError(f"{fault.filename}: cannot be read: {fault.strerror}") from None
    label = f"replay-{content[:8]}" if kind == "replay" else spec
    return Subject(label, {"source": label, "digest": content}, source=spec)


def _harness(spec: str, ways: Ways) -> Subject:
    """A harness by name; `command:LINE` is short for the options of the command harness."""
    name, _, line = spec.partition(":")
    if name not in names("harness"):
        raise DriverNotFound("harness", name, names("harness"), f"sources of submissions: {', '.join(SOURCES)}")
    try:
        options = {**ways.options, **({"argv": shlex.split(line)} if line else {})}
    except ValueError as fault:
        raise UsageError(f"{spec!r}: {fault}") from None
    ref = Ref(name, options)
    with ExitStack() as exits:
        services = Services(ways.cache, exits)
        stack = build("harness", ref, services).stack
        sandbox = build("sandbox", Ref(ways.sandbox), services)  # refused now, not when the first agent should start
    inputs = {"harness": name, "options": options, "stack": plain(stack), "sandbox": [ways.sandbox, sorted(sandbox.promises.items())]}
    label = name if not line else f"{name}-{digest(inputs)[:8]}"
    return Subject(label, inputs, harness=ref, sandbox=Ref(ways.sandbox))
