"""A browser that shows itself: on a display that asks for a cookie, inside the box and without."""

import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from playproof.errors import UsageError
from playproof_browser.box import Box, BoxOptions
from playproof_browser.finding import find

pytestmark = pytest.mark.heavy


def authority(number: str, cookie: bytes) -> bytes:
    """An Xauthority file of one entry: any host (family 65535), the display, MIT-MAGIC-COOKIE-1."""
    parts = (b"", number.encode(), b"MIT-MAGIC-COOKIE-1", cookie)
    return b"\xff\xff" + b"".join(len(part).to_bytes(2, "big") + part for part in parts)


@pytest.fixture
def display(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """An X server without a screen, which lets nobody in without its cookie."""
    if not (program := shutil.which("Xvfb")):
        pytest.skip("Xvfb is not installed: apt-get install -y xvfb")
    cookie, reading, writing = tmp_path / "cookie", *os.pipe()
    # any display number will do: the server fits the cookie to its own, and says which that is
    cookie.write_bytes(authority("", secrets.token_bytes(16)))
    command = [program, "-displayfd", str(writing), "-auth", str(cookie), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    yield f":{number}", cookie
    server.terminate()
    server.wait()


@pytest.mark.parametrize("boxed", [True, False], ids=["box", "proxy"])
def test_a_headed_browser_shows_itself(tmp_path: Path, display: tuple[str, Path], boxed: bool) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<title>hello</title>")
    name, cookie = display
    chromium = find(tmp_path, os.environ).path
    with Box(site, tmp_path, chromium, BoxOptions(headed=True, display=name, xauthority=cookie, boxed=boxed)) as box:
        page = box.browser.new_page()
        page.goto(box.origin)
        assert page.title() == "hello"
        assert "Headless" not in page.evaluate("navigator.userAgent")


def test_without_a_display_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs a display"), Box(tmp_path, tmp_path, Path("/usr/bin/true"), BoxOptions(headed=True)):
        pass
