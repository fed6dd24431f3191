"""What a project holds, as we read it: `blender.scene/1`, with objects found by name, collection, type, material or parent.

Lengths are metres of the world (z up), whatever units the scene shows; matrices stand by rows. What a submission spoiled (a number that
is not finite, a key that is not there) becomes its fault, with the path at which it stands: `scene.objects[Leg 1].box[2]`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from playproof.errors import SubmissionFault, TaskError
from playproof.evidence import Evidences
from playproof.seen import Seen

KIND = "blender.scene/1"
NAMES_TOLD = 12

Array = NDArray[np.float64]
Box = tuple[Array, Array]
"""Of the world, along its axes: the smallest corner and the largest."""


@frozen(eq=False)
class Scene:
    """`value` is that of `blender.scene/1`; `cites` the evidence that holds it.

    Patterns are those of file names (`Leg*`, `Leg ?`), upper and lower case told apart; a name is a pattern for itself."""

    value: Mapping[str, Any]
    cites: Sequence[str] = ()

    def objects(self, pattern: str = "*", type: str | None = None, collection: str | None = None, material: str | None = None,
                parent: str | None = None) -> Sequence[Mapping[str, Any]]:  # fmt: skip
        """In the order of the scene those that meet every wish. `type` is Blender's ("MESH"); `collection` a pattern for one that holds the
        object, itself or in a collection below it; `material` one for a slot of it; `parent` one for what it hangs on directly."""
        held = None if collection is None else self.within(collection)
        return [one for one in self.value["objects"] if meets(one["name"], pattern)
                and (type is None or one.get("type") == type) and (held is None or one["name"] in held)
                and (material is None or any(meets(slot, material) for slot in _listed(one.get("materials"))))
                and (parent is None or meets(one.get("parent"), parent))]  # fmt: skip

    def one(self, pattern: str, type: str | None = None) -> Mapping[str, Any]:
        """The only object of that name or pattern. Raises SubmissionFault where there is none, or there are several."""
        found = self.objects(pattern, type=type)
        if len(found) == 1:
            return found[0]
        kind = f"{type} object" if type else "object"
        if found:
            raise SubmissionFault("scene.objects", f"wanted one {kind} {pattern!r}; there are {len(found)}: {told(found)}", self.cites)
        left_off = self.value.get("left_off")
        left = left_off.get("objects") if isinstance(left_off, dict) else None
        beyond = f" ({left} more are not looked at)" if left else ""
        raise SubmissionFault("scene.objects", f"has no {kind} {pattern!r}; there are {told(self.value['objects'])}{beyond}", self.cites)

    def within(self, collection: str) -> frozenset[str]:
        """The names of what the collections of that pattern hold, with all collections below them."""
        known = {one["name"]: one for one in _listed(self.value.get("collections")) if isinstance(one, dict) and "name" in one}
        open_, seen, found = [name for name in known if meets(name, collection)], set[str](), set[str]()
        while open_:
            name = open_.pop()
            if name not in seen and name in known:
                seen.add(name)
                found.update(one for one in _listed(known[name].get("objects")) if isinstance(one, str))
                open_ += [one for one in _listed(known[name].get("children")) if isinstance(one, str)]
        return frozenset(found)

    def below(self, name: str) -> Sequence[Mapping[str, Any]]:
        """What hangs on an object: its children, theirs, and so on. A circle of parents ends."""
        children: dict[str, list[Mapping[str, Any]]] = {}
        for one in self.value["objects"]:
            if isinstance(one.get("parent"), str):
                children.setdefault(one["parent"], []).append(one)
        found, open_, seen = list[Mapping[str, Any]](), [name], {name}
        while open_:
            for one in children.get(open_.pop(), ()):
                if one["name"] not in seen:
                    seen.add(one["name"])
                    found.append(one)
                    open_.append(one["name"])
        return found

    def seen(self, one: Mapping[str, Any]) -> Seen:
        """An object whose keys and numbers may be relied on: what is missing or not finite is the submission's fault, with its path.
        Raises SubmissionFault where Blender itself could not read the object."""
        path = f"scene.objects[{one['name']}]"
        if one.get("unreadable"):
            raise SubmissionFault(path, f"cannot be read: {one['unreadable']}", self.cites)
        return Seen(one, path, self.cites)

    def entry(self, section: str, name: str) -> Seen:
        """One of `meshes`, `materials`, `armatures`, `actions`, `cameras` or `lights` by its whole name."""
        held = self.value.get(section)
        if not isinstance(held, dict) or name not in held:
            there = ", ".join(sorted(map(repr, held))[:NAMES_TOLD]) if isinstance(held, dict) and held else "none"
            raise SubmissionFault(f"scene.{section}", f"has no {name!r}; there are {there}", self.cites)
        return Seen(held[name], f"scene.{section}[{name}]", self.cites)

    def mesh_of(self, one: Mapping[str, Any]) -> Seen:
        """The numbers of an object's own mesh, before its modifiers. Raises SubmissionFault for what has no mesh."""
        if self.seen(one)["type"] != "MESH":
            raise SubmissionFault(f"scene.objects[{one['name']}].type", f"wanted MESH, got {one['type']}", self.cites)
        return self.entry("meshes", str(one.get("data")))

    def matrix_of(self, one: Mapping[str, Any]) -> Array:
        """(4, 4): from the object's own space to the world."""
        return self._numbers(self.seen(one)["matrix"], 16).reshape(4, 4)

    def box_of(self, objects: Iterable[Mapping[str, Any]], own: bool = False) -> Box:
        """Around all that the objects draw, each with what it draws by instancing (a collection, scattered things); `own` leaves that out.
        Raises SubmissionFault where there are no objects, or none of them has a shape."""
        lows, highs, whose = list[Array](), list[Array](), list[str]()
        for one in objects:
            whose.append(one["name"])
            seen = self.seen(one)
            boxes = [seen["box"]] if own else [seen["box"], seen.get("drawn_box")]
            for box in boxes:
                if box.value is not None:
                    numbers = self._numbers(box, 6)
                    lows.append(numbers[:3])
                    highs.append(numbers[3:])
        if not lows:
            path = f"scene.objects[{whose[0]}].box" if len(whose) == 1 else "scene.objects"
            raise SubmissionFault(path, "has no shape" if len(whose) == 1 else f"none of {len(whose)} objects has a shape", self.cites)
        return np.min(lows, axis=0), np.max(highs, axis=0)

    def _numbers(self, seen: Seen, count: int) -> Array:
        if len(seen) != count:
            raise seen.fault(f"wanted {count} numbers, got {len(seen)}")
        return np.array([float(number) for number in seen])


