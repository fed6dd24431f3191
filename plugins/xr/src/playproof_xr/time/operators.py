"""What must be true of a stretch of time: always, eventually, never, until, while, stable for.

Each is asked of the samples in a window; a failure says when it first failed, what was seen then, and what was wanted. Only samples
are asked: what was between two of them is not known, and a message says the step where the limit is near."""

from collections.abc import Callable, Sequence

from attrs import evolve, field, frozen

from playproof_xr.predicates import Predicate, Truth
from playproof_xr.quantities import Quantity
from playproof_xr.targets import Target
from playproof_xr.time.track import Nothing, Track, spelled_time


@frozen
class Finding:
    """Whether it holds, and in words what decided: `at` is the tick of the sample that did."""

    holds: bool
    seen: str
    at: int | None = None


@frozen
class Samples:
    """The rows of a track that lie in a window, by index."""

    track: Track
    indices: Sequence[int]
    start: int
    end: int

    def time(self, index: int) -> str:
        return spelled_time(self.track.rows[index].tick)

    def tick(self, index: int) -> int:
        return self.track.rows[index].tick


@frozen(eq=False)
class Temporal:
    """`wanted` is how messages spell it; `judge` gives the finding on samples, of which there is at least one."""

    wanted: str
    targets: frozenset[Target]
    judge: Callable[[Samples], Finding]
    about: Predicate | None = field(default=None)


def always(predicate: Predicate) -> Temporal:
    """True at every sample."""

    def judge(samples: Samples) -> Finding:
        truths = predicate.over(samples.track)
        failed = [index for index in samples.indices if truths[index] is not True]
        if failed:
            return _failed(samples, failed, predicate)
        if len(samples.indices) == 1:
            return Finding(True, predicate.tell(samples.track, samples.indices[0]), samples.tick(samples.indices[0]))
        return Finding(True, f"at all {len(samples.indices)} samples{_nearest(samples, predicate)}")

    return Temporal(f"always {predicate.label}", predicate.targets, judge, predicate)


def at_once(predicate: Predicate) -> Temporal:
    """True at the one sample of a moment."""
    return evolve(always(predicate), wanted=predicate.label)


def never(predicate: Predicate) -> Temporal:
    """False at every sample. What is not there has not been shown never to be so: it fails."""

    def judge(samples: Samples) -> Finding:
        truths = predicate.over(samples.track)
        failed = [index for index in samples.indices if truths[index] is not False]
        if failed:
            return _failed(samples, failed, predicate)
        return Finding(True, f"at none of {len(samples.indices)} samples{_nearest(samples, ~predicate)}")

    return Temporal(f"never {predicate.label}", predicate.targets, judge, predicate)


def eventually(predicate: Predicate, within: int | None = None) -> Temporal:
    """True at some sample, no later than `within` ticks after the window's beginning."""

    def judge(samples: Samples) -> Finding:
        truths = predicate.over(samples.track)
        limit = samples.end if within is None else samples.start + within
        asked = [index for index in samples.indices if samples.tick(index) <= limit]
        met = next((index for index in samples.indices if truths[index] is True), None)
        if met is not None and samples.tick(met) <= limit:
            return Finding(True, f"at {samples.time(met)}, {predicate.tell(samples.track, met)}", samples.tick(met))
        late = f"; it came at {samples.time(met)}" if met is not None else ""
        short = f"; the record ends {spelled_time(limit - samples.end)} before that" if samples.end < limit else ""
        return Finding(False, f"not at any of {len(asked)} samples{_best(samples, asked, predicate)}{late}{short}", limit)

    time = "" if within is None else f" within {spelled_time(within)}"
    return Temporal(f"eventually{time} {predicate.label}", predicate.targets, judge, predicate)


def until(first: Predicate, then: Predicate, within: int | None = None) -> Temporal:
    """`then` comes, within so many ticks of the window's beginning, and `first` is true at every sample before that."""

    def judge(samples: Samples) -> Finding:
        firsts, thens = first.over(samples.track), then.over(samples.track)
        limit = samples.end if within is None else samples.start + within
        for index in samples.indices:
            if samples.tick(index) > limit:
                break
            if thens[index] is True:
                return Finding(True, f"until {samples.time(index)}, {then.tell(samples.track, index)}", samples.tick(index))
            if firsts[index] is not True:
                seen = f"at {samples.time(index)} {first.tell(samples.track, index)}, and {then.label} had not come"
                return Finding(False, seen, samples.tick(index))
        asked = [index for index in samples.indices if samples.tick(index) <= limit]
        return Finding(False, f"{then.label} did not come{_best(samples, asked, then)}", limit)

    time = "" if within is None else f" within {spelled_time(within)}"
    return Temporal(f"{first.label} until{time} {then.label}", first.targets | then.targets, judge)


def while_(condition: Predicate, predicate: Predicate) -> Temporal:
    """True at every sample at which the condition is true. A condition that never was shows nothing: that fails, too."""

    def judge(samples: Samples) -> Finding:
        conditions, truths = condition.over(samples.track), predicate.over(samples.track)
        asked = [index for index in samples.indices if conditions[index] is True]
        if not asked:
            end = samples.indices[-1]
            return Finding(False, f"{condition.label} never was; at {samples.time(end)} {condition.tell(samples.track, end)}", samples.end)
        meant = evolve(samples, indices=asked)
        failed = [index for index in asked if truths[index] is not True]
        if failed:
            return _failed(meant, failed, predicate)
        return Finding(True, f"at all {len(asked)} samples of it{_nearest(meant, predicate)}")

    return Temporal(f"while {condition.label}, {predicate.label}", condition.targets | predicate.targets, judge, predicate)


