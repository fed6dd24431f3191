"""Worked examples from the literature: the data as printed, and the figures as printed."""

import numpy as np
import pytest

from playproof.scoring.compare import Overlap
from playproof.scoring.trials import Share
from playproof_stats.agreement.alpha import alpha
from playproof_stats.agreement.gwet import gwet
from playproof_stats.agreement.icc import icc, icc_interval, spearman_brown
from playproof_stats.agreement.preferences import spearman
from playproof_stats.agreement.rates import Confusion, rogan_gladen, rogan_gladen_interval
from playproof_stats.agreement.variance import split
from playproof_stats.figures import Array, Resampling
from playproof_stats.resample import acceleration, bootstrap, clopper_pearson

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Shrout & Fleiss 1979, table 2: six subjects, four judges."""

_ = None
KRIPPENDORFF = list(zip(
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _], strict=True))
"""Krippendorff 2011, example C: four observers, twelve units, missing values. Gwet's handbook uses the same table."""

GAUGE = """21 20 20 20 19 21|24 23 24 24 23 24|20 21 19 21 20 22|27 27 28 26 27 28|19 18 19 18 18 21|23 21 24 21 23 22|22 21 22 24 22 20
19 17 18 20 19 18|24 23 25 23 24 24|25 23 26 25 24 25|21 20 20 20 21 20|18 19 17 19 18 19|23 25 25 25 25 25|24 24 23 25 24 25
29 30 30 28 31 30|26 26 25 26 25 27|20 20 19 20 20 20|19 21 19 19 21 23|25 26 25 24 25 25|19 19 18 17 19 17""".replace("\n", "|")
"""Montgomery, Design and Analysis of Experiments, table 13.1: twenty parts, three operators, two measurements each."""

SPATIAL = [48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41]
"""Efron & Tibshirani 1993, table 14.1, column A: spatial test scores of 26 children."""


@pytest.mark.parametrize(("model", "mean", "value"), [
    (1, False, 0.17), (2, False, 0.29), (3, False, 0.71), (1, True, 0.44), (2, True, 0.62), (3, True, 0.91)])
def test_intraclass_correlations_of_shrout_and_fleiss(model, mean, value):
    assert round(icc(SHROUT_FLEISS, model, mean=mean), 2) == value


@pytest.mark.parametrize(("model", "mean", "low", "high"), [
    (1, False, -0.133, 0.72), (2, False, 0.019, 0.76), (3, False, 0.342, 0.95),
    (1, True, -0.884, 0.91), (2, True, 0.071, 0.93), (3, True, 0.676, 0.99)])
def test_their_limits_as_the_r_package_psych_prints_them(model, mean, low, high):
    found = icc_interval(SHROUT_FLEISS, model, mean=mean)
    assert (round(found[0], 3), round(found[1], 2)) == (low, high)


@pytest.mark.parametrize(("metric", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)])
def test_krippendorffs_four_observers(metric, value):
    assert round(alpha(KRIPPENDORFF, metric), 3) == value


def test_gwets_handbook_example():
    assert round(gwet(KRIPPENDORFF), 5) == 0.77544
    assert round(gwet(KRIPPENDORFF, "quadratic"), 3) == 0.914


def test_gwets_two_raters_where_kappa_fails():
    """Gwet 2002, "Kappa statistic is not satisfactory": 118 and 2 agreements of 125, kappa -0.0234, AC1 0.9408."""
    rows = [(1, 1)] * 118 + [(1, 0)] * 5 + [(0, 1)] * 2
    assert round(gwet(rows, values=[0, 1]), 4) == 0.9408
    assert round(Confusion(118, 5, 2, 0).kappa, 4) == round(float(Overlap(118, 5, 2, 0).kappa), 4) == -0.0234


def test_x4_three_raters_and_one():
    assert round(spearman_brown(0.61, 1 / 3), 4) == 0.3427
    assert spearman_brown(spearman_brown(0.61, 1 / 3), 3) == pytest.approx(0.61)


