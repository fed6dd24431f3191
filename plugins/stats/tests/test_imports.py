"""What costs time to load is loaded when a calibration is made, not before."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("script", [
    "import playproof_stats.calibration.command",
    "import sys; sys.argv = ['playproof', 'calibrate', '--help']; from playproof.cli import _guarded; _guarded()"])
def test_numpy_and_scipy_are_loaded_on_use_alone(script):
    told = "\nimport sys\nprint(sorted({'numpy', 'scipy', 'rich'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script + told], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_intervals_need_no_scipy_stats():
    script = "import playproof_stats.calibration.calibrating, sys\nprint('scipy.special' in sys.modules, 'scipy.stats' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
