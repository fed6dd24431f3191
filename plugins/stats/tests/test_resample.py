"""Intervals: seeded, over whole tasks, and absent with a reason where a bootstrap cannot say anything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from playproof_stats.figures import Resampling, Undefined
from playproof_stats.resample import Ratio, bootstrap, clopper_pearson, clustered_se, clustered_t, measured, share

HOW = Resampling()


def test_the_same_seed_gives_the_same_interval_and_another_does_not():
    ratio, tasks = Ratio([1, 0, 1, 1, 0, 1, 0, 1], [1] * 8), "aabbccde"
    once, again = bootstrap(ratio, tasks, HOW), bootstrap(ratio, tasks, HOW)
    assert once == again and once.low < 5 / 8 < once.high and once.method == "bootstrap over 5 tasks"
    assert bootstrap(ratio, tasks, Resampling(seed=1, resamples=101)) != bootstrap(ratio, tasks, Resampling(seed=2, resamples=101))


@pytest.mark.parametrize("method", ["percentile", "BCa"])
@pytest.mark.parametrize("values", [np.random.default_rng(5).gamma(2, size=40), np.array([1.0] * 3 + [0.0] * 9)], ids=["skew", "ties"])
def test_single_answers_for_each_task_give_scipys_interval(method, values):
    count = len(values)
    ours = bootstrap(Ratio(values, np.ones(count)), range(count), Resampling(resamples=20_000), method)
    theirs = stats.bootstrap([values], np.mean, method=method, n_resamples=20_000, rng=np.random.default_rng(0)).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=0.01)


def test_answers_of_one_task_are_drawn_together():
    """Ten answers a task that are all alike are worth one: the interval is that of the tasks, not of the answers."""
    of_tasks = [1, 0, 1, 1, 0, 1, 1, 0, 0, 1]
    alone = bootstrap(Ratio(of_tasks, [1] * 10), range(10), HOW)
    tenfold = bootstrap(Ratio(of_tasks * 10, [1] * 100), list(range(10)) * 10, HOW)
    assert (tenfold.low, tenfold.high) == pytest.approx((alone.low, alone.high))
    blind = bootstrap(Ratio(of_tasks * 10, [1] * 100), range(100), HOW)
    assert blind.high - blind.low < 0.5 * (alone.high - alone.low)


def test_no_interval_has_a_reason():
    assert measured("x", Ratio([1, 0], [1, 1]), "ab", HOW).interval == "no interval: 2 tasks, and a bootstrap needs 5"
    assert "every task says the same" in measured("x", Ratio([1] * 6, [1] * 6), range(6), HOW).interval
    rare = measured("x", Ratio([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]), range(6), HOW)
    assert rare.value == 1 and rare.low is None and rare.interval.startswith("no interval: undefined in ")
    nothing = measured("x", Ratio([], []), [], HOW)
    assert (nothing.value, nothing.n, nothing.why) == (None, 0, "there is nothing to compare")


def test_a_share_falls_back_to_wilson_over_tasks():
    whole = share("x", [2, 2], [2, 2], "ab", HOW, "")
    assert (whole.value, whole.count, whole.n, whole.high, whole.interval) == (1, 4, 4, 1, "Wilson, n = 2 tasks")
    assert whole.low == pytest.approx(stats.binomtest(2, 2).proportion_ci(method="wilson").low)
    assert share("x", [0], [0], "a", HOW, "nobody was asked") == measured("x", Ratio([], [], "nobody was asked"), [], HOW)


@given(st.integers(0, 60), st.integers(1, 60))
@settings(max_examples=50)
def test_exact_limits_are_scipys(count, n):
    count = min(count, n)
    found = stats.binomtest(count, n).proportion_ci()
    assert clopper_pearson(count, n) == pytest.approx((found.low, found.high))


def test_no_trials_say_nothing():
    assert clopper_pearson(0, 0) == (0, 1)


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=20))
def test_clusters_of_one_give_the_plain_standard_error(values):
    n = len(values)
    assert clustered_se(values, range(n)) == pytest.approx(np.std(values, ddof=1) / n**0.5, abs=1e-12)


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=12), st.integers(2, 5))
def test_copies_within_a_cluster_add_nothing(values, copies):
    n = len(values)
    assert clustered_se(values * copies, list(range(n)) * copies) == pytest.approx(clustered_se(values, range(n)), abs=1e-9)


def test_millers_formula_by_hand():
    """(1 / n^2) sum over clusters of (sum of deviations)^2, times C / (C - 1): values 1 2 | 4 5 | 9, mean 4.2."""
    sums = [(1 - 4.2) + (2 - 4.2), (4 - 4.2) + (5 - 4.2), 9 - 4.2]
    assert clustered_se([1, 2, 4, 5, 9], "aabbc") == pytest.approx((sum(s * s for s in sums) * 3 / 2) ** 0.5 / 5)


def test_the_t_interval_is_students():
    values = [0.1, 0.4, 0.2, 0.9, 0.5]
    found = clustered_t(values, range(5))
    theirs = stats.t.interval(0.95, 4, np.mean(values), stats.sem(values))
    assert (found.low, found.high) == pytest.approx(theirs) and found.method == "t over 5 tasks"
    with pytest.raises(Undefined, match="needs two tasks"):
        clustered_t([1, 2], "aa")
