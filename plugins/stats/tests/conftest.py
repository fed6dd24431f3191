"""Opinions in a line, for tests of what is made of them."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

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
