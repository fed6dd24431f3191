"""The preview of a project in a real browser: drawn, turned by hand and by keys, and told where the file is broken."""

import base64
import io
import json
import os
import struct
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from playproof_browser import driver, finding

pytestmark = pytest.mark.heavy

TRIANGLE = struct.pack("<9f", -1, 0, 0, 1, 0, 0, 0, 1, 0) + struct.pack("<9f", *(0, 0, 1) * 3) + struct.pack("<3H", 0, 1, 2) + b"\0\0"
HEAD: Mapping[str, Any] = {
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"children": [1]}, {"mesh": 0, "translation": [5, 0, 0]}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}, "indices": 2, "material": 0}]}],
    "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.9, 0.02, 0.02, 1], "metallicFactor": 0}}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, 0, 0], "max": [1, 1, 0]},
                  {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3"},
                  {"bufferView": 2, "componentType": 5123, "count": 3, "type": "SCALAR"}],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 36},
                    {"buffer": 0, "byteOffset": 72, "byteLength": 6}],
}  # fmt: skip


def glb(head: Mapping[str, Any] = HEAD, body: bytes = TRIANGLE) -> bytes:
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 4)
    whole = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(body), 0x004E4942) + body
    return struct.pack("<III", 0x46546C67, 2, 12 + len(whole)) + whole


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(finding.program_of, finding.candidates(os.environ))))
    drawing = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    opened = driver.playwright().chromium.launch(executable_path=program, args=drawing)
    yield opened
    opened.close()


def opened(browser: Browser, folder: Path, content: bytes) -> Page:
    script = files("playproof_blender.exhibits").joinpath("turning.js").read_text("utf-8")
    data = base64.b64encode(content).decode()
    (folder / "page.html").write_text(
        f'<!doctype html><body style="background:#fff"><figure data-live="blender.preview/1"><script type="text/plain">{data}</script>'
        f"<figcaption>a model</figcaption></figure><script>{script}</script>")
    tab = browser.new_context(viewport={"width": 600, "height": 600}).new_page()
    tab.goto((folder / "page.html").as_uri())
    tab.locator("canvas[data-drawn], figure[data-trouble]").first.wait_for()
    return tab


def red(tab: Page) -> int:
    """How many pixels of the figure are red, when it has been drawn as often as was asked for."""
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    with Image.open(io.BytesIO(tab.locator("canvas").screenshot())) as seen:
        return sum(n for n, (r, g, b) in seen.convert("RGB").getcolors(10**6) or [] if r > 120 and g < 90 and b < 90)


def test_it_is_drawn_and_turned_by_keys_and_by_hand(browser: Browser, tmp_path: Path) -> None:
    tab = opened(browser, tmp_path, glb())
    whole = red(tab)
    assert whole > 3000, "the red triangle, though it stands off the origin"
    assert tab.locator("canvas").get_attribute("aria-label") == "a model"
    tab.locator("canvas").focus()
    for _ in range(6):
        tab.keyboard.press("ArrowRight")
    assert red(tab) < whole / 2, "seen from its edge"
    tab.keyboard.press("0")
    assert abs(red(tab) - whole) < 20
    tab.keyboard.press("+")
    assert red(tab) > 1.2 * whole
    tab.keyboard.press("0")
    box = tab.locator("canvas").bounding_box()
    assert box is not None
    tab.mouse.move(box["x"] + 200, box["y"] + 100)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 90, box["y"] + 100, steps=4)
    tab.mouse.up()
    assert red(tab) < whole / 2, "dragged to its edge"


@pytest.mark.parametrize(("content", "trouble"), [
    (b"glTF", "offset"), (glb(body=TRIANGLE[:40]), "the file is shorter than it says"),
    (glb(body=TRIANGLE[:72] + struct.pack("<3H", 0, 1, 900) + b"\0\0"), "corners that are not there"),
    (glb({**HEAD, "nodes": [{}, {}]}), "nothing is in it"),
    (glb({**HEAD, "nodes": [{"children": [0]}]}), "nothing is in it"),
], ids=["cut", "short", "wild", "empty", "endless"])
def test_a_broken_file_is_told_and_nothing_else_happens(browser: Browser, tmp_path: Path, content: bytes, trouble: str) -> None:
    tab = opened(browser, tmp_path, content)
    assert trouble.lower() in (tab.locator("figcaption").text_content() or "").lower()
    assert tab.locator("canvas").count() == 0
