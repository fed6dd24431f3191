"""Pictures and films of the workspace as the agent sees them, and what is no picture and no film."""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from playproof.interfaces import Services
from playproof_blender.backend import Blender
from playproof_blender.tools.calls import Account, Failed, counts
from playproof_blender.tools.offered import Tools
from playproof_blender.tools.workshop import opened

FILM = """
scene = bpy.context.scene
for number, colour in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1))):
    strip = scene.sequence_editor_create().sequences.new_effect(f"part {number}", "COLOR", 1, 1 + number * 6, frame_end=7 + number * 6)
    strip.color = colour
scene.frame_start, scene.frame_end = 1, 24
render = scene.render
render.resolution_x, render.resolution_y, render.resolution_percentage, render.fps = 320, 160, 100, 12
render.use_sequencer, render.use_compositing, render.use_file_extension = True, False, False
scene.view_settings.view_transform = "Standard"
render.image_settings.file_format = "FFMPEG"
render.ffmpeg.format, render.ffmpeg.codec, render.ffmpeg.constant_rate_factor = "MPEG4", "H264", "HIGH"
render.filepath = place
bpy.ops.render.render(animation=True, scene=scene.name)
"""


@pytest.fixture
def tools(services: Services, tmp_path: Path) -> Iterator[Tools]:
    """Without a Blender."""
    with opened(tmp_path, Blender(Path("/nowhere"), "4.2.0", True, []), services, 10) as workshop:
        yield Tools(workshop, Account(tmp_path / "log.jsonl"))


