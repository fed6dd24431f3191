"""The box as an ordinary user opens it, by a user namespace; shown when the tests run as root, who can become one."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import playproof
import playproof_browser
from playproof_browser.finding import find

pytestmark = [pytest.mark.heavy, pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user runs every other test this way")]

USER = 54321
PROGRAM = """
import json, os, sys
from pathlib import Path
from playproof_browser.box import Box, BoxOptions
home = Path("/tmp/home"); (home / "site").mkdir(parents=True)
(home / "site" / "index.html").write_text("<title>hello</title>")
with Box(home / "site", home / "scratch", Path(sys.argv[1]), BoxOptions(boxed=sys.argv[2] == "True")) as box:
    page = box.browser.new_page()
    page.goto(box.origin)
    print(json.dumps({"title": page.title(), "uid": os.getuid(), "events": box.events(), "boxed": box.protection.boxed,
                      "identity": box.protection.promises["identity"], "requests": [request.path for request in box.requests()]}))
"""


def shown(*needed: Path) -> Iterator[str]:
    """Bubblewrap options that let another user reach `needed`: an empty /tmp, and empty folders for closed ones such as /root."""
    closed = {Path("/tmp")}
    for place in needed:
        closed |= {way for way in place.parents if not way.stat().st_mode & stat.S_IXOTH}
    top = {way for way in closed if not closed & set(way.parents)}
    for way in sorted(top):
        yield from ("--perms", "1777", "--tmpfs", str(way))
    for place in needed:
        if top & set(place.parents):
            for way in reversed([way for way in place.parents if top & set(way.parents)]):
                yield from ("--perms", "0755", "--dir", str(way))
            yield from ("--ro-bind", str(place), str(place))


@pytest.mark.parametrize("boxed", [True, False], ids=["box", "proxy"])
def test_an_ordinary_user_has_a_box(tmp_path: Path, boxed: bool) -> None:
    chromium = find(tmp_path, os.environ).path
    libraries = [Path(str(package.__file__)).parent for package in (playproof, playproof_browser)]
    needed = (Path(sys.prefix), Path(sys.base_prefix), chromium.parent, *libraries)
    become = [str(shutil.which("setpriv")), f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    path = f"PYTHONPATH={':'.join(str(library.parent) for library in libraries)}"
    outer = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", *shown(*needed), "--cap-add", "ALL", "--die-with-parent", "--"]
    command = [*outer, *become, "env", "HOME=/tmp", path, sys.executable, "-c", PROGRAM, str(chromium), str(boxed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout)
    assert told["title"] == "hello"
    assert told["requests"][0] == "/"
    assert (told["uid"], told["boxed"], told["identity"]) == (USER, boxed, False)
    assert told["events"][0] == {"event": "browser", "own_sandbox": True, "uid": USER}
