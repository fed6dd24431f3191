"""The rules beyond the printed figures: faults and voids, legality, bounds, loading."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playproof.model import Check, Ended, Observer, Outcome, Priority, Reason, Verdict
from playproof.scoring import Rating, TrialResult, conjunction, scores
from playproof.scoring.compare import Overlap, overlap, successes
from playproof.scoring.rules import Fused, PassAtK, Strict, pass_at_k, pass_hat_k
from playproof.scoring.trials import exactly, unknown

PASS, FAIL, NA, VOID = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE, Outcome.VOID
REASONS = {PASS: Reason.OK, FAIL: Reason.FAIL, NA: Reason.OK, VOID: Reason.INFRA}
CHECKS = (
    Check("s", "static", "source", layer="L1"),
    Check("p0", "python", "starts", priority=Priority.P0),
    Check("p1", "python", "core", priority=Priority.P1),
    Check("p1-optional", "python", "core, optional", priority=Priority.P1, optional_feature=True),
    Check("p2", "python", "more", priority=Priority.P2, required=False),
)
CRITERIA = (Check("major", "rubric", "", weight=3), Check("secondary", "rubric", "", weight=2), Check("detail", "rubric", "", weight=1))
RULE = Fused("d", 8, 10)


def verdict(check, outcome, case="default", observer=None, flaky=False):
    return Verdict(check, case, outcome, REASONS[outcome], observer=observer, flaky=flaky)


def trial(task="t", sample=0, stack="a", *, checks=CHECKS, observer=None, ratings=(), **found):
    known = {k: found.pop(k) for k in ("ended", "delivered", "evaluated", "valid") if k in found}
    given_ = {c.id: verdict(c.id, found.get(c.id.replace("-", "_"), PASS), observer=observer) for c in checks}
    return TrialResult(task, stack, sample, checks=checks, verdicts=given_, ratings=ratings, **known)


# --- one trial --------------------------------------------------------------------------------------------------------


def test_strict_wants_every_source_check_and_every_applicable_prerequisite_and_core_check():
    mark = Strict().mark
    assert mark(trial()) == exactly(1)
    assert mark(trial(p2=FAIL)) == exactly(1)
    for broken in ("s", "p0", "p1", "p1_optional"):
        assert mark(trial(**{broken: FAIL})) == exactly(0), broken
    assert mark(trial(checks=CHECKS[:2])) == exactly(0), "no core check"
    assert mark(trial(checks=(CHECKS[0], CHECKS[2]))) == exactly(0), "no prerequisite"


def test_a_check_without_a_verdict_is_failed():
    short = TrialResult("t", "a", checks=CHECKS, verdicts=conjunction([verdict("p0", PASS)]))
    assert Strict().mark(short) == exactly(0)


def test_not_applicable_needs_a_declared_check_and_an_observer_outside():
    mark = Strict().mark
    assert mark(trial(p1_optional=NA, observer=Observer.OUTSIDE)) == exactly(1)
    assert mark(trial(p1_optional=NA, observer=Observer.MAIN)) == exactly(0)
    assert mark(trial(p1_optional=NA)) == exactly(0), "nobody saw it"
    assert mark(trial(p1=NA, observer=Observer.OUTSIDE)) == exactly(0), "not declared"
    assert Strict(not_applicable="anywhere").mark(trial(p1=NA)) == exactly(1)


def test_not_applicable_alone_never_stands_for_a_priority():
    only = trial(checks=(CHECKS[1], CHECKS[3]), p1_optional=NA, observer=Observer.OUTSIDE)
    assert Strict().mark(only) == exactly(0)


def test_a_void_is_absent_unless_something_required_failed():
    assert Strict().mark(trial(p1=VOID)) == unknown()
    assert Strict().mark(trial(p1=VOID, p0=FAIL)) == exactly(0)
    assert Strict().mark(trial(p2=VOID)) == exactly(1)
    assert Strict().mark(trial(valid=False)) == unknown()
    assert PassAtK().mark(trial(ended=Ended.INFRA)) == unknown()


def test_what_was_left_after_another_ending_is_graded_beside_and_never_counted():
    late = trial(ended=Ended.WALL)
    score = Strict().score([late, trial("u")])
    assert (score.value, score.parts["conditional"], score.parts["evaluated"]) == (0.5, 1, 1)
    assert PassAtK().mark(late) == exactly(1), "a rule without that condition grades it"


def test_as_published_takes_voids_as_zero_and_not_applicable_anywhere():
    score = Strict().score([trial("a"), trial("b", valid=False), trial("c", p1=NA), trial("d", p1=FAIL)])
    assert (score.value, score.as_published) == (pytest.approx(1 / 3), 0.5)
    assert (score.low, score.high, score.n, score.planned, score.void, score.coverage) == (0.25, 0.5, 3, 4, 1, 0.75)


def test_means_of_tasks_and_pooled_checks():
    more = CHECKS + tuple(Check(f"p1-{i}", "python", "", priority=Priority.P1) for i in range(5))
    score = Strict().score([trial("a", p1=FAIL), trial("b", checks=more)])
    assert score.parts["L2"] == pytest.approx((0.75 + 1) / 2)
    assert score.parts["P1"] == pytest.approx(8 / 9)
    assert score.parts["L1"] == 1


def test_a_task_counts_once_however_many_samples_it_has():
    run = [trial("a", i) for i in range(3)] + [trial("b", p1=FAIL)]
    assert Strict().score(run).value == PassAtK().score(run).value == 0.5
    assert (Strict().score(run).n, PassAtK().score(run).n) == (4, 2)


def test_no_trial_gives_no_value():
    for rule in (Strict(), PassAtK(), Fused("d", 8, 10)):
        score = rule.score([])
        assert (score.value, score.low, score.high, score.n, score.planned) == (None, None, None, 0, 0)


# --- cases ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "decided"),
    [([PASS, VOID, FAIL, NA], FAIL), ([PASS, VOID, NA], VOID), ([NA, PASS], PASS), ([NA, NA], NA), ([PASS], PASS)],
)
def test_the_verdict_over_cases_is_the_conjunction(found, decided):
    over = conjunction(verdict("c", o, case=f"n={i}") for i, o in enumerate(found))
    assert over["c"].outcome is decided
    assert over["c"].case == f"n={found.index(decided)}"


def test_a_flaky_case_makes_the_check_flaky():
    over = conjunction([verdict("c", PASS, "a=1", flaky=True), verdict("c", FAIL, "a=2")])
    assert over["c"].flaky and over["c"].outcome is FAIL and over["c"].case == "a=2"
    assert conjunction([verdict("c", PASS, "a=1"), verdict("c", PASS, "a=2", flaky=True)])["c"].flaky


@given(st.permutations([PASS, FAIL, NA, VOID, PASS]), st.sets(st.sampled_from(range(5)), min_size=1))
def test_the_conjunction_does_not_depend_on_order(found, kept):
    chosen = [found[i] for i in sorted(kept)]
    both = [conjunction(verdict("c", o) for o in order)["c"].outcome for order in (chosen, chosen[::-1])]
    assert both[0] is both[1]


# --- samples ----------------------------------------------------------------------------------------------------------


def test_pass_at_k_is_undefined_with_too_few_samples():
    assert pass_at_k(2, 2, 3) is None
    assert pass_hat_k(2, 2, 3) is None
    score = PassAtK(k=3).score([trial(sample=i) for i in range(2)])
    assert (score.value, score.n, score.planned, score.as_published) == (None, 0, 1, None)


@given(st.integers(1, 12), st.data())
def test_pass_at_k_equals_counting_the_draws(n, data):
    from itertools import combinations

    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    draws = [[i < c for i in chosen] for chosen in combinations(range(n), k)]
    assert pass_at_k(n, c, k) == Fraction(sum(map(any, draws)), len(draws))
    assert pass_hat_k(n, c, k) == Fraction(sum(map(all, draws)), len(draws))


def test_pass_at_k_with_a_void_sample_uses_the_valid_ones_and_bounds():
    task = [trial(sample=0), trial(sample=1, p1=FAIL), trial(sample=2, valid=False)]
    score = PassAtK(k=2).score(task)
    assert (score.rule, score.value, score.low, score.high) == ("pass@2", 1, pytest.approx(2 / 3), 1)
    assert PassAtK(k=2, all_k=True).score(task).rule == "pass^2"


def test_repairs_need_both_groups():
    rule = PassAtK(groups=("fail-to-pass", "pass-to-pass"))
    checks = [Check("f", "command", "", category="fail-to-pass"), Check("p", "command", "", category="pass-to-pass", required=False)]
    assert rule.mark(trial(checks=checks)) == exactly(1)
    assert rule.mark(trial(checks=checks, p=FAIL)) == exactly(0)
    assert rule.mark(trial(checks=checks[1:])) == exactly(0), "nothing was to be repaired"
    parts = rule.score([trial(checks=checks, f=FAIL)]).parts
    assert (parts["fail-to-pass"], parts["pass-to-pass"], parts["wilson_low"]) == (0, 1, 0)


def test_the_design_score_stands_beside():
    rated = trial("a", ratings=[Rating("heuristics", str(i), v) for i, v in enumerate([5, 4, 3])])
    half = trial("b", ratings=[Rating("heuristics", "0", 5), Rating("heuristics", "1", None)])
    score = PassAtK(design="heuristics").score([rated, half, trial("c")])
    assert (score.value, score.parts["design"]) == (1, 4)


# --- properties -------------------------------------------------------------------------------------------------------

OUTCOMES = st.sampled_from([PASS, FAIL, VOID, NA])
RATED = st.lists(st.one_of(st.none(), st.integers(1, 10)), min_size=0, max_size=8)


@st.composite
def runs(draw):
    made = []
    for task in range(draw(st.integers(1, 4))):
        checks = CHECKS + CRITERIA
        for sample in range(draw(st.integers(1, 3))):
            found = {c.id.replace("-", "_"): draw(OUTCOMES) for c in checks}
            delivered, valid = draw(st.booleans()), draw(st.integers(0, 4)) > 0
            ended, observer = draw(st.sampled_from([Ended.COMPLETED, Ended.WALL])), draw(st.sampled_from([Observer.OUTSIDE, None]))
            ratings = [Rating("d", str(i), v) for i, v in enumerate(draw(RATED))]
            left = {"delivered": delivered, "evaluated": delivered, "ended": ended, "valid": valid}
            made.append(trial(str(task), sample, checks=checks, observer=observer, ratings=ratings, **left, **found))
    return made


EVERY = (Strict(), Strict(not_applicable="anywhere"), PassAtK(), PassAtK(k=2), PassAtK(k=2, all_k=True), RULE)


@given(runs(), st.randoms())
def test_bounds_hold_the_value_and_order_is_nothing(run, random):
    shuffled = run[:]
    random.shuffle(shuffled)
    for rule in EVERY:
        score = rule.score(run)
        assert rule.score(shuffled) == score
        assert 0 <= score.low <= score.high <= score.top
        assert score.n + score.void == score.planned
        if score.value is not None:
            assert score.low - 1e-12 <= score.value <= score.high + 1e-12
        if score.parts.get("wilson_low") is not None:
            assert 0 <= score.parts["wilson_low"] <= score.value <= score.parts["wilson_high"] <= 1


@given(runs(), st.data())
def test_a_pass_instead_of_a_fail_never_lowers_a_score(run, data):
    at = data.draw(st.integers(0, len(run) - 1))
    failed = [id_ for id_, v in run[at].verdicts.items() if v.outcome is FAIL]
    if not failed:
        return
    id_ = data.draw(st.sampled_from(failed))
    before = [rule.score(run) for rule in EVERY]
    run[at].verdicts[id_] = verdict(id_, PASS)
    for rule, old in zip(EVERY, before, strict=True):
        new = rule.score(run)
        assert new.low >= old.low - 1e-12 and new.high >= old.high - 1e-12
        assert (new.as_published or 0) >= (old.as_published or 0) - 1e-12
        if new.value is not None and old.value is not None and new.n == old.n:
            assert new.value >= old.value - 1e-12


def test_overlap_leaves_out_what_is_void_for_one():
    run = [trial("x"), trial("y", valid=False), trial("x", 1, p0=FAIL)]
    run += [trial("x", stack="b", p1=FAIL), trial("y", stack="b"), trial("z", stack="b")]
    assert overlap(successes(Strict(), run, "a"), successes(Strict(), run, "b")) == Overlap(0, 1, 0, 0, absent=2)


def test_each_stack_is_scored_by_the_rules_of_its_tasks():
    run = [trial("x"), trial("y", p1=FAIL), trial("x", stack="b")]
    strict, passes = {"rule": "strict"}, {"rule": "pass_at_k"}
    found = scores(run, {"x": [strict], "y": [strict, passes]})
    assert [(s.rule, s.value, s.n) for s in found["a"]] == [("strict", 0.5, 2), ("pass@1", 0, 1)]
    assert [(s.rule, s.value, s.n) for s in found["b"]] == [("strict", 1, 1)]
