"""What this machine lacks for Blender projects, and the remedy. Blender is under the GPL: the doctor brings it to nobody unasked."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from ctypes.util import find_library

from playproof.errors import UsageError
from playproof.interfaces import Lack, Services
from playproof.model import Options
from playproof_blender.backend import NAMED_BY, NoBlender, find, private

LICENCE = "GPL-3.0-or-later (Blender as the Python module bpy; it is no part of Playproof and runs as a process of its own)"
WHEELS = (("3.11", "bpy==4.2.*"), ("3.13", "bpy==5.1.*"))
"""Which Python has which Blender as a module on PyPI; what is tested stands first."""

LIBRARIES = {"X11": "libx11-6", "Xrender": "libxrender1", "Xxf86vm": "libxxf86vm1", "Xfixes": "libxfixes3", "Xi": "libxi6", "SM": "libsm6",
             "ICE": "libice6", "xkbcommon": "libxkbcommon0", "gomp": "libgomp1", "GL": "libgl1", "EGL": "libegl1",
             "EGL_mesa": "libegl-mesa0 libgl1-mesa-dri"}  # fmt: skip
"""What the module is linked to (`ldd`) or loads to draw without a screen, and the packages of Debian and Ubuntu that have it."""

PATIENCE_S = 1800.0
WHAT = "Blender 4.2 or newer"

APT = "apt-get update -q && apt-get install -y -q --no-install-recommends"
MAKE = """\
rm -rf "$place.part" && "$python" -m venv --without-pip "$place.part" &&
"$ours" -m pip --python "$place.part/bin/python" install -q --disable-pip-version-check "$wheel" &&
rm -rf "$place" && mv "$place.part" "$place"\
"""
"""Whole or not at all; our own pip does it, since a Python of Debian's may lack what brings one."""


class BlenderDiagnosis:
    """The `blender` diagnosis driver. It takes no options."""

    def __init__(self, options: Options, services: Services) -> None:
        if options:
            raise UsageError(f"the diagnosis 'blender' takes no options; given: {', '.join(sorted(options))}")
        self._cache = services.cache

    def lacks(self) -> Sequence[Lack]:
        missing = missing_packages()
        try:
            if not find(self._cache, os.environ).module:
                return []  # an executable's own package looks after its libraries
        except NoBlender as fault:
            if NAMED_BY in os.environ:
                return [Lack(WHAT, str(fault), f"let {NAMED_BY} name an executable of 4.2 or newer, or a Python that has bpy, or unset it")]
            if not missing or not private(self._cache).exists():
                return [self._remedy(str(fault), missing)]
        return [_libraries(missing)] if missing else []

    def _remedy(self, why: str, missing: Sequence[str]) -> Lack:
        """A private environment, with the system's libraries where we may install them."""
        found = next(((program, wheel) for version, wheel in WHEELS if (program := python(version))), None)
        if found is None or importlib.util.find_spec("pip") is None:
            lacking = "Python 3.11 or 3.13" if found is None else "pip in Playproof's own environment"
            return Lack(WHAT, why, f"install Blender 4.2 or newer (blender.org, GPL) as `blender` on the PATH or name it in {NAMED_BY}; or "
                                   f"install {lacking}, and `playproof doctor --fix --yes blender` makes a private environment with bpy")
        [program, wheel], place = found, private(self._cache)
        names = {"python": program, "wheel": wheel, "place": str(place), "ours": sys.executable}
        script = "; ".join(f"{name}=${place}" for place, name in enumerate(names, 1)) + "\n"
        if missing and can_apt():
            script += f"{APT} {' '.join(missing)} &&\n"
        said = f"`playproof doctor --fix --yes blender` makes a private environment with {wheel} for {program} in {place} (350 MB)"
        return Lack(WHAT, why, said, ("sh", "-c", script + MAKE, "make", *names.values()), PATIENCE_S, LICENCE)


def missing_packages() -> Sequence[str]:
    """The packages of the libraries that the loader does not find."""
    return [name for library, packages in LIBRARIES.items() if not find_library(library) for name in packages.split()]


def _libraries(missing: Sequence[str]) -> Lack:
    what, why = "system libraries that bpy is linked to", f"of these packages: {' '.join(missing)}"
    command = ("apt-get", "install", "-y", "--no-install-recommends", *missing)
    return Lack(what, why, " ".join(command) if can_apt() else f"as root: {' '.join(command)}", command if can_apt() else ())


def can_apt() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def python(version: str) -> str | None:
    """A Python of that version that can make environments: ours or one on the PATH, where a name may be of a version that is not there."""
    ours = [sys.executable] if version == "{}.{}".format(*sys.version_info) else []
    for program in (*ours, shutil.which(f"python{version}")):
        if program and _answers(program, version):
            return program
    return None


def _answers(program: str, version: str) -> bool:
    ask = "import sys, venv; print('{}.{}'.format(*sys.version_info))"
    try:
        done = subprocess.run([program, "-I", "-c", ask], capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.strip() == version

