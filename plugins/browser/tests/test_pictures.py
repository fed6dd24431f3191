"""Pictures compared by the share of their pixels."""

import io

import pytest
from PIL import Image

from playproof_browser.pictures import Picture, rgb


def picture(width: int, height: int, *boxes: tuple[tuple[int, int, int, int], str]) -> Picture:
    image = Image.new("RGB", (width, height), "#000000")
    for box, colour in boxes:
        image.paste(colour, box)
    out = io.BytesIO()
    image.save(out, "PNG")
    return Picture(out.getvalue(), (0, 0, width, height))


def test_shares_of_colours_and_of_differences() -> None:
    half = picture(10, 10, ((0, 0, 5, 10), "#ff0000"))
    assert half.share("#ff0000") == 0.5 and half.share("#e0101f") == 0.5 and half.share("#d00000") == 0
    assert half.share((208, 0, 0), tolerance=47) == 0.5
    assert half.mean() == (127.5, 0, 0) and half.pixel(4, 9) == (255, 0, 0) and half.pixel(5, 0) == (0, 0, 0)
    assert half.differs(picture(10, 10)) == 0.5
    assert half.differs(picture(10, 10, ((0, 0, 5, 10), "#f70000"))) == 0
    assert half.differs(picture(10, 10, ((0, 0, 5, 10), "#f60000"))) == 0.5
    assert half.differs(picture(5, 10)) == 1


def test_a_colour_is_six_hex_digits() -> None:
    assert rgb("#0a1BfF") == (10, 27, 255)
    for wrong in ("red", "#fff", "0a1bff7"):
        with pytest.raises(ValueError, match="wanted a colour"):
            rgb(wrong)
