"""A small game, and games spoilt in one way each, played through the real runtime in one box for each."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.evidence import Record
from playproof.interfaces import Grading, Services
from playproof.model import Case, case
from playproof.stage import Stage, stage
from playproof.testing import fake_grading
from playproof_webgame.runtime import PageRuntime

GAME = (Path(__file__).parent / "game.html").read_text()


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageRuntime]:
    with ExitStack() as exits:
        yield PageRuntime({"load_s": 20, "call_s": 10, "ready_s": 2}, Services(Path(tmp_path_factory.getbasetemp()) / "cache", exits))


def site(folder: Path, *edits: tuple[str, str], files: dict[str, str] | None = None) -> Path:
    """The game in a folder, with each edit (what, with what) made once."""
    html = GAME
    for old, new in edits:
        assert html.count(old) == 1, old
        html = html.replace(old, new)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"index.html": html, **(files or {})}.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def graded(runtime: PageRuntime, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Grading]:
    """`graded(edit, ...)`: a Grading of the game with these edits, the same submission for the same edits."""

    def make(*edits: tuple[str, str], seed: int = 0) -> Grading:
        folder = tmp_path_factory.mktemp("grading")
        return fake_grading(folder, runtime=runtime, submission=site(folder / "site", *edits), seed=seed)

    return make


@pytest.fixture
def play(graded: Callable[..., Grading], tmp_path: Path) -> Callable[..., Any]:
    """`with play(edit, ..., scenario="running") as game`: a session; `game.stage` is its Stage."""

    @contextmanager
    def opened(*edits: tuple[str, str], seed: int = 0, **options: Any) -> Iterator[Any]:
        grading = evolve(graded(*edits, seed=seed), record=Record(tmp_path / f"record-{len(list(tmp_path.iterdir()))}"))
        with stage(grading, case(**options) if options else Case()) as staged:
            staged.session.stage = staged
            yield staged.session

    return opened


__all__ = ["Stage", "re", "site"]
