"""A Blender to work with: an executable, or a Python of its own that has the module `bpy`. It always runs as a child process."""

import contextlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from playproof.errors import PlayproofError
from playproof_blender.header import Written

OLDEST = Written(4, 2)
TESTED = (Written(4, 2),)
NAMED_BY = "PLAYPROOF_BLENDER"
"""An environment variable with the path of an executable, or of a Python that has bpy."""

ASK = "import bpy; print('playproof', '.'.join(map(str, bpy.app.version)))"
ASK_S = 120.0
ANSWER = re.compile(r"^(?:playproof|Blender) (\d+\.\d+(?:\.\d+)*)", re.MULTILINE)
"""Beside warnings of all sorts. An executable says "Blender 4.2.0 LTS"."""


class NoBlender(PlayproofError):
    """There is none, or it is too old; the text says what was looked at."""


@frozen
class Blender:
    """`program` is an executable or a Python; `release` its whole version ("4.2.23"); `mounts` the folders that it needs to be seen."""

    program: Path
    release: str
    module: bool
    mounts: Sequence[Path]

    @property
    def version(self) -> Written:
        major, minor, *_ = self.release.split(".")
        return Written(int(major), int(minor))

    @property
    def is_tested(self) -> bool:
        return self.version in TESTED

    def argv(self, script: Path, *arguments: str) -> Sequence[str]:
        """The command that runs a script of ours, with what it is given behind `--`. No user's settings, no scripts of a file."""
        if self.module:
            return [str(self.program), "-I", str(script), "--", *arguments]
        return [str(self.program), "--background", "--factory-startup", "--disable-autoexec", "-noaudio", "--python-exit-code", "9",
                "--python", str(script), "--", *arguments]  # fmt: skip


def private(cache: Path) -> Path:
    """Where `doctor --fix` puts a Python with bpy."""
    return cache / "blender" / "python"


def find(cache: Path, environ: Mapping[str, str]) -> Blender:
    """The one that the environment names; else our private one; else `blender` on the PATH. Raises NoBlender."""
    if named := environ.get(NAMED_BY):
        return _known(Path(named).absolute(), cache)
    if (own := private(cache) / "bin" / "python").exists():
        return _known(own, cache)
    if program := shutil.which("blender", path=environ.get("PATH")):
        return _known(Path(program).absolute(), cache)
    raise NoBlender(f"{NAMED_BY} names none, there is no private one, and no `blender` on the PATH")


def _known(program: Path, cache: Path) -> Blender:
    if not program.is_file() or not os.access(program, os.X_OK):
        raise NoBlender(f"{program} is no program that can be run")
    module = program.name.startswith("python")
    if not module:
        program = program.resolve()  # a link on the PATH: only what it names is shown in a box
    blender = Blender(program, _release(program, module, cache), module, _mounts(program, module))
    if blender.version < OLDEST:
        raise NoBlender(f"{program} is Blender {blender.release}, which is too old: {OLDEST} or newer is needed")
    return blender


def _release(program: Path, module: bool, cache: Path) -> str:
    """Asked once for each program, since the answer costs a second."""
    kept, stamp = cache / "blender" / "releases.json", f"{program}:{_changed(program, module)}"
    try:
        known = json.loads(kept.read_text("utf-8"))
    except (OSError, ValueError):
        known = {}
    if stamp not in known:
        known[stamp] = _asked(program, module)
        with contextlib.suppress(OSError):  # a cache that cannot be written only costs the second again
            kept.parent.mkdir(parents=True, exist_ok=True)
            part = kept.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(known))
            part.replace(kept)
    return str(known[stamp])


def _changed(program: Path, module: bool) -> int:
    """When (ns) it was last made anew: of a Python, the module in it."""
    modules = program.parent.parent.glob("lib/python*/site-packages/bpy/__init__*") if module else ()
    return max(int(place.stat().st_mtime_ns) for place in (program, *modules))


def _asked(program: Path, module: bool) -> str:
    call = [str(program), "-I", "-c", ASK] if module else [str(program), "--version"]
    try:
        done = subprocess.run(call, capture_output=True, text=True, errors="replace", timeout=ASK_S, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise NoBlender(f"{program} does not say its version: {fault}") from None
    if said := ANSWER.search(done.stdout):
        return said[1]
    raise NoBlender(f"{program} does not say its version: {(done.stderr or done.stdout).strip()[-300:]}")


def _mounts(program: Path, module: bool) -> Sequence[Path]:
    """The folders of the program; what is below /usr every box shows. Raises NoBlender where they hold the user's home."""
    found = _prefixes(program) if module else [program.parent]
    for place in found:
        if Path.home().is_relative_to(place):
            raise NoBlender(f"{program} is in {place}, which a box cannot show without your own files; give it a folder of its own")
    return [place for place in dict.fromkeys(found) if not place.is_relative_to("/usr")]


def _prefixes(program: Path) -> Sequence[Path]:
    """Of a Python, and of that which its virtual environment was made of: with the links by which it is found, and without."""
    prefix = program.parent.parent
    settings = prefix / "pyvenv.cfg"
    if not settings.exists():
        return [prefix, program.resolve().parent.parent]
    lines = (line.partition("=") for line in settings.read_text("utf-8").splitlines())
    home = next((Path(value.strip()) for key, _, value in lines if key.strip() == "home"), None)
    return [prefix, home.parent, home.resolve().parent] if home else [prefix]
