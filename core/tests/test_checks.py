"""What a check script declares."""

import pytest

from playproof.checks import check, frames, seconds
from playproof.model import Priority


def declared(**keywords: object):  # type: ignore[no-untyped-def]
    return check("an-id", title="A title", **keywords)(lambda session: None).check  # type: ignore[arg-type]


def test_keywords_that_are_no_fields_are_options() -> None:
    one = declared(priority="P1", layer="L3", timeout_s=5, optional_feature=True, start=["dark"], rooms=2)
    assert (one.layer, one.timeout_s, one.optional_feature, one.priority) == ("L3", 5, True, Priority.P1)
    assert one.options == {"start": ["dark"], "rooms": 2} and one.examiner == "python"


@pytest.mark.parametrize(("keywords", "required"), [
    ({"priority": "P0"}, True), ({"priority": "P1"}, True), ({"priority": "P2"}, False), ({}, True),
    ({"priority": "P2", "required": True}, True), ({"priority": "P0", "required": False}, False),
])
def test_what_is_required(keywords: dict[str, object], required: bool) -> None:
    assert declared(**keywords).required is required


@pytest.mark.parametrize("keywords", [{"priority": "P7"}, {"weight": -1}, {"timeout_s": 0}])
def test_nonsense_is_refused_where_it_is_written(keywords: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"P7|weight|timeout_s"):
        declared(**keywords)


def test_times() -> None:
    assert seconds(1) == 90_000 and frames(1) == 1500 and frames(3, 24) == 11_250 and frames(60) == seconds(1)
