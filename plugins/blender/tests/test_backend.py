"""Which Blender is taken, which is refused, and how one is brought: by name and with consent alone."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.metadata import requires
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner

from playproof.cli.machine import doctor
from playproof.interfaces import Services
from playproof_blender import diagnosis
from playproof_blender.backend import NAMED_BY, Blender, NoBlender, find
from playproof_blender.diagnosis import BlenderDiagnosis
from playproof_blender.runtime import ProjectRuntime
from playproof_blender.stages import Stages

DEBIAN = """\
Blender 3.4.1
\tbuild date: 2023-03-01
\tbuild time: 00:00:00
\tbuild platform: Linux
"""

OUR = f"{sys.version_info.major}.{sys.version_info.minor}"


def program(folder: Path, script: str, name: str = "blender") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / name
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    return place


def saying(folder: Path, words: str) -> Path:
    (folder / "words").parent.mkdir(parents=True, exist_ok=True)
    (folder / "words").write_text(words)
    return program(folder, f"echo once >> {folder}/asked\necho 'a warning' >&2\ncat {folder}/words")


# --- which is taken ---


def test_debians_blender_is_refused_as_too_old(tmp_path: Path) -> None:
    place = saying(tmp_path / "bin", DEBIAN)
    with pytest.raises(NoBlender, match=re.escape(f"{place} is Blender 3.4.1, which is too old: 4.2 or newer is needed")):
        find(tmp_path / "cache", {"PATH": str(place.parent)})


def test_a_version_that_is_not_tested_is_taken_and_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = saying(tmp_path / "bin", "Color management: using fallback mode\nBlender 4.5.3 LTS\n\tbuild date: 2025-09-09\n")
    monkeypatch.setenv(NAMED_BY, str(place))
    found = find(tmp_path / "cache", os.environ)
    assert found.release == "4.5.3" and not found.module and not found.is_tested
    assert ProjectRuntime({}, Services(tmp_path / "cache")).engine == "blender 4-5 (untested)"
    saying(tmp_path / "bin", "Blender 4.2.0\n")
    os.utime(place, ns=(1, 1))
    assert ProjectRuntime({}, Services(tmp_path / "cache")).engine == "blender 4-2"


def test_the_named_one_comes_before_the_private_one_and_that_before_the_path(tmp_path: Path) -> None:
    named, on_path = saying(tmp_path / "named", "Blender 4.2.1\n"), saying(tmp_path / "bin", "Blender 4.2.2\n")
    own = program(tmp_path / "cache" / "blender" / "python" / "bin", "echo playproof 4.2.3", "python")
    environ = {NAMED_BY: str(named), "PATH": str(on_path.parent)}
    assert find(tmp_path / "cache", environ).release == "4.2.1"
    del environ[NAMED_BY]
    assert find(tmp_path / "cache", environ).release == "4.2.3"
    own.unlink()
    assert find(tmp_path / "cache", environ).release == "4.2.2"
    with pytest.raises(NoBlender, match=f"{NAMED_BY} names none, there is no private one, and no `blender` on the PATH"):
        find(tmp_path / "cache", {"PATH": str(tmp_path)})


def test_a_program_is_asked_once_until_it_changes(tmp_path: Path) -> None:
    place = saying(tmp_path / "bin", "Blender 4.2.1\n")
    environ = {NAMED_BY: str(place)}
    releases = [find(tmp_path / "cache", environ).release for _ in range(3)]
    assert releases == ["4.2.1"] * 3 and (tmp_path / "bin" / "asked").read_text() == "once\n"
    (tmp_path / "bin" / "words").write_text("Blender 4.2.9\n")
    os.utime(place, ns=(1, 1))
    assert find(tmp_path / "cache", environ).release == "4.2.9"


@pytest.mark.parametrize(("script", "why"), [
    ("echo 'libXrender.so.1: cannot open shared object file' >&2; exit 127", "does not say its version: libXrender.so.1: cannot open"),
    ("echo 'a blender of fruit'", "does not say its version: a blender of fruit"),
])
def test_what_is_no_blender_says_so(script: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(NoBlender, match=why):
        find(tmp_path / "cache", {NAMED_BY: str(program(tmp_path, script))})


def test_what_cannot_be_run_or_shown_alone_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoBlender, match="is no program that can be run"):
        find(tmp_path / "cache", {NAMED_BY: str(tmp_path)})
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with pytest.raises(NoBlender, match="which a box cannot show without your own files"):
        find(tmp_path / "cache", {NAMED_BY: str(saying(tmp_path / "home", "Blender 4.2.1\n"))})


def test_a_link_on_the_path_shows_the_folder_that_it_leads_to(tmp_path: Path) -> None:
    place = saying(tmp_path / "opt" / "blender-4.2", "Blender 4.2.1\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "blender").symlink_to(place)
    found = find(tmp_path / "cache", {"PATH": str(tmp_path / "bin")})
    assert (found.program, list(found.mounts)) == (place, [place.parent])


# --- the two kinds at work ---

EXECUTABLE = """\
import runpy, sys
flags = ["--background", "--factory-startup", "--disable-autoexec", "-noaudio", "--python-exit-code", "9", "--python"]
if sys.argv[1:] == ["--version"]:
    import bpy
    print("Blender", bpy.app.version_string)
