"""A video for a report, and its key frames for a judge, who sees pictures and no videos."""

import io
from collections.abc import Sequence

from PIL import Image

from playproof.dialogue import Picture
from playproof.interfaces import Exhibit, Services
from playproof.model import Evidence, Options
from playproof_xr.exhibits.spelling import Read, printable
from playproof_xr.video.webm import film_of

MOST = 24
"""Pictures of one video; a judge's own room bounds them further."""
MOST_SIDE = 4096


class VideoExhibitor:
    """Implements `Exhibitor` for `xr.video/1`. What a key frame shows needs no video decoder: see video/webm.py."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        """Raises ValueError on what is no video of ours."""
        if evidence.blob is None:
            return Exhibit("", text="a video without pictures")
        stills = [(at_ms, _decoded(webp)) for at_ms, webp in _spread(film_of(read(evidence.blob)).stills)]
        pictures = [Picture(still, caption=f"{printable(evidence.source)}, at {at_ms / 1000:.2f} s") for at_ms, still in stills]
        return Exhibit("", pictures[-1].data if pictures else None, pictures, "" if pictures else "a video without pictures")


def _spread(stills: Sequence[tuple[int, bytes]]) -> Sequence[tuple[int, bytes]]:
    """At most MOST of them, the first and the last among them."""
    last = len(stills) - 1
    return stills if last < MOST else [stills[round(last * index / (MOST - 1))] for index in range(MOST)]


def _decoded(webp: bytes) -> bytes:
    """As PNG, which a report can embed. Raises ValueError on what cannot be decoded, or is larger than any film."""
    try:
        with Image.open(io.BytesIO(webp), formats=["WEBP"]) as image:
            if max(image.size) > MOST_SIDE:
                raise ValueError(f"a frame of {image.size[0]}x{image.size[1]} pixels")
            out = io.BytesIO()
            image.convert("RGB").save(out, "PNG")
            return out.getvalue()
    except (OSError, SyntaxError, Image.DecompressionBombError) as fault:
        raise ValueError(f"a frame that cannot be decoded: {fault}") from None
