"""docs/blender.md names every driver with every option of it, and what it shows is accepted."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from attrs import fields

from playproof.drivers import build
from playproof.errors import TaskError
from playproof.interfaces import Services
from playproof.model import Ref
from playproof_blender.assertions.stating import ProjectAssertion
from playproof_blender.runtime import ProjectRuntime

DOCS = Path(__file__).parents[3] / "docs" / "blender.md"
DRIVERS = sorted(point.name for point in entry_points(group="playproof.assertion.v1") if point.name.startswith("blender."))
SHARED = {"objects", "equals", "tolerance", "at_least", "at_most"}
LEAST: dict[str, dict[str, Any]] = {
    "budget": {"of": "faces", "at_most": 1}, "chamfer": {"objects": "A", "reference": "a.obj", "at_most": 1}, "contact": {"to": "B"},
    "count": {"equals": 1}, "dimension": {"axis": "z", "at_most": 1}, "gap": {"to": "B", "at_most": 1}, "hierarchy": {"root": True},
    "iou": {"reference": "a.obj", "at_least": 0.5}, "modifier": {"type": "BEVEL"}, "motion": {"object": "A", "moves": True},
    "position": {"axis": "z", "at_most": 1}, "rig": {"bone": "A", "objects": ["A"]}, "symmetry": {"axis": "x"},
}  # fmt: skip


def options_of(driver: str) -> dict[str, Any]:
    """The fewest that the driver takes."""
    name = driver.removeprefix("blender.")
    needs = {} if name in ("budget", "motion", "rig", "preservation") else {"objects": "A"}
    return needs | LEAST.get(name, {})


def rows() -> Iterator[tuple[str, str]]:
    for line in DOCS.read_text("utf-8").splitlines():
        if found := re.match(r"\| `(blender\.\w+)` \|", line):
            yield found[1], line


def test_each_driver_has_a_row_with_all_its_options() -> None:
    table = dict(rows())
    assert sorted(table) == DRIVERS
    for driver in DRIVERS:
        made = build("assertion", Ref(driver, options_of(driver)), Services(Path()))
        assert isinstance(made, ProjectAssertion)
        missing = {one.name for one in fields(type(made.statement)) if f"`{one.name}`" not in table[driver]} - SHARED
        assert not missing, f"{driver}: {missing} are not in the table"


@pytest.mark.parametrize("driver", DRIVERS)
def test_each_driver_says_what_it_reads_and_refuses_what_it_does_not_know(driver: str) -> None:
    made = build("assertion", Ref(driver, options_of(driver)), Services(Path()))
    assert made.reads <= ProjectRuntime.observes
    assert made.grading_version >= 1
    with pytest.raises(TaskError, match="no_such_option"):
        build("assertion", Ref(driver, {**options_of(driver), "no_such_option": 1}), Services(Path()))


def test_what_is_shown_is_accepted() -> None:
    shown = [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", DOCS.read_text("utf-8"), re.S)]
    asked = [one["asks"] for block in shown for one in block.get("criteria", []) if "driver" in one.get("asks", {})]
    assert len(asked) >= 4
    for asks in asked:
        build("assertion", Ref(asks.pop("driver"), asks), Services(Path()))
