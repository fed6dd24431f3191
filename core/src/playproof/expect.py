"""Expectations: each gives the value seen, the value wanted and the evidence, and ends the check when they differ."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

from playproof.canonical import short
from playproof.errors import ExpectationFailed, SubmissionFault
from playproof.seen import Seen, cites_of, plain

Held = Callable[[Sequence[str]], None]


class Expect:
    """What a check demands of one value. `cites` is the evidence beside that which the value itself carries; `held` is told
    what each expectation that holds rests on (a session gives its `Record.rest_on`).

    Every method returns the expectation, so that they can be chained, and raises ExpectationFailed when it does not
    hold; a value of another kind than the one wanted is the submission's fault (SubmissionFault)."""

    def __init__(self, value: Any, name: str, cites: Sequence[str] = (), held: Held = lambda cites: None) -> None:
        self.value, self.name, self.cites, self._held = value, name, tuple(cites), held

    def _hold(self, holds: bool, wanted: str, *others: Any) -> "Expect":
        cites = tuple(dict.fromkeys((*self.cites, *cites_of(self.value, *others))))
        if not holds:
            seen = plain(self.value)
            raise ExpectationFailed(f"{self.name} is {short(seen)}, wanted {wanted}", seen, wanted, cites)
        self._held(cites)
        return self

    def _number(self) -> float:
        if isinstance(self.value, Seen):
            return float(self.value)
        return float(self.value)

    def equals(self, wanted: Any) -> "Expect":
        return self._hold(self.value == wanted, short(plain(wanted)), wanted)

    def not_equals(self, unwanted: Any) -> "Expect":
        if isinstance(self.value, Seen) and self.value.value is None and plain(unwanted) is not None:
            raise self.value.fault(f"wanted anything but {short(plain(unwanted))}, got null")
        return self._hold(self.value != unwanted, f"anything but {short(plain(unwanted))}", unwanted)

    def greater_than(self, bound: Any) -> "Expect":
        return self._hold(self._number() > float(bound), f"more than {short(plain(bound))}", bound)

    def less_than(self, bound: Any) -> "Expect":
        return self._hold(self._number() < float(bound), f"less than {short(plain(bound))}", bound)

    def at_least(self, bound: Any) -> "Expect":
        return self._hold(self._number() >= float(bound), f"at least {short(plain(bound))}", bound)

    def at_most(self, bound: Any) -> "Expect":
        return self._hold(self._number() <= float(bound), f"at most {short(plain(bound))}", bound)

    def close_to(self, wanted: Any, within: float) -> "Expect":
        """Numbers, or two sequences of numbers of one length, no further apart than `within` in any place."""
        mine, theirs = _numbers(self.value), _numbers(wanted)
        near = len(mine) == len(theirs) and all(math.isclose(a, b, rel_tol=0, abs_tol=within) for a, b in zip(mine, theirs, strict=False))
        return self._hold(near, f"{short(plain(wanted))} ± {within:g}", wanted)

    def contains(self, item: Any) -> "Expect":
        return self._hold(item in self.value, f"something with {short(plain(item))} in it", item)

    def one_of(self, allowed: Collection[Any]) -> "Expect":
        """Values of several kinds may be allowed; one of none of these kinds is the submission's fault."""
        faults = []
        for item in allowed:
            try:
                if self.value == item:
                    return self._hold(True, "")
            except SubmissionFault as fault:
                faults.append(fault)
        if allowed and len(faults) == len(allowed):
            raise faults[0]
        return self._hold(False, f"one of {short(list(allowed))}")

    def is_true(self) -> "Expect":
        return self._hold(bool(self.value), "true")

    def is_false(self) -> "Expect":
        return self._hold(not bool(self.value), "false")


def _numbers(value: Any) -> list[float]:
    if isinstance(value, Seen) and not isinstance(value.value, list):
        return [float(value)]
    if isinstance(value, Seen | list | tuple):
        return [float(item) for item in value]
    return [float(value)]
