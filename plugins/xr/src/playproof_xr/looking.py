"""What a session looks at: the app's scene, and what the headset tells the app. Each look is written down, with how many steps had been
played by then, so that whoever plays the steps again can look at the same moments (see `replaying`)."""

import math
from collections.abc import Mapping
from typing import Any

from playproof.canonical import digest
from playproof.errors import SubmissionFault
from playproof.model import Evidence, Observer
from playproof.seen import Seen
from playproof_xr.observe.scene import Scene
from playproof_xr.performance import Performance
from playproof_xr.tab import XRTab

KINDS = {"xr.scene/1": "scene", "xr.user/1": "user", "xr.events/1": "events"}
"""What can be looked at again when a session is played again, with its name in the page."""


def look(tab: XRTab, kind: str) -> Any:
    """One of KINDS as it is now, as JSON data. Events have their ticks in the session's time: negative before its beginning."""
    value = tab.look(KINDS[kind])
    if kind == "xr.events/1":
        return [{**one, "tick": round(one["tick"]) - tab.entered} for one in value]
    return spelled(value)


def comparable(value: Any) -> Any:
    """What was seen as another playing of it may be held against: objects are numbered in their order, since an engine's own numbers
    depend on which of an app's files arrived first."""
    if not isinstance(value, Mapping) or not isinstance(value.get("objects"), list):
        return value
    numbers = {one["id"]: f"#{number}" for number, one in enumerate(value["objects"]) if isinstance(one, Mapping) and "id" in one}
    return {**value, "objects": [{**one, "id": numbers.get(one.get("id")), "parent": numbers.get(one.get("parent"))}
                                 if isinstance(one, Mapping) else one for one in value["objects"]]}  # fmt: skip


class Looking:
    """The looks of one session. A scene serves until time passes."""

    def __init__(self, performance: Performance) -> None:
        self._performance = performance
        self._scene: tuple[tuple[int, int], Scene] | None = None
        self._looks: list[tuple[int, str]] = []

    def scene(self) -> Scene:
        moment = (self._performance.ticks, len(self._performance.steps))
        if self._scene is None or self._scene[0] != moment:
            value = self._performance.tab.look("scene")
            noted = self._noted("xr.scene/1", Observer.MAIN, "scene graph", spelled(value))
            self._scene = (moment, Scene(value, [noted.id]))
        return self._scene[1]

    def user(self) -> Evidence:
        return self._noted("xr.user/1", Observer.OUTSIDE, "emulator", look(self._performance.tab, "xr.user/1"))

    def events(self) -> Evidence:
        return self._noted("xr.events/1", Observer.OUTSIDE, "emulator", look(self._performance.tab, "xr.events/1"))

    def occlusion(self, identity: str, path: str, room: bool = False) -> Seen:
        """By other things of the app's; or by what is real, furniture, walls and people, which the app may draw over all the same."""
        tab = self._performance.tab
        told = tab.world.ask("xrOcclusion", identity, room)
        share = told["obstructed" if room else "hidden"] / told["rays"] if told["rays"] else None
        value = {"object": identity, "path": path, **told, "share": share}
        noted = tab.witness.note("xr.occlusion/1", Observer.MAIN, "scene graph", value)
        if share is None:
            raise SubmissionFault(path, "is not in view, so nothing hides it", [noted.id])
        return Seen(share, f"{path}.{'obstructed' if room else 'occluded'}", [noted.id])

    def recorded(self) -> dict[str, Any]:
        """What a replay needs: the steps (ticks, and what the headset told before they passed); the looks (steps played by then, and the
        id of what was seen); and the digest of the scene at the end."""
        steps = [list(step) for step in self._performance.steps]
        end = digest(comparable(look(self._performance.tab, "xr.scene/1")))
        return {"steps": steps, "looks": [list(one) for one in self._looks], "end": end}

    def _noted(self, kind: str, observer: Observer, source: str, value: Any) -> Evidence:
        noted = self._performance.tab.witness.note(kind, observer, source, value)
        self._looks.append((len(self._performance.steps), noted.id))
        return noted


def spelled(value: Any) -> Any:
    """JSON data with the numbers that JSON cannot spell as `{"$number": "nan"}`."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"$number": str(value)}
    if isinstance(value, dict):
        return {key: spelled(inner) for key, inner in value.items()}
    return [spelled(inner) for inner in value] if isinstance(value, list) else value
