"""What tests of several members share: the example plugin under tests/toy, built as a wheel and installed as a third party's,
and what becomes of heavy tests on a machine that lacks a tool."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import hypothesis
import pytest

from playproof.cli.machine import diagnose
from playproof.cli.options import default_cache
from playproof.interfaces import Lack

STRICT = bool(os.environ.get("CI")) or os.geteuid() == 0
"""Root can install what is missing, and CI must have it: there a missing tool is a failure. Elsewhere it is told at the end."""

hypothesis.settings.register_profile("calm", deadline=None)  # how long an example takes is the machine's affair
hypothesis.settings.load_profile("calm")

left_out: dict[str, int] = {}
TOY = Path(__file__).parent / "tests" / "toy"


@pytest.fixture(scope="session")
def lacking() -> Sequence[Lack]:
    """What `playproof doctor` finds lacking here: some tools are kept in the cache."""
    return [lack for lacks in diagnose(default_cache()).values() for lack in lacks]


@pytest.fixture(autouse=True)
def _tools(request: pytest.FixtureRequest) -> None:
    """A heavy test needs every tool: without one it fails where that is strict, and else is left out and named at the end."""
    if request.node.get_closest_marker("heavy") is None:
        return
    lacks: Sequence[Lack] = request.getfixturevalue("lacking")
    if lacks and STRICT:
        pytest.fail("; ".join(f"{one.what}: {one.why}; remedy: {one.remedy}" for one in lacks), pytrace=False)
    for one in lacks:
        line = f"{one.what}: {one.why}; remedy: {one.remedy}"
        left_out[line] = left_out.get(line, 0) + 1
    if lacks:
        pytest.skip("this machine lacks a tool; see the end of the run")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if left_out:
        terminalreporter.section("left out on this machine")
        for line, count in left_out.items():
            terminalreporter.write_line(f"{count} tests: {line}")


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
