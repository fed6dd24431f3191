"""Grading workers as seen by the grader: ask a unit, hear verdicts, and end the whole tree when time is up."""

import json
import os
import select
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from playproof.canonical import plain, structure
from playproof.model import Problem, Verdict
from playproof.proctree import Tree
from playproof.worker import Answer, Unit, WorkerJob

LEAVE_S = 5.0
"""How long a worker may take to close what it keeps before it is ended all the same."""

START_S = 60.0
"""What a worker may take on top of a unit's own time: its start, its runtime, an engine."""


@frozen
class Reply:
    """What came of a unit: verdicts and problems, and an error if it did not come to its end: infra, hung, lost or raised."""

    verdicts: Sequence[Verdict] = ()
    problems: Sequence[Problem] = ()
    error: str | None = None
    text: str = ""


class Worker:
    """One worker process with its tree; it is of no use after an error, and is then ended and made anew."""

    def __init__(self, job: WorkerJob, log: Path) -> None:
        job.scratch.mkdir(parents=True, exist_ok=True)
        hears, self._ask = os.pipe()
        self._answers, says = os.pipe()
        written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            argv = [sys.executable, "-P", "-m", "playproof.worker", str(hears), str(says), str(written)]
            self._tree = Tree(argv, fds=(hears, says, written))
        finally:
            for passed in (hears, says, written):
                os.close(passed)
        self._pending = b""
        self._began = time.monotonic()
        self._send(plain(job))

    def ask(self, unit: Unit) -> Reply:
        """Put one unit and wait for its end. A worker that is silent past its time is ended: the error is then `hung`."""
        deadline = time.monotonic() + unit.timeout_s + START_S
        verdicts: list[Verdict] = []
        self._send(plain(unit))
        while True:
            line = self._line(deadline)
            if line is None:
                self.end()
                return Reply(verdicts, error="hung", text=f"no answer within {unit.timeout_s:g} s")
            if not line:
                self.end()
                return Reply(verdicts, error="lost", text="the worker's process died")
            answer = structure(json.loads(line), Answer)
            if answer.verdict is not None:
                verdicts.append(answer.verdict)
                deadline = max(deadline, time.monotonic() + START_S)
            elif answer.done or answer.error:
                return Reply(verdicts, answer.problems, answer.error, answer.text)

    def _send(self, value: object) -> None:
        line = json.dumps(value).encode() + b"\n"
        try:
            while line:
                line = line[os.write(self._ask, line):]
        except BrokenPipeError:
            pass  # it is dead: reading its answer says so

    def _line(self, deadline: float) -> bytes | None:
        """The next line; None at the deadline, empty at the end of the pipe."""
        while b"\n" not in self._pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._answers], [], [], left)[0]:
                return None
            chunk = os.read(self._answers, 1 << 16)
            if not chunk:
                return b""
            self._pending += chunk
        line, self._pending = self._pending.split(b"\n", 1)
        return line

    def end(self) -> None:
        """Nothing of the worker, its engine or its sandbox is left on return."""
        if self._ask >= 0:
            os.close(self._ask)
            self._tree.end()
            os.close(self._answers)
            self._ask = self._answers = -1

    def leave(self) -> None:
        """Let it close what it keeps (end of its input), then make sure."""
        if self._ask >= 0:
            os.close(self._ask)
            self._tree.wait(wall_s=time.monotonic() - self._began + LEAVE_S)
            self._tree.end()
            os.close(self._answers)
            self._ask = self._answers = -1
