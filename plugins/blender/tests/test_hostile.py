"""Projects that are broken, or mean harm: each ends with its own label, none hangs longer than its clock, and nothing of them runs."""

import json
import os
import random
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from playproof.errors import SessionHung, SessionLost
from playproof.interfaces import Grading, Limits, Services
from playproof.model import Reason
from playproof_blender.backend import Blender
from playproof_blender.stages import Staged, Stages

pytestmark = pytest.mark.heavy

BARE = "\nbpy.ops.wm.save_as_mainfile(filepath=place, compress=False)\n"
GRID = "bpy.ops.mesh.primitive_grid_add(x_subdivisions=52, y_subdivisions=36)" + BARE
CUBE = """
import bmesh
shape = bmesh.new()
bmesh.ops.create_cube(shape, size=2)
cube = bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube"))
shape.to_mesh(cube.data)
"""


def blocks(content: bytes) -> Iterator[tuple[bytes, int, int, int]]:
    """The blocks of a bare .blend of a 64-bit Blender up to 4.5: code, start and length of what it holds, and the address that it had."""
    at = 12
    while at < len(content):
        code, length, address = struct.unpack_from("<4sIQ", content, at)
        yield code.rstrip(b"\0"), at + 24, length, address
        at += 24 + length


@pytest.fixture
def spoilt(made: Callable[..., Path], tmp_path: Path) -> Callable[..., Path]:
    """`spoilt(script, change)`: what the script makes, its bytes changed."""

    def make(script: str, change: Callable[[bytes], bytes]) -> Path:
        place = tmp_path / f"spoilt-{len(list(tmp_path.iterdir()))}" / "project.blend"
        place.parent.mkdir()
        place.write_bytes(change(made(script).read_bytes()))
        return place

    return make


def more_points(content: bytes) -> bytes:
    """A mesh that says that it has a thousand times the points that it has."""
    [(start, length)] = [(start, length) for code, start, length, _ in blocks(content) if code == b"ME"]
    mesh = content[start : start + length]
    assert mesh.count(struct.pack("<I", 53 * 37)) == 1
    return content.replace(mesh, mesh.replace(struct.pack("<I", 53 * 37), struct.pack("<I", 53 * 37 * 1000)))


def own_parent(content: bytes) -> bytes:
    """Each object that has a parent becomes its own."""
    objects = [one for one in blocks(content) if one[0] == b"OB"]
    addresses = {address for *_, address in objects}
    changed = bytearray(content)
    for _, start, length, address in objects:
        for at in range(start, start + length - 8, 8):
            [pointer] = struct.unpack_from("<Q", content, at)
            if pointer in addresses and pointer != address:
                struct.pack_into("<Q", changed, at, address)
    assert changed != content
    return bytes(changed)


def flipped(seed: int) -> Callable[[bytes], bytes]:
    def flip(content: bytes) -> bytes:
        chance, changed = random.Random(seed), bytearray(content)
        for _ in range(200):
            changed[chance.randrange(12, len(changed))] ^= 1 << chance.randrange(8)
        return bytes(changed)

    return flip


# --- broken files ---


@pytest.mark.parametrize("left", [0.5, 0.99, 100])
def test_a_truncated_file_is_refused_with_what_blender_said(
    left: float, spoilt: Callable[..., Path], grading: Callable[..., Grading],
) -> None:
    given = grading(spoilt(GRID, lambda content: content[: int(left if left > 1 else left * len(content))]))
    [problem] = given.runtime.preflight(given)
    assert problem.reason is Reason.LOAD_FAIL and problem.message.startswith("project.blend: ") and "Missing DNA block" in problem.message
    assert str(given.submission.root) not in problem.message


