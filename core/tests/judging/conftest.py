"""A task whose checks and ratings ask the toy domain's judge, graded once; and models whose answers a test writes down."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playproof.cli.run import execute
from playproof.run import Request, plan

HEAD = "from playproof.checks import check, seconds\n"
TASK = """
schema = 1
id = "{id}"
version = "1"
domain = "toy"
kind = "generation"
title = "A judged task"
deliver = ["machine.json"]
[runtime]
driver = "toy.lamp"
[[examiners]]
driver = "python"
files = ["*.py"]
[[examiners]]
driver = "rubric"
files = ["rubric.toml"]
[[ratings]]
scale = "playproof_toy:scales/manners-1.toml"
exhibits = ["toy.history/1"]
judge = {{ driver = "toy.eye" }}
[scoring]
rules = [{{ rule = "pass_at_k", design = "manners" }}, {{ rule = "fused", scale = "manners", items = 2, top = 5 }}]
"""
CHECKS = """
@check("pleasant", title="pleasant when lit", asks="Is the lit lamp pleasant?", judge="toy.eye")
def pleasant(lamp):
    lamp.press("switch")
    lamp.expect(lamp.state()["light"], "light").is_true()
"""
RUBRIC = """
[[criteria]]
id = "calm-start"
importance = "major"
asks = { judge = "toy.eye", question = "Is it dark at first?", exhibits = ["toy.state/1"] }
[[criteria]]
id = "shows-light"
importance = "detail"
asks = { driver = "toy.reaches", shows = { light = false } }
"""
LAMP = {"start": "dark", "states": {
    "dark": {"shows": {"light": False, "level": 0}, "on": {"switch": "lit"}},
    "lit": {"shows": {"light": True, "level": 80}, "on": {"switch": "dark"}},
}}
GLARE = {"start": "dark", "states": {
    "dark": {"shows": {"light": False, "level": 0}, "on": {"switch": "lit"}},
    "lit": {"shows": {"light": True, "level": 900}, "on": {"switch": "dark"}},
}}
DEAD = {"start": "dark", "states": {"dark": {"shows": {"light": False, "level": 0}}}}


def write_task(root: Path) -> Path:
    for name, text in {"task.toml": TASK.format(id="judged"), "brief/instruction.md": "# A judged task\n",
                       "checks/checks.py": HEAD + CHECKS, "checks/rubric.toml": RUBRIC, "reference/machine.json": json.dumps(LAMP),
                       "broken/glare/machine.json": json.dumps(GLARE), "broken/dead/machine.json": json.dumps(DEAD)}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def judged(toy: Path, tmp_path: Path) -> Path:
    return write_task(tmp_path / "judged")


@pytest.fixture(scope="session")
def once(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference and two broken variants, graded once and not judged."""
    folder = tmp_path_factory.mktemp("graded")
    request = Request([write_task(folder / "judged")], ["reference", "broken:glare", "broken:dead"], folder / "cache")
    execute(plan(request), folder / "out", 1, quiet=True, verbose=False)
    return folder / "out"


@pytest.fixture
def graded(once: Path, playproof: Callable[..., Any]) -> str:
    """A copy of it, in the folder where commands run."""
    shutil.copytree(once, "out")
    return "out"


@pytest.fixture
def models(tmp_path: Path) -> Callable[..., Path]:
    """`models(answers, ...)`: a models file whose default is a parrot with these answers; it logs what it was asked."""

    def write(*answers: tuple[str, str], **options: Any) -> Path:
        table = {"driver": "toy.parrot", "model": "grey", "answers": [list(one) for one in answers],
                 "log": str(tmp_path / "asked.log"), **options}
        place = tmp_path / "models.toml"
        place.write_text("[default]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()))
        return place

    return write
