"""Screenshots: taken by the debugger from what the browser has drawn, so a page has no hand in them."""

import base64
import io
from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

from PIL import Image, ImageChops, ImageStat

Colour = tuple[int, int, int]
Region = tuple[float, float, float, float]
"""x, y, width, height in CSS pixels of the viewport; at a device pixel ratio of 1 these are pixels."""


class Picture:
    """A PNG of the viewport or a region of it. `cites` is the evidence that holds it; points are its own pixels."""

    def __init__(self, png: bytes, region: Region, cites: Sequence[str] = ()) -> None:
        self.png, self.region, self.cites = png, region, tuple(cites)

    @cached_property
    def image(self) -> Image.Image:
        return Image.open(io.BytesIO(self.png)).convert("RGB")

    @property
    def width(self) -> int:
        return self.image.width

    @property
    def height(self) -> int:
        return self.image.height

    def pixel(self, x: float, y: float) -> Colour:
        return cast(Colour, self.image.getpixel((int(x), int(y))))

    def mean(self) -> tuple[float, float, float]:
        red, green, blue = ImageStat.Stat(self.image).mean
        return red, green, blue

    def share(self, colour: "str | Colour", tolerance: int = 40) -> float:
        """The share of pixels no further than `tolerance` from `colour` in any channel, 0 to 1."""
        return 1 - _beyond(self.image, Image.new("RGB", self.image.size, rgb(colour)), tolerance)

    def differs(self, other: "Picture", tolerance: int = 8) -> float:
        """The share of pixels that differ from `other` by more than `tolerance` in some channel, 0 to 1. A picture of
        another size differs whole."""
        return _beyond(self.image, other.image, tolerance) if self.image.size == other.image.size else 1.0


def _beyond(one: Image.Image, other: Image.Image, tolerance: int) -> float:
    red, green, blue = ImageChops.difference(one, other).split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return sum(counts[int(tolerance) + 1 :]) / sum(counts)


def rgb(colour: "str | Colour") -> Colour:
    """`#rrggbb` or a triple as a triple. Raises ValueError on anything else."""
    if not isinstance(colour, str):
        return colour
    if len(colour) != 7 or colour[0] != "#":
        raise ValueError(f"wanted a colour like #1a2b3c, got {colour!r}")
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def decode(told: Any) -> bytes:
    return base64.b64decode(told["data"])


def clip(region: Region) -> dict[str, float]:
    x, y, width, height = region
    return {"x": x, "y": y, "width": width, "height": height, "scale": 1}