def test_variance_components_of_montgomerys_gauge_study():
    x = np.array([row.split() for row in GAUGE.split("|")], float).reshape(20, 3, 2)
    found = split(x.tolist())
    assert (round(found.subjects, 2), round(found.judges, 4), round(found.within, 2)) == (10.28, 0.0149, 0.99)
    assert found.interaction == 0  # printed as -0.14, and read there as 0


@pytest.mark.parametrize(("count", "n", "low", "high"), [
    (81, 263, 0.2527, 0.3676), (0, 20, 0.0, 0.1684), (1, 29, 0.0009, 0.1776)])
def test_exact_limits_of_newcombe(count, n, low, high):
    """Newcombe 1998, Statistics in Medicine 17, table I, method 5."""
    found = clopper_pearson(count, n)
    assert (round(found[0], 4), round(found[1], 4)) == (low, high)


class Variance:
    """The plug-in variance, as a function of sums."""

    moments = np.column_stack([np.ones(26), SPATIAL, np.square(SPATIAL)]).astype(float)

    def formula(self, sums: Array) -> Array:
        return sums[..., 2] / sums[..., 0] - (sums[..., 1] / sums[..., 0]) ** 2

    def lack(self) -> str:
        return ""


def test_bootstrap_limits_of_efron_and_tibshirani():
    """Table 14.2: percentile (100.8, 233.9), BCa (115.8, 259.6), from 2,000 draws of their own; a = 0.061."""
    how = Resampling(seed=1, resamples=20_000, level=0.90)
    assert round(acceleration(Variance(), Variance.moments), 3) == 0.061
    plain, bent = (bootstrap(Variance(), range(26), how, method) for method in ("percentile", "BCa"))
    assert (plain.low, plain.high) == pytest.approx((100.8, 233.9), rel=0.035)
    assert (bent.low, bent.high) == pytest.approx((115.8, 259.6), rel=0.02)


def test_rogan_and_gladen_as_epir_prints_it():
    """The brucellosis example of the R package epiR: 23 of 150 positive, sensitivity 0.96, specificity 0.89: 5.1 in 100."""
    assert round(rogan_gladen(23 / 150, 0.96, 0.89), 3) == 0.051


def test_limits_of_the_corrected_share_step_by_step():
    """Lang & Reiczigel 2014: 20 of 100 positive, 45 of 50 and 76 of 80 controls right; each line is one of their equations."""
    z = 1.959964
    n, n_se, n_sp = 100 + z**2, 52, 82
    p, se, sp = (20 + z**2 / 2) / n, 46 / 52, 77 / 82
    truly = (p + sp - 1) / (se + sp - 1)
    moved = 2 * z**2 * (truly * se * (1 - se) / n_se - (1 - truly) * sp * (1 - sp) / n_sp)
    spread = (p * (1 - p) / n + truly**2 * se * (1 - se) / n_se + (1 - truly) ** 2 * sp * (1 - sp) / n_sp) ** 0.5 / (se + sp - 1)
    found = rogan_gladen_interval(Share(20, 100), Share(45, 50), Share(76, 80))
    assert found == pytest.approx((truly + moved - z * spread, truly + moved + z * spread), abs=1e-6)


def test_limits_of_the_corrected_share_close_in_on_the_ones_for_a_known_test():
    """With endless controls Lang and Reiczigel's limits become Wilson-like limits of the share, corrected like the share itself."""
    endless = 10**9
    low, high = rogan_gladen_interval(Share(60, 150), Share(96 * endless, 100 * endless), Share(89 * endless, 100 * endless))
    z, n = 1.959964, 150 + 1.959964**2
    middle = (60 + z * z / 2) / n
    reach = z * (middle * (1 - middle) / n) ** 0.5
    assert (low, high) == pytest.approx([(middle + side * reach - 0.11) / 0.85 for side in (-1, 1)], abs=1e-6)


def test_spearmans_own_kind_of_example():
    """Without ties: 1 - 6 sum d^2 / (n (n^2 - 1)). IQ and hours of television, a common textbook table: -29 / 165."""
    iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    assert spearman(iq, hours) == pytest.approx(-29 / 165)
