"""The drivers `xr.distance`, `xr.facing`, `xr.attached`, `xr.on_surface`, `xr.reachable`, `xr.readable`, `xr.inside`, `xr.contact`: one
statement each about stored evidence, at its end or over its time.

    asks = { driver = "xr.distance", a = { name = "cube" }, b = "right.pinch_point", at_most = 0.03, when = "always", last_s = 0.5 }
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from attrs import evolve, field, frozen, validators

from playproof.drivers import settings
from playproof.errors import ExpectationFailed, TaskError
from playproof.evidence import Evidences
from playproof.interfaces import Services
from playproof.model import Options, Outcome, Reason, Verdict, seconds
from playproof_xr.assertions import attachment, places
from playproof_xr.geometry import Box
from playproof_xr.predicates import Predicate
from playproof_xr.quantities import Quantity, centre, distance
from playproof_xr.time.asking import ask, demand
from playproof_xr.time.moments import EVENTS, SCENE, TRACK, USER, held, last_moment, recorded
from playproof_xr.time.operators import Temporal, always, at_once, eventually, never, stable_for
from playproof_xr.time.track import Track
from playproof_xr.time.windows import Window, between, last, since, whole

VERSION = 1
"""Raised when a verdict of one of these can change."""


@frozen(kw_only=True)
class Timing:
    """`when`: at the "end" of what was seen (the last scene and user), or, on a track, "always", "eventually", "never" or "stable"
    (for `stable_s` in a row). The window: the last `last_s` seconds, `from_s` to `to_s`, or since the last event of a kind (`since`,
    `hand`); all that was recorded without these. `within_s` bounds "eventually"."""

    when: Literal["end", "always", "eventually", "never", "stable"] = "end"
    last_s: float | None = field(default=None, validator=validators.optional(validators.gt(0)))
    from_s: float = field(default=0.0, validator=validators.ge(0))
    to_s: float | None = None
    since: str | None = None
    hand: Literal["left", "right"] | None = None
    within_s: float | None = None
    stable_s: float = field(default=0.5, validator=validators.gt(0))

    def window(self, end: int) -> Window:
        if self.since is not None:
            return since(self.since, self.hand)
        if self.last_s is not None:
            return last(seconds(self.last_s))
        if self.from_s or self.to_s is not None:
            return between(seconds(self.from_s), end if self.to_s is None else seconds(self.to_s))
        return whole()

    def over_time(self, predicate: Predicate) -> Temporal:
        if self.when == "eventually":
            return eventually(predicate, None if self.within_s is None else seconds(self.within_s))
        if self.when == "stable":
            return stable_for(seconds(self.stable_s), predicate)
        return never(predicate) if self.when == "never" else always(predicate)


class TrackAssertion:
    """Implements `Assertion`. `about` is what is stated: a predicate, or what is about time itself."""

    grading_version = VERSION

    def __init__(self, about: Predicate | Temporal, timing: Timing) -> None:
        self._about, self._timing = about, timing
        self._temporal = about if isinstance(about, Temporal) else at_once(about) if timing.when == "end" else timing.over_time(about)

    @property
    def at_end(self) -> bool:
        return self._timing.when == "end" and isinstance(self._about, Predicate)

    @property
    def reads(self) -> frozenset[str]:
        if self.at_end:
            return frozenset({SCENE, USER})
        return frozenset({TRACK, EVENTS} if self._timing.since else {TRACK})

    def check(self, evidence: Evidences) -> Verdict:
        """A failure, or a name that nobody watched, is raised; see the rubric examiner."""
        track = last_moment(self._about.targets, evidence) if self.at_end else recorded(evidence)
        answer = demand(ask(self._temporal, track, track.rows[-1].tick, *self._over(track, evidence))) if track.rows else _empty()
        return Verdict("", "", Outcome.PASS, Reason.OK, answer.message, answer.finding.seen, answer.wanted, tuple(answer.cites))

    def _over(self, track: Track, evidence: Evidences) -> tuple[Window | None, Sequence[Any]]:
        if self.at_end:
            return evolve(whole(), label="at the end"), ()
        events = evidence.last(EVENTS) if self._timing.since else None
        return self._timing.window(track.rows[-1].tick), held(events, evidence) if events else ()


def _empty() -> Any:
    raise ExpectationFailed("nothing was sampled", "no samples", "samples")


def _made(name: str, options: Options, shape: type[Any], about: Callable[[Any], Predicate | Temporal]) -> TrackAssertion:
    """Raises TaskError for options that make no sense."""
    given = settings(shape, options, name)
    try:
        return TrackAssertion(about(given), given)
    except (TypeError, ValueError) as fault:
        raise TaskError(f"options of {name!r}: {fault}") from None


# --- one of each ---


@frozen(kw_only=True)
class DistanceOptions(Timing):
    """`a` and `b`: a thing ({name = "cube"}), a part of the body ("right.palm", "head") or a point. `frame` ("session", "viewer", a part
    of the body, a thing) with `along` ("x", "y", "z") asks how far b lies beyond a on one axis of that frame, with its sign."""

    a: Any
    b: Any
    at_most: float | None = None
    at_least: float | None = None
    frame: Any = "session"
    along: Literal["x", "y", "z"] | None = None


def distance_driver(options: Options, services: Services) -> TrackAssertion:
    return _made("xr.distance", options, DistanceOptions, _distance)


def _distance(given: DistanceOptions) -> Predicate:
    if given.at_most is None and given.at_least is None:
        raise ValueError("say at_most, at_least or both; metres")
    apart: Quantity = distance(given.a, given.b)
    if given.along is not None:
        one, other = centre(given.a, given.frame), centre(given.b, given.frame)
        apart = getattr(other, given.along) - getattr(one, given.along)
    bounds = [apart <= given.at_most] if given.at_most is not None else []
    if given.at_least is not None:
        bounds.append(apart >= given.at_least)
    return bounds[0] if len(bounds) == 1 else bounds[0] & bounds[1]


@frozen(kw_only=True)
class FacingOptions(Timing):
    """`axis` of `a` points to `viewer`, give or take `within` degrees."""

    a: Any
    viewer: Any = "head"
    within: float = 30.0
    axis: str = "+z"


def facing_driver(options: Options, services: Services) -> TrackAssertion:
    return _made("xr.facing", options, FacingOptions, lambda given: places.facing(given.a, given.viewer, given.within, given.axis))


@frozen(kw_only=True)
class AttachedOptions(Timing):
    """See `attached`: metres, and degrees for `turn`. It is always over time: `when` has no meaning."""

    a: Any
    to: Any
    within: float = 0.06
    drift: float = 0.015
    turn: float | None = None


def attached_driver(options: Options, services: Services) -> TrackAssertion:
    def about(given: AttachedOptions) -> Temporal:
        return attachment.attached(given.a, given.to, given.within, given.drift, given.turn)

    return _made("xr.attached", options, AttachedOptions, about)


@frozen(kw_only=True)
class OnSurfaceOptions(Timing):
    """`surface`: a plane's label or id, or a thing."""

    a: Any
    surface: Any
    tolerance: float = 0.01
    whole: bool = False


