"""What a check demands: what was seen, what was wanted and the evidence, and whose fault a wrong kind is."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from playproof.errors import ExpectationFailed, SubmissionFault
from playproof.expect import Expect
from playproof.seen import Seen

SEEN = Seen({"n": 3, "t": "tea", "b": False, "l": [1, 2.5], "nan": math.nan}, "s", ["e"])


def expect(key: str) -> Expect:
    return Expect(SEEN[key], key, ["own"])


HOLDS: list[Callable[[], Expect]] = [
    lambda: expect("n").equals(3).not_equals(4).greater_than(2).less_than(4).at_least(3).at_most(3).close_to(3.1, within=0.2),
    lambda: expect("t").equals("tea").contains("ea").one_of([3, "tea", "cup"]),
    lambda: expect("b").is_false().equals(False),
    lambda: expect("l").close_to([1.01, 2.49], within=0.02).contains(2.5).equals([1, 2.5]),
    lambda: Expect(5, "five").greater_than(SEEN["n"]),
    lambda: Expect(None, "nothing").equals(None),
]


@pytest.mark.parametrize("holds", HOLDS)
def test_what_holds_is_chained(holds: Callable[[], Expect]) -> None:
    assert isinstance(holds(), Expect)


FAILS: list[tuple[Callable[[], Any], str]] = [
    (lambda: expect("n").equals(4), "n is 3, wanted 4"),
    (lambda: expect("n").not_equals(3), "n is 3, wanted anything but 3"),
    (lambda: expect("n").greater_than(3), "n is 3, wanted more than 3"),
    (lambda: expect("n").less_than(SEEN["n"]), "n is 3, wanted less than 3"),
    (lambda: expect("n").at_least(3.5), "n is 3, wanted at least 3.5"),
    (lambda: expect("n").at_most(2), "n is 3, wanted at most 2"),
    (lambda: expect("n").close_to(4, within=0.5), "n is 3, wanted 4 ± 0.5"),
    (lambda: expect("l").close_to([1.0], within=9), "l is [1, 2.5], wanted [1.0] ± 9"),
    (lambda: expect("t").contains("x"), "t is tea, wanted something with x in it"),
    (lambda: expect("t").one_of(["cup"]), 't is tea, wanted one of ["cup"]'),
    (lambda: expect("b").is_true(), "b is false, wanted true"),
    (lambda: Expect("x" * 999, "long").equals("y"), "long is " + "x" * 199 + "…, wanted y"),
]


@pytest.mark.parametrize(("fails", "message"), FAILS)
def test_what_fails_says_both_sides(fails: Callable[[], Any], message: str) -> None:
    with pytest.raises(ExpectationFailed) as failed:
        fails()
    assert str(failed.value) == message


def test_what_holds_is_told_with_its_evidence() -> None:
    held: list[object] = []
    one = Expect(SEEN["n"], "n", ["own"], held.append)
    one.greater_than(2).less_than(Seen(9, "x", ["other"]))
    with pytest.raises(ExpectationFailed):
        one.equals(7)
    assert held == [("own", "e"), ("own", "e", "other")]


def test_null_is_no_answer_to_what_it_must_not_be() -> None:
    with pytest.raises(SubmissionFault, match=r"s\.none: wanted anything but 3, got null"):
        Expect(Seen(None, "s.none"), "none").not_equals(3)


def test_the_evidence_of_both_sides_is_cited_once() -> None:
    with pytest.raises(ExpectationFailed) as failed:
        Expect(Seen(1, "a", ["own", "left"]), "n", ["own"]).greater_than(Seen(2, "b", ["right"]))
    assert failed.value.cites == ("own", "left", "right")
    assert (failed.value.seen, failed.value.wanted) == (1, "more than 2")


WRONG: list[Callable[[], Any]] = [
    lambda: expect("t").greater_than(3), lambda: expect("n").is_true(), lambda: expect("nan").equals(1), lambda: expect("nan").at_least(0),
    lambda: expect("n").contains(1), lambda: expect("t").close_to(3, within=1), lambda: expect("n").equals("3"),
    lambda: expect("n").one_of(["a", "b"]),
    lambda: Expect(5, "five").less_than(SEEN["t"]), lambda: expect("b").close_to([1, 2], within=1),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_kind_is_the_submissions_fault(wrong: Callable[[], Any]) -> None:
    with pytest.raises(SubmissionFault):
        wrong()
