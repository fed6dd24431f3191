"""What tests of several members share: the example plugin under tests/toy, built as a wheel and installed as a third party's."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOY = Path(__file__).parent / "tests" / "toy"


@pytest.fixture(scope="session")
def toy_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of playproof-toy, built once."""
    wheels = tmp_path_factory.mktemp("wheels")
    _pip("wheel", "--no-build-isolation", "--wheel-dir", str(wheels), str(TOY))
    return next(wheels.glob("playproof_toy-*.whl"))


@pytest.fixture(scope="session")
def toy(toy_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The plugin as installed: child processes find its entry points too. Gives the folder of its tasks."""
    site = tmp_path_factory.mktemp("site")
    _pip("install", "--no-index", "--target", str(site), str(toy_wheel))
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(site), before]))
    sys.path.insert(0, str(site))
    yield TOY / "tasks"
    sys.path.remove(str(site))
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments, "--no-deps"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
