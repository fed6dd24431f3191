"""Prompts and replies' forms: versioned, filled safely, the same words for the same digest."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from playproof.drivers import load
from playproof.interfaces import Services
from playproof.testing import FakeBench, fake_exhibits, fake_question
from playproof_judges.judges.prompts import Prompt, prompt
from playproof_judges.judges.schemas import FLAG, TEXTS, WHOLE, choice, fits, lines, many, record

JUDGES = ("vision", "rating", "trajectory", "inspector", "pairwise")

GOLDEN = {
    "vision": ["1069e9747185", "b2a01e47cd5b"],
    "rating": ["dd3c97866a1e", "06d7c60d7869"],
    "trajectory": ["602c393572a2", "ed1daa6bbb7a"],
    "inspector": ["328cea2b5a69", "d7f07122fcf8"],
    "pairwise": ["3c9665069cb6", "1b43f26d2aaf", "5ce35fbfd00c"],
}
"""What each judge says and sends. A prompt whose words change is a new file with a new version; a request that changes otherwise asks
for a higher `grading_version`. Then, and only then, the figure here is changed."""


@pytest.mark.parametrize("name", JUDGES)
def test_words_and_requests_change_only_on_purpose(name: str, tmp_path: Path) -> None:
    judge, bench = load("judge", name)({}, Services(tmp_path)), FakeBench()
    form = next(iter(judge.forms))
    planned = judge.planned(fake_question(form), fake_exhibits(bench, form), bench)
    assert [prompt(name).digest[:12], *(one.request.digest[:12] for one in planned)] == GOLDEN[name]


def test_settings_hold_name_version_and_digest(tmp_path: Path) -> None:
    for name in JUDGES:
        held = load("judge", name)({"temperature": 0.0}, Services(tmp_path)).settings
        assert held["prompt"] == {"name": name, "version": 1, "digest": prompt(name).digest} and held["temperature"] == 0.0
        assert len(prompt(name).digest) == 64 and json.dumps(held)


def test_every_prompt_that_is_shipped_is_whole() -> None:
    for name in JUDGES:
        found = prompt(name)
        assert {"system", "question", "end", "exhibits", "left_out", "brief", "malformed", "refused", "truncated"} <= set(found.parts)
        assert all(found.parts.values()) and "{{>" not in str(found.parts) and not re.search(r"\{\{[^a-z]", str(found.parts))
        assert "{{" not in found.part("system") and "never proof" in found.part("system") and "tampering" in found.part("system")


def test_what_is_filled_in_is_never_read_as_a_template() -> None:
    made = Prompt("p", 1, "", {"a": "{{one}} and {{two}}"})
    assert made.part("a", one="{{two}} {0} {x.__class__} \\1", two="2") == "{{two}} {0} {x.__class__} \\1 and 2"
    with pytest.raises(KeyError):
        made.part("a", one="1")


def test_every_file_of_words_belongs_to_a_prompt() -> None:
    shipped = {place.name for place in files("playproof_judges").joinpath("prompts").iterdir() if re.fullmatch(r".*-\d+\.md", place.name)}
    assert shipped == {f"{name}-1.md" for name in (*JUDGES, "evidence", "exhibits", "repair")}


# --- forms of replies ---

FORM = record(flag=FLAG, size=WHOLE, kind=choice("one", "two"), texts=TEXTS, rows=many(record(size=WHOLE)))
FITS: dict[str, Any] = {"flag": True, "size": 3, "kind": "one", "texts": ["a"], "rows": [{"size": 1}], "more": None}


def test_data_that_fits() -> None:
    fits(FITS, FORM)
    assert FORM["required"] == ["flag", "size", "kind", "texts", "rows"] and FORM["additionalProperties"] is False


@pytest.mark.parametrize(("change", "problem"), [
    ({"flag": 1}, "$.flag is 1, not true or false"), ({"size": True}, "$.size is True, not a whole number"),
    ({"size": 3.0}, "$.size is 3.0, not a whole number"), ({"kind": "six"}, "$.kind is 'six', which is none of: one, two"),
    ({"texts": "a"}, "$.texts is a text, not a list"), ({"texts": [1]}, "$.texts[0] is 1, not a text"),
    ({"rows": [{"size": 1}, {}]}, "$.rows[1].size is missing"), ({"rows": [None]}, "$.rows[0] is null, not an object"),
])
def test_data_that_does_not(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        fits({**FITS, **change}, FORM)


def test_a_models_texts_are_kept_short_and_few() -> None:
    kept = lines([" ", "x" * 900, *["y"] * 40])
    assert len(kept) == 20 and len(kept[0]) == 500