else:
    assert sys.argv[1:8] == flags and sys.argv[9] == "--", sys.argv
    print("as an executable")
    try:
        runpy.run_path(sys.argv[8], run_name="__main__")
    except Exception:
        sys.exit(9)
"""


@pytest.mark.heavy
def test_an_executable_reads_what_the_module_reads(
    blender: Blender, made: Callable[..., Path], services: Services, tmp_path: Path,
) -> None:
    """The private Blender wrapped as an executable, which takes the flags that we give and no others."""
    home = tmp_path / "blender-4.2"
    place = program(home, f'exec {blender.program} -I {home}/run.py "$@"')
    (home / "run.py").write_text(EXECUTABLE)
    found = find(tmp_path / "cache", {NAMED_BY: str(place)})
    assert (found.module, found.release, list(found.mounts)) == (False, blender.release, [home])
    project = made("bpy.ops.mesh.primitive_cube_add(size=2)")
    scenes = []
    for one in (blender, evolve(found, mounts=[*found.mounts, *blender.mounts])):
        staged = Stages(one, services, tmp_path / str(one.module)).run("inspect_project", project.parent, project.name, {}, 120)
        assert staged.whole and ("as an executable" in staged.words) is not one.module, staged.words
        scenes.append(json.loads(staged.named("scene").read()))
    assert scenes[0] == scenes[1] and scenes[0]["objects"][0]["name"] == "Cube"


def test_blender_is_no_dependency_and_never_loaded_into_our_process() -> None:
    assert not [one for one in requires("playproof-blender") or [] if "bpy" in one]
    script = """
import importlib, pkgutil, sys, playproof_blender
for one in pkgutil.iter_modules(playproof_blender.__path__, "playproof_blender."):
    if one.name != "playproof_blender.inside":
        importlib.import_module(one.name)
assert "playproof_blender.runtime" in sys.modules and not {"bpy", "mathutils"} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# --- the doctor ---


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has a fit Python and all libraries, but no Blender."""
    monkeypatch.delenv(NAMED_BY, raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(diagnosis, "WHEELS", ((OUR, "bpy==4.2.*"),))
    monkeypatch.setattr(diagnosis, "LIBRARIES", {"c": "libc6"})


def lacks(cache: Path) -> list[diagnosis.Lack]:
    return list(BlenderDiagnosis({}, Services(cache)).lacks())


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of PyPI: a wheel that only has a version."""
    where = tmp_path / "index"
    where.mkdir()
    with zipfile.ZipFile(where / "bpy-4.2.99-py3-none-any.whl", "w") as wheel:
        wheel.writestr("bpy/__init__.py", "class app:\n    version = (4, 2, 99)\n")
        wheel.writestr("bpy-4.2.99.dist-info/METADATA", "Metadata-Version: 2.1\nName: bpy\nVersion: 4.2.99\n")
        wheel.writestr("bpy-4.2.99.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("bpy-4.2.99.dist-info/RECORD", "bpy/__init__.py,,\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(where))