@pytest.mark.parametrize("seed", range(4))
def test_flipped_bits_are_refused_or_end_a_child_at_once(seed: int, spoilt: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    done = staged("inspect_project", spoilt(GRID, flipped(seed)), wall_s=60)
    assert done.whole or done.get("refused") or (done.ended.ended == "exited" and done.ended.code not in (0, None)), done


def test_a_file_that_kills_blender_is_lost_and_says_how(spoilt: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    done = staged("inspect_project", spoilt(GRID, more_points))
    assert not done.whole and done.get("opened") is None
    with pytest.raises(SessionLost, match=r"^Blender died of SIGSEGV during inspect_project: "):
        done.named("scene")


def test_a_file_that_swells_is_bounded(spoilt: Callable[..., Path], blender: Blender, services: Services, tmp_path: Path) -> None:
    """A block that says it holds two gigabytes, of zeros that are compressed to nothing."""
    block = struct.pack("<4sIQII", b"DATA", 0x7FFFFFF0, 4096, 0, 1)

    def swell(content: bytes) -> bytes:
        packer = zstandard.ZstdCompressor().compressobj()
        return b"".join([packer.compress(content[:12] + block), *(packer.compress(bytes(64 << 20)) for _ in range(32)), packer.flush()])

    place = spoilt(GRID, swell)
    assert place.stat().st_size < 1 << 20
    stages = Stages(blender, services, tmp_path / "stages", limits=Limits(memory=1 << 30))
    done = stages.run("inspect_project", place.parent, place.name, {}, 60)
    assert not done.whole and done.ended.ended == "exited" and isinstance(done.fault(), SessionLost)


# --- what would run ---

MEAN = """
bpy.ops.mesh.primitive_cube_add()
curve = bpy.context.object.driver_add("location", 0)
curve.driver.expression = "print('OW' + 'NED by a driver') or 1.0"
text = bpy.data.texts.new("owned.py")
text.write("print('OW' + 'NED by a text')")
text.use_module = True
"""


def test_scripts_and_drivers_in_python_do_not_run_and_are_flagged(
    made: Callable[..., Path], staged: Callable[..., Staged], blender: Blender, grading: Callable[..., Grading],
) -> None:
    """Blender may die at its exit over such drivers, when all is sealed: that is no fault of a stage."""
    project = made(MEAN)
    trusting = f"import bpy; bpy.ops.wm.open_mainfile(filepath={str(project)!r}, use_scripts=True); bpy.context.view_layer.update()"
    owned = subprocess.run([str(blender.program), "-I", "-c", trusting], capture_output=True, text=True, check=False).stdout
    assert "OWNED by a text" in owned and "OWNED by a driver" in owned  # else the rest shows nothing
    done = staged("inspect_project", project)
    assert done.whole and "OWNED" not in done.words
    opened = done.named("opened").value
    assert opened["blocked"] and opened["why"]
    given = grading(project)
    assert given.runtime.preflight(given) == []
    assert given.record.sealed().of("blender.opened/1")[0].value["blocked"] is True


def test_simple_drivers_are_no_python_and_go_on(made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    project = made("""
bpy.ops.mesh.primitive_cube_add()
bpy.context.object.driver_add("location", 0).driver.expression = "2 + sin(0)"
""")
    done = staged("inspect_project", project)
    assert done.whole and not done.named("opened").value["blocked"]
    [cube] = json.loads(done.named("scene").read())["objects"]
    assert cube["matrix"][3] == 2


# --- what takes too much ---

NESTED = CUBE + """
inner = bpy.data.collections.new("0")
inner.objects.link(cube)
for depth in range(1, 7):
    outer = bpy.data.collections.new(str(depth))
    for number in range(30):
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

SUBDIVIDED = CUBE + """
bpy.context.collection.objects.link(cube)
for _ in range(2):
    modifier = cube.modifiers.new("", "SUBSURF")
    modifier.levels, modifier.render_levels = 3, 6
""" + BARE


def bomb(content: bytes) -> bytes:
    """Level 11, twice: a hundred million million faces. It cannot be saved so: Blender evaluates what it saves."""
    assert content.count(b"\0\0\3\0\6\0") == 2
    return content.replace(b"\0\0\3\0\6\0", b"\0\0\13\0\13\0")


def children() -> set[int]:
    found = set()
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            found |= {int(place.parent.name)} if int(place.read_text().rpartition(")")[2].split()[1]) == os.getpid() else set()
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def test_the_wall_clock_ends_the_whole_tree(made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    """Seven hundred million copies of a cube."""
    before = children()
    done = staged("inspect_project", made(NESTED), wall_s=12)
    assert done.ended.ended == "wall" and 11 < done.ended.wall_s < 25 and children() <= before
    with pytest.raises(SessionHung, match=r"Blender did not finish inspect_project within 1[2-9] s"):
        done.named("shapes")


def test_a_subdivision_bomb_ends_at_its_memory_or_its_clock(
    spoilt: Callable[..., Path], blender: Blender, services: Services, tmp_path: Path,
) -> None:
    project = spoilt(SUBDIVIDED, bomb)
    stages = Stages(blender, services, tmp_path / "stages", limits=Limits(memory=1 << 30))
    done = stages.run("inspect_project", project.parent, project.name, {}, 60)
    assert not done.whole and done.ended.ended == "exited" and done.ended.code in (134, 137, 139)
    assert "died of SIG" in str(done.fault())


def test_a_pipe_in_the_place_of_a_library_hangs_no_longer_than_the_clock(made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    """Core takes no such submission; but who opens a folder of their own may have one."""
    project = made(CUBE + """
import os, pathlib
where = pathlib.Path(place).with_name("lib.blend")
bpy.data.libraries.write(str(where), {cube})
bpy.ops.wm.save_as_mainfile(filepath=place)
with bpy.data.libraries.load(str(where), link=True, relative=True) as (there, here):
    here.objects = there.objects
bpy.context.collection.objects.link(here.objects[0])
bpy.ops.wm.save_mainfile()
where.unlink()
os.mkfifo(where)
""")
    done = staged("inspect_project", project, wall_s=8)
    assert isinstance(done.fault(), SessionHung if done.ended.ended == "wall" else SessionLost) and not done.whole


def test_ten_thousand_objects_are_read(made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    done = staged("inspect_project", made(CUBE + """
for number in range(10_000):
    one = bpy.data.objects.new(f"Cube {number}", cube.data)
    one.location = number % 100, number // 100, 0
    bpy.context.collection.objects.link(one)
"""))
    assert done.whole and len(json.loads(done.named("scene").read())["objects"]) == 10_000


# --- what is odd, and no more ---

ODD = {
    "empty": "",
    "no camera, no light": "bpy.ops.mesh.primitive_cube_add()",
    "not a number": "bpy.ops.mesh.primitive_cube_add(); bpy.context.object.location = float('nan'), float('inf'), 0\n"
                    "bpy.context.object.scale = 0, float('-inf'), 1e38",
    "points that are no numbers": "bpy.ops.mesh.primitive_cube_add(); bpy.context.object.data.vertices[0].co = [float('nan')] * 3",
    "no scene's collection": CUBE + "cube.use_fake_user = True",
    "an empty mesh": "bpy.context.collection.objects.link(bpy.data.objects.new('Nothing', bpy.data.meshes.new('Nothing')))",
}  # fmt: skip


@pytest.mark.parametrize("script", ODD.values(), ids=ODD)
def test_odd_projects_are_read_to_the_end(script: str, made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    done = staged("inspect_project", made(script))
    assert done.whole, done.fault()
    assert json.loads(done.named("scene").read())["scene"] == "Scene"


def test_names_with_newlines_and_markup_come_through(made: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    names = ["line\nbreak\ttab", "<script>alert(1)</script>", "../../etc/passwd", '"}\n{"name": "end"}', "\u202egnp.exe", "%s{0}$(id)`id`"]
    script = f"for name in {names!r}:\n    bpy.context.collection.objects.link(bpy.data.objects.new(name, None))"
    done = staged("inspect_project", made(script))
    assert done.whole and sorted(one["name"] for one in json.loads(done.named("scene").read())["objects"]) == sorted(names)


def test_an_object_that_is_its_own_parent_is_read(spoilt: Callable[..., Path], staged: Callable[..., Staged]) -> None:
    """What cannot be made in Blender, but in a file: a hierarchy without a top."""
    project = spoilt(CUBE + """
holder = bpy.data.objects.new("Holder", None)
for one in (holder, cube):
    bpy.context.collection.objects.link(one)
cube.parent = holder
""" + BARE, own_parent)  # fmt: skip
    done = staged("inspect_project", project, wall_s=60)
    assert done.whole or done.ended.ended in ("exited", "wall"), done
