"""The program itself, as a user starts it."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

Refused = Callable[..., str]
PLAYPROOF = [sys.executable, "-c", "from playproof.cli import main; main()"]


@contextmanager
def program(*arguments: object, cwd: Path, lines: int = 2) -> Iterator[tuple["subprocess.Popen[str]", Sequence[str]]]:
    """A program that serves, with the first lines that it printed; it must end well when it is told to."""
    running = subprocess.Popen([*PLAYPROOF, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd)
    assert running.stdout and running.stderr
    try:
        yield running, [running.stdout.readline().strip() for _ in range(lines)]
    finally:
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=30)
    assert running.returncode in (0, -signal.SIGKILL), said
