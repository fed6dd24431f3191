"""An XR app in two layouts, and the same spoilt in one way each, all in one browser."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from attrs import evolve

from playproof.interfaces import Grading, Services
from playproof.taskfile import read_task
from playproof.testing import fake_grading
from playproof_xr.runtime import WebXRRuntime

TASK = Path(__file__).parent / "tray"

DEAD = ("near", 'pressed = true; button.material.color.set("#303030");', "")
SWAPPED = ("near", "held = hand; offset", "held = renderer.xr.getHand(1 - index); offset")
BOASTS = ("near", 'box("lamp", "#606060"', 'box("lamp", "#20c040"')
COVERED = ("near", "const caster", 'const pane = box("pane", "#ffffff", [3, 3, 0.01], [0, 1.4, -1]);'
           " Object.assign(pane.material, { transparent: true, opacity: 0 }); const caster")
PAGES = {"near": TASK / "reference" / "index.html", "afar": TASK / "accepted" / "afar" / "index.html"}
BROKEN = {"dead": DEAD, "swapped": SWAPPED, "boasts": BOASTS, "covered": COVERED}


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages in one submission, so that one browser shows them all."""
    folder = tmp_path_factory.mktemp("site")
    for name, place in PAGES.items():
        (folder / f"{name}.html").write_text(place.read_text())
    for name, (page, old, new) in BROKEN.items():
        html = PAGES[page].read_text()
        assert html.count(old) == 1, old
        (folder / f"{name}.html").write_text(html.replace(old, new))
    return folder


@pytest.fixture(scope="package")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of this run's own; but for packages and browsers, which are a user's."""
    users, mine = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof", tmp_path_factory.mktemp("cache")
    for name in ("packages", "browsers"):
        (users / name).mkdir(parents=True, exist_ok=True)
        (mine / name).symlink_to(users / name)
    return mine


@pytest.fixture(scope="package")
def grading(site: Path, cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grading]:
    with ExitStack() as exits:
        runtime = WebXRRuntime({"entry": "near.html"}, Services(cache, exits))
        task = evolve(read_task(TASK), deliver=["*.html"])
        yield fake_grading(tmp_path_factory.mktemp("grading"), runtime=runtime, task=task, submission=site)
