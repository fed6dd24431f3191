"""What a Blender that opens somebody's project can see and reach."""

import json
import os
import socket
from pathlib import Path

import pytest

import playproof
from playproof.interfaces import Services
from playproof_blender.backend import Blender
from playproof_blender.stages import INSIDE, Stages

pytestmark = pytest.mark.heavy

PROBE = """
import json, os, pathlib, socket

def tried(what):
    try:
        return repr(what())
    except Exception as fault:
        return type(fault).__name__

def connect():
    with socket.create_connection(("127.0.0.1", PORT), timeout=5):
        return "connected"

root = pathlib.Path(ROOT)
print("PROBE" + json.dumps({
    "home": sorted(os.listdir(HOME)) if os.path.isdir(HOME) else [], "held": tried(lambda: os.listdir(HELD)),
    "beside": sorted(os.listdir(root.parent)), "submission": sorted(os.listdir(root)), "core": os.path.exists(CORE),
    "write": tried(lambda: (root / "x").write_text("x")), "blender": tried(lambda: (pathlib.Path(INSIDE) / "x").write_text("x")),
    "net": tried(connect), "name": tried(lambda: socket.getaddrinfo("example.org", 80)),
    "processes": len([one for one in os.listdir("/proc") if one.isdigit()]), "uid": os.getuid(), "environ": sorted(os.environ),
}))
"""  # fmt: skip


def test_a_box_shows_the_submission_blender_and_nothing_else(
    blender: Blender, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOMEBODYS_KEY", "secret")
    root, held = tmp_path / "submission", tmp_path / "checks"
    for folder in (root, held):
        folder.mkdir()
    (held / "answers.toml").write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        known = {"ROOT": str(root), "HOME": str(Path.home()), "HELD": str(held), "CORE": str(Path(playproof.__file__).parent),
                 "INSIDE": str(INSIDE), "PORT": server.getsockname()[1]}  # fmt: skip
        (root / "probe.py").write_text("".join(f"{name} = {value!r}\n" for name, value in known.items()) + PROBE)
        options = {"script": str(root / "probe.py"), "folder": "/tmp", "save": "/tmp/project.blend", "project": None}
        done = Stages(blender, services, tmp_path / "scratch", [held]).run("build_project", root, None, options, 60)
    [line] = [line for line in done.words.splitlines() if line.startswith("PROBE")]
    seen = json.loads(line.removeprefix("PROBE"))
    assert seen["submission"] == ["probe.py"] and seen["beside"] == ["submission"]
    assert seen["held"] == "FileNotFoundError" and not seen["core"]
    shown = [place.relative_to(Path.home()).parts[0] for place in (*blender.mounts, INSIDE) if place.is_relative_to(Path.home())]
    assert set(seen["home"]) <= set(shown)
    assert {seen["write"], seen["blender"]} <= {"OSError", "PermissionError"}
    assert seen["net"] == "ConnectionRefusedError" and seen["name"] == "gaierror"
    assert seen["processes"] < 10 and (seen["uid"] != 0 or os.getuid() != 0)
    assert "SOMEBODYS_KEY" not in seen["environ"] and "PLAYPROOF_WORKSPACE" in seen["environ"]
