"""Pages under test: a test module lists them in PAGES (name -> body; a name with a dot is a file as it stands); one box serves them all."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.evidence import Record
from playproof_browser.box import Box
from playproof_browser.clock import PageClock
from playproof_browser.finding import find
from playproof_browser.observe import Witness
from playproof_browser.tab import Tab, TabOptions

FRAME = 1500
Open = Callable[..., Tab]


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """A box with the module's PAGES. A module whose pages end their browser asks for `fresh` as well."""
    with _box(request.module.PAGES, tmp_path_factory) as box:
        yield box


@pytest.fixture
def fresh(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    with _box(request.module.PAGES, tmp_path_factory) as box:
        yield box


def _box(pages: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Box:
    site = tmp_path_factory.mktemp("site")
    for name, body in pages.items():
        whole = body if "." in name else f"<!doctype html><meta charset=utf-8><body style='margin:0'>{body}</body></html>"
        (site / (name if "." in name else f"{name}.html")).write_text(whole)
    return Box(site, tmp_path_factory.mktemp("scratch"), find(Path(tmp_path_factory.getbasetemp()), os.environ).path)


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "evidence")


@pytest.fixture
def open_tab(served: Box, record: Record) -> Iterator[Open]:
    """`open_tab("name", seed=..., virtual=..., **TabOptions)`: a page of PAGES, closed after the test."""
    with ExitStack() as tabs:

        def enter(name: str, *, box: Box = served, seed: int = 0, virtual: bool = True, **options: Any) -> Tab:
            chosen = evolve(TabOptions(), clock=PageClock(virtual=virtual, seed=seed), viewport=(400, 300), **options)
            return tabs.enter_context(Tab(box, chosen, Witness(record), f"/{name}.html"))

        yield enter
