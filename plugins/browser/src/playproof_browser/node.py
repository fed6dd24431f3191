"""The Node that Playwright's Python package brings: for tools that read scripts and run none of them."""

import json
import subprocess
from pathlib import Path
from typing import Any

from playproof.errors import InfrastructureError


def node_program() -> Path:
    """Raises InfrastructureError where Playwright is there without it."""
    import playwright

    place = Path(playwright.__file__).parent / "driver" / "node"
    if not place.is_file():
        raise InfrastructureError(f"Playwright's Node is not at {place}; install playwright again")
    return place


def answered(script: Path, question: Any, *, wall_s: float, heap_mb: int) -> Any:
    """What a script of ours says to a question, JSON both ways. It sees nothing of our environment.

    Raises InfrastructureError when it cannot be run, takes too long or too much, or gives no answer."""
    command = [str(node_program()), "--experimental-vm-modules", "--no-warnings", f"--max-old-space-size={heap_mb}", str(script)]
    try:
        done = subprocess.run(command, input=json.dumps(question).encode(), capture_output=True, timeout=wall_s, check=False, env={})
    except subprocess.TimeoutExpired:
        raise InfrastructureError(f"{script.name} did not answer within {wall_s:g} s") from None
    except OSError as fault:
        raise InfrastructureError(f"Playwright's Node cannot be run: {fault}") from fault
    try:
        return json.loads(done.stdout)
    except ValueError:
        said = done.stderr.decode(errors="replace")[-500:]
        raise InfrastructureError(f"{script.name} ended with {done.returncode} and gave no answer: {said}") from None