def stable_for(ticks: int, what: Predicate | Quantity, within: float | None = None) -> Temporal:
    """For so many ticks in a row, somewhere in the window: a predicate is true; or a quantity's values lie within so much of each
    other, in its unit. From the first sample of such a stretch to its last."""
    if isinstance(what, Quantity):
        if within is None or not within >= 0:
            raise ValueError(f"how near each other must the values of {what.label} be? Say `within`, in {what.unit or 'its own numbers'}")
        return _steady(ticks, what, within)
    if within is not None:
        raise ValueError("`within` belongs to a quantity; a predicate has its own limit")

    def judge(samples: Samples) -> Finding:
        start, end = _longest(samples, what.over(samples.track))
        return _stretch(samples, start, end, ticks, what.label, _best(samples, samples.indices, what))

    return Temporal(f"{what.label} for {spelled_time(ticks)} in a row", what.targets, judge, what)


# --- words ---


def _failed(samples: Samples, failed: Sequence[int], predicate: Predicate) -> Finding:
    first = failed[0]
    seen = f"at {samples.time(first)} {predicate.tell(samples.track, first)}"
    if len(samples.indices) > 1:
        seen += f"; {f'so at {len(failed)}' if len(failed) > 1 else 'only then'} of {len(samples.indices)} samples"
    return Finding(False, seen + _step(samples, failed, predicate), samples.tick(first))


def _nearest(samples: Samples, predicate: Predicate) -> str:
    """Where it came nearest to its limit, when one step more could have been beyond it."""
    margins = predicate.margins(samples.track)
    known = [(margin, index) for index in samples.indices if (margin := margins[index]) is not None]
    if not known:
        return ""
    _, nearest = min(known)
    told = f"; nearest to the limit at {samples.time(nearest)}, {predicate.tell(samples.track, nearest)}"
    return told + _step(samples, [nearest], predicate)


def _step(samples: Samples, indices: Sequence[int], predicate: Predicate) -> str:
    """The sampling step, where the limit is no further than the greatest change from one sample to the next."""
    margins = predicate.margins(samples.track)
    known = [abs(margin) for index in indices if (margin := margins[index]) is not None]
    pairs = zip(samples.indices, samples.indices[1:], strict=False)
    changes = [abs(a - b) for i, j in pairs if (a := margins[i]) is not None and (b := margins[j]) is not None]
    if not known or not changes or min(known) > max(changes):
        return ""
    return f" (sampled every {samples.track.step / 90:.3g} ms, over which it changed by up to {max(changes):.2g})"


def _best(samples: Samples, asked: Sequence[int], predicate: Predicate) -> str:
    """The sample at which it came nearest to being true; the last one, where that cannot be said."""
    if not asked:
        return ""
    margins = predicate.margins(samples.track)
    known = [(margin, index) for index in asked if (margin := margins[index]) is not None]
    index = max(known)[1] if known else asked[-1]
    told = f"; {'nearest' if known else 'last'} at {samples.time(index)}, {predicate.tell(samples.track, index)}"
    return told + _step(samples, [index], predicate)


def _longest(samples: Samples, truths: Sequence[Truth]) -> tuple[int | None, int | None]:
    """The longest unbroken stretch: its first and last index."""
    best: tuple[int | None, int | None] = (None, None)
    length, start = -1, None
    for index in samples.indices:
        if truths[index] is not True:
            start = None
            continue
        start = index if start is None else start
        if samples.tick(index) - samples.tick(start) > length:
            length, best = samples.tick(index) - samples.tick(start), (start, index)
    return best


def _stretch(samples: Samples, start: int | None, end: int | None, ticks: int, label: str, best: str) -> Finding:
    if start is None or end is None:
        return Finding(False, f"{label} at no sample{best}", samples.end)
    length = samples.tick(end) - samples.tick(start)
    seen = f"from {samples.time(start)} to {samples.time(end)}, {spelled_time(length)}"
    return Finding(length >= ticks, seen if length >= ticks else f"{seen} at the longest", samples.tick(start))


def _steady(ticks: int, what: Quantity, within: float) -> Temporal:
    def judge(samples: Samples) -> Finding:
        values = what.over(samples.track)
        best: tuple[int, int, int] | None = None
        for end, start in _runs(samples, values, within):
            length = samples.tick(end) - samples.tick(start)
            if best is None or length > best[0]:
                best = (length, start, end)
        if best is None:
            index = samples.indices[-1]
            return Finding(False, f"at {samples.time(index)} {what.label}: {what.spelled(values[index])}", samples.end)
        length, start, end = best
        low, high = (what.spelled(take(one for one in values[start : end + 1] if isinstance(one, float))) for take in (min, max))
        seen = f"from {samples.time(start)} to {samples.time(end)} it lay between {low} and {high}"
        return Finding(length >= ticks, seen if length >= ticks else f"{seen}, {spelled_time(length)} at the longest", samples.tick(start))

    wanted = f"{what.label} within {within:g} {what.unit}".rstrip()
    return Temporal(f"{wanted} for {spelled_time(ticks)} in a row", what.targets, judge)


def _runs(samples: Samples, values: Sequence[float | Nothing], within: float) -> Sequence[tuple[int, int]]:
    """For each sample that has a value, the earliest from which on all values to it lie within so much of each other."""
    found: list[tuple[int, int]] = []
    run: list[tuple[int, float]] = []
    for index in samples.indices:
        value = values[index]
        if isinstance(value, Nothing):
            run = []
            continue
        run.append((index, value))
        while max(one for _, one in run) - min(one for _, one in run) > within:
            run.pop(0)
        found.append((index, run[0][0]))
    return found
