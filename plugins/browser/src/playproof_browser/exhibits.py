"""Pictures made fit to look at in a report."""

import io
from collections.abc import Callable

from PIL import Image

from playproof.interfaces import Exhibit, Services
from playproof.model import Evidence, Options

WIDTH = 640


class ImageExhibitor:
    """A screenshot, no wider than a report needs it, in 256 colours: about a fifth of its bytes."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Callable[[str], bytes]) -> Exhibit:
        if evidence.blob is None:
            return Exhibit("<p>a picture without pixels</p>")
        picture = Image.open(io.BytesIO(read(evidence.blob))).convert("RGB")
        picture.thumbnail((WIDTH, WIDTH))
        out = io.BytesIO()
        picture.quantize(256).save(out, "PNG", optimize=True)
        return Exhibit("", out.getvalue())
