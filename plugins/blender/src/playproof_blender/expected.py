"""What a task holds against a submission, as evidence that is held: its starter, read as a submission is, and files of `checks/`.

`blender.starter/1` and `blender.starter-shapes/1` are `blender.scene/1` and `blender.shapes/1` of the project that the agent was given;
for a task without one, {"none": why}. `blender.held/1` is first {"files": [names]}, then each file by itself, whose source is its name.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from playproof.drivers import settings
from playproof.errors import TaskError
from playproof.model import Options
from playproof_blender.stages import Staged

STARTER, STARTER_SHAPES, HELD = "blender.starter/1", "blender.starter-shapes/1", "blender.held/1"
KINDS = (STARTER, STARTER_SHAPES, HELD)
SEALS = {STARTER: ("scene", "application/json"), STARTER_SHAPES: ("shapes", "application/x-npz")}
MOST_BYTES = 256 << 20


@frozen
class Files:
    """Options of `blender.held/1`: globs below `checks/`."""

    files: Sequence[str] = ("*.npz", "*.obj")


@frozen
class Entry:
    """One piece of evidence to be."""

    source: str
    value: Any = None
    blob: bytes | None = None
    media_type: str = "application/json"


@frozen
class Expected:
    """`checks` is the folder of held-out files; `begun()` reads the starter's project, or says why there is none."""

    checks: Path
    begun: Callable[[], Staged | str]

    def entries(self, kind: str, options: Options) -> Iterator[Entry]:
        """Raises TaskError for options that make no sense, files that are too large, and a starter over which Blender broke."""
        if kind == HELD:
            yield from self._files(settings(Files, options, kind))
            return
        begun = self.begun()
        if isinstance(begun, str):
            yield Entry("starter", {"none": begun})
            return
        name, media_type = SEALS[kind]
        yield Entry("starter", blob=begun.named(name).read(), media_type=media_type)

    def _files(self, given: Files) -> Iterator[Entry]:
        found = sorted({place for pattern in given.files for place in self.checks.glob(pattern) if place.is_file()})
        names = [place.relative_to(self.checks).as_posix() for place in found]
        yield Entry("", {"files": names})
        for name, place in zip(names, found, strict=True):
            if place.stat().st_size > MOST_BYTES:
                raise TaskError(f"checks/{name} has {place.stat().st_size:,} bytes; at most {MOST_BYTES:,} are held")
            yield Entry(name, blob=place.read_bytes(), media_type="application/octet-stream")
