"""One stage at a time, each in a Blender of its own in a box of its own: what it sealed, and how it ended."""

import hashlib
import json
import os
import shutil
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import structlog
from attrs import evolve, frozen

from playproof.drivers import build
from playproof.errors import InfrastructureError, SessionHung, SessionLost
from playproof.interfaces import Box, Exit, Limits, Sandbox, Services
from playproof.model import Ref
from playproof_blender.backend import Blender

INSIDE = Path(__file__).parent / "inside"
LAST_WORDS = 4000
MOST_SEALS = 20_000


@frozen
class Seal:
    """One thing that a stage made: a JSON value, or a file whose digest was that when it was sealed."""

    name: str
    value: Any = None
    place: Path | None = None

    def read(self) -> bytes:
        assert self.place is not None, f"{self.name} is no file"
        return self.place.read_bytes()


@frozen
class Staged:
    """How a stage went: `whole` when it came to its end, whatever its process did afterwards; `ended` is that of the process."""

    stage: str
    seals: Sequence[Seal]
    ended: Exit
    words: str

    @property
    def whole(self) -> bool:
        return any(seal.name == "end" for seal in self.seals)

    def get(self, name: str) -> Seal | None:
        return next((seal for seal in self.seals if seal.name == name), None)

    def named(self, name: str) -> Seal:
        """Raises SessionHung or SessionLost where the stage did not come so far."""
        found = self.get(name)
        if found is None:
            raise self.fault()
        return found

    def fault(self) -> SessionLost | SessionHung:
        """Why a stage is not whole: it hung, it died, or our own code in it broke on what it met."""
        if self.ended.ended in ("wall", "idle"):
            return SessionHung(f"Blender did not finish {self.stage} within {self.ended.wall_s:.0f} s")
        if broken := self.get("error"):
            return SessionLost(f"{self.stage} broke on this project: {str(broken.value['traceback']).strip()}")
        how = "was killed" if self.ended.code is None else f"ended with code {self.ended.code}"
        last = self.words.strip().splitlines()[-1:] or ["no word"]
        return SessionLost(f"Blender {how} during {self.stage}: {last[0][:300]}")


class Stages:
    """Runs stages on one project. `root` is the folder of the submission, shown read-only; `scratch` is ours."""

    def __init__(self, blender: Blender, services: Services, scratch: Path, hidden: Sequence[Path] = (), limits: Limits | None = None) -> None:
        self._blender, self._scratch, self._hidden = blender, scratch, hidden
        self._limits = limits or Limits()
        self._sandbox: Sandbox = build("sandbox", Ref("bubblewrap" if shutil.which("bwrap") else "process"), services)
        self._count = 0

    def run(self, stage: str, root: Path, project: str | None, options: Mapping[str, Any], wall_s: float,
            writable: Mapping[str, Path] | None = None) -> Staged:  # fmt: skip
        """`stage` is a module of `inside` with `run(options, out, seal)`. What is `writable` is shown at its own place, besides the folder of
        the stage. Raises InfrastructureError when the box will not start."""
        work = self._fresh(stage)
        out = work / "out"
        shown = {str(place): place for place in (*self._blender.mounts, INSIDE, root)}
        words: deque[bytes] = deque(maxlen=50)
        with self._sandbox.open(Box(work, shown, writable or {}, limits=evolve(self._limits, wall_s=wall_s), hidden=self._hidden)) as shell:
            inside = Path("/workspace") if self._sandbox.promises["files"] else work
            job = {"stage": stage, "project": str(root / project) if project else None, "options": dict(options), "out": str(inside / "out")}
            (work / "job.json").write_text(json.dumps(job))
            os.chmod(work / "job.json", 0o644)
            argv = self._blender.argv(INSIDE / "main.py", str(inside / "job.json"))
            ended = shell.run(argv, env={"OMP_NUM_THREADS": "2"}, output=lambda _, chunk: words.append(chunk[-LAST_WORDS:]))
        staged = Staged(stage, list(_sealed(out)), ended, b"".join(words).decode(errors="replace")[-LAST_WORDS:])
        structlog.get_logger().debug("stage", stage=stage, whole=staged.whole, ended=ended.ended, code=ended.code, wall_s=round(ended.wall_s, 2))
        return staged

    def _fresh(self, stage: str) -> Path:
        self._count += 1
        work = self._scratch / f"{self._count:03}-{stage}-{os.getpid()}"
        try:
            (work / "out").mkdir(parents=True)
        except OSError as fault:
            raise InfrastructureError(f"cannot make {work}: {fault}") from fault
        return work


def _sealed(out: Path) -> Sequence[Seal]:
    """The seals that hold: a torn last line and a file that is not what was sealed are left out."""
    place = out / "seals.jsonl"
    found = list[Seal]()
    if not place.is_file() or place.is_symlink():
        return found
    with place.open("rb") as lines:
        for line in lines:
            try:
                told = json.loads(line)
            except ValueError:
                break
            if (seal := _held(told, out)) and len(found) < MOST_SEALS:
                found.append(seal)
    return found


def _held(told: Mapping[str, Any], out: Path) -> Seal | None:
    if told.get("file") is None:
        return Seal(str(told["name"]), told.get("value"))
    place = out / Path(str(told["file"])).name
    if place.is_symlink() or not place.is_file() or hashlib.sha256(place.read_bytes()).hexdigest() != told["sha256"]:
        return None
    return Seal(str(told["name"]), told.get("value"), place)
