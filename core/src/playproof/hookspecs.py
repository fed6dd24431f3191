"""Moments worth knowing about. Listeners hear and return nothing; none of them can change a score.

A listener is a module or object with functions marked `hookimpl`, offered in the entry-point group `playproof.listener.v1`.
`run` and `trial` are the ids that the run folder uses."""

from collections.abc import Sequence

from pluggy import HookimplMarker, HookspecMarker

from playproof.model import Score, Verdict

hookspec = HookspecMarker("playproof")
hookimpl = HookimplMarker("playproof")


@hookspec
def run_begins(run: str, trials: Sequence[str]) -> None:
    """A run is about to carry out these trials; what is already done is not among them."""


@hookspec
def run_ends(run: str) -> None:
    """Every trial of the run is done, or the run was interrupted."""


@hookspec
def trial_begins(trial: str) -> None:
    """A trial is about to generate or to grade."""


@hookspec
def trial_ends(trial: str, ended: str, scores: Sequence[Score]) -> None:
    """A trial is over: how its generation ended, and its scores."""


@hookspec
def verdict_begins(trial: str, check: str, case: str) -> None:
    """A check is about to be decided in one case. It may begin again after an error."""


@hookspec
def verdict_ends(trial: str, verdict: Verdict) -> None:
    """A check has its verdict in one case."""
