"""The executable that Playwright starts in the browser's stead: it opens the log, then becomes the box."""

import shlex
from collections.abc import Sequence
from pathlib import Path

KEEPER = "import sys; sys.path.append(sys.argv.pop(1)); from playproof_browser.box_keeper import main; main(sys.argv[1:])"


def keeper(python: Path, library: str, config: str) -> list[str]:
    """The command of the keeper: a bare Python with nothing but the two files of ours on its path."""
    return [str(python), "-I", "-S", "-B", "-c", KEEPER, library, config]


def write(folder: Path, command: Sequence[str]) -> Path:
    """A script in `folder` that writes its process id to `pid`, gives descriptor 9 to the log, 8 to `info`, 7 to the pipe
    `owner` (its end of file tells that the grader is gone), and runs `command` with Playwright's flags behind it.
    Descriptors 3 and 4, Playwright's pipe, pass through untouched."""
    script = folder / "browser"
    script.write_text(
        "#!/bin/sh\n"
        f"echo '{{\"child-pid\": '$$'}}' >{shlex.quote(str(folder / 'pid'))}\n"
        f"exec 7<{shlex.quote(str(folder / 'owner'))} 8>{shlex.quote(str(folder / 'info'))} 9>>{shlex.quote(str(folder / 'log'))}\n"
        f'exec {shlex.join(command)} "$@"\n'
    )
    script.chmod(0o700)
    return script
