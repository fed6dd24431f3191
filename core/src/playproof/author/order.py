"""In which order the checks are asked of a mutant: first those that are likely to kill it, for what they cost."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve

from playproof.hookspecs import hookimpl
from playproof.model import Check, Outcome, Verdict
from playproof.trial import Done, Trial

START_S = 3.0
"""What a mutant costs before its first check: processes, an engine, the preflight."""

TURN_MS = 100
"""What a check costs beside its own time."""

ASKED_SHARE = 0.35
"""How much of all checks a mutant costs on average: most are killed early, and those that survive cost everything."""


class Order:
    """Learns from every verdict it hears: from what the reference and the broken variants cost and failed, from what mutants
    failed when the task was certified before, and, as a listener, from this run. Greatest share of fails for its time first is
    the order that finds a fail soonest; required checks come before the others, which stop nothing."""

    def __init__(self, checks: Sequence[Check], whole: Iterable[Done], broken: Iterable[Done], before: Mapping[str, int]) -> None:
        self._checks = checks
        self._lock = threading.Lock()
        self._asked, self._failed = Counter[str](), Counter[str](before)
        times: dict[str, list[int]] = {}
        for verdict in (verdict for one in whole for verdict in one.graded):
            times.setdefault(verdict.check, []).append(verdict.wall_ms)
        self._ms = {check.id: sum(times.get(check.id, [0])) / len(times.get(check.id, [0])) + TURN_MS for check in checks}
        self._asked.update(dict.fromkeys(self._ms, sum(before.values())))
        for verdict in (verdict for one in broken for verdict in one.graded):
            self.verdict_ends("", verdict)

    @hookimpl
    def verdict_ends(self, trial: str, verdict: Verdict) -> None:
        with self._lock:
            self._asked[verdict.check] += 1
            self._failed[verdict.check] += verdict.outcome is Outcome.FAIL

    def ranked(self) -> Sequence[str]:
        with self._lock:
            worth = {id: (self._failed[id] + 1) / (self._asked[id] + 2) / ms for id, ms in self._ms.items()}
        return [check.id for check in sorted(self._checks, key=lambda check: (not check.required, -worth[check.id]))]

    def apply(self, trial: Trial) -> Trial:
        """The trial, with the order as it is known when it begins."""
        return evolve(trial, order=self.ranked())

    def estimate_s(self, mutants: int, side_by_side: int) -> float:
        """About how long so many mutants take."""
        return mutants * (START_S + ASKED_SHARE * sum(self._ms.values()) / 1000) / side_by_side
