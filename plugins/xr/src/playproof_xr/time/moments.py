"""Tracks from evidence: one that was recorded, or a single moment as a scene and its user show it."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from playproof.errors import TaskError
from playproof.evidence import Evidences
from playproof.model import Evidence
from playproof_xr.observe.scene import Scene
from playproof_xr.targets import Target, anchor_told, is_anchor
from playproof_xr.time.track import NOT_FINITE, Track

SCENE, USER, TRACK, EVENTS = "xr.scene/1", "xr.user/1", "xr.track/1", "xr.events/1"
KEPT = ("matrix", "box", "local", "visible", "in_view")


def held(entry: Evidence, evidence: Evidences) -> Any:
    """What an entry holds, with NaN and infinities as numbers again."""
    return finite_again(json.loads(evidence.open(entry)))


def finite_again(value: Any) -> Any:
    if isinstance(value, dict):
        return float(value["$number"]) if value.keys() == {"$number"} else {key: finite_again(one) for key, one in value.items()}
    return [finite_again(one) for one in value] if isinstance(value, list) else value


def thing_value(found: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The value, in a track, of an entry of a scene."""
    return None if found is None else {key: found.get(key) for key in KEPT}


def found_in(scene: Scene, one: Target) -> Mapping[str, Any] | None:
    """By its id, or as the first that fits, visible ones before others; None where there is none."""
    if one.identity is not None:
        return next((held for held in scene.objects() if held["id"] == one.identity), None)
    fitting = scene.select(**(one.wanted or {}))
    return next((held for held in fitting if held["visible"]), fitting[0] if fitting else None)


def moment(targets: Iterable[Target], scene: Scene, anchor: Callable[[str], Any], tick: int, cites: Sequence[str]) -> Track:
    """One row: what a scene holds of things, and what `anchor` gives of parts of the body."""
    asked = [one for one in targets if one.fixed is None]
    values = {one.key: anchor(one.name) if is_anchor(one.name) else thing_value(found_in(scene, one)) for one in asked}
    whole = {"step": 1, "names": list(values), "rows": [{"tick": tick, "values": values}], "planes": scene.value.get("planes", [])}
    return Track.of(whole, cites)


def last_moment(targets: Iterable[Target], evidence: Evidences) -> Track:
    """The last scene that evidence holds, and its last user. Raises TaskError where there is none."""
    scene, user = (_last(kind, evidence) for kind in (SCENE, USER))
    told = held(user, evidence)

    def anchor(name: str) -> Any:
        try:
            return anchor_told(name, told)
        except ValueError:
            return {"lost": NOT_FINITE.why}

    return moment(targets, Scene(held(scene, evidence), [scene.id]), anchor, max(scene.tick, user.tick), [scene.id, user.id])


def recorded(evidence: Evidences) -> Track:
    """The last track that evidence holds. Raises TaskError where there is none."""
    entry = _last(TRACK, evidence)
    return Track.of(held(entry, evidence), [entry.id])


def _last(kind: str, evidence: Evidences) -> Evidence:
    found = evidence.last(kind)
    if found is None:
        raise TaskError(f"no evidence of the kind {kind!r} was taken")
    return found
