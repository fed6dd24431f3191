"""A scene graph in words, and what can be asked of it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import frozen

from playproof.interfaces import Exhibit, Query, Services
from playproof.model import Evidence, Options
from playproof_xr.exhibits.spelling import Read, cut, metres, number_of, opened, printable, schema, table, text_of
from playproof_xr.geometry import Box, Matrix, Pose, Vector
from playproof_xr.observe.scene import Scene
from playproof_xr.shapes import gap_of
from playproof_xr.time.moments import thing_value
from playproof_xr.time.track import Placed, placed

SHOWN = 25
"""Objects in one answer."""

_ID = {"type": "string", "description": "an object's id"}
_TEXT = {"type": "string", "description": "any case; * and ? stand for what they do in file names"}


class SceneExhibitor:
    """Implements `Exhibitor` and `Queried` for `xr.scene/1`."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        scene = _Asked(Scene(opened(evidence, read), [evidence.id]))
        rows = ([one["name"], one["type"], metres(one["matrix"][12:15]), size(one), looks(one)] for one in scene.objects)
        text = cut([scene.head, *scene.planes, *(scene.line(one) for one in scene.objects)])
        return Exhibit(table(["name", "type", "place (m)", "size (m)", "looks"], rows), text=text)

    def queries(self, evidence: Evidence, read: Read) -> Sequence[Query]:
        scene = _Asked(Scene(opened(evidence, read), [evidence.id]))
        wishes = dict.fromkeys(("name", "label", "role", "text", "type"), _TEXT)
        point = {"type": "array", "items": {"type": "number"}, "description": "[x, y, z], metres"}
        return [
            Query("find_objects", f"Objects by what they are called, {SHOWN} at most, with place, size and looks.",
                  schema((), **wishes, start={"type": "integer"}), scene.find),
            Query("object", "Everything that is known of one object, its parents up to the root, and its children.", schema(["id"], id=_ID),
                  scene.one),
            Query("nearest_objects", "Which objects are nearest to another, or to a point; from surface to surface, metres.",
                  schema((), id=_ID, point=point, limit={"type": "integer"}), scene.nearest),
            Query("between_objects", "How far two objects are apart: from middle to middle, from surface to surface, and on each axis.",
                  schema(["a", "b"], a=_ID, b=_ID), scene.between),
        ]  # fmt: skip


@frozen
class _Asked:
    scene: Scene

    @cached_property
    def objects(self) -> Sequence[Mapping[str, Any]]:
        return list(self.scene.objects())

    @cached_property
    def ids(self) -> Mapping[str, Mapping[str, Any]]:
        return {one["id"]: one for one in self.objects}

    @property
    def head(self) -> str:
        left = self.scene.value.get("left_off") or 0
        more = f", {left} more left off" if left else ""
        engine = printable(self.scene.value.get("engine"))
        return f"{len(self.objects)} objects{more}, engine {engine}; metres, y up, at the start the user looks along -z"

    @property
    def planes(self) -> Sequence[str]:
        found = [(one, metres(one["matrix"][12:15])) for one in self.scene.value.get("planes") or ()]
        return [f"plane {printable(one['id'])}: {printable(one['label'])}, {one['orientation']}, at {place}" for one, place in found]

    def depth(self, one: Mapping[str, Any]) -> int:
        return sum(1 for _ in self._above(one))

    def line(self, one: Mapping[str, Any]) -> str:
        said = "".join(f" {key} {printable(one[key])!r}" for key in ("label", "role", "text") if one.get(key))
        name, place = printable(one["name"]) or "-", metres(one["matrix"][12:15])
        return f"{'  ' * min(self.depth(one), 8)}#{one['id']} {name} ({one['type']}) at {place}, {size(one)}{said}{looks(one)}"

    def _above(self, one: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Its parents; a circle of them, which only a liar draws, ends somewhere."""
        for _ in range(100):
            parent = self.ids.get(one["parent"])
            if parent is None:
                return
            yield parent
            one = parent

    def _by_id(self, arguments: Mapping[str, Any], key: str = "id") -> Mapping[str, Any]:
        asked = text_of(arguments, key) or ""
        if asked not in self.ids:
            raise ValueError(f"there is no object with the id {asked!r}; find_objects gives ids")
        return self.ids[asked]

    def _brief(self, one: Mapping[str, Any]) -> Mapping[str, Any]:
        told = {"id": one["id"], "name": one["name"], "type": one["type"], "parent": one["parent"], "place": _finite(one["matrix"][12:15]),
                "box": None if one["box"] is None else _finite(one["box"]), "looks": looks(one).strip()}  # fmt: skip
        return told | {key: one[key] for key in ("label", "role", "text") if one.get(key)}

    def find(self, arguments: Mapping[str, Any]) -> Any:
        wanted = {key: told for key in ("name", "label", "role", "text", "type") if (told := text_of(arguments, key))}
        start = int(number_of(arguments, "start", 0, 0, 1e6))
        found = self.scene.select(**wanted)
        return {"found": len(found), "objects": [self._brief(one) for one in found[start : start + SHOWN]]}

    def one(self, arguments: Mapping[str, Any]) -> Any:
        found = self._by_id(arguments)
        children = [self._brief(one) for one in self.objects if one["parent"] == found["id"]]
        return {"object": _finite(dict(found)), "parents": [self._brief(one) for one in self._above(found)], "children": children[:SHOWN],
                "children_in_all": len(children)}  # fmt: skip

    def nearest(self, arguments: Mapping[str, Any]) -> Any:
        limit = int(number_of(arguments, "limit", 8, 1, SHOWN))
        if "point" in arguments:
            mine, me = _point(arguments["point"]), None
        else:
            me = self._by_id(arguments)
            mine = _placed(me)
        others = [(gap_of(mine, other), one) for one in self.objects if one is not me and one["box"] and (other := _maybe(one)) is not None]
        near = sorted(others, key=lambda pair: pair[0])[:limit]
        return [{"gap": round(gap, 4), **self._brief(one)} for gap, one in near]

    def between(self, arguments: Mapping[str, Any]) -> Any:
        one, other = (self._by_id(arguments, key) for key in ("a", "b"))
        a, b = _placed(one), _placed(other)
        way = b.centre - a.centre
        return {"middle_to_middle": round(way.length, 4), "surface_to_surface": round(gap_of(a, b), 4),
                "from_a_to_b": [round(one, 4) for one in way]}  # fmt: skip


def size(one: Mapping[str, Any]) -> str:
    try:
        return "no shape" if one["box"] is None else "x".join(f"{side:.3g}" for side in Box.of(one["box"]).size)
    except ValueError:
        return "not finite"


def looks(one: Mapping[str, Any]) -> str:
    """What is to be seen of it, in a few words."""
    material = one.get("material") or {}
    words = [str(material["color"])] if material.get("color") else []
    words += ["hidden"] if not one["visible"] else [] if one["in_view"] else ["out of view"]
    return f" [{', '.join(words)}]" if words else ""


def _placed(one: Mapping[str, Any]) -> Placed:
    found = placed(thing_value(one))
    if not isinstance(found, Placed):
        raise ValueError(f"object {one['id']} has numbers that are not finite")
    return found


def _maybe(one: Mapping[str, Any]) -> Placed | None:
    found = placed(thing_value(one))
    return found if isinstance(found, Placed) else None


def _point(told: Any) -> Placed:
    if not isinstance(told, list) or len(told) != 3:
        raise ValueError("point is [x, y, z]")
    return Placed(Matrix.compose(Pose(Vector.of(told))))


def _finite(value: Any) -> Any:
    """JSON data that can be spelled: what is not finite as a text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, list) else value


