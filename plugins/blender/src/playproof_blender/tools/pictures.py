"""Pictures that somebody else made, decoded within bounds."""

import io
import warnings
from typing import IO

import numpy as np
from attrs import frozen
from PIL import Image, ImageOps, UnidentifiedImageError

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
MOST_PIXELS = 64 << 20
"""As much as 8192 x 8192: decoded it takes a quarter of a gigabyte, whatever the file takes."""

TOO_MANY = f"pictures of more than {MOST_PIXELS:,} pixels are not decoded"

Box = tuple[int, int, int, int]


class Unreadable(Exception):
    """What is no picture that can be shown; the text says why."""


@frozen
class Read:
    """`picture` is upright, RGB, over white where it lets through, no larger than was asked; `size` and `mode` are the file's own."""

    picture: Image.Image
    size: tuple[int, int]
    mode: str
    format: str


def read_picture(source: IO[bytes], most: int, crop: Box | None = None) -> Read:
    """The first picture of a file, or the part of it in `crop` (left, top, right, bottom; pixels), made smaller where a side has more
    than `most`. Raises Unreadable where it cannot be decoded or is too large, ValueError for a crop outside of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the bound below is the narrower one
        try:
            with Image.open(source, formats=FORMATS) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise Unreadable(f"it has {image.width} x {image.height} pixels, and {TOO_MANY}")
                mode, kind, whole = image.mode, str(image.format), ImageOps.exif_transpose(_plain(image))
        except UnidentifiedImageError:
            raise Unreadable(f"it is no picture of the formats {', '.join(FORMATS)}") from None
        except Image.DecompressionBombError:
            raise Unreadable(TOO_MANY) from None
        except Exception as fault:  # noqa: BLE001 - decoders raise whatever they like (struct.error, zlib.error, KeyError) on hostile bytes
            raise fault if isinstance(fault, Unreadable) else Unreadable(f"it cannot be decoded: {fault or type(fault).__name__}") from None
    size = whole.size
    if crop is not None:
        whole = whole.crop(_fitting(crop, size))
    whole.thumbnail((most, most))
    return Read(_opaque(whole), size, mode, kind)


def _fitting(crop: Box, size: tuple[int, int]) -> Box:
    left, top, right, bottom = crop
    if not (0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]):
        raise ValueError(f"crop {list(crop)} is no left, top, right, bottom within {size[0]} x {size[1]} pixels")
    return crop


def _plain(image: Image.Image) -> Image.Image:
    """Decoded, eight bits a channel, with what turns it upright."""
    if image.mode.startswith("I") or image.mode == "F":  # a plain conversion would cut what is above 255
        values = np.nan_to_num(np.asarray(image, np.float32), posinf=0.0, neginf=0.0)
        top = max(float(values.max()), 1e-9) if image.mode == "F" else 65535.0
        plain = Image.fromarray((np.clip(values / top, 0, 1) * 255).astype(np.uint8))
    else:
        plain = image.convert("RGBA" if image.has_transparency_data else "RGB")
    plain.info = {key: value for key, value in image.info.items() if key == "exif"}
    return plain


def _opaque(image: Image.Image) -> Image.Image:
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    return image.convert("RGB")


def as_png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
