"""Which objects a statement is about: by name, collection, type, material; and what is said where there are none."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, frozen

from playproof.errors import ExpectationFailed
from playproof_blender.scene import Scene, meets, told

Thing = Mapping[str, Any]
"""An object of `blender.scene/1`."""

NEAR = 6

SURFACED = frozenset({"MESH", "CURVE", "SURFACE", "FONT", "META"})
"""Types of objects that are what they show; the others (empties, bones, cameras) are never drawn."""


@frozen
class Selection:
    """`objects`: patterns for names; what any of them fits, in the order of the scene, if it meets every other wish, and none of `but`.
    A thing with a surface that no render shows is not there, unless what is `hidden` counts, too."""

    objects: Sequence[str] = ("*",)
    collection: str | None = None
    type: str | None = None
    material: str | None = None
    parent: str | None = None
    but: Sequence[str] = Factory(tuple)

    hidden: bool = False

    def __str__(self) -> str:
        wishes = [f"of type {self.type}"] * bool(self.type) + [f"in {self.collection!r}"] * bool(self.collection)
        wishes += [f"with material {self.material!r}"] * bool(self.material) + [f"below {self.parent!r}"] * bool(self.parent)
        wishes += [f"but {' or '.join(map(repr, self.but))}"] * bool(self.but)
        return " ".join([" or ".join(map(repr, self.objects)), *wishes])

    def found(self, scene: Scene) -> Sequence[Thing]:
        """May be none."""
        kept = scene.objects("*", self.type, self.collection, self.material, self.parent)
        return [one for one in kept if any(meets(one["name"], pattern) for pattern in self.objects)
                and not any(meets(one["name"], pattern) for pattern in self.but)
                and (self.hidden or one.get("type") not in SURFACED or one.get("rendered") is not False)]  # fmt: skip

    def of(self, scene: Scene) -> Sequence[Thing]:
        """One at least: raises ExpectationFailed that names those whose names come nearest."""
        if found := self.found(scene):
            return found
        near = near_names(self.objects, [one["name"] for one in scene.value["objects"]])
        said = f"; near: {', '.join(map(repr, near))}" if near else f"; there are {told(scene.value['objects'])}"
        raise ExpectationFailed(f"no object {self}{said}", "no object", f"an object {self}", tuple(scene.cites))


def near_names(patterns: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """Names that resemble a pattern, whatever their case and number."""
    plain = {name.lower(): name for name in names[:5000]}
    found: dict[str, None] = {}
    for pattern in patterns:
        stem = pattern.strip("*?").lower()
        if stem:
            found.update(dict.fromkeys(name for low, name in plain.items() if stem in low or low in stem))
            found.update((plain[low], None) for low in difflib.get_close_matches(stem, plain, NEAR, 0.5))
    return list(found)[:NEAR]


def selection_of(value: Any) -> Selection:
    """A pattern, a list of patterns, or a table {objects, collection, type, material, parent, but}. Raises ValueError."""
    if isinstance(value, Mapping):
        unknown = set(value) - {"objects", "collection", "type", "material", "parent", "but"}
        if unknown:
            raise ValueError(f"unknown key {', '.join(map(repr, sorted(unknown)))}")
        texts = {key: value[key] for key in ("collection", "type", "material", "parent") if key in value}
        if wrong := [key for key, text in texts.items() if not isinstance(text, str)]:
            raise ValueError(f"{wrong[0]} is {value[wrong[0]]!r}, wanted a text")
        return Selection(_patterns(value.get("objects", "*")), **texts, but=_patterns(value["but"]) if "but" in value else ())
    return Selection(_patterns(value))


def _patterns(value: Any) -> Sequence[str]:
    if isinstance(value, str) and value:
        return (value,)
    if isinstance(value, list | tuple) and value and all(isinstance(one, str) and one for one in value):
        return tuple(value)
    raise ValueError(f"{value!r} names no objects; wanted a pattern, a list of patterns, or a table with them")
