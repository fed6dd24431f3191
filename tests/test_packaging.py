"""Built as wheels and installed by themselves: core and a third party's plugin, nothing else of ours."""

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def closure(names: list[str]) -> set[str]:
    """The distributions that these need, with all that those need, as this interpreter has them."""
    from packaging.requirements import Requirement

    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name.lower() in found:
            continue
        found.add(name.lower())
        needs = [Requirement(line) for line in distribution(name).requires or []]
        left += [one.name for one in needs if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


@pytest.fixture(scope="session")
def core_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wheels = tmp_path_factory.mktemp("core-wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check",
               "--wheel-dir", str(wheels), str(ROOT / "core")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(wheels.glob("playproof_core-*.whl"))


@pytest.fixture(scope="session")
def alone(core_wheel: Path, toy_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with both wheels and links to what core needs: no plugin of ours, no network."""
    place = tmp_path_factory.mktemp("alone")
    venv.create(place, with_pip=False, symlinks=True)
    site = next(place.glob("lib/python*/site-packages"))
    needs = tomllib.loads((ROOT / "core" / "pyproject.toml").read_text())["project"]["dependencies"]
    for name in closure([line.split(">")[0].split("=")[0].split("<")[0] for line in needs]):
        home = distribution(name)
        for top in {file.parts[0] for file in home.files or () if file.parts[0] not in ("..", "__pycache__")}:
            source = Path(str(home.locate_file(top)))
            if not (site / top).exists() and source.exists():
                (site / top).symlink_to(source)
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*command, "--target", str(site), str(core_wheel), str(toy_wheel)], check=True)
    return place


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def python(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(place / "bin" / "python"), *arguments], capture_output=True, text=True, check=False, env=clean_environment())


def test_the_wheels_run_a_task_by_themselves(alone: Path, tmp_path: Path) -> None:
    script = "import sys; sys.argv[0] = 'playproof'; from playproof.cli import main; main()"
    task = ROOT / "tests" / "toy" / "tasks" / "blinker"
    done = python(alone, "-c", script, "run", str(task), "--harness", "reference", "--harness", "broken", "-o", str(tmp_path / "out"),
                  "--cache", str(tmp_path / "cache"), "--json", "-j", "2")
    assert done.returncode == 0, done.stderr
    outcomes = {trial["stack"]: trial["outcome"] for trial in json.loads(done.stdout)["trials"]}
    assert outcomes == {"reference": "pass", "broken:always": "fail", "broken:never": "fail"}
    assert (tmp_path / "out" / "report.html").stat().st_size > 5000
    rows = json.loads(python(alone, "-c", script, "plugins", "--json").stdout)
    assert {row["distribution"] for row in rows} == {"playproof-core", "playproof-toy"} and {row["state"] for row in rows} == {"ok"}


def test_the_wheels_are_what_runs_there(alone: Path) -> None:
    done = python(alone, "-c", "import playproof, playproof_toy; print(playproof.__file__, playproof_toy.__file__)")
    assert all(place.startswith(str(alone)) for place in done.stdout.split()), done
    assert python(alone, "-c", "import playproof_webgame").returncode != 0


def test_the_wheel_of_core_is_whole(core_wheel: Path) -> None:
    with zipfile.ZipFile(core_wheel) as packed:
        names = packed.namelist()
    assert "playproof/py.typed" in names and any(name.endswith(".html") for name in names)
    shipped = {place.relative_to(ROOT / "core" / "src").as_posix() for place in (ROOT / "core" / "src").rglob("*.py")}
    assert shipped == {name for name in names if name.endswith(".py")}


def test_core_needs_few_distributions() -> None:
    needs = tomllib.loads((ROOT / "core" / "pyproject.toml").read_text())["project"]["dependencies"]
    found = closure([line.split(">")[0] for line in needs])
    assert len(found) < 15, sorted(found)


def test_every_extra_brings_what_it_says() -> None:
    root = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = root["optional-dependencies"]
    members = {tomllib.loads(place.read_text())["project"]["name"] for place in (ROOT / "plugins").glob("*/pyproject.toml")}
    for extra, lines in extras.items():
        assert extra == "all" or [line.split(">")[0] for line in lines] == [f"playproof-{extra}"], extra
    assert {line.split(">")[0] for extra, lines in extras.items() if extra != "all" for line in lines} <= members
    assert members - {"playproof-browser"} == {f"playproof-{extra}" for extra in extras} - {"playproof-all"}
