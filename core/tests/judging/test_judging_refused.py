"""Models and questions that will not do: refused before anything is asked, with the place."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize(("spec", "problem"), [
    ("nothing", "wanted [NAME=]DRIVER:MODEL"), ("toy.crow:x", "no model named 'toy.crow'"),
    ("other=toy.parrot:x", "asks the model 'default'"),
])
def test_models_that_cannot_be_had(graded: str, playproof: Run, spec: str, problem: str) -> None:
    said = playproof("judge", graded, "--model", spec)
    assert said.code == 2 and problem in said.err


def test_a_models_file_that_is_none(graded: str, playproof: Run, tmp_path: Path) -> None:
    for text, problem in (("[default]\nmodel = 1\n", "[default] is no table with a driver"), ("[default", "models.toml"),
                          ('[default]\ndriver = "toy.parrot"\nmodel = "x"\nwings = 2\n', "unknown key 'wings'")):
        place = tmp_path / "models.toml"
        place.write_text(text)
        said = playproof("judge", graded, "--models", place)
        assert said.code == 2 and problem in said.err


@pytest.mark.parametrize(("asks", "problem"), [
    ('{ judge = "toy.eye", question = "", exhibits = ["toy.state/1"] }', "asks has no question"),
    ('{ judge = "toy.eye", question = "Is it?" }', "asks.exhibits lists the evidence kinds"),
    ('{ judge = "toy.eye", question = "Is it?", exhibits = ["toy.smell/1"] }', "which 'toy.lamp' never observes"),
    ('{ judge = "toy.eye", question = "Is it?", exhibits = ["toy.state/1"], colour = 1 }', "unknown key 'colour'"),
    ("{ question = \"Is it?\" }", "asks names neither a driver nor a judge"),
])
def test_a_rubric_that_asks_wrongly_is_refused_with_its_place(judged: Path, playproof: Run, asks: str, problem: str) -> None:
    (judged / "checks" / "rubric.toml").write_text(f'[[criteria]]\nid = "one"\nasks = {asks}\n')
    said = playproof("run", judged, "--harness", "reference", "-o", "out")
    assert said.code == 2 and problem in said.err


def test_an_unknown_scale_is_refused(judged: Path, playproof: Run) -> None:
    place = judged / "task.toml"
    place.write_text(place.read_text().replace("manners-1.toml", "morals-1.toml"))
    said = playproof("run", judged, "--harness", "reference", "-o", "out")
    assert said.code == 2 and "morals-1.toml" in said.err
