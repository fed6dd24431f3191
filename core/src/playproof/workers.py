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
from playproof.dialogue import FREE, Tokens
from playproof.interfaces import Replayed
from playproof.model import Problem, Verdict
from playproof.proctree import Tree
from playproof.worker import Answer, Unit, WorkerJob

LEAVE_S = 5.0
"""How long a worker may take to close what it keeps before it is ended all the same."""

START_S = 60.0
"""What a worker may take on top of a unit's own time: its start, its runtime, an engine."""


ASKING_S = 3600.0
"""How long one request to a model may take. It is no time of the unit's: a slow endpoint is not the submission's fault."""


@frozen
class Reply:
    """What came of a unit: verdicts and problems, an error if it did not come to its end (see `Answer`), what models cost, and of a
    recorded one how it went this time."""

    verdicts: Sequence[Verdict] = ()
    problems: Sequence[Problem] = ()
    error: str | None = None
    text: str = ""
    tokens: Tokens = FREE
    replayed: Replayed | None = None


def _silence(unit: Unit, line: bytes | None, asked: float | None) -> tuple[str, str]:
    """What it means that no line came: the end of the pipe, or of our patience with a model, or with the unit."""
    if line is not None:
        return "lost", "the worker's process died"
    if asked is not None:
        return "infra", f"a model did not answer within {ASKING_S:g} s"
    return "hung", f"no answer within {unit.timeout_s:g} s"


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
        tokens, asked = FREE, None
        self._send(plain(unit))
        while True:
            line = self._line(deadline if asked is None else asked + ASKING_S)
            if not line:
                self.end()
                error, text = _silence(unit, line, asked)
                return Reply(verdicts, error=error, text=text, tokens=tokens)
            answer = structure(json.loads(line), Answer)
            if asked is not None:
                deadline, asked = deadline + time.monotonic() - asked, None
            if answer.asking:
                asked = time.monotonic()
            elif answer.cost is not None:
                tokens += answer.cost
            elif answer.verdict is not None:
                verdicts.append(answer.verdict)
                deadline = max(deadline, time.monotonic() + START_S)
            elif answer.done or answer.error:
                return Reply(verdicts, answer.problems, answer.error, answer.text, tokens, answer.replayed)

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