def meets(name: Any, pattern: str) -> bool:
    """Whether a name is the pattern itself, or fits it. What is no text fits nothing."""
    return isinstance(name, str) and (name == pattern or fnmatchcase(name, pattern))


def told(objects: Sequence[Mapping[str, Any]]) -> str:
    """The first names, for an error."""
    more = f" and {len(objects) - NAMES_TOLD} more" if len(objects) > NAMES_TOLD else ""
    return ", ".join(repr(one["name"]) for one in objects[:NAMES_TOLD]) + more if objects else "none"


def scene_of(evidence: Evidences, kind: str = KIND) -> Scene:
    """The last `blender.scene/1`, or that of another `kind` with the same form. Raises TaskError where none was observed,
    SubmissionFault where what was observed is no scene."""
    entry = evidence.last(kind)
    if entry is None:
        raise TaskError(f"no {kind} was observed; kinds here: {', '.join(sorted({one.kind for one in evidence})) or 'none'}")
    return Scene(_parsed(evidence.open(entry)), [entry.id])


@lru_cache(maxsize=2)  # each assertion of a rubric reads the same scene, which may have 10,000 objects
def _parsed(raw: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise SubmissionFault("scene", f"is no JSON: {fault}") from None
    objects = value.get("objects") if isinstance(value, dict) else None
    if not isinstance(objects, list) or not all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in objects):
        raise SubmissionFault("scene.objects", "is no list of objects with names")
    return dict(value)


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
