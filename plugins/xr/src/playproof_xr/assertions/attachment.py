"""Attached to a part of the body: staying where it is in that part's frame while the part moves and turns."""

import math
from collections.abc import Sequence

from attrs import frozen

from playproof.errors import TaskError
from playproof_xr.geometry import Pose, Vector
from playproof_xr.targets import Followed, Target, target
from playproof_xr.time.operators import Finding, Samples, Temporal
from playproof_xr.time.track import Nothing, Placed

MOVED, TURNED = 0.05, 15.0
"""Metres and degrees by which the part has to move and turn at least, before anything is known of what is attached to it."""

NOISE = 0.002
"""Metres of slipping that need no explanation."""

SKIN = 0.01
"""Metres behind the palm's skin that still count as on it."""


@frozen
class _Held:
    """One sample: the part's frame, and the thing in it."""

    index: int
    frame: Pose
    offset: Vector
    away: Vector
    """The same offset, in the session's frame."""
    turn: Pose


def attached(a: Followed, to: Followed, within: float = 0.06, drift: float = 0.015, turn: float | None = None) -> Temporal:
    """Its middle stays no further than `within` from a part of the body (`hand.palm`: the middle of the palm's skin), always at the same
    place in that part's frame, give or take `drift`, and not rather in the session's; with `turn`, turned alike, give or take so
    many degrees. Metres.

    On a palm it lies on the side to which the palm looks, and nearer to it than to the wrist. A part that hardly moved or turned
    shows nothing: that is the script's error (TaskError). Bend the fingers, too: then what hangs on one of them gives itself away."""
    whose, part = target(a), target(to)
    palm = part.name.endswith(".palm")
    wrist = target(part.name.replace(".palm", ".wrist")) if palm else None

    def judge(samples: Samples) -> Finding:
        found = _frames(samples, whose, part)
        if isinstance(found, Finding):
            return found
        _moved_enough(found, part.name)
        return _displaced(samples, found, within, palm) or _wrist(samples, found, whose, wrist) or _steady(samples, found, drift, turn)

    targets = frozenset({whose, part} | ({wrist} if wrist else set()))
    held = f"{whose.name} attached to {part.name} (no further than {within:g} m, give or take {drift:g} m"
    return Temporal(held + (f" and {turn:g}°)" if turn is not None else ")"), targets, judge)


def _frames(samples: Samples, whose: Target, part: Target) -> "Sequence[_Held] | Finding":
    things, parts = whose.column(samples.track), part.column(samples.track)
    found = []
    for index in samples.indices:
        one, base = things[index], parts[index]
        for name, held in ((whose.name, one), (part.name, base)):
            if isinstance(held, Nothing):
                return Finding(False, f"at {samples.time(index)} {name} {held.why}", samples.tick(index))
        assert isinstance(one, Placed) and isinstance(base, Placed)
        try:
            frame, own = base.matrix.pose, one.matrix.pose
        except ValueError:
            return Finding(False, f"at {samples.time(index)} {whose.name} is flattened and has no frame", samples.tick(index))
        found.append(_Held(index, frame, frame.inverse.at(one.centre), one.centre - frame.position, frame.inverse * own))
    return found


def _moved_enough(found: Sequence[_Held], name: str) -> None:
    first = found[0].frame
    moved = max(first.position.distance(one.frame.position) for one in found)
    turned = math.degrees(max(first.orientation.angle(one.frame.orientation) for one in found))
    if moved < MOVED or turned < TURNED:
        raise TaskError(f"{name} moved {moved:.3g} m and turned {turned:.3g}° meanwhile: what is attached to it shows when it does both, "
                        f"by {MOVED:g} m and {TURNED:g}° at least")  # fmt: skip


def _displaced(samples: Samples, found: Sequence[_Held], within: float, palm: bool) -> Finding | None:
    for one in found:
        away = one.offset.length
        if away > within:
            return Finding(False, f"at {samples.time(one.index)} it was {away:.4g} m away", samples.tick(one.index))
        if palm and one.offset.y > SKIN:
            return Finding(False, f"at {samples.time(one.index)} it was {one.offset.y:.4g} m behind the palm", samples.tick(one.index))
    return None


def _wrist(samples: Samples, found: Sequence[_Held], whose: Target, wrist: Target | None) -> Finding | None:
    if wrist is None:
        return None
    roots, things = wrist.column(samples.track), whose.column(samples.track)
    for one in found:
        root, thing = roots[one.index], things[one.index]
        if isinstance(root, Placed) and isinstance(thing, Placed) and (away := thing.centre.distance(root.origin)) < one.offset.length:
            seen = f"at {samples.time(one.index)} it was {one.offset.length:.4g} m from the palm and only {away:.4g} m from the wrist"
            return Finding(False, seen, samples.tick(one.index))
    return None


def _steady(samples: Samples, found: Sequence[_Held], drift: float, turn: float | None) -> Finding:
    first = found[0]
    furthest = max(one.offset.distance(first.offset) for one in found)
    by_world = max(one.away.distance(first.away) for one in found)
    if furthest > NOISE and by_world < furthest / 2.0:
        return Finding(False, f"it stayed in place in the session's frame (give or take {by_world:.2g} m) and not in that of the part "
                              f"({furthest:.2g} m): its offset does not turn along", samples.tick(first.index))  # fmt: skip
    for one in found:
        away = one.offset.distance(first.offset)
        if away > drift:
            return Finding(False, f"at {samples.time(one.index)} it had slipped by {away:.4g} m in that frame", samples.tick(one.index))
        angle = math.degrees(one.turn.orientation.angle(first.turn.orientation))
        if turn is not None and angle > turn:
            return Finding(False, f"at {samples.time(one.index)} it had turned by {angle:.3g}° in that frame", samples.tick(one.index))
    return Finding(True, f"at all {len(found)} samples, {first.offset.length:.4g} m away, slipping by {furthest:.2g} m at most")
