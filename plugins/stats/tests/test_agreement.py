"""Agreement: what it promises of any ratings, beside the published examples; and what it says where there is no figure."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from playproof_stats.agreement.alpha import alpha
from playproof_stats.agreement.gwet import gwet
from playproof_stats.agreement.icc import icc, icc_interval, spearman_brown
from playproof_stats.agreement.preferences import majority, pearson, spearman
from playproof_stats.agreement.rates import Confusion, Corrected, between_people, leave_one_out, rogan_gladen, rogan_gladen_interval
from playproof_stats.agreement.variance import split
from playproof_stats.figures import Undefined, value_of

few = settings(max_examples=40)
"""Tables are costly to make."""

METRICS = ["nominal", "ordinal", "interval", "ratio"]


def tables(cell):
    return st.integers(2, 5).flatmap(lambda k: st.lists(st.lists(cell, min_size=k, max_size=k), min_size=2, max_size=12))


complete_tables = tables(st.integers(1, 5))
gappy_tables = tables(st.one_of(st.none(), st.integers(1, 5)))


def defined(figure, *arguments, **keywords):
    try:
        return figure(*arguments, **keywords)
    except Undefined:
        assume(False)


@few
@given(st.lists(st.integers(1, 5), min_size=2, max_size=20), st.integers(2, 4), st.sampled_from(METRICS))
def test_perfect_agreement_is_one(values, raters, metric):
    assume(len(set(values)) > 1)
    rows = [[value] * raters for value in values]
    found = [alpha(rows, metric), gwet(rows), gwet(rows, "quadratic"), icc(rows, 1), icc(rows, 2), icc(rows, 3)]
    assert found == pytest.approx([1] * 6)


@few
@given(gappy_tables, st.sampled_from(METRICS), st.randoms())
def test_it_does_not_matter_who_is_who(rows, metric, chance):
    before = defined(alpha, rows, metric)
    columns = list(range(len(rows[0])))
    chance.shuffle(columns)
    mixed = [[row[i] for i in columns] for row in rows]
    chance.shuffle(mixed)
    assert alpha(mixed, metric) == pytest.approx(before)
    assert gwet(mixed, values=range(1, 6)) == pytest.approx(gwet(rows, values=range(1, 6)))


@few
@given(gappy_tables, st.permutations([1, 2, 3, 4, 5]))
def test_names_of_nominal_values_do_not_matter(rows, names):
    renamed = [[None if v is None else names[v - 1] for v in row] for row in rows]
    before = defined(alpha, rows)
    assert alpha(renamed) == pytest.approx(before)
    assert gwet(renamed, values=range(1, 6)) == pytest.approx(gwet(rows, values=range(1, 6)))


@few
@given(gappy_tables, st.integers(2, 9), st.integers(-4, 20))
def test_a_shifted_and_stretched_scale_changes_nothing_that_is_no_ratio(rows, stretch, shift):
    moved = [[None if v is None else stretch * v + shift for v in row] for row in rows]
    for metric in ("ordinal", "interval"):
        before = defined(alpha, rows, metric)
        assert alpha(moved, metric) == pytest.approx(before)
    before = defined(icc, rows, 1)
    assert icc(moved, 1) == pytest.approx(before)


@few
@given(complete_tables)
def test_the_mean_of_k_raters_is_spearman_and_browns(rows):
    k = len(rows[0])
    for model in (1, 2, 3):
        one, all_ = defined(icc, rows, model), defined(icc, rows, model, mean=True)
        assume(abs(all_) < 1e6 and abs(1 + (k - 1) * one) > 1e-6)
        if 1 + (k - 1) * one > 0:
            assert all_ == pytest.approx(spearman_brown(one, k))
            assert spearman_brown(all_, 1 / k) == pytest.approx(one)


@few
@given(complete_tables)
def test_limits_hold_the_correlation(rows):
    for model in (1, 3):
        value = defined(icc, rows, model)
        low, high = defined(icc_interval, rows, model)
        assert low - 1e-9 <= value <= high + 1e-9


@few
@given(complete_tables)
def test_one_way_from_its_textbook_definition(rows):
    x = np.array(rows, float)
    n, k = x.shape
    between = k * x.mean(axis=1).var(ddof=1)
    within = ((x - x.mean(axis=1, keepdims=True)) ** 2).sum() / (n * (k - 1))
    assume(between + (k - 1) * within > 1e-9)
    assert icc(rows, 1) == pytest.approx((between - within) / (between + (k - 1) * within), abs=1e-9)


def test_subjects_with_other_numbers_of_ratings():
    """k0 = (N - sum k^2 / N) / (n - 1), by hand: ratings 1 3, 5 5 8, 9 7: k0 = (7 - 17 / 7) / 2 = 16 / 7."""
    rows = [[1, 3, None], [5, 5, 8], [None, 9, 7], [4, None, None]]
    groups = [[1, 3], [5, 5, 8], [9, 7]]
    grand = np.mean([v for group in groups for v in group])
    between = sum(len(g) * (np.mean(g) - grand) ** 2 for g in groups) / 2
    within = sum(((np.array(g) - np.mean(g)) ** 2).sum() for g in groups) / 4
    assert icc(rows, 1) == pytest.approx((between - within) / (between + (16 / 7 - 1) * within))
    assert icc(rows, 1, mean=True) == pytest.approx((between - within) / between)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_a_confusion_adds_up(pairs):
    found = Confusion.of(pairs)
    assert found.n == len(pairs) and found.accuracy.count == sum(a == b for a, b in pairs)
    assert found.sensitivity.n + found.specificity.n == len(pairs)
    assert found.sensitivity.count + found.specificity.count == found.accuracy.count


@given(st.floats(0, 1), st.floats(0.55, 1), st.floats(0.55, 1))
def test_a_corrected_share_gives_the_apparent_one_back(truly, sensitivity, specificity):
    apparent = truly * sensitivity + (1 - truly) * (1 - specificity)
    assert rogan_gladen(apparent, sensitivity, specificity) == pytest.approx(truly, abs=1e-9)


def test_the_corrected_share_of_single_answers_is_the_same():
    passed = [True] * 6 + [False] * 4
    labels = [True, True, True, False, None, None, False, False, False, True]
    assert value_of(Corrected(passed, labels, [True] * 10)) == pytest.approx(rogan_gladen(0.6, 3 / 4, 3 / 4))
    outside = [label is None for label in labels]
    assert value_of(Corrected(passed, labels, outside)) == pytest.approx(rogan_gladen(2 / 2, 3 / 4, 3 / 4))


@few
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=25))
def test_correlations_are_scipys(pairs):
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y)[0], abs=1e-9)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y)[0], abs=1e-9)


@pytest.mark.parametrize(("votes", "preferred"), [
    ("aab", "a"), (["a", "b", "tie"], None), ("ab", None), (["tie", "tie", "a"], "tie"), ("b", "b"), ("", None), ("aabb", None)])
def test_a_majority_is_more_than_half(votes, preferred):
    assert majority(votes) == preferred


def test_people_among_themselves():
    subjects = [[3, 3, 4], [1, 5], [2]]
    assert (between_people(subjects).count, between_people(subjects).n, between_people(subjects, 1).count) == (1, 4, 3)
    # each against the others' median: 3 | 3.5, 3 | 3.5, 4 | 3, then 1 | 5 and 5 | 1; the single 2 has no others
    assert (leave_one_out(subjects).count, leave_one_out(subjects, 1).count, leave_one_out(subjects).n) == (0, 3, 5)


def test_variance_of_one_judge_is_between_and_within():
    found = split([[[1, 3]], [[5, 5]], [[8, 10]]])
    assert found.within == pytest.approx(4 / 3) and found.subjects == pytest.approx(np.var([2, 5, 9], ddof=1) - 4 / 3 / 2)
    assert found.judges is None and found.interaction is None


def test_variance_of_judges_who_were_asked_once():
    found = split([[[1], [2]], [[4], [5]], [[7], [8]]])
    assert (found.subjects, found.judges, found.interaction, found.within) == (pytest.approx(9), pytest.approx(0.5), pytest.approx(0), None)


def reason(figure, *arguments, **keywords):
    with pytest.raises(Undefined) as lack:
        figure(*arguments, **keywords)
    return str(lack.value)


def test_what_is_undefined_says_why():
    assert reason(alpha, [[1, None], [None, 2]]) == "no subject has two ratings"
    assert "cannot be told from chance" in reason(alpha, [[2, 2], [2, 2]])
    assert reason(alpha, []) == "there are no subjects"
    assert "the scale was not told" in reason(gwet, [[1, 1]])
    assert reason(gwet, [[1, None]], values=[0, 1]) == "no subject has two ratings"
    assert reason(icc, [[1, 2]], 1) == "fewer than two subjects have two ratings"
    assert reason(icc, [[1, None], [None, 2]], 1) == "fewer than two subjects have two ratings"
    assert reason(icc, [[1, 2, None], [None, 2, 3]], 2) == "no two subjects have been rated by all 3 raters"
    assert reason(icc, [[1], [2]], 2) == "there are fewer than two raters"
    assert reason(icc, [[3, 3], [3, 3]], 1) == "all ratings are the same"
    assert "never differ" in reason(icc_interval, [[1, 1], [2, 2]], 1)
    assert reason(spearman, [1, 1], [1, 2]) == "one side does not vary"
    assert reason(pearson, [], []) == "fewer than two pairs"
    assert "no better than chance" in reason(rogan_gladen, 0.5, 0.5, 0.5)
    assert "no better than chance" in reason(rogan_gladen_interval, Confusion(1, 1, 0, 0).accuracy, Confusion(1, 0, 1, 0).accuracy,
                                             Confusion(1, 0, 1, 0).accuracy)
    assert "some that pass and some that fail" in reason(value_of, Corrected([True], [True], [True]))
    assert reason(split, [[[1, 2]]]) == "fewer than two subjects"


def test_wrong_tables_are_refused():
    with pytest.raises(ValueError, match="a rating is none of 1, 2"):
        gwet([[1, 3]], values=[1, 2])
    with pytest.raises(ValueError, match="no negative values"):
        alpha([[-1, 1]], "ratio")
    with pytest.raises(ValueError, match="every judge rates every subject"):
        split([[[1], [2]], [[1], []]])
    with pytest.raises(ValueError, match="cannot be paired"):
        pearson([1], [1, 2])
