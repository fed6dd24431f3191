"""One stage at a time, each in a Blender of its own in a box of its own: what it sealed, and how it ended."""

import json
import os
import shutil
import signal
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
from playproof_blender.sealed import MOST_BYTES, Seal, sealed, tidy

INSIDE = Path(__file__).parent / "inside"
LAST_WORDS = 4000
CHATTER = ("could not get a list of mounted", "EGL Error", "Read blend", "Info:", "Saved:")
"""What Blender says in every box, and what tells of nothing."""


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
            raise self.fault(name)
        return found

    def fault(self, wanted: str = "end") -> SessionLost | SessionHung:
        """Why a stage is not whole: it hung, it died, or our own code in it broke on what it met."""
        if self.ended.ended in ("wall", "idle"):
            return SessionHung(f"Blender did not finish {self.stage} within {self.ended.wall_s:.0f} s")
        if refused := self.get("refused"):
            return SessionLost(f"Blender did not open the project for {self.stage}: {refused.value['why']}")
        if broken := self.get("error"):
            return SessionLost(f"{self.stage} broke on this project: {str(broken.value['traceback']).strip()}")
        if self.whole:
            return SessionLost(f"{self.stage} sealed no {wanted} that holds (at most {MOST_BYTES:,} bytes)")
        last = [line for line in self.words.splitlines() if line.strip() and not line.startswith(CHATTER)][-1:] or ["no word"]
        return SessionLost(f"Blender {_how(self.ended)} during {self.stage}: {last[0].strip()[:300]}")


def _how(ended: Exit) -> str:
    """A shell's code for a death by signal is 128 and its number; a process without one has the number itself, negative."""
    if ended.code is None:
        return "was killed"
    try:
        return f"died of {signal.Signals(-ended.code if ended.code < 0 else ended.code - 128).name}"
    except ValueError:
        return f"ended with code {ended.code}"


class Stages:
    """Runs stages on one project. `root` is the folder of the submission, shown read-only; `scratch` is ours."""

    def __init__(
        self, blender: Blender, services: Services, scratch: Path, hidden: Sequence[Path] = (), limits: Limits | None = None,
        sandbox: str | None = None,
    ) -> None:
        """`sandbox` names the driver; without it bubblewrap where it is installed, else none. `process` is for work of the caller's own."""
        self._blender, self._scratch, self._hidden = blender, scratch, hidden
        self._limits = evolve(limits or Limits(), file_size=MOST_BYTES)
        self._sandbox: Sandbox = build("sandbox", Ref(sandbox or ("bubblewrap" if shutil.which("bwrap") else "process")), services)
        self._count = 0

    def run(
        self, stage: str, root: Path, project: str | None, options: Mapping[str, Any], wall_s: float,
        writable: Mapping[str, Path] | None = None,
    ) -> Staged:
        """`stage` is a module of `inside` with `run(options, out, seal)`. What is `writable` is shown at its own place, besides the folder
        of the stage, in which nothing is left but what was sealed. Raises InfrastructureError when the box will not start."""
        work = self._fresh(stage)
        out = work / "out"
        shown = {str(place): place for place in (*self._blender.mounts, INSIDE, root)}
        words: deque[bytes] = deque(maxlen=50)
        with self._sandbox.open(Box(work, shown, writable or {}, limits=evolve(self._limits, wall_s=wall_s), hidden=self._hidden)) as shell:
            inside = Path("/workspace") if self._sandbox.promises["files"] else work
            job = {"stage": stage, "root": str(root), "project": str(root / project) if project else None, "options": dict(options),
                   "out": str(inside / "out")}  # fmt: skip
            (work / "job.json").write_text(json.dumps(job))
            (work / "job.json").chmod(0o644)
            argv = self._blender.argv(INSIDE / "main.py", str(inside / "job.json"))
            ended = shell.run(argv, env={"OMP_NUM_THREADS": "2"}, output=lambda _, chunk: words.append(chunk[-LAST_WORDS:]))
        seals = sealed(out)
        tidy(work, seals)
        staged = Staged(stage, seals, ended, b"".join(words).decode(errors="replace")[-LAST_WORDS:])
        structlog.get_logger().debug("stage", stage=stage, whole=staged.whole, ended=ended.ended, code=ended.code,
                                     wall_s=round(ended.wall_s, 2))  # fmt: skip
        return staged

    def _fresh(self, stage: str) -> Path:
        self._count += 1
        work = self._scratch / f"{self._count:03}-{stage}-{os.getpid()}"
        try:
            (work / "out").mkdir(parents=True)
        except OSError as fault:
            raise InfrastructureError(f"cannot make {work}: {fault}") from fault
        return work

