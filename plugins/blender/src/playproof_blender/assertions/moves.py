"""`blender.motion` and `blender.settle`: paths over the timeline, and bodies that fall. They read `blender.motion/1` and
`blender.physics/1`, whose frames are set by [observe."blender.motion/1"] and [observe."blender.physics/1"].

    asks = { driver = "blender.motion", object = "Train", travels_at_least = "12 m", loops = true, above = 0 }
    asks = { driver = "blender.settle", objects = "Block*", above = 0, within_s = 3 }
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import field, frozen, validators

from playproof.interfaces import Services
from playproof.model import Options
from playproof_blender.assertions.lengths import SLACK, bounds, spelled
from playproof_blender.assertions.stating import Answer, Finding, Project, ProjectAssertion, every, length, point, stated
from playproof_blender.assertions.tracks import Track, tracks_of, turned

MOTION, PHYSICS = "blender.motion/1", "blender.physics/1"


@frozen(kw_only=True)
class Motion:
    """The path of each `object` (pattern), or of its `bone`, by its origin or the bone's head, over the frames that were taken (from
    `first` to `last`). `start`, `end`: places, give or take `tolerance`. `travels_*`: the length of the path; `away_*`: from its start to
    the furthest place; `speed_*`: in metres a second, the greatest between two frames, `slowest_at_least` the least; `turns_*`: degrees in
    all; `loops`: it ends where it began, as it was turned; `above`, `below`: bounds in height for its box; `moves` = false: it does not."""

    object: str
    bone: str | None = None
    first: int | None = None
    last: int | None = None
    start: Any = point()
    end: Any = point()
    tolerance: float | None = length(0.001)
    travels_at_least: float | None = length()
    travels_at_most: float | None = length()
    away_at_least: float | None = length()
    away_at_most: float | None = length()
    speed_at_least: float | None = None
    speed_at_most: float | None = None
    slowest_at_least: float | None = None
    turns_at_least: float | None = None
    turns_at_most: float | None = None
    loops: bool | None = None
    above: float | None = length()
    below: float | None = length()
    moves: bool | None = None

    def __attrs_post_init__(self) -> None:
        asked = {key for key in ("start", "end", "loops", "above", "below", "moves", *self._bounded) if getattr(self, key) is not None}
        if not asked:
            raise ValueError("says nothing of the path: wanted start, end, travels_at_least, loops, above or the like")
        _ = self._limits

    _bounded = ("travels_at_least", "travels_at_most", "away_at_least", "away_at_most", "speed_at_least", "speed_at_most",
                "slowest_at_least", "turns_at_least", "turns_at_most")  # fmt: skip

    reads = frozenset({MOTION})

    @property
    def _limits(self) -> Mapping[str, Any]:
        made = {}
        for name, low, high, spell in (
            ("length of the path", self.travels_at_least, self.travels_at_most, spelled),
            ("furthest from the start", self.away_at_least, self.away_at_most, spelled),
            ("greatest speed", self.speed_at_least, self.speed_at_most, _speed), ("least speed", self.slowest_at_least, None, _speed),
            ("turning", self.turns_at_least, self.turns_at_most, lambda angle: f"{angle:.4g}°"),
        ):  # fmt: skip
            if low is not None or high is not None:
                made[name] = bounds(None, None, low, high, spell)
        return made

    def answer(self, project: Project) -> Answer:
        found, wanted = list[Finding](), [f"{name} {limit.text}" for name, limit in self._limits.items()]
        for key in ("start", "end", "loops", "above", "below", "moves"):
            wanted += [f"{key} {getattr(self, key)}"] if getattr(self, key) is not None else []
        for track in tracks_of(MOTION, project, self.object, self.bone):
            part = track.between(self.first, self.last)
            if not len(part.frames):
                return Answer(False, f"no frame from {self.first} to {self.last} was taken", "no frames", ", ".join(wanted))
            faults = self._faults(part)
            way = f"{spelled(float(part.steps.sum()))} in {len(part.frames)} frames"
            found.append(Finding(track.name, not faults, "; ".join(faults) or way))
        return every(found, f"path of {self.object!r}", ", ".join(wanted))

    def _faults(self, track: Track) -> list[str]:
        fast = track.steps / track.seconds if len(track.frames) > 1 else np.zeros(1)
        values = {
            "length of the path": float(track.steps.sum()),
            "furthest from the start": float(np.linalg.norm(track.places - track.places[0], axis=1).max()),
            "greatest speed": float(fast.max()), "least speed": float(fast.min()), "turning": float(track.angles.sum()),
        }  # fmt: skip
        faults = [f"{name} is {limit.judged(values[name])}" for name, limit in self._limits.items() if not limit.hold(values[name])]
        near = (self.tolerance or 0.0) + SLACK
        for name, wanted, place in (("starts", self.start, track.places[0]), ("ends", self.end, track.places[-1])):
            if wanted is not None and (away := float(np.linalg.norm(np.nan_to_num(place - np.array(wanted))))) > near:
                faults.append(f"{name} at {_spelled_place(place)}, {spelled(away)} away")
        if self.loops is not None:
            open_ = float(np.linalg.norm(track.places[-1] - track.places[0]))
            angle = float(turned(track.turns[0], track.turns[-1]))
            if (open_ <= near and angle <= 1.0) is not self.loops:
                faults.append(f"its end is {spelled(open_)} and {angle:.3g}° from its start")
        return faults + self._heights(track, near)

    def _heights(self, track: Track, near: float) -> list[str]:
        faults = []
        lows, highs = (track.places[:, 2],) * 2 if track.boxes is None else (track.boxes[:, 2], track.boxes[:, 5])
        if self.above is not None and lows.min() < self.above - near:
            faults.append(f"comes down to {spelled(float(lows.min()))} at frame {track.frames[lows.argmin()]:g}")
        if self.below is not None and highs.max() > self.below + near:
            faults.append(f"rises to {spelled(float(highs.max()))} at frame {track.frames[highs.argmax()]:g}")
        moves = bool(track.steps.sum() > near or track.angles.sum() > 0.1)
        if self.moves is not None and moves is not self.moves:
            faults.append("moves" if moves else "does not move")
        return faults


def _speed(value: float) -> str:
    return f"{value:.4g} m/s"


def _spelled_place(place: Any) -> str:
    return f"({', '.join(f'{one:.4g}' for one in place)})"


def motion(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.motion", options, Motion)


@frozen(kw_only=True)
class Settle:
    """Each of the rigid bodies `objects` (pattern), stepped by us, comes to rest: within `within_s` seconds (else by the last frame) it has
    stopped, so that in the `for_s` seconds after it moves by no more than `drift` and turns by no more than `turn` degrees; stays `above`
    that height but for `tolerance`; ends from `moved_at_least` to `moved_at_most` away from where it began, tilted by `tilt_at_least` to
    `tilt_at_most` degrees. `free`: it is an active body, at no frame moved by keys or parents (kinematic) or kept from moving."""

    objects: str
    for_s: float = field(default=0.5, validator=validators.gt(0))
    within_s: float | None = None
    drift: float | None = length(0.001)
    turn: float = 1.0
    above: float | None = length()
    tolerance: float | None = length(0.01)
    moved_at_least: float | None = length()
    moved_at_most: float | None = length()
    tilt_at_least: float | None = None
    tilt_at_most: float | None = None
    free: bool = False

    reads = frozenset({PHYSICS})

    def answer(self, project: Project) -> Answer:
        found = []
        for track in tracks_of(PHYSICS, project, self.objects):
            faults = self._faults(track)
            end = _spelled_place(track.places[-1]) if len(track.places) else "nowhere"
            found.append(Finding(track.name, not faults, "; ".join(faults) or f"rests at {end}"))
        wanted = ["at rest"]
        for key in ("within_s", "above", "moved_at_least", "moved_at_most", "tilt_at_least", "tilt_at_most"):
            wanted += [f"{key.replace('_', ' ')} {getattr(self, key):g}"] if getattr(self, key) is not None else []
        wanted += ["free"] if self.free else []
        return every(found, f"rigid bodies {self.objects!r}", ", ".join(wanted))

    def _faults(self, track: Track) -> list[str]:
        if len(track.frames) < 2:
            return ["was not stepped"]
        faults, seconds = [], (track.frames - track.frames[0]) / track.fps
        end = seconds[-1] if self.within_s is None else min(self.within_s + self.for_s, seconds[-1])
        late = (seconds >= end - self.for_s) & (seconds <= end)
        way = float(np.linalg.norm(track.places[late] - track.places[late][-1], axis=1).max())
        angle = float(turned(track.turns[late], track.turns[late][-1]).max())
        if way > (self.drift or 0.0) + SLACK or angle > self.turn:
            faults.append(f"still moves: {spelled(way)} and {angle:.3g}° in the last {self.for_s:g} s before {end:g} s")
        if self.above is not None and track.lowest < self.above - (self.tolerance or 0.0) - SLACK:
            faults.append(f"falls to {spelled(track.lowest)}")
        moved = float(np.linalg.norm(track.places[-1] - track.places[0]))
        if self.moved_at_least is not None or self.moved_at_most is not None:
            limit = bounds(None, None, self.moved_at_least, self.moved_at_most)
            faults += [] if limit.hold(moved) else [f"ends {limit.judged(moved)} from where it began"]
        tilt = float(turned(track.turns[0], track.turns[-1]))
        if self.tilt_at_most is not None and tilt > self.tilt_at_most:
            faults.append(f"ends tilted by {tilt:.3g}°")
        if self.tilt_at_least is not None and tilt < self.tilt_at_least:
            faults.append(f"ends tilted by only {tilt:.3g}°")
        return [*faults, *self._held(track)]

    def _held(self, track: Track) -> list[str]:
        if not self.free:
            return []
        if track.body.get("type") != "ACTIVE":
            return [f"is no active body, but {str(track.body.get('type', 'none')).lower()}"]
        if "held" not in track.body:
            return ["was stepped before it was written down what moves it: grade it again"]
        held = track.body["held"]
        return [f"is moved by other things than physics at {held} of {len(track.frames)} frames"] if held else []


def settle(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.settle", options, Settle)