def seen(tools: Tools, path: str, **more: object) -> tuple[str, Image.Image]:
    answer = tools.call("view_image", {"path": path, **more})
    [picture] = answer.pictures
    return answer.text, Image.open(io.BytesIO(picture)).convert("RGB")


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is so large; its pixels never come."""
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


def test_a_picture_is_shown_smaller_and_a_part_of_it_closer(tools: Tools, tmp_path: Path) -> None:
    pixels = np.zeros((1500, 3000, 3), np.uint8)
    pixels[200:300, 2000:2100] = (255, 0, 0)
    (tmp_path / "brief").mkdir()
    Image.fromarray(pixels).save(tmp_path / "brief/photo.jpg", quality=95)
    told, whole = seen(tools, "brief/photo.jpg")
    assert told == "brief/photo.jpg: JPEG, 3000 x 1500 pixels, at 1024 x 512" and whole.size == (1024, 512)
    told, part = seen(tools, "brief/photo.jpg", crop=[2000, 200, 2100, 300])
    assert "of which 100 x 100 from (2000, 200) are shown" in told and part.size == (100, 100)
    assert part.getpixel((50, 50))[0] > 240 and part.getpixel((50, 50))[1] < 30  # type: ignore[index]
    assert counts(tmp_path / "log.jsonl")["media"].calls == 2


def test_pictures_of_every_sort_are_made_plain(tools: Tools, tmp_path: Path) -> None:
    clear = Image.new("RGBA", (4, 4), (255, 0, 0, 0))
    clear.save(tmp_path / "clear.png")
    assert seen(tools, "clear.png")[1].getpixel((1, 1)) == (255, 255, 255) and "over white" in seen(tools, "clear.png")[0]
    Image.fromarray(np.full((4, 4), 32768, np.uint16)).save(tmp_path / "deep.png")
    assert seen(tools, "deep.png")[1].getpixel((1, 1)) == (127, 127, 127), "not cut at 255"
    Image.fromarray(np.array([[0.0, 0.25], [0.5, np.nan]], np.float32)).save(tmp_path / "real.tiff")
    assert seen(tools, "real.tiff")[1].getpixel((1, 0)) == (127, 127, 127)
    turned, exif = Image.new("RGB", (40, 20), "blue"), Image.Exif()
    exif[0x0112] = 6
    turned.save(tmp_path / "turned.jpg", exif=exif)
    told, upright = seen(tools, "turned.jpg")
    assert upright.size == (20, 40) and "20 x 40 pixels" in told
    frames = [Image.new("P", (8, 8), number) for number in range(3)]
    frames[0].save(tmp_path / "moving.gif", save_all=True, append_images=frames[1:])
    assert seen(tools, "moving.gif")[1].size == (8, 8)


def test_what_is_no_picture_is_refused_with_why(tools: Tools, tmp_path: Path) -> None:
    (tmp_path / "bomb.png").write_bytes(bomb(60_000, 60_000))
    (tmp_path / "large.png").write_bytes(bomb(10_000, 10_000))
    (tmp_path / "short.png").write_bytes(bomb(500, 500))
    Image.new("RGB", (600, 600), "red").save(whole := tmp_path / "torn.jpg")
    whole.write_bytes(whole.read_bytes()[:900])
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "draw.svg").write_text("<svg/>")
    (tmp_path / "empty.png").write_bytes(b"")
    (outside := tmp_path.parent / f"{tmp_path.name}-outside.png").write_bytes(bomb(4, 4))
    (tmp_path / "link.png").symlink_to(outside)
    (tmp_path / "loop.png").symlink_to("loop.png")
    Image.new("RGB", (4, 4)).save(tmp_path / "small.png")
    (tmp_path / "inner.png").symlink_to("small.png")
    for path, why in (("bomb.png", "pictures of more than 67,108,864 pixels are not decoded"),
                      ("large.png", "10000 x 10000 pixels, and pictures of more than 67,108,864"),
                      ("short.png", "cannot be decoded"), ("torn.jpg", "cannot be decoded"), ("text.png", "no picture of the formats PNG"),
                      ("draw.svg", "no picture of the formats"), ("empty.png", "no picture of the formats"),
                      ("link.png", "'link.png' is a link that leads out"), ("loop.png", "no file 'loop.png'"),
                      ("none.png", "no file 'none.png'"), (".", "not in the workspace"), ("../x.png", "not in the workspace"),
                      ("/etc/passwd", "not in the workspace")):  # fmt: skip
        with pytest.raises(Failed, match=why):
            seen(tools, path)
    assert seen(tools, "inner.png")[1].size == (4, 4), "a link inside is no way out"
    for crop in ([0, 0, 5, 4], [2, 2, 2, 4], [-1, 0, 2, 2]):
        with pytest.raises(Failed, match=r"is no left, top, right, bottom within 4 x 4 pixels"):
            seen(tools, "small.png", crop=crop)


@pytest.mark.parametrize(("arguments", "why"), [
    ({"count": 0}, "count"), ({"count": 13}, "count"), ({"times": []}, "times are 1 to 12 seconds"), ({"times": [-1.0]}, "times are"),
    ({"times": [float("inf")]}, "times are"), ({"size": 5000}, "size"), ({"path": "none.mp4"}, "no file 'none.mp4'"),
    ({"path": "link.mp4"}, "leads out"),
])  # fmt: skip
def test_what_cannot_be_sampled_is_refused(tools: Tools, tmp_path: Path, arguments: dict[str, object], why: str) -> None:
    (tmp_path / "film.mp4").write_bytes(b"")
    (tmp_path / "link.mp4").symlink_to("/etc/hostname")
    with pytest.raises(Failed, match=why):
        tools.call("sample_video", {"path": "film.mp4", **arguments})


@pytest.fixture
def studio(blender: Blender, services: Services, made: Callable[..., Path], tmp_path: Path) -> Iterator[Tools]:
    """With a film of four colours, half a second each."""
    (tmp_path / "brief").mkdir()
    (tmp_path / "brief/film.mp4").write_bytes(made(FILM, "film.mp4").read_bytes())
    with opened(tmp_path, blender, services, 60) as workshop:
        yield Tools(workshop, Account(tmp_path / "log.jsonl"))


@pytest.mark.heavy
def test_frames_of_a_film_are_shown_in_its_own_colours(studio: Tools, tmp_path: Path) -> None:
    def sampled(**asked: object) -> tuple[str, list[tuple[int, ...]]]:
        answer = studio.call("sample_video", {"path": "brief/film.mp4", **asked})
        pictures = [Image.open(io.BytesIO(one)).convert("RGB") for one in answer.pictures]
        assert {one.size for one in pictures} == {(256, 128) if asked.get("size") == 256 else (320, 160)}, "never larger than it is"
        return answer.text, [tuple(round(value / 64) for value in one.getpixel((60, 60))) for one in pictures]  # type: ignore[union-attr]

    told, colours = sampled(count=4)
    assert told.startswith("brief/film.mp4: 320 x 160 pixels, 24 frames, 12 a second, 2.00 s\nShown frame 0 at 0.00 s, frame 8 at 0.67 s,")
    assert colours == [(4, 0, 0), (0, 4, 0), (0, 0, 4), (4, 4, 4)]
    told, colours = sampled(times=[1.1, 0.1, 9], size=256)
    assert colours == [(4, 0, 0), (0, 0, 4), (4, 4, 4)] and told.endswith("it ends before 9 s: the last frame is shown for it")
    assert sampled(count=1)[1] == [(4, 0, 0)]
    assert not list(tmp_path.glob("*.png")) and counts(tmp_path / "log.jsonl")["media"].calls == 3


@pytest.mark.heavy
def test_what_is_no_film_is_refused_and_nothing_dies(studio: Tools, tmp_path: Path) -> None:
    whole = (tmp_path / "brief/film.mp4").read_bytes()
    (tmp_path / "torn.mp4").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.mp4").write_text("no film")
    Image.new("RGB", (64, 64), "red").save(tmp_path / "still.png")
    (tmp_path / "still.mp4").write_bytes((tmp_path / "still.png").read_bytes())
    for path in ("torn.mp4", "text.mp4", "still.png"):
        with pytest.raises(Failed, match=rf"{path}: it is no video that Blender reads; it may be cut off"):
            studio.call("sample_video", {"path": path})
    assert studio.call("sample_video", {"path": "brief/film.mp4", "count": 1}).pictures
