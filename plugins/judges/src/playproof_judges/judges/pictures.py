"""Pictures fit for a model: checked, scaled and encoded anew. Whatever a submission calls a picture, nothing here raises anything but
Undecodable."""

import io
import threading
import warnings
from collections import OrderedDict
from collections.abc import Iterator, Sequence

from attrs import field, frozen
from PIL import Image, ImageOps

from playproof.canonical import digest
from playproof.dialogue import Picture

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
MOST_PIXELS = 40_000_000
"""A picture beyond this is refused from its header alone: 8K has 33 million, which take 100 MB when decoded."""
MOST_DECODED = 512_000_000
"""Pixels decoded at most for the frames of one animation."""
MOST_BYTES = 64 << 20
LEAST_SIDE = 32
"""Smaller pictures get a grey margin: some endpoints reject them, and a rejection would be our void."""
GREY = (128, 128, 128)


class Undecodable(ValueError):
    """Not a picture, a broken one, or one too large to decode; the text is ours and quotes nothing of it."""


@frozen
class Frame:
    """A picture, or one of the `of` frames of an animation; `at_s` counts from the animation's begin."""

    data: bytes
    media_type: str
    number: int = 1
    of: int = 1
    at_s: float = 0.0

    def picture(self, caption: str) -> Picture:
        return Picture(self.data, self.media_type, caption)


@frozen
class Fitting:
    """How pictures are made to fit: the longest side in pixels, and jpeg (small) or png (exact)."""

    side: int = 1024
    encoding: str = "jpeg"


def spread(count: int, wanted: int) -> Sequence[int]:
    """`wanted` of `count` places, evenly spread, the first and the last among them; the last alone where one is wanted."""
    if wanted >= count:
        return range(count)
    if wanted <= 1:
        return [count - 1] if wanted == 1 and count else []
    return [round(step * (count - 1) / (wanted - 1)) for step in range(wanted)]


def length(data: bytes) -> int:
    """How many frames it has, as far as they may be decoded. Raises Undecodable."""
    with _opened(data) as image:
        return _frames(image)


def sampled(data: bytes, count: int, fitting: Fitting) -> Sequence[Frame]:
    """At most `count` frames, evenly spread. Raises Undecodable."""
    key = (digest(data), count, fitting)
    if (known := _KEPT.get(key)) is not None:
        return known
    with _ONE_AT_A_TIME:
        if (known := _KEPT.get(key)) is None:
            known = tuple(_sampled(data, count, fitting))
            _KEPT.put(key, known)
        return known


def _sampled(data: bytes, count: int, fitting: Fitting) -> Iterator[Frame]:
    media_type = "image/png" if fitting.encoding == "png" else "image/jpeg"
    with _opened(data) as image:
        try:
            total, at_ms = _frames(image), 0.0
            wanted = set(spread(total, count))
            for number in range(total):
                if total > 1:
                    image.seek(number)
                if number in wanted:
                    yield Frame(_encoded(image, fitting), media_type, number + 1, total, at_ms / 1000)
                at_ms += float(image.info.get("duration") or 0)
        except (Exception, MemoryError) as fault:  # decoders raise anything at all on a hostile file
            raise Undecodable(f"it cannot be decoded ({type(fault).__name__})") from fault


def _opened(data: bytes) -> Image.Image:
    if len(data) > MOST_BYTES:
        raise Undecodable(f"it has {len(data):,} bytes; {MOST_BYTES:,} are decoded at most")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError as fault:
        raise Undecodable("it is far larger when decoded than any picture needs to be") from fault
    except (Exception, MemoryError) as fault:  # as above
        raise Undecodable(f"it is no picture of a known format ({type(fault).__name__})") from fault
    width, height = image.size
    if width * height > MOST_PIXELS or width * height == 0:
        raise Undecodable(f"it is {width} x {height} pixels, beyond what is decoded")
    return image


def _frames(image: Image.Image) -> int:
    try:
        total = int(getattr(image, "n_frames", 1))
    except (Exception, MemoryError) as fault:  # as above
        raise Undecodable(f"its frames cannot be counted ({type(fault).__name__})") from fault
    return max(1, min(total, MOST_DECODED // (image.width * image.height)))


def _encoded(image: Image.Image, fitting: Fitting) -> bytes:
    """Upright, on grey where it is transparent, no larger than asked, and without a word of what the file carried beside its pixels."""
    if image.format == "JPEG":
        image.draft("RGB", (2 * fitting.side, 2 * fitting.side))
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith("I"):
        upright = upright.point(lambda value: value * (1 / 256)).convert("L")
    upright = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    upright.thumbnail((fitting.side, fitting.side), Image.Resampling.LANCZOS, reducing_gap=2.0)
    width, height = max(upright.width, LEAST_SIDE), max(upright.height, LEAST_SIDE)
    canvas = Image.new("RGB", (width, height), GREY)
    place = ((width - upright.width) // 2, (height - upright.height) // 2)
    canvas.paste(upright, place, upright if upright.mode == "RGBA" else None)
    out = io.BytesIO()
    if fitting.encoding == "png":
        canvas.save(out, "PNG")
    else:
        canvas.save(out, "JPEG", quality=90, subsampling=0)
    return out.getvalue()


_Key = tuple[str, int, Fitting]


@frozen
class _Kept:
    """The last fitted pictures, up to `most` bytes: forty questions look at the same eight views. Thread-safe."""

    most: int = 64 << 20
    _frames: OrderedDict[_Key, tuple[Frame, ...]] = field(factory=OrderedDict)
    _lock: threading.Lock = field(factory=threading.Lock)

    def get(self, key: _Key) -> tuple[Frame, ...] | None:
        with self._lock:
            if key in self._frames:
                self._frames.move_to_end(key)
            return self._frames.get(key)

    def put(self, key: _Key, frames: tuple[Frame, ...]) -> None:
        with self._lock:
            self._frames[key] = frames
            while len(self._frames) > 1 and sum(len(one.data) for kept in self._frames.values() for one in kept) > self.most:
                self._frames.popitem(last=False)


_KEPT = _Kept()
_ONE_AT_A_TIME = threading.Lock()
"""Questions are asked side by side: they must not decode the same large picture eight times at once."""
