"""What keeps a submission from being judged, said before anything is asked of it; and what is only noted."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from playproof.interfaces import Grading
from playproof.model import Ask, Case, Problem, Reason
from playproof.stage import stage
from playproof.submission import tree_digest
from playproof_blender.backend import Blender
from playproof_blender.delivery import find
from playproof_blender.session import KINDS

BLENDER = Blender(Path("/opt/blender/blender"), "4.2.23", False, [])
PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef"
                    "0000000049454e44ae426082")  # fmt: skip

WITH_PICTURES = """
import pathlib

def picture(name, path):
    bpy.ops.mesh.primitive_cube_add()
    stuff = bpy.data.materials.new(name)
    stuff.use_nodes = True
    bpy.context.object.data.materials.append(stuff)
    made = stuff.node_tree.nodes.new("ShaderNodeTexImage").image = bpy.data.images.new(name, 1, 1, tiled="<UDIM>" in path)
    made.filepath_raw, made.source = path, "TILED" if "<UDIM>" in path else "FILE"
    return made

"""


@pytest.fixture
def preflight(grading: Callable[..., Grading]) -> Callable[..., tuple[Sequence[Problem], Mapping[str, Any]]]:
    """`preflight(project, **options)`: the problems, and what was noted of how it opened."""

    def ask(project: Path, **options: Any) -> tuple[Sequence[Problem], Mapping[str, Any]]:
        given = grading(project, **options)
        problems = given.runtime.preflight(given)
        noted = given.record.sealed().of("blender.opened/1")
        return problems, noted[0].value if noted else {}

    return ask


# --- the file, before Blender ---


def refused(root: Path, **changes: Any) -> Problem:
    found = find(root, "*.blend", BLENDER, **changes)
    assert found.project is None
    [problem] = found.problems
    return problem


def test_one_project_is_wanted(tmp_path: Path) -> None:
    assert refused(tmp_path) == Problem(Reason.UNDELIVERED, "one file '*.blend' was to be delivered; there is none")
    (tmp_path / "a.blend").write_bytes(b"BLENDER-v402")
    assert find(tmp_path, "*.blend", BLENDER).project == "a.blend"
    (tmp_path / "b.blend").write_bytes(b"BLENDER-v402")
    (tmp_path / "b.blend1").write_bytes(b"BLENDER-v402")
    assert refused(tmp_path) == Problem(Reason.UNDELIVERED, "one file '*.blend' was to be delivered; there are 2: a.blend, b.blend")
    assert find(tmp_path, "b.blend", BLENDER).project == "b.blend"
    (tmp_path / "deep").mkdir()
    (tmp_path / "b.blend").rename(tmp_path / "deep" / "b.blend")
    assert find(tmp_path, "*/*.blend", BLENDER).project == "deep/b.blend"


def test_only_a_regular_file_is_opened(tmp_path: Path) -> None:
    place = tmp_path / "project.blend"
    place.mkdir()
    assert refused(tmp_path) == Problem(Reason.UNDELIVERED, "project.blend is no regular file")
    place.rmdir()
    os.mkfifo(place)  # to open it would wait for ever
    assert refused(tmp_path) == Problem(Reason.UNDELIVERED, "project.blend is no regular file")
    place.unlink()
    (tmp_path / "real").write_bytes(b"BLENDER-v402")
    place.symlink_to("real")
    assert refused(tmp_path) == Problem(Reason.UNDELIVERED, "project.blend is a link")
    place.unlink()
    place.symlink_to("nowhere")
    assert refused(tmp_path) == Problem(Reason.UNDELIVERED, "project.blend is a link")


def test_the_size_has_a_limit(tmp_path: Path) -> None:
    place = tmp_path / "project.blend"
    place.write_bytes(b"")
    assert refused(tmp_path) == Problem(Reason.UNDELIVERED, "project.blend is empty")
    place.write_bytes(b"BLENDER-v402" + bytes(988))
    assert find(tmp_path, "*.blend", BLENDER, 1000).project and refused(tmp_path, most_bytes=999).reason is Reason.UNDELIVERED
    os.truncate(place, 2_000_000_000)  # as with two gigabytes of packed pictures, but sparse
    assert refused(tmp_path).message == "project.blend has 2,000,000,000 bytes; at most 1,073,741,824 are opened"


@pytest.mark.parametrize("content", [bytes(5000), os.urandom(5000), b"a text", b"PK\x03\x04" + bytes(100), b"glTF\x02\0\0\0" + bytes(99)])
def test_another_kind_of_file_is_no_project(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "project.blend").write_bytes(content)
    assert refused(tmp_path) == Problem(Reason.LOAD_FAIL, "project.blend is no Blender project: its header is another")


def test_a_name_that_blender_cannot_open_is_told(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.blend")).write_bytes(b"BLENDER-v402")
    assert "a name that is no UTF-8" in refused(tmp_path).message


# --- opened ---


@pytest.mark.heavy
def test_a_sound_project_has_no_problems_and_the_blender_is_noted(made: Callable[..., Path], preflight: Any, blender: Blender) -> None:
    problems, noted = preflight(made("bpy.ops.mesh.primitive_cube_add(size=2)", name="My model\n<b>.blend"))
    assert problems == []
    assert (noted["release"], noted["tested"], noted["blocked"]) == (blender.release, blender.is_tested, False)
    assert noted["written"][:2] == [blender.version.major, blender.version.minor] and noted["lacking"] == []


@pytest.mark.heavy
def test_a_newer_header_on_an_older_body_is_believed(made: Callable[..., Path], preflight: Any) -> None:
    """Blender 4.2 itself opens such a file when the header has the old form."""
    place = made("""
