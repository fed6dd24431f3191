"""The box, with a real browser in it."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from playproof_browser.box import Box, Request

CHROMIUM = Path("/usr/lib/chromium/chromium")

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    site = tmp_path_factory.mktemp("site")
    (site / "index.html").write_text("<!doctype html><title>hello</title><body style='background:#0000ff'>")
    with Box(site, tmp_path_factory.mktemp("scratch"), CHROMIUM) as box:
        yield box


def test_a_page_loads_and_is_seen(box: Box) -> None:
    page = box.browser.new_page(viewport={"width": 64, "height": 48})
    page.goto(box.origin)
    assert page.title() == "hello"
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    assert picture.size == (64, 48)
    assert picture.getpixel((1, 1)) == (0, 0, 255)
    assert Request("GET", "/", 200, 68) in box.requests()
    assert box.alive
