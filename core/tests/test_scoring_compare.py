"""Intervals, overlap and agreement: what they promise of any counts."""

from hypothesis import given
from hypothesis import strategies as st

from playproof.scoring.compare import Overlap, within
from playproof.scoring.trials import wilson


@given(st.integers(0, 200), st.integers(0, 200))
def test_wilson_holds_the_rate_and_narrows(count, n):
    count = min(count, n)
    low, high = wilson(count, n)
    assert 0 <= low <= high <= 1
    if n:
        assert low <= count / n <= high
        wide = wilson(count, n, z=2.575829)
        assert wide[0] <= low and wide[1] >= high


def test_wilson_agrees_with_a_published_example():
    low, high = wilson(81, 263)  # Newcombe 1998, Statistics in Medicine 17, table I: 81 of 263, 0.2553 to 0.3662
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_overlap_is_the_same_from_either_side(both, only_a, only_b, neither):
    one, other = Overlap(both, only_a, only_b, neither), Overlap(both, only_b, only_a, neither)
    assert (one.p, one.kappa, one.chi_squared) == (other.p, other.kappa, other.chi_squared)
    assert 0 < one.p <= 1
    assert one.kappa is None or -1 <= one.kappa <= 1


def test_agreement_within_one():
    pairs = [(1, 1), (3, 4), (5, 2)]
    assert (within(pairs).count, within(pairs, 1).count, within(pairs).n) == (1, 2, 3)