def on_surface_driver(options: Options, services: Services) -> TrackAssertion:
    def about(given: OnSurfaceOptions) -> Predicate:
        return places.on_surface(given.a, given.surface, given.tolerance, given.whole)

    return _made("xr.on_surface", options, OnSurfaceOptions, about)


@frozen(kw_only=True)
class ReachableOptions(Timing):
    a: Any
    arm: Literal["left", "right", "either"] = "either"
    reach: float = places.REACH


def reachable_driver(options: Options, services: Services) -> TrackAssertion:
    return _made("xr.reachable", options, ReachableOptions, lambda given: places.reachable(given.a, given.arm, given.reach))


@frozen(kw_only=True)
class ReadableOptions(Timing):
    """`minimum` in degrees; `letter`, a capital's height in metres, where it is not that of the thing by its `lines`."""

    a: Any
    minimum: float = places.LEGIBLE
    lines: int = field(default=1, validator=validators.ge(1))
    letter: float | None = None


def readable_driver(options: Options, services: Services) -> TrackAssertion:
    return _made("xr.readable", options, ReadableOptions, lambda given: places.readable(given.a, given.minimum, given.lines, given.letter))


@frozen(kw_only=True)
class InsideOptions(Timing):
    """`of`: a thing; or `box` = [min x, min y, min z, max x, max y, max z]; or `polygon` = [[x, z], ...] of the floor."""

    a: Any
    of: Any = None
    box: Sequence[float] | None = None
    polygon: Sequence[Sequence[float]] | None = None
    whole: bool = False


def inside_driver(options: Options, services: Services) -> TrackAssertion:
    return _made("xr.inside", options, InsideOptions, _inside)


def _inside(given: InsideOptions) -> Predicate:
    told = [one for one in (given.of, None if given.box is None else Box.of(given.box), given.polygon) if one is not None]
    if len(told) != 1:
        raise ValueError("say one of: of, box, polygon")
    return places.inside(given.a, told[0], given.whole)


@frozen(kw_only=True)
class ContactOptions(Timing):
    """See `touching`: metres."""

    a: Any
    b: Any
    begin: float = 0.005
    end: float = 0.015


def contact_driver(options: Options, services: Services) -> TrackAssertion:
    return _made("xr.contact", options, ContactOptions, lambda given: places.touching(given.a, given.b, given.begin, given.end))
