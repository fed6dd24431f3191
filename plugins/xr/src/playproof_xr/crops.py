"""Parts of the eye's picture (`xr.crop/1`): where a thing is, with a margin around it, for a judge who is to look at that alone.

Where it is, is what the app's own scene says; the pixels are the browser's. A scene that lies shows something else, and proves nothing."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen, validators
from PIL import Image

from playproof.drivers import settings
from playproof.model import Options
from playproof_browser.pictures import Region

LEAST = 256
"""Pixels of the longer side to which a small part is enlarged, in whole steps."""


@frozen
class CropOptions:
    """What `[observe."xr.crop/1"]` may say: `of` describes things, each as `xr.find` takes it; `margin` is what is shown around each, as a
    share of the longer side of its box in the picture."""

    of: Sequence[Mapping[str, Any]] = ()
    margin: float = field(default=0.15, validator=[validators.ge(0), validators.le(4)])


def crop_options(told: Options) -> CropOptions:
    """Raises TaskError on what a crop cannot have."""
    return settings(CropOptions, told, "xr.crop/1")


def region_of(area: Sequence[float], size: tuple[int, int], margin: float) -> Region:
    """Whole pixels of a picture of this size: what `area` (left, top, right, bottom in shares) covers, and the margin, within it."""
    left, right, top, bottom = area[0] * size[0], area[2] * size[0], area[1] * size[1], area[3] * size[1]
    more = margin * max(right - left, bottom - top)
    x, y = max(int(left - more), 0), max(int(top - more), 0)
    return x, y, max(min(-int(-(right + more)), size[0]) - x, 1), max(min(-int(-(bottom + more)), size[1]) - y, 1)


def cut_out(image: Image.Image, region: Region) -> tuple[bytes, int]:
    """The part as PNG, and how many times it is enlarged."""
    x, y, width, height = map(int, region)
    times = max(1, LEAST // max(width, height))
    part = image.crop((x, y, x + width, y + height)).resize((width * times, height * times), Image.Resampling.NEAREST)
    out = io.BytesIO()
    part.save(out, "PNG")
    return out.getvalue(), times
