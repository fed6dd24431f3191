"""Opinions in a line, and a run that was graded and judged, for tests of what is made of them."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import structlog

from playproof.cli import _guarded
from playproof.opinion import By, Item, Opinion, Question, Scale, Trouble, Value
from playproof.opinions import Line

SCALE = Scale("looks", 1, 1, 5, [Item("colour", "Colour", "Is the colour right?"), Item("shape", "Shape", "Is the shape right?")])

Say = Callable[..., Line]


def _value(said: Any) -> Value | None:
    if said is None:
        return None
    if isinstance(said, bool):
        return Value(verdict=said)
    return Value(rating=said) if isinstance(said, int) else Value(preference=said)


@pytest.fixture
def say() -> Say:
    """`say(by, question, trial or {a, b}, value)`: kind, vote, exhibits, settings and scale by keyword."""

    def line(by: str, question: str, trial: str | Mapping[str, str], said: Any, *, kind: str = "person", vote: int = 0,
             exhibits: Mapping[str, Any] | None = None, settings: Mapping[str, Any] | None = None, form: str | None = None,
             scale: Scale | None = SCALE, message: str = "", grading: str = "", id: str = "") -> Line:
        trials = {"submission": trial} if isinstance(trial, str) else dict(trial)
        form = form or ("preference" if "a" in trials else "rating" if question.count("/") == 2 else "verdict")
        asked = Question(question, "?", form, scale if form == "rating" else None, question.split("/")[2] if form == "rating" else None)
        value = _value(said)
        trouble = Trouble.NONE if value else Trouble.UNDECIDED
        opinion = Opinion(asked, exhibits or {}, By(kind, by, settings or {}), value, trouble, message, vote=vote)
        return Line(id or f"{by} {question} {sorted(trials.items())} {vote} {exhibits}", opinion, trials, grading)

    return line


# --- a run of the toy domain: its machines, its judge, and a model that is a parrot ---

TASK = """
schema = 1
id = "judged"
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
judge = { driver = "toy.eye" }
[scoring]
rules = [{ rule = "fused", scale = "manners", items = 2, top = 5 }, { rule = "pass_at_k" }]
"""
CHECKS = """
from playproof.checks import check
from playproof.errors import NotApplicable

@check("bell", title="rings", optional_feature=True)
def bell(lamp):
    raise NotApplicable("there is no bell")

@check("lights", title="lights up")
def lights(lamp):
    lamp.press("switch")
    lamp.expect(lamp.state()["light"], "light").is_true()

@check("pleasant", title="pleasant when lit", asks="Is the lit lamp pleasant?", judge="toy.eye")
def pleasant(lamp):
    lamp.press("switch")
    lamp.expect(lamp.state()["level"], "level").greater_than(0)
"""
RUBRIC = '[[criteria]]\nid = "calm-start"\nasks = { judge = "toy.eye", question = "Is it dark at first?", exhibits = ["toy.state/1"] }\n'


def machine(level: int, switch: str = "lit") -> str:
    return json.dumps({"start": "dark", "states": {"dark": {"shows": {"light": False, "level": 0}, "on": {"switch": switch}},
                                                   "lit": {"shows": {"light": True, "level": level}, "on": {"switch": "dark"}}}})


FILES = {
    "task.toml": TASK, "brief/instruction.md": "# A judged task\n", "checks/checks.py": CHECKS, "checks/rubric.toml": RUBRIC,
    "reference/machine.json": machine(80), "accepted/dim/machine.json": machine(40), "broken/glare/machine.json": machine(900),
    "broken/glare/expected.toml": 'must_fail = ["pleasant"]\n', "broken/dead/machine.json": machine(80, "dark"),
    "broken/dead/expected.toml": 'must_fail = ["lights", "pleasant"]\n', "broken/garbled/machine.json": "{",
    "broken/garbled/expected.toml": "all = true\n",
}
YES, NO = '{"answer": true, "why": "it is"}', '{"answer": false, "why": "it is not"}'
KIND = [("calm?", '{"answer": 4, "why": ""}'), ("clear", '{"answer": 2, "why": ""}'), ('"level": 900', NO), ("pleasant", YES),
        ("dark at first", YES)]
STERN = [("pleasant", NO), ("calm?", '{"answer": 2, "why": ""}'), *KIND]


class Said(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def figures(self) -> dict[tuple[str, str, str, str, str], dict[str, Any]]:
        return {(section["kind"], section["by"], section["against"], row["of"], figure["id"]): figure
                for section in json.loads(self.out)["sections"] for row in section["rows"] for figure in row["figures"]}


Run = Callable[..., Said]


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["playproof", *map(str, arguments)])
    try:
        return int(_guarded())
    finally:
        structlog.reset_defaults()


@pytest.fixture(scope="module")
def judged(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Five submissions, graded once, with two sets of opinions: a kind judge's, and a stern one's."""
    folder = tmp_path_factory.mktemp("judged")
    for name, text in FILES.items():
        (folder / "judged" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "judged" / name).write_text(text)
    for name, answers in (("kind", KIND), ("stern", STERN)):
        (folder / f"{name}.toml").write_text(f'[default]\ndriver = "toy.parrot"\nmodel = "{name}"\nanswers = {json.dumps(answers)}\n')
    with pytest.MonkeyPatch.context() as patch:
        common = ("--cache", folder / "cache")
        subjects = ("--harness", "reference", "--harness", "accepted", "--harness", "broken")
        command(patch, "run", folder / "judged", *subjects, "-o", folder / "out", "-q", "--no-html", "--no-table", "-j", "2",
                "--workers", "1", *common)
        for name, more in (("kind", ("--votes", "2")), ("stern", ("--as", "stern"))):
            models = ("--models", folder / f"{name}.toml")
            judged = command(patch, "judge", folder / "out", *models, "--no-html", *more, *common)
            assert judged == 0, "what does not load has the lowest marks without being shown"
    yield folder / "out"


@pytest.fixture
def playproof(judged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """`playproof("calibrate", "out", ...)` in a folder that holds a copy of the run."""
    shutil.copytree(judged, tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    capfd.readouterr()

    def run(*arguments: str | Path) -> Said:
        return Said(command(monkeypatch, *arguments), *capfd.readouterr())

    return run
