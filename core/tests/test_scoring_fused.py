"""The fused rule: weights, ratings, bounds where something is void, and graded parts."""

from fractions import Fraction

import pytest
from attrs import evolve

from playproof.model import Asking, Check, Outcome, Part, Reason, Ref, Verdict
from playproof.scoring import Rating
from playproof.scoring.rules import Fused

from .test_scoring import CRITERIA, FAIL, RULE, VOID, trial

TENS = tuple(Rating("d", str(i), 10) for i in range(8))


def test_weights_and_fusion():
    one = trial(checks=CRITERIA, ratings=(*TENS[:7], Rating("d", "7", 2)), secondary=FAIL)
    assert RULE.rubric(one).value == Fraction(400, 6)
    assert RULE.dimension(one).value == 90
    assert RULE.mark(one).value == (Fraction(400, 6) + 90) / 2
    assert Fused("d", 8, 10, rubric_weight=0.3).mark(one).value == Fraction(3, 10) * Fraction(400, 6) + Fraction(7, 10) * 90
    assert RULE.success(one) == 0


def test_a_void_criterion_leaves_bounds_and_the_deterministic_part():
    score = RULE.score([trial(checks=CRITERIA, ratings=TENS, major=VOID, detail=FAIL)])
    assert (score.value, score.n, score.void, score.parts["perfect"]) == (None, 0, 1, None)
    assert (score.low, score.high) == (0, 100), "the trial has no value"
    assert (score.parts["rubric_low"], score.parts["rubric_high"]) == (pytest.approx(200 / 6), pytest.approx(500 / 6))
    mark = RULE.mark(trial(checks=CRITERIA, ratings=TENS, major=VOID, detail=FAIL))
    assert (mark.low, mark.high) == ((Fraction(200, 6) + 100) / 2, (Fraction(500, 6) + 100) / 2)
    assert (score.parts["deterministic"], score.parts["decided_weight"], score.parts["weight"]) == (pytest.approx(200 / 3), 3, 6)
    assert (score.parts["rubric"], score.parts["dimension"], score.as_published) == (None, 100, 0)


def test_with_every_criterion_void_nothing_is_known():
    score = RULE.score([trial(checks=CRITERIA, ratings=TENS, major=VOID, secondary=VOID, detail=VOID)])
    assert [score.parts[p] for p in ("deterministic", "rubric", "rubric_low", "rubric_high")] == [None, None, 0, 100]


def test_void_ratings_leave_the_rubric_under_its_own_name():
    score = RULE.score([trial(checks=CRITERIA)])
    assert (score.value, score.low, score.high, score.top) == (None, 0, 100, 100)
    assert (score.parts["rubric"], score.parts["deterministic"], score.parts["perfect"], score.parts["dimension"]) == (100, 100, None, None)


def test_what_was_not_delivered_is_zero_in_every_part():
    score = RULE.score([trial("a", checks=CRITERIA, ratings=TENS), trial("b", checks=CRITERIA, delivered=False)])
    assert (score.value, score.n) == (50, 2)
    assert [score.parts[p] for p in ("rubric", "dimension", "perfect", "deterministic")] == [50, 50, 0.5, 50]


def test_a_rating_outside_its_scale_is_refused():
    with pytest.raises(ValueError, match="8 ratings from 1 to 10"):
        RULE.mark(trial(checks=CRITERIA, ratings=(Rating("d", "0", 11),)))


def test_graded_parts_stand_beside_the_deterministic_part():
    parted = Check("parted", "rubric", "", weight=3, options={"parts": []})
    judged = Check("judged", "rubric", "", weight=4, asks=Asking(Ref("eye"), "?"))
    one = trial(checks=(parted, judged, *CRITERIA[1:]), judged=VOID, detail=FAIL)
    third = [Part("a", Outcome.PASS), Part("b", Outcome.FAIL, 2)]
    one = evolve(one, verdicts={**one.verdicts, "parted": Verdict("parted", "default", FAIL, Reason.FAIL, parts=third)})
    parts = RULE.score([one]).parts
    assert (parts["deterministic"], parts["graded"]) == (pytest.approx(200 / 6), 50)
    assert RULE.score([trial(checks=(parted,), delivered=False)]).parts["graded"] == 0
    assert RULE.score([trial(checks=CRITERIA)]).parts["graded"] is None
