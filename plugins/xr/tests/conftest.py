"""Small XR apps, and the same spoilt in one way each, played through the real runtime in one box for all of this folder."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.evidence import Record
from playproof.interfaces import Grading, Services
from playproof.model import case
from playproof.stage import stage
from playproof.testing import fake_grading
from playproof_xr.runtime import SETS, WebXRRuntime

APPS = Path(__file__).parent / "apps"

@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of this run's own; but for packages and browsers, which are a user's: they are fetched and found once."""
    users = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof"
    mine = tmp_path_factory.mktemp("cache")
    for name in ("packages", "browsers"):
        (users / name).mkdir(parents=True, exist_ok=True)
        (mine / name).symlink_to(users / name)
    return mine


@pytest.fixture(scope="session")
def runtime(cache: Path) -> Iterator[WebXRRuntime]:
    with ExitStack() as exits:
        options = {"load_s": 60, "call_s": 20, "ready_s": 5, "entry": "cube.html", "packages": SETS[:4]}
        yield WebXRRuntime(options, Services(cache, exits))


@pytest.fixture(scope="session")
def grading(runtime: WebXRRuntime, tmp_path_factory: pytest.TempPathFactory) -> Grading:
    return fake_grading(tmp_path_factory.mktemp("grading"), runtime=runtime, submission=APPS)


def spoilt(grading: Grading, app: str, edits: tuple[tuple[str, str], ...]) -> str:
    """The name of a page that is `app` with each edit (what, with what) made once; it is put where the box serves from."""
    box = grading.runtime._open_box(grading, grading.runtime._library(grading))
    html = (box._folder / "site" / app).read_text()
    for old, new in edits:
        assert html.count(old) == 1, old
        html = html.replace(old, new)
    name = f"variant-{hashlib.sha256(html.encode()).hexdigest()[:12]}.html"
    (box._folder / "site" / name).write_text(html)
    return name


@pytest.fixture
def spoil(grading: Grading) -> Callable[..., str]:
    return partial(spoilt, grading)


@pytest.fixture
def play(grading: Grading, tmp_path: Path) -> Callable[..., Any]:
    """`with play(edit, ..., page="cube.html", hand="left") as xr`: a session; `xr.stage` is its Stage."""

    @contextmanager
    def opened(*edits: tuple[str, str], page: str = "cube.html", seed: int = 0, **options: Any) -> Iterator[Any]:
        mine = evolve(grading, record=Record(tmp_path / f"record-{len(list(tmp_path.iterdir()))}"), seed=seed)
        name = spoilt(grading, page, edits) if edits else page
        opened.record = mine.record  # type: ignore[attr-defined]
        with stage(mine, case(page=name, **options)) as staged:
            staged.session.stage = staged
            yield staged.session

    return opened
