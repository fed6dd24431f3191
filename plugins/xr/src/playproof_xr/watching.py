"""What is watched over time, for statements about it: things from the moment that a script finds them, the body from the start.

The page samples things at the end of each frame (page/track.js); of the body is taken what the headset told before the frame, which
is what the app could know. A track is put together when it is asked for (`xr.track/1`)."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from playproof.model import Options
from playproof_xr.body import SIDES, BodyState
from playproof_xr.observe.scene import Scene
from playproof_xr.performance import Performance
from playproof_xr.targets import Target, anchor_value, is_anchor, target
from playproof_xr.things import Thing
from playproof_xr.time.moments import found_in
from playproof_xr.time.track import LEAD, thinned

MOST_WATCHED = 100
"""Things; a script that finds a thousand does not speak of them all. One beyond that is told to be unwatched when it is asked about."""

BODY = ("head", *(f"{side}.{part}" for side in SIDES for part in ("pinch", "pinch_point", "palm", "wrist", "shoulder", "index-finger-tip")))
"""Parts of the body in a track that names none."""


class Seeing(Protocol):
    """What the watching needs of a session."""

    @property
    def performance(self) -> Performance: ...
    @property
    def frame(self) -> int: ...


class Watching:
    """Ticks are of the session's clock. `awaits` says whether something is looked for that was not there yet."""

    def __init__(self, seeing: Seeing, body: BodyState) -> None:
        self._seeing = seeing
        self._bodies: list[tuple[int, BodyState]] = [(-1, body)]
        self._since: dict[str, int] = {}
        self._identity: dict[str, str] = {}
        self._new: list[str] = []
        self._awaited: dict[str, Target] = {}
        self._rows: dict[int, Mapping[str, Any]] = {}
        self._now: Mapping[str, Any] = {}
        self._planes: Sequence[Any] = ()
        self._planes_at: list[Mapping[str, Any]] = []

    @property
    def awaits(self) -> bool:
        return bool(self._awaited)

    @property
    def body(self) -> BodyState:
        """As the headset last told of it."""
        return self._bodies[-1][1]

    # --- what is watched ---

    def add(self, thing: Thing) -> Thing:
        one = target(thing)
        if one.key not in self._since and len(self._since) < MOST_WATCHED:
            self._follow(one.key, thing.id)
        return thing

    def look_for(self, wanted: Mapping[str, Any]) -> Target:
        """What may not be there yet: looked for after each frame until it is found, and the same from then on."""
        one = target(dict(wanted))
        if one.key not in self._since:
            self._since[one.key] = self._seeing.performance.ticks
            self._awaited[one.key] = one
            self.look()
        return one

    def begin(self, options: Options) -> None:
        """As `[observe."xr.track/1"]` says: `watch`, descriptions of things, from the start."""
        for wanted in options.get("watch", ()):
            self.look_for(wanted)

    def look(self) -> None:
        if not self._awaited:
            return
        performance = self._seeing.performance
        scene = Scene(performance.tab.look("scene"), ())
        for key, one in list(self._awaited.items()):
            if (found := found_in(scene, one)) is not None:
                del self._awaited[key]
                self._follow(key, found["id"])
        if self._new:
            performance.play([(0, self.told(performance.ticks, self.body, None))])

    def _follow(self, key: str, identity: str) -> None:
        self._since.setdefault(key, self._seeing.performance.ticks)
        if identity not in self._identity.values():
            self._new.append(identity)
        self._identity[key] = identity

    def told(self, tick: int, body: BodyState, message: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """Note what the headset tells at a tick; the message, with what is to be watched from now on."""
        if body is not self.body:
            self._bodies.append((tick, body))
        if not self._new:
            return message
        new, self._new = self._new, []
        return {**(message or {}), "watch": new}

    # --- what was seen ---

    def track(self, targets: Iterable[Target], start: int, end: int) -> Mapping[str, Any]:
        """The value of `xr.track/1` for these targets, from a little before `start` to `end`."""
        self._read()
        asked = {one.key: one for one in targets if one.fixed is None and (is_anchor(one.name) or one.key in self._since)}
        things = [key for key in asked if key in self._since]
        ticks = [tick for tick in self._ticks(bool(things)) if start - LEAD <= tick <= end]
        rows = [(tick, {key: self._value(one, tick) for key, one in asked.items()}) for tick in ticks]
        return {"step": self._seeing.frame, "names": sorted(asked), "since": {key: self._since[key] for key in things},
                "rows": thinned(rows), "planes": self._planes, **({"planes_at": self._planes_at} if self._planes_at else {})}  # fmt: skip

    def everything(self, options: Options) -> Mapping[str, Any]:
        """All that is watched; of the body the `parts` that the options name ("right.palm", ...), or the usual ones."""
        parts = [target(name) for name in options.get("parts", BODY)]
        return self.track([*(Target(key) for key in self._since), *parts], 0, self._seeing.performance.ticks)

    def _ticks(self, sampled: bool) -> Sequence[int]:
        return sorted(self._rows) if sampled else range(0, self._seeing.performance.ticks + 1, self._seeing.frame)

    def _value(self, one: Target, tick: int) -> Any:
        if is_anchor(one.name):
            before = bisect_left(self._bodies, tick, key=lambda told: told[0])
            return anchor_value(one.name, self._bodies[max(before - 1, 0)][1])
        return self._rows[tick].get(self._identity.get(one.key, ""))

    def _read(self) -> None:
        """Take what the page has sampled. A page that took another's place has sampled everything anew."""
        performance = self._seeing.performance
        told = performance.tab.world.ask("xrTrack")
        self._planes = told["planes"]
        entered = performance.tab.entered
        for one in told["planes_at"]:
            tick = round(one["tick"]) - entered
            self._planes_at = [*(held for held in self._planes_at if held["tick"] < tick), {"tick": tick, "planes": one["planes"]}]
        for row in told["rows"]:
            tick = round(row["tick"]) - performance.tab.entered
            if self._rows and tick < max(self._rows):
                self._rows, self._now = {}, {}
            self._now = {**self._now, **{identity: rounded(held) for identity, held in row["values"].items()}}
            self._rows[tick] = self._now


def rounded(value: Any) -> Any:
    """Numbers to a tenth of a micrometre."""
    if isinstance(value, float):
        return round(value, 7)
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value
