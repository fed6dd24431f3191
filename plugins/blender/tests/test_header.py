"""Which Blender wrote a file, told by its first bytes, whatever they are."""

import gzip
import os
import random
import struct
from pathlib import Path

import pytest
import zstandard

from playproof.model import Reason
from playproof_blender.backend import Blender
from playproof_blender.delivery import find
from playproof_blender.header import Written, written_by

GOLDEN = Path(__file__).parent / "golden"
BLENDER = Blender(Path("/opt/blender/blender"), "4.2.23", False, [])
SKIPPABLE = struct.pack("<II", 0x184D2A50, 4) + b"seek"


def zstd(content: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(content)


@pytest.mark.parametrize(("start", "written"), [
    (b"BLENDER-v402RENDH", Written(4, 2)),
    (b"BLENDER_V402RENDH", Written(4, 2)),
    (b"BLENDER-v279RENDH", Written(2, 79)),
    (b"BLENDER-v280RENDH", Written(2, 80)),
    (b"BLENDER-v293RENDH", Written(2, 93)),
    (b"BLENDER-v300RENDH", Written(3, 0)),
    (b"BLENDER-v405RENDH", Written(4, 5)),
    (b"BLENDER17-01v0500RENDH", Written(5, 0)),
    (b"BLENDER17-01v0512RENDH", Written(5, 12)),
    (b"BLENDER18-02v1003RENDH", Written(10, 3)),
    (b"BLENDER", None), (b"BLENDER-v4", None), (b"BLENDER-vXYZ", None), (b"blender-v402", None), (b"glTF\x02\0\0\0", None), (b"", None),
])  # fmt: skip
def test_headers_bare_and_compressed(start: bytes, written: Written | None, tmp_path: Path) -> None:
    content = start + bytes(1000) if start else b""
    halves = zstd(content[:9]) + SKIPPABLE + zstd(content[9:])
    for form in (content, zstd(content), halves, gzip.compress(content)):
        (tmp_path / "project.blend").write_bytes(form)
        assert written_by(tmp_path / "project.blend") == written, form[:20]


def test_what_only_looks_compressed_is_no_project(tmp_path: Path) -> None:
    place = tmp_path / "project.blend"
    huge_window = bytes.fromhex("28b52ffd00f8") + bytes(100)  # a frame that asks for more memory than anybody has
    noise = random.Random(7).randbytes(5000)
    for content in (b"\x28\xb5\x2f\xfd", b"\x1f\x8b", b"\x28\xb5\x2f\xfd" + noise, b"\x1f\x8b\x08" + noise, huge_window, noise,
                    zstd(b"BLENDER-v402" * 100)[:12], gzip.compress(noise)[:30]):  # fmt: skip
        place.write_bytes(content)
        assert written_by(place) is None, content[:20]


def test_only_the_beginning_is_read(tmp_path: Path) -> None:
    place = tmp_path / "project.blend"
    place.write_bytes(b"BLENDER-v402")
    os.truncate(place, 1 << 40)  # sparse: to read it all would take hours
    assert written_by(place) == Written(4, 2)
    place.write_bytes(zstd(b"BLENDER-v402" + bytes(300 << 20)))
    assert written_by(place) == Written(4, 2)


@pytest.mark.parametrize(("version", "start"), [("4.5", b"BLENDER-v405"), ("5.0", b"BLENDER17-01v0500")])
@pytest.mark.parametrize("compressed", [True, False])
def test_files_that_newer_blenders_wrote_are_refused_before_anything_opens_them(
    version: str, start: bytes, compressed: bool, tmp_path: Path,
) -> None:
    """The files were made by golden/newer.py with bpy 4.5 and 5.0."""
    content = (GOLDEN / f"blender-{version}.blend").read_bytes()
    bare = zstandard.ZstdDecompressor().stream_reader(content, read_across_frames=True).read()
    assert bare.startswith(start) and b"Cube" in bare
    (tmp_path / "project.blend").write_bytes(content if compressed else bare)
    [problem] = find(tmp_path, "*.blend", BLENDER).problems
    assert problem.reason is Reason.LOAD_FAIL
    assert problem.message.startswith(f"project.blend was written by Blender {version}, which is newer than this one, 4.2")


def test_an_old_file_is_no_problem_of_its_header(tmp_path: Path) -> None:
    (tmp_path / "project.blend").write_bytes(gzip.compress(b"BLENDER-v279" + bytes(100)))
    assert find(tmp_path, "*.blend", BLENDER).project == "project.blend"