@pytest.mark.heavy
@pytest.mark.usefixtures("bare", "index")
def test_doctor_makes_a_private_blender_for_who_names_it_and_says_yes(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (cache / "blender" / "python" / "bin").mkdir(parents=True)
    (cache / "blender" / "python" / "bin" / "python").symlink_to(sys.executable)  # what an install that broke off may leave
    said = CliRunner().invoke(doctor, ["--fix", "blender", "--cache", str(cache)], input="y\n")
    assert said.exit_code == 1 and "done in" not in said.output
    assert "under GPL-3.0-or-later" in said.output and "not done; if you agree: playproof doctor --fix --yes blender" in said.output
    said = CliRunner().invoke(doctor, ["--fix", "--yes", "blender", "--cache", str(cache)])
    assert said.exit_code == 0 and "blender: ok" in said.output, said.output
    found = find(cache, {})
    assert found.release == "4.2.99" and found.module and found.is_tested
    assert not (cache / "blender" / "python.part").exists()


@pytest.mark.usefixtures("bare")
def test_without_a_fit_python_doctor_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = program(tmp_path / "bin", "echo 'pyenv: python9.9: command not found' >&2; exit 127", "python9.9")
    monkeypatch.setenv("PATH", f"{shim.parent}:/usr/bin:/bin")
    monkeypatch.setattr(diagnosis, "WHEELS", (("9.9", "bpy==9.*"),))
    [lack] = lacks(tmp_path)
    assert not lack.command and "install Blender 4.2 or newer (blender.org, GPL)" in lack.remedy and NAMED_BY in lack.remedy


@pytest.mark.usefixtures("bare")
def test_missing_libraries_are_named_by_their_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "LIBRARIES", {"c": "libc6", "Xnowhere": "libxnowhere1", "nothere": "libnothere0 nothere-dri"})
    packages = "libxnowhere1 libnothere0 nothere-dri"
    monkeypatch.setattr(diagnosis, "can_apt", lambda: True)
    [lack] = lacks(tmp_path)
    assert f"install -y -q --no-install-recommends {packages} &&" in lack.command[2] and lack.licence  # with Blender, and never before
    program(tmp_path / "blender" / "python" / "bin", "echo 'libXnowhere.so.1: cannot open shared object file' >&2; exit 1", "python")
    [lack] = lacks(tmp_path)
    assert lack.command == ("apt-get", "install", "-y", "--no-install-recommends", *packages.split()) and not lack.licence
    monkeypatch.setattr(diagnosis, "can_apt", lambda: False)
    [lack] = lacks(tmp_path)
    assert not lack.command and lack.remedy == f"as root: apt-get install -y --no-install-recommends {packages}"


@pytest.mark.usefixtures("bare")
def test_a_bad_name_in_the_environment_is_not_mended_by_another_blender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAMED_BY, str(saying(tmp_path / "bin", DEBIAN)))
    [lack] = lacks(tmp_path / "cache")
    assert not lack.command and "3.4.1" in lack.why and lack.remedy.startswith(f"let {NAMED_BY} name")


@pytest.mark.heavy
def test_the_libraries_that_the_module_is_linked_to_are_those_that_doctor_looks_for(blender: Blender) -> None:
    [module] = blender.program.parent.parent.glob("lib/python*/site-packages/bpy/__init__.so")
    linked = subprocess.run(["ldd", str(module)], capture_output=True, text=True, check=True).stdout
    direct = subprocess.run(["readelf", "-d", str(module)], capture_output=True, text=True, check=False).stdout or linked
    system = set(re.findall(r"lib(X\w+|SM|ICE|xkbcommon|gomp|GL|EGL)\.so", direct))
    assert "X11" in system and system <= set(diagnosis.LIBRARIES)
