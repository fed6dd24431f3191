"""Every abuse of a submission's value is the submission's fault, with its path; never an error of the check."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from playproof.errors import SubmissionFault
from playproof.seen import Seen, cites_of, plain

VALUE = {
    "score": 7, "name": "cup", "on": True, "ratio": 0.5, "none": None, "nan": math.nan, "inf": math.inf, "huge": 10**400,
    "list": [1, {"x": 2}], "deep": {"a": [{"b": math.nan}]}, "whole": 3.0, "zero": 0,
}


@pytest.fixture
def seen() -> Any:
    return Seen(VALUE, "snapshot", ["e1"])


ABUSES: list[tuple[str, Callable[[Any], Any], str]] = [
    ("missing key", lambda s: s["lost"], "snapshot.lost: missing"),
    ("missing nested", lambda s: s["list"][1]["y"], "snapshot.list[1].y: missing"),
    ("index out of range", lambda s: s["list"][2], "snapshot.list[2]: missing"),
    ("negative index", lambda s: s["list"][-3], "snapshot.list[-3]: missing"),
    ("key of a list", lambda s: s["list"]["x"], "snapshot.list: wanted an object, got a list"),
    ("index of an object", lambda s: s[0], "snapshot: wanted a list, got an object"),
    ("key of a number", lambda s: s["score"]["x"], "snapshot.score: wanted an object, got a number"),
    ("key of null", lambda s: s["none"]["x"], "snapshot.none: wanted an object, got null"),
    ("iterate a number", lambda s: list(s["score"]), "snapshot.score: wanted a list, got a number"),
    ("iterate a text", lambda s: list(s["name"]), "snapshot.name: wanted a list, got a text"),
    ("length of a number", lambda s: len(s["score"]), "snapshot.score: wanted a list or an object or a text, got a number"),
    ("truth of a number", lambda s: bool(s["score"]), "snapshot.score: wanted a boolean, got a number"),
    ("truth of null", lambda s: bool(s["none"]), "snapshot.none: wanted a boolean, got null"),
    ("number from a text", lambda s: float(s["name"]), "snapshot.name: wanted a number, got a text"),
    ("number from a boolean", lambda s: float(s["on"]), "snapshot.on: wanted a number, got a boolean"),
    ("number from NaN", lambda s: float(s["nan"]), "snapshot.nan: nan is not a number that can be compared"),
    ("number from infinity", lambda s: float(s["inf"]), "snapshot.inf: inf is not"),
    ("number from 10**400", lambda s: float(s["huge"]), "snapshot.huge: "),
    ("comparing 10**400 with a float", lambda s: s["huge"] * 0.5, "snapshot.huge: "),
    ("integer of a fraction", lambda s: int(s["ratio"]), "snapshot.ratio: wanted a whole number, got 0.5"),
    ("integer of NaN", lambda s: int(s["nan"]), "snapshot.nan: nan"),
    ("NaN below", lambda s: s["deep"].value, "snapshot.deep.a[0].b: nan"),
    ("compare NaN", lambda s: s["nan"] < 3, "snapshot.nan: nan"),
    ("compare text with number", lambda s: s["name"] > 3, "snapshot.name: wanted a number, got a text"),
    ("compare number with text", lambda s: s["score"] < "x", "snapshot.score: wanted a text, got a number"),
    ("compare with a bad Seen", lambda s: s["score"] < s["name"], "snapshot.score: wanted a text, got a number"),
    ("compare null", lambda s: s["none"] >= 0, "snapshot.none: wanted a number, got null"),
    ("add to a text", lambda s: s["name"] + 1, "snapshot.name: wanted a number, got a text"),
    ("subtract from the left", lambda s: 10 - s["none"], "snapshot.none: wanted a number, got null"),
    ("equal of another kind", lambda s: s["score"] == "7", "snapshot.score: wanted a text, got a number"),
    ("boolean as number", lambda s: s["on"] == 1, "snapshot.on: wanted a number, got a boolean"),
    ("round a text", lambda s: round(s["name"]), "snapshot.name: wanted a number, got a text"),
    ("negate a list", lambda s: -s["list"], "snapshot.list: wanted a number, got a list"),
    ("membership in a number", lambda s: 1 in s["score"], "snapshot.score: wanted"),
    ("number in a text", lambda s: 1 in s["name"], "snapshot.name: "),
    ("an object as index", lambda s: [1, 2][s["list"]], "snapshot.list: wanted a number, got a list"),
    ("division by a submission's zero", lambda s: 1 / s["zero"], "snapshot.zero: wanted a number other than 0"),
    ("modulo by a submission's zero", lambda s: s["score"] % s["zero"], "snapshot.zero: wanted"),
    ("keys of a list", lambda s: s["list"].keys(), "snapshot.list: wanted an object, got a list"),
    ("get of a text", lambda s: s["name"].get("x"), "snapshot.name: wanted an object, got a text"),
    ("a slice of a number", lambda s: s["score"][1:2], "snapshot.score: wanted a list or a text, got a number"),
]


@pytest.mark.parametrize(("abuse", "message"), [pytest.param(abuse, message, id=name) for name, abuse, message in ABUSES])
def test_abuse_is_the_submissions_fault_with_its_path(seen: Any, abuse: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(SubmissionFault) as fault:
        abuse(seen)
    assert str(fault.value).startswith(message)


def test_the_fault_cites_the_evidence(seen: Any) -> None:
    with pytest.raises(SubmissionFault) as fault:
        seen["list"][1]["y"]
    assert fault.value.cites == ("e1",)


def test_used_as_the_value_itself(seen: Any) -> None:
    assert seen["score"] + 1 == 8 and 1 + seen["score"] == 8 and seen["score"] - seen["ratio"] == 6.5
    assert seen["score"] > 6 and seen["score"] >= seen["ratio"] and not seen["score"] < 7 and seen["score"] <= 7
    assert seen["name"] == "cup" and seen["name"] < "d" and "u" in seen["name"] and seen["name"] != "cap"
    assert bool(seen["on"]) is True and seen["on"] == True  # noqa: E712 - the comparison is what is tested
    assert int(seen["whole"]) == 3 and round(seen["ratio"]) == 0 and abs(-seen["score"]) == 7 and ["a", "b", "c", "d"][seen["whole"]] == "d"
    assert next(iter(seen["list"])) == 1 and len(seen["list"]) == 2 and seen["list"][-1]["x"] == 2
    assert seen.get("lost").value is None and seen.get("lost", 5) == 5 and "score" in seen and "lost" not in seen
    assert seen["none"] == None and seen["score"] != None  # noqa: E711 - a submission's null may be compared with None
    assert seen["list"] == [1, {"x": 2}] and plain(seen["list"]) == [1, {"x": 2}] and plain(4) == 4
    assert [float(one) for one in seen["list"][0:1]] == [1.0]
    assert f"{seen['score']}" == "7" and repr(seen["name"]) == "Seen('cup' at snapshot.name)"


def test_a_checks_own_mistake_is_no_fault_of_the_submission(seen: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        seen["score"] / 0
    with pytest.raises(TypeError):
        seen["score"] + object()


def test_an_integer_without_end_still_compares_exactly(seen: Any) -> None:
    assert seen["huge"] > 10**399 and seen["huge"] == 10**400


def test_the_value_of_deep_nesting_is_a_fault_not_a_recursion_error() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    with pytest.raises(SubmissionFault, match="deep"):
        Seen(value, "snapshot").value  # noqa: B018 - the access is what is tested


def test_cites_come_once_and_in_order() -> None:
    assert cites_of(Seen(1, "a", ["x", "y"]), 3, Seen(2, "b", ["y", "z"])) == ("x", "y", "z")


def test_a_seen_is_no_key() -> None:
    with pytest.raises(TypeError):
        {Seen(1, "a"): 1}
