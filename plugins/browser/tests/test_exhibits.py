"""Pictures made fit to look at: by the plugin that takes them."""

import io
from pathlib import Path

from PIL import Image

from playproof.drivers import installed
from playproof.evidence import Record
from playproof.model import Observer
from playproof.testing import fake_grading
from playproof_browser.exhibits import ImageExhibitor


def test_a_screenshot_becomes_a_smaller_picture(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.linear_gradient("L").resize((1280, 800)).convert("RGB").save(out, "PNG")
    record = Record(tmp_path)
    seen = record.add("image.png/1", Observer.OUTSIDE, tick=0, blob=out.getvalue(), media_type="image/png")
    shown = ImageExhibitor({}, fake_grading(tmp_path).services).show(seen, lambda _: record.sealed().open(seen))
    assert shown.thumbnail is not None and Image.open(io.BytesIO(shown.thumbnail)).size == (640, 400)
    assert shown.html == "" and len(shown.thumbnail) < len(out.getvalue())


def test_who_takes_pictures_shows_them() -> None:
    assert [one.distribution for one in installed("exhibit") if one.name == "image.png/1"] == ["playproof-browser"]
