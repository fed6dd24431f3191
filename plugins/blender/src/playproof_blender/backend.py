"""A Blender to work with: an executable, or a Python of its own that has the module `bpy`. It always runs as a child process."""

import json
import os
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
        return _known(Path(named), cache)
    if (own := private(cache) / "bin" / "python").exists():
        return _known(own, cache)
    if program := shutil.which("blender", path=environ.get("PATH")):
        return _known(Path(program), cache)
    raise NoBlender(f"no Blender: {NAMED_BY} names none, there is no private one, and no `blender` on the PATH; "
                    "`playproof doctor --fix blender` makes a private one")  # fmt: skip


def _known(program: Path, cache: Path) -> Blender:
    if not os.access(program, os.X_OK):
        raise NoBlender(f"{program} is no program that can be run")
    module = program.name.startswith("python")
    blender = Blender(program, _release(program, module, cache), module, _mounts(program, module))
    if blender.version < OLDEST:
        raise NoBlender(f"{program} is Blender {blender.release}; {OLDEST} or newer is needed")
    return blender


def _release(program: Path, module: bool, cache: Path) -> str:
    """Asked once for each program, since the answer costs a second."""
    kept, stamp = cache / "blender" / "releases.json", f"{program}:{program.stat().st_mtime_ns}"
    try:
        known = json.loads(kept.read_text("utf-8"))
    except (OSError, ValueError):
        known = {}
    if stamp not in known:
        known[stamp] = _asked(program, module)
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(known))
        part.replace(kept)
    return str(known[stamp])


def _asked(program: Path, module: bool) -> str:
    call = [str(program), "-I", "-c", ASK] if module else [str(program), "--version"]
    try:
        done = subprocess.run(call, capture_output=True, text=True, errors="replace", timeout=ASK_S, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise NoBlender(f"{program} does not say its version: {fault}") from None
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) >= 2 and words[0] in ("playproof", "Blender") and words[1][:1].isdigit():
            return words[1]
    raise NoBlender(f"{program} does not say its version: {(done.stderr or done.stdout).strip()[-300:]}")


def _mounts(program: Path, module: bool) -> Sequence[Path]:
    if not module:
        return [program.resolve().parent]
    prefix = program.parent.parent
    settings = prefix / "pyvenv.cfg"
    found = [prefix]
    if settings.exists():
        lines = (line.partition("=") for line in settings.read_text("utf-8").splitlines())
        home = next((Path(value.strip()) for key, _, value in lines if key.strip() == "home"), None)
        found += [home.parent, home.resolve().parent] if home else []
    return list(dict.fromkeys(found))
