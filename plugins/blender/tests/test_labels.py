"""Bad submissions through a whole run, workers and control and all: each has the label that its author can do something about."""

import json
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.heavy

GOLDEN = Path(__file__).parent / "golden"

TASK = """\
schema = 1
id = "toy-blender"
version = "1.0.0"
domain = "blender"
kind = "generation"
title = "A cube"
deliver = ["*.blend"]

[runtime]
driver = "blender.project"
options = { open_s = 20, most_bytes = 1000000 }

[[examiners]]
driver = "python"
files = ["scene.py"]

[scoring]
rules = [{ rule = "strict" }]
"""

CHECKS = """\
from playproof.checks import check
from playproof.model import Ask


@check("reads", title="the scene is read")
def reads(project):
    project.observe(Ask("blender.scene/1"))
"""

NESTED = """
inner = bpy.data.collections.new("0")
inner.objects.link(bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube")))
for depth in range(1, 8):
    outer = bpy.data.collections.new(str(depth))
    for number in range(60):
        holder = bpy.data.objects.new(f"{depth}.{number}", None)
        holder.instance_type, holder.instance_collection = "COLLECTION", inner
        outer.objects.link(holder)
    inner = outer
top = bpy.data.objects.new("top", None)
top.instance_type, top.instance_collection = "COLLECTION", inner
bpy.context.collection.objects.link(top)
bpy.ops.wm.save_as_mainfile(filepath=place)
__import__("os")._exit(0)
"""

PICTURED = """
bpy.ops.mesh.primitive_cube_add()
stuff = bpy.data.materials.new("Wood")
stuff.use_nodes = True
bpy.context.object.data.materials.append(stuff)
grain = stuff.node_tree.nodes.new("ShaderNodeTexImage").image = bpy.data.images.new("grain", 1, 1)
grain.filepath_raw, grain.source = "/home/me/grain.png", "FILE"
"""

GRID = "bpy.ops.mesh.primitive_grid_add(x_subdivisions=52, y_subdivisions=36)\nbpy.ops.wm.save_as_mainfile(filepath=place, compress=False)"


@pytest.fixture(scope="module")
def submissions(made: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Name -> folder."""
    shelf = tmp_path_factory.mktemp("submissions")
    grid, cube = made(GRID).read_bytes(), made("bpy.ops.mesh.primitive_cube_add()")
    files = {
        "sound": cube.read_bytes(), "empty": b"", "noise": bytes(range(256)) * 40, "truncated": grid[: len(grid) // 2],
        "newer": (GOLDEN / "blender-5.0.blend").read_bytes(), "pictured": made(PICTURED).read_bytes(), "nested": made(NESTED).read_bytes(),
        "crashing": grid.replace(struct.pack("<I", 53 * 37), struct.pack("<I", 53 * 37 * 1000)),
        "large": grid + bytes(1_000_001),
    }  # fmt: skip
    for name, content in files.items():
        (shelf / name).mkdir()
        (shelf / name / "project.blend").write_bytes(content)
    (shelf / "linked").mkdir()
    (shelf / "linked" / "other").write_bytes(cube.read_bytes())
    (shelf / "linked" / "project.blend").symlink_to("other")
    (shelf / "two").mkdir()
    for name in ("a.blend", "b.blend"):
        shutil.copy(cube, shelf / "two" / name)
    return {place.name: place for place in shelf.iterdir()}


@pytest.fixture(scope="module")
def labels(submissions: Mapping[str, Path], cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[str, str, str]]:
    """Name of the submission -> outcome, reason and message of the check."""
    folder = tmp_path_factory.mktemp("labels")
    task = folder / "task"
    for name, text in {"task.toml": TASK, "checks/scene.py": CHECKS, "brief/instruction.md": "# A cube\n"}.items():
        (task / name).parent.mkdir(parents=True, exist_ok=True)
        (task / name).write_text(text)
    argv = [str(Path(sys.executable).with_name("playproof")), "run", str(task), "--json", "--no-html", "-q", "--cache", str(cache),
            "-o", str(folder / "out")]  # fmt: skip
    for name, place in submissions.items():
        shutil.copytree(place, task / "reference" if name == "sound" else task / "broken" / name, symlinks=True)
        argv += ["--harness", "reference" if name == "sound" else f"broken:{name}"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stderr
    found = {}
    for trial in json.loads(done.stdout)["trials"]:
        [check] = trial["checks"]
        [case] = check["cases"]
        found[trial["stack"].removeprefix("broken:")] = (case["outcome"], case["reason"], case["message"])
    return found


@pytest.mark.parametrize(("name", "reason", "message"), [
    ("empty", "UNDELIVERED", "*.blend"),
    ("linked", "UNDELIVERED", "*.blend"),
    ("two", "UNDELIVERED", "one file '*.blend' was to be delivered; there are 2: a.blend, b.blend"),
    ("large", "UNDELIVERED", "at most 1,000,000 are opened"),
    ("noise", "LOAD_FAIL", "project.blend is no Blender project: its header is another"),
    ("truncated", "LOAD_FAIL", "Missing DNA block"),
    ("newer", "LOAD_FAIL", "was written by Blender 5.0, which is newer than this one"),
    ("pictured", "LOAD_FAIL", "home/me/grain.png' (outside of the submission)"),
    ("crashing", "CRASH", "Blender died of SIGSEGV during inspect_project"),
    ("nested", "HANG", "Blender did not finish inspect_project within 20 s"),
])
def test_a_bad_submission_fails_with_its_label(name: str, reason: str, message: str, labels: Mapping[str, tuple[str, str, str]]) -> None:
    assert labels[name][:2] == ("fail", reason) and message in labels[name][2]


def test_a_sound_one_beside_them_passes(labels: Mapping[str, tuple[str, str, str]]) -> None:
    assert labels["reference"] == ("pass", "OK", "")
