"""What `playproof new plugin` makes: built as a wheel, installed beside core alone, found, and true to its contract."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from playproof.author.new import new
from playproof.author.plugin import KINDS


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One plugin of each kind, installed by their wheels into one folder."""
    folder = tmp_path_factory.mktemp("plugins")
    for kind in KINDS:
        said = CliRunner().invoke(new, ["plugin", str(folder / f"acme-{kind}"), "--kind", kind])
        assert said.exit_code == 0, said.output
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    sources = [str(folder / f"acme-{kind}") for kind in KINDS]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder / "wheels"), *sources], check=True)
    wheels = sorted(str(wheel) for wheel in (folder / "wheels").glob("*.whl"))
    assert len(wheels) == len(KINDS)
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", str(folder / "site"), *wheels], check=True)
    yield folder


def python(made: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(made / "site"), "HOME": str(made)}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=made, env=environment)


def test_core_finds_each_and_each_loads(made: Path) -> None:
    said = python(made, "-c", "from playproof.cli import main; main()", "plugins", "--json")
    rows = [row for row in json.loads(said.stdout) if row["distribution"].startswith("acme-")]
    assert {(row["interface"], row["name"], row["state"]) for row in rows} == {(kind, f"acme-{kind}", "ok") for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_its_own_tests_pass(made: Path, kind: str) -> None:
    said = python(made, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(made / f"acme-{kind}" / "tests"))
    assert said.returncode == 0 and "1 passed" in said.stdout, said.stdout + said.stderr


@pytest.mark.parametrize(("name", "options", "problem"), [
    ("Acme_Judge", (), "a distribution is named in lower-case letters"),
    ("acme", ("--driver", "command"), "there is a harness named 'command'"),
])
def test_a_name_that_will_not_do(tmp_path: Path, name: str, options: tuple[str, ...],
                                problem: str) -> None:
    said = CliRunner().invoke(new, ["plugin", str(tmp_path / name), "--kind", "harness", *options])
    assert said.exit_code != 0 and problem in str(said.exception)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    assert "is not empty" in str(CliRunner().invoke(new, ["plugin", str(tmp_path / "full"), "--kind", "judge"]).exception)
