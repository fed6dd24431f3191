"""A recorded session played again: what the headset told, at the same ticks, in a fresh page; and what is seen then, held against what was
seen at the same moments the first time. No check is run."""

import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from attrs import frozen

from playproof.canonical import digest
from playproof.evidence import Evidences
from playproof.interfaces import Replayed
from playproof.model import Evidence
from playproof_xr.looking import KINDS, comparable, look
from playproof_xr.performance import Performance

INPUT = "xr.input/1"


@frozen
class Look:
    """What was seen after so many steps. The end is a look of which only the digest is kept."""

    after: int
    kind: str
    seen: Any


def played_again(performance: Performance, recorded: Evidences) -> Replayed:
    """Plays the steps of the record and looks whenever the session looked. `performance` has just been entered."""
    told = _value(recorded, _last(recorded, INPUT))
    steps = [(ticks, message) for ticks, message in told["steps"]]
    seen: list[str] = []
    differs: list[tuple[int, str]] = []
    for one in _looks(recorded, told):
        performance.play(steps[len(performance.steps):one.after])
        now = comparable(look(performance.tab, one.kind))
        seen.append(digest(now))
        if difference := _difference(one, now):
            differs.append((performance.ticks, difference))
    performance.play(steps[len(performance.steps):])
    end = digest(comparable(look(performance.tab, "xr.scene/1")))
    if end != told["end"]:
        differs.append((performance.ticks, f"the scene at the end is {end[:12]}, was {told['end'][:12]}"))
    return Replayed(performance.ticks, len(seen) + 1, digest([*seen, end]), differs)


def _last(recorded: Evidences, kind: str) -> Evidence:
    found = recorded.last(kind)
    assert found is not None, "only what was recorded is played again"
    return found


def _value(recorded: Evidences, entry: Evidence) -> Any:
    return json.loads(recorded.open(entry))


def _looks(recorded: Evidences, told: Mapping[str, Any]) -> Iterator[Look]:
    entries = {entry.id: entry for entry in recorded}
    for after, id in told["looks"]:
        if (entry := entries.get(id)) and entry.kind in KINDS:
            yield Look(after, entry.kind, comparable(_value(recorded, entry)))


def _difference(one: Look, now: Any) -> str:
    """The first difference; that of a thing's own place before those that follow from it, as the boxes around it do."""
    found = list(_differences(one.seen, now, one.kind))
    if not found:
        return ""
    return "{}: was {}, is {}".format(*next((each for each in found if ".matrix[" in each[0]), found[0]))


def _differences(was: Any, now: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """Where two values differ: the path, and both, cut to a line. Things of a scene are named by their names."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in {**was, **now}:
            yield from _differences(was.get(key), now.get(key), f"{path}.{key}")
    elif isinstance(was, list) and isinstance(now, list):
        for number, (before, after) in enumerate(zip_longest(was, now)):
            name = before.get("name") if isinstance(before, dict) else None
            yield from _differences(before, after, f"{path}[{name or number}]")
    elif was != now:
        yield path, json.dumps(was)[:80], json.dumps(now)[:80]
