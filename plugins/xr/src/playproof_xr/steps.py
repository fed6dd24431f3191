"""A session as a sequence of steps (`xr.step/1`), for a judge of sequences: what the app was told, where the user and the watched things
were, and what the eye saw, each at its own tick.

Pictures come from the browser of a page that plays the session again, so nobody has to know beforehand when one will be wanted; what the
app was told is the emulator's word, and where things were is the app's own, and a claim."""

import shutil
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from attrs import field, frozen, validators

from playproof.drivers import settings
from playproof.evidence import Record
from playproof.model import Evidence, Observer, Options, seconds
from playproof_browser.observe import Witness
from playproof_xr.body import SIDES
from playproof_xr.looking import spelled
from playproof_xr.performance import Performance
from playproof_xr.tab import Step, XRTab
from playproof_xr.targets import is_anchor
from playproof_xr.time.track import Nothing, Placed, Row, Track

KIND = "xr.step/1"
APART = seconds(0.1)
"""Moments that lie nearer to each other are one, but for the last."""

PARTS = ("head", *(f"{side}.{part}" for side in SIDES for part in ("pinch_point", "pinch", "palm")))
"""Of the body, what a step tells."""

PATIENCE = 4.0
"""How much longer a call into a page may take that plays again."""


@frozen
class StepOptions:
    """What `[observe."xr.step/1"]` may say: how many steps there are at `most`; how long after an event an app has shown what follows
    from it (`settle`, seconds); and how long there is no step at most where nothing happens (`every`, seconds)."""

    most: int = field(default=12, validator=[validators.ge(2), validators.le(40)])
    settle: float = field(default=0.25, validator=[validators.ge(0.05), validators.le(5)])
    every: float = field(default=1.0, validator=validators.ge(0.1))


def step_options(told: Options) -> StepOptions:
    """Raises TaskError on what steps cannot have."""
    return settings(StepOptions, told, KIND)


def moments(events: Sequence[Mapping[str, Any]], end: int, frame: int, options: StepOptions) -> Sequence[int]:
    """When a step ends: at the start, a frame before each event (so that there is a before) and a while after it, now and then where
    nothing happens, and at the end; `most` of them, evenly chosen."""
    told = sorted({one["tick"] for one in events if 0 <= one["tick"] <= end})
    wanted = {0, end, *(max(0, tick - frame) for tick in told), *(min(end, tick + seconds(options.settle)) for tick in told)}
    wanted = {tick // frame * frame for tick in wanted if tick < end} | {end}
    quiet = seconds(options.every)
    wanted |= {tick for tick in range(0, end, quiet) if all(abs(tick - one) >= quiet // 2 for one in wanted)}
    kept: list[int] = []
    for tick in sorted(wanted):
        if kept and tick - kept[-1] < APART:
            if tick != end:
                continue
            kept.pop()
        kept.append(tick)
    last = len(kept) - 1
    return kept if last < options.most else [kept[round(last * index / (options.most - 1))] for index in range(options.most)]


def cut(steps: Sequence[Step], marks: Sequence[int]) -> Iterator[Sequence[Step]]:
    """For each mark, in order, the steps from the mark before to it."""
    left, now = deque(steps), 0
    for mark in marks:
        part: list[Step] = []
        while left and now + min(left[0][0], 1) <= mark:
            ticks, told = left.popleft()
            taken = min(ticks, mark - now)
            part.append((taken, told))
            now += taken
            if taken < ticks:
                left.appendleft((ticks - taken, None))
        yield part


class Walked(Protocol):
    """What steps need of a session."""

    @property
    def performance(self) -> Performance: ...
    @property
    def frame(self) -> int: ...


def noted_steps(session: Walked, record: Record, scratch: Path, seen: tuple[Sequence[Any], Mapping[str, Any]],
                options: StepOptions) -> Sequence[Evidence]:
    """Write the steps down. `seen` are the values of `xr.events/1` and `xr.track/1` at the end of the session."""
    events, track = seen[0], Track.of(seen[1])
    ticks = moments(events, session.performance.ticks, session.frame, options)
    pictures, faithful = pictures_at(session.performance, scratch, ticks, session.frame)
    found, before = list[Evidence](), -1
    for tick, png in zip(ticks, pictures, strict=True):
        row = next((one for one in reversed(track.rows) if one.tick <= tick), Row(tick, {}))
        told = {"from": max(before, 0), "events": [one for one in events if before < one["tick"] <= tick], "user": _body(row)}
        found.append(record.add(KIND, Observer.OUTSIDE, tick=tick, source="emulator", value=told))
        if things := {name: _thing(value) for name, value in sorted(row.values.items()) if not is_anchor(name)}:
            found.append(record.add(KIND, Observer.MAIN, tick=tick, source="scene graph", value={"things": spelled(things)}))
        if png is not None:
            source = "what the eye sees" + ("" if faithful else "; played again, and it ended otherwise")
            found.append(record.add(KIND, Observer.OUTSIDE, tick=tick, source=source, blob=png, media_type="image/png"))
        before = tick
    return found


def _body(row: Row) -> Mapping[str, Any]:
    return {name: _place(row.values[name]) for name in PARTS if name in row.values}


def _place(value: Placed | float | Nothing) -> Mapping[str, Any]:
    if isinstance(value, Placed):
        return {"at": [round(one, 4) for one in value.centre]}
    return {"lost": value.why} if isinstance(value, Nothing) else {"amount": round(value, 4)}


def _thing(value: Placed | float | Nothing) -> Mapping[str, Any]:
    looks = {"visible": value.visible, "in_view": value.in_view} if isinstance(value, Placed) else {}
    return {**_place(value), **looks}


def pictures_at(performance: Performance, scratch: Path, ticks: Sequence[int], frame: int) -> tuple[Sequence[bytes | None], bool]:
    """What the eye saw at these ticks, in order, as PNG; and whether the scene was in the end what it had been. None where an engine
    that cannot be made to draw once more had drawn nothing yet."""
    folder = scratch / "steps"
    aside = Record(folder)  # what the page does is written down already, where it was done first
    try:
        tab = performance.again(PATIENCE, Witness(aside))
        try:
            pictures = list(_taken(tab, performance.steps, ticks, frame))
            return pictures, tab.look("scene") == performance.tab.look("scene")
        finally:
            tab.close()
    finally:
        aside.close()
        shutil.rmtree(folder, ignore_errors=True)


def _taken(tab: XRTab, steps: Sequence[Step], ticks: Sequence[int], frame: int) -> Iterator[bytes | None]:
    redraws = tab.world.ask("xrDraw")["drawn"]
    marks = [mark for tick in ticks for mark in (max(tick - frame, 0), tick)]
    parts = list(cut(steps, marks))
    for tick, before, last in zip(ticks, parts[::2], parts[1::2], strict=True):
        tab.play(before)
        tab.world.ask("xrGate", not redraws)
        tab.play(last)
        tab.world.ask("xrGate", False)
        tab.world.ask("xrDraw")
        yield tab.screenshot().png if redraws or tick >= frame else None

