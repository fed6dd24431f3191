"""Films as files: what is written is read back, plays, and its key frames are pictures. No browser here; the frames are Pillow's."""

import io
from collections.abc import Sequence

import pytest
from PIL import Image

from playproof.canonical import digest
from playproof.drivers import build
from playproof.errors import TaskError
from playproof.interfaces import Exhibit, Services
from playproof.model import TICKS, Evidence, Observer, Ref
from playproof_xr.video.ebml import element, elements, size
from playproof_xr.video.filming import FilmOptions, film_options, fitted, portions
from playproof_xr.video.webm import LONGEST_CLUSTER_MS, Film, Frame, film_of, muxed, webp

RED, BLUE = (220, 20, 20), (20, 20, 220)


def key_frame(colour: tuple[int, int, int], width: int = 64, height: int = 48) -> bytes:
    """A picture as VP8 encodes it: what stands in a lossy WebP."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, "WEBP", quality=90)
    whole = out.getvalue()
    assert whole[12:16] == b"VP8 "
    return whole[20 : 20 + int.from_bytes(whole[16:20], "little")]


def film(times: Sequence[tuple[int, bool]] = ((0, True), (83, False), (500, True), (583, False))) -> Film:
    frames = [Frame(at, key, key_frame(RED if at < 500 else BLUE) if key else b"between" + bytes([at % 256])) for at, key in times]
    return Film(64, 48, frames, times[-1][0] + 83)


def shown(blob: bytes | None) -> Exhibit:
    address = None if blob is None else digest(blob)
    entry = Evidence("e", TICKS, 0, "xr.video/1", Observer.MAIN, "first person\x1b", "video/webm", None, address)
    exhibit: Exhibit = build("exhibit", Ref("xr.video/1"), Services(cache=None)).show(entry, lambda _: blob)  # type: ignore[arg-type]
    return exhibit


@pytest.mark.parametrize("length", [0, 1, 126, 127, 128, 16382, 16383, 16384, 2_097_150, 2_097_151])
def test_an_element_of_any_length_is_read_back(length: int) -> None:
    assert list(elements(element(0x4286, b"x" * length) + element(0xA3, b"next"))) == [(0x4286, b"x" * length), (0xA3, b"next")]
    assert size(length).strip(b"\x7f\x3f\xff\x1f"), "all ones would be an unknown length"


def test_a_film_is_read_back_as_it_was_written() -> None:
    assert film_of(muxed(film())) == film()
    long = film([(0, True), (LONGEST_CLUSTER_MS, False), (LONGEST_CLUSTER_MS + 1, False), (100_000, False)])
    assert film_of(muxed(long)) == long, "frames that are far from their key frame stand in clusters of their own"


def test_each_cue_leads_to_its_cluster() -> None:
    segment = dict(elements(muxed(film())))[0x18538067]
    cues = [dict(elements(content)) for _, content in elements(dict(elements(segment))[0x1C53BB6B])]
    assert [int.from_bytes(cue[0xB3]) for cue in cues] == [0, 500]
    for cue in cues:
        place = int.from_bytes(dict(elements(cue[0xB7]))[0xF1])
        identity, content = next(iter(elements(segment[place:])))
        assert identity == 0x1F43B675
        assert dict(elements(content))[0xE7].lstrip(b"\0") == cue[0xB3].lstrip(b"\0"), "its time"


@pytest.mark.parametrize("times", [[], [(0, False)], [(0, True), (50, False), (40, False)]])
def test_what_is_no_film_is_not_written(times: Sequence[tuple[int, bool]]) -> None:
    with pytest.raises(ValueError, match="a film"):
        muxed(Film(64, 48, [Frame(at, key, b"x") for at, key in times], 100))


def test_what_is_torn_or_foreign_is_refused_and_never_another_error() -> None:
    whole = muxed(film())
    for end in [*range(200), *range(200, len(whole), 17)]:
        with pytest.raises(ValueError):
            film_of(whole[:end])
    with pytest.raises(ValueError, match="not VP8"):
        film_of(whole.replace(b"V_VP8", b"V_VP9"))


def test_a_key_frame_is_a_picture() -> None:
    for frame in (key_frame(BLUE), key_frame(BLUE) + b"\0"):
        image = Image.open(io.BytesIO(webp(frame)))
        assert image.size == (64, 48)
        red, _, blue = image.convert("RGB").getpixel((30, 20))  # type: ignore[misc]
        assert blue > 180 and red < 60


def test_a_judge_is_shown_key_frames_with_their_times() -> None:
    exhibit = shown(muxed(film()))
    assert [one.caption for one in exhibit.pictures] == ["first person , at 0.00 s", "first person , at 0.50 s"]
    colours = [Image.open(io.BytesIO(one.data)).convert("RGB").getpixel((30, 20)) for one in exhibit.pictures]
    assert all(max(abs(a - b) for a, b in zip(seen, meant, strict=True)) < 20  # type: ignore[arg-type]
               for seen, meant in zip(colours, (RED, BLUE), strict=True))  # fmt: skip
    assert exhibit.thumbnail == exhibit.pictures[-1].data


def test_of_a_long_film_the_first_the_last_and_some_between_are_shown() -> None:
    exhibit = shown(muxed(film([(at * 500, True) for at in range(100)])))
    assert len(exhibit.pictures) == 24
    assert (exhibit.pictures[0].caption[-6:], exhibit.pictures[-1].caption[-7:]) == ("0.00 s", "49.50 s")


@pytest.mark.parametrize("blob", [b"", b"<html>", muxed(Film(64, 48, [Frame(0, True, b"no picture at all")], 9))])
def test_a_film_that_cannot_be_decoded_is_a_value_error(blob: bytes) -> None:
    with pytest.raises(ValueError):
        shown(blob)


def test_a_film_of_nothing_is_said_to_be_one() -> None:
    assert shown(None).text == "a video without pictures"


def test_steps_are_grouped_and_cut_off_where_the_film_ends() -> None:
    steps = [(TICKS, {"n": 0}), (TICKS, None), (TICKS // 2, {"n": 1}), (5 * TICKS, None)]
    assert list(portions(steps, 100 * TICKS)) == [steps[:2], steps[2:]]
    assert list(portions(steps, 3 * TICKS)) == [steps[:2], [steps[2], (TICKS // 2, None)]]
    assert list(portions([], TICKS)) == []


@pytest.mark.parametrize(("viewport", "told", "pixels"), [
    ((640, 480), {}, (640, 480)), ((1280, 720), {}, (640, 360)), ((101, 333), {}, (100, 332)), ((1280, 720), {"width": 320}, (320, 180)),
])  # fmt: skip
def test_a_film_has_the_viewport_s_shape(viewport: tuple[int, int], told: dict[str, int], pixels: tuple[int, int]) -> None:
    assert fitted(viewport, FilmOptions(**told)) == pixels  # type: ignore[arg-type]


@pytest.mark.parametrize("told", [{"views": []}, {"views": ["above"]}, {"rate": 0}, {"width": 1}, {"colour": "red"}])
def test_options_that_a_film_cannot_have_are_refused(told: dict[str, object]) -> None:
    with pytest.raises(TaskError, match=r"xr\.video/1"):
        film_options(told)