bpy.ops.wm.save_as_mainfile(filepath=place, compress=False)
body = open(place, "rb").read()
open(place, "wb").write(b"BLENDER-v500" + body[12:])
""")
    [problem], noted = preflight(place)
    assert problem.reason is Reason.LOAD_FAIL and "was written by Blender 5.0, which is newer" in problem.message and noted == {}


@pytest.mark.heavy
def test_pictures_that_were_delivered_or_packed_are_no_problem(made: Callable[..., Path], preflight: Any) -> None:
    problems, noted = preflight(made(WITH_PICTURES + r"""
picture("beside", "//tex/grain.png")
picture("as Windows spells it", "//tex\\grain.png")
picture("tiled", "//tex/g.<UDIM>.png")
packed = picture("packed", "//packed.png")
bpy.ops.wm.save_as_mainfile(filepath=place)
packed.reload()
packed.pack()
pathlib.Path(place).with_name("packed.png").unlink()
bpy.ops.wm.save_mainfile()
""", files={"tex/grain.png": PNG, "tex/g.1001.png": PNG, "packed.png": PNG}))
    assert problems == [] and noted["lacking"] == []


@pytest.mark.heavy
def test_a_picture_in_use_that_was_not_delivered_is_named(made: Callable[..., Path], preflight: Any) -> None:
    project = made(WITH_PICTURES + r"""
for name, path in {"gone": "//tex/grain.png", "no tiles": "//tex/g.<UDIM>.png", "above": "//../grain.png", "theirs": "/workspace/grain.png",
                   "system": "/etc/passwd", "windows": "C:\\me\\grain.png", "folder": "//"}.items():
    picture(name, path)
""")
    [problem], noted = preflight(project)
    assert {one["name"]: one["state"] for one in noted["lacking"]} == {
        "gone": "missing", "no tiles": "missing", "folder": "missing", "above": "outside", "theirs": "outside", "system": "outside",
        "windows": "outside",
    }  # fmt: skip
    assert problem.reason is Reason.LOAD_FAIL and problem.cites
    assert "needs what was not delivered with it: image 'above' at '//../grain.png' (outside of the submission)" in problem.message
    assert "image 'gone' at '//tex/grain.png' (is not there)" in problem.message and " and 2 more; pack it" in problem.message
    problems, noted = preflight(project, complete=False)
    assert problems == [] and len(noted["lacking"]) == 7


@pytest.mark.heavy
def test_what_nothing_uses_and_what_is_no_picture_is_only_noted(made: Callable[..., Path], preflight: Any) -> None:
    problems, noted = preflight(made("""
picture = bpy.data.images.new("reference", 1, 1)
picture.filepath_raw = "/home/somebody/reference.png"
picture.source = "FILE"
picture.use_fake_user = True
smoke = bpy.data.volumes.new("smoke")
smoke.filepath = "//smoke.vdb"
bpy.context.collection.objects.link(bpy.data.objects.new("Smoke", smoke))
"""))
    assert problems == []
    assert {(one["kind"], one["state"]) for one in noted["lacking"]} == {("image", "outside"), ("volume", "missing")}


LINKING = """
import pathlib
where = pathlib.Path(place).parent / {where}
where.parent.mkdir(exist_ok=True)
bpy.ops.mesh.primitive_cube_add()
bpy.context.object.name = "Linked"
bpy.ops.wm.save_as_mainfile(filepath=str(where), compress=True)
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.save_as_mainfile(filepath=place)
with bpy.data.libraries.load(str(where), link=True, relative={relative}) as (there, here):
    here.objects = there.objects
bpy.context.collection.objects.link(here.objects[0])
bpy.ops.wm.save_mainfile()
"""


@pytest.mark.heavy
@pytest.mark.parametrize(("where", "relative", "after", "how"), [
    ("'parts/lib.blend'", True, "", ""),
    ("'parts/lib.blend'", True, "where.unlink()", "is not there"),
    ("'../lib.blend'", True, "", "outside of the submission"),
    ("'../lib2.blend'", False, "", "outside of the submission"),
    ("'parts/lib.blend'", True, "where.rename(where.with_name('x.blend'))\nwhere.symlink_to('/etc/passwd')", "outside of the submission"),
])
def test_a_library_has_to_be_delivered(where: str, relative: bool, after: str, how: str, made: Callable[..., Path],
                                       blender: Blender, staged: Callable[..., Any], preflight: Any) -> None:  # fmt: skip
    project = made(LINKING.replace("{where}", where).replace("{relative}", str(relative)) + after)
    if "symlink" in after:  # core would refuse the submission for such a link; the stage knows it, too
        assert [one["state"] for one in staged("inspect_project", project).named("opened").value["lacking"]] == ["outside"]
        return
    problems, noted = preflight(project)
    if not how:
        assert problems == [] and noted["lacking"] == []
        return
    [problem] = problems
    assert problem.reason is Reason.LOAD_FAIL and "library 'lib" in problem.message and f"({how})" in problem.message


@pytest.mark.heavy
def test_a_submission_is_afterwards_as_it_was(made: Callable[..., Path], grading: Callable[..., Grading]) -> None:
    project = made(WITH_PICTURES + "picture('grain', '//grain.png')", files={"grain.png": PNG, "notes.txt": b"by me"})
    given = grading(project)
    before, bytes_before = tree_digest(given.submission.root), (given.submission.root / "project.blend").read_bytes()
    assert given.runtime.preflight(given) == []
    with stage(given, Case()) as staged:
        for kind in ("blender.scene/1", "blender.shapes/1"):
            assert staged.session.observe(Ask(kind, {})) and kind in KINDS
    assert tree_digest(given.submission.root) == before and (given.submission.root / "project.blend").read_bytes() == bytes_before
    assert sorted(one.name for one in given.submission.root.iterdir()) == ["grain.png", "notes.txt", "project.blend"]
