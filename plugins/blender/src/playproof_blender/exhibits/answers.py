"""What a judge may ask of a scene. Names are given and taken in characters that can be shown; errors are for the one who asks."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from attrs import frozen

from playproof_blender.exhibits.digest import ills
from playproof_blender.exhibits.spelling import Made, finite, printable, spellable
from playproof_blender.scene import Scene

SHOWN = 25
"""Objects in one answer."""

BRIEF = ("name", "type", "parent", "location", "box", "drawn_box", "materials", "instances", "rendered", "unreadable")
NODES, CURVES = 60, 40
Asked = Mapping[str, Any]


@frozen
class Answers:
    """`value` is that of `blender.scene/1`. Every answer is JSON data; each raises ValueError on arguments that fit nothing."""

    value: Made

    @cached_property
    def _objects(self) -> Sequence[Made]:
        return [one for one in self.value.get("objects") or [] if isinstance(one.get("name"), str)]

    @cached_property
    def _by_name(self) -> Mapping[str, Made]:
        return {printable(one["name"]): one for one in reversed(self._objects)} | {one["name"]: one for one in self._objects}

    def find_objects(self, asked: Asked) -> Any:
        wanted = {key: told for key in ("name", "type", "collection", "material", "parent") if (told := _text(asked, key))}
        start = _whole(asked, "start", 0, 10**6)
        inside = self._within(wanted["collection"]) if "collection" in wanted else None
        material = wanted.get("material")
        found = [one for one in self._objects if (inside is None or one["name"] in inside)
                 and all(_meets(one.get(key), wanted[key]) for key in ("name", "type", "parent") if key in wanted)
                 and (material is None or any(_meets(slot, material) for slot in one.get("materials") or []))]  # fmt: skip
        return {"found": len(found), "objects": [self._brief(one) for one in found[start : start + SHOWN]]}

    def object(self, asked: Asked) -> Any:
        one = self._one(asked, "name")
        children = [each for each in self._objects if each.get("parent") == one["name"]]
        return {"object": spellable(dict(one)), "parents": self._above(one), "children": [self._brief(each) for each in children[:SHOWN]],
                "children_in_all": len(children)}  # fmt: skip

    def collection(self, asked: Asked) -> Any:
        known = {one["name"]: one for one in self.value.get("collections") or []}
        held = _named(known, _text(asked, "name") or "", "collection")
        objects = held.get("objects") or []
        return spellable({**held, "objects": objects[: 4 * SHOWN], "objects_in_all": len(objects)})

    def material(self, asked: Asked) -> Any:
        name = _name(self.value.get("materials") or {}, _text(asked, "name") or "", "material")
        held = dict(self.value["materials"][name])
        users = [one["name"] for one in self._objects if name in (one.get("materials") or [])]
        held["nodes"], left = (held.get("nodes") or [])[:NODES], max(len(held.get("nodes") or []) - NODES, 0)
        return spellable({**held, "nodes_left_off": left, "objects": users[:SHOWN], "objects_in_all": len(users)})

    def mesh(self, asked: Asked) -> Any:
        name, meshes = _text(asked, "name") or "", self.value.get("meshes") or {}
        if name not in meshes and (one := self._by_name.get(name)) is not None and one.get("data") in meshes:
            name = one["data"]
        name = _name(meshes, name, "mesh")
        users = [one["name"] for one in self._objects if one.get("data") == name and one.get("type") == "MESH"]
        return spellable({"mesh": name, **meshes[name], "faults": ills(meshes[name]) or "none", "objects": users[:SHOWN],
                          "objects_in_all": len(users)})  # fmt: skip

    def nearest(self, asked: Asked) -> Any:
        limit = _whole(asked, "limit", 8, SHOWN)
        if "point" in asked:
            me, mine = None, _point(asked["point"])
        else:
            me = self._one(asked, "name")
            mine = self._box(me)
        others = [(_gap(mine, box), one) for one in self._objects if one is not me and (box := _boxed(one)) is not None]
        return [{"gap": round(gap, 4), **self._brief(one)} for gap, one in sorted(others, key=lambda pair: pair[0])[: max(limit, 1)]]

    def between(self, asked: Asked) -> Any:
        a, b = (self._box(self._one(asked, key)) for key in ("a", "b"))
        middles = [((b[at] + b[at + 3]) - (a[at] + a[at + 3])) / 2 for at in range(3)]
        gaps = {axis: round(max(b[at] - a[at + 3], a[at] - b[at + 3]), 4) for at, axis in enumerate("xyz")}
        return {"from_a_to_b": [round(one, 4) for one in middles], "middle_to_middle": round(sum(one * one for one in middles) ** 0.5, 4),
                "gap_of_boxes": round(_gap(a, b), 4), "gap_on_axis": gaps,
                "note": "negative on an axis: they overlap there by so much"}  # fmt: skip

    def action(self, asked: Asked) -> Any:
        known = self.value.get("actions") or {}
        name = _name(known, _text(asked, "name") or "", "action")
        curves = known[name].get("curves") or []
        users = [one["name"] for one in self._objects if one.get("action") == name]
        return spellable({**known[name], "curves": curves[:CURVES], "curves_in_all": len(curves), "objects": users[:SHOWN]})

    def _within(self, pattern: str) -> frozenset[str]:
        held = Scene(self.value)
        names = [one["name"] for one in self.value.get("collections") or [] if _meets(one.get("name"), pattern)]
        return frozenset().union(*(held.within(name) for name in names))

    def _one(self, asked: Asked, key: str) -> Made:
        name = _text(asked, key) or ""
        if name not in self._by_name:
            raise ValueError(f"there is no object {printable(name)!r}; find_objects gives names")
        return self._by_name[name]

    def _above(self, one: Made) -> list[str]:
        """The names of its parents up to the root; a circle of them ends."""
        found: list[str] = []
        while isinstance(parent := one.get("parent"), str) and parent in self._by_name and len(found) < SHOWN:
            found.append(printable(parent))
            one = self._by_name[parent]
        return found

    def _box(self, one: Made) -> Sequence[float]:
        if (found := _boxed(one)) is None:
            raise ValueError(f"object {printable(one['name'])!r} has no box, or one that is not finite")
        return found

    def _brief(self, one: Made) -> Any:
        return spellable({key: one[key] for key in BRIEF if one.get(key) not in (None, [])})


def _meets(name: Any, pattern: str) -> bool:
    return isinstance(name, str) and fnmatchcase(printable(name).lower(), pattern.lower())


def _boxed(one: Made) -> Sequence[float] | None:
    """Around what it is and what it draws."""
    boxes = [box for key in ("box", "drawn_box") if (box := one.get(key))]
    if not boxes or not all(finite(box) and len(box) == 6 for box in boxes):
        return None
    return [*(min(box[at] for box in boxes) for at in range(3)), *(max(box[at] for box in boxes) for at in range(3, 6))]


def _gap(a: Sequence[float], b: Sequence[float]) -> float:
    """From box to box; 0 where they touch or overlap."""
    apart = (max(b[at] - a[at + 3], a[at] - b[at + 3], 0.0) for at in range(3))
    return float(sum(one * one for one in apart) ** 0.5)


def _named(known: Mapping[str, Made], asked: str, what: str) -> Made:
    return known[_name(known, asked, what)]


def _name(known: Mapping[str, Any], asked: str, what: str) -> str:
    found = asked if asked in known else next((name for name in known if printable(name) == asked), None)
    if found is None:
        there = ", ".join(repr(printable(name)) for name in [*known][:SHOWN]) or "none"
        raise ValueError(f"there is no {what} {printable(asked)!r}; there are {there}")
    return found


def _text(asked: Asked, key: str) -> str | None:
    value = asked.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is a text")
    return value


def _whole(asked: Asked, key: str, otherwise: int, most: int) -> int:
    value = asked.get(key, otherwise)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueError(f"{key} is a whole number from 0 to {most}")
    return value


def _point(told: Any) -> Sequence[float]:
    if not isinstance(told, list) or len(told) != 3 or not finite(told):
        raise ValueError("point is [x, y, z]")
    return [*told, *told]
