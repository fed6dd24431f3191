"""Quantiles of the distributions behind intervals. From scipy.special alone: scipy.stats takes three times as long to import."""

from typing import cast

from scipy import special  # type: ignore[import-untyped] # scipy ships no types


def normal(p: float) -> float:
    """z with P(Z <= z) = p."""
    return cast(float, special.ndtri(p).item())


def normal_below(z: float) -> float:
    return cast(float, special.ndtr(z).item())


def student(p: float, df: float) -> float:
    return cast(float, special.stdtrit(df, p).item())


def fisher(p: float, df1: float, df2: float) -> float:
    """The quantile of F with df1 and df2 degrees of freedom, which need not be whole."""
    return cast(float, special.fdtri(df1, df2, p).item())


def beta(p: float, a: float, b: float) -> float:
    return cast(float, special.betaincinv(a, b, p).item())
