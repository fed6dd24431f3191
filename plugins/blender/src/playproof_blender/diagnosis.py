"""What this machine lacks for Blender projects, and the remedy. The doctor never brings Blender in unasked: it is under the GPL."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from playproof.errors import UsageError
from playproof.interfaces import Lack, Services
from playproof.model import Options
from playproof_blender.backend import NoBlender, find, private

WHEELS = (("python3.11", "bpy==4.2.*"), ("python3.13", "bpy==5.1.*"))
"""Which Python has which Blender as a module on PyPI."""

PATIENCE_S = 1800.0
WHAT = "Blender 4.2 or newer"


class BlenderDiagnosis:
    """The `blender` diagnosis driver. It takes no options."""

    def __init__(self, options: Options, services: Services) -> None:
        if options:
            raise UsageError(f"the diagnosis 'blender' takes no options; given: {', '.join(sorted(options))}")
        self._cache = services.cache

    def lacks(self) -> Sequence[Lack]:
        try:
            find(self._cache, os.environ)
        except NoBlender as fault:
            return [self._remedy(str(fault))]
        return []

    def _remedy(self, why: str) -> Lack:
        place = private(self._cache)
        for python, wheel in WHEELS:
            if program := shutil.which(python):
                said = f"a private environment with {wheel} (Blender as a Python module, GPL-3.0-or-later) for {python} in {place}"
                return Lack(WHAT, why, said, self._making(program, wheel, place), PATIENCE_S)
        return Lack(WHAT, why, "install Blender 4.2 or newer (blender.org; GPL), or Python 3.11 and run `playproof doctor --fix` again")

    @staticmethod
    def _making(program: str, wheel: str, place: Path) -> Sequence[str]:
        script = '"$1" -m venv "$3" && "$3/bin/pip" install -q --disable-pip-version-check "$2"'
        return ("sh", "-c", script, "make", program, wheel, str(place))
