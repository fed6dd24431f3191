"""`blender.naming`, `blender.hierarchy` and `blender.modifier`: how a project is kept in order, and what in it stays editable.

    asks = { driver = "blender.naming", objects = { type = "MESH" }, patterns = ["SM_*"] }
    asks = { driver = "blender.hierarchy", objects = "Wheel*", parent = "Chassis" }
    asks = { driver = "blender.modifier", objects = "Leg*", type = "BEVEL", settings = { width = "2 mm", segments = { at_least = 2 } } }
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import Factory, evolve, field, frozen, validators

from playproof.interfaces import Services
from playproof.model import Options
from playproof_blender.assertions.amounts import materials_of
from playproof_blender.assertions.lengths import metres, plainly
from playproof_blender.assertions.selecting import Thing
from playproof_blender.assertions.stating import SCENE, Answer, Finding, Project, ProjectAssertion, every, some, stated
from playproof_blender.scene import meets

DEFAULTS = re.compile(
    r"(Cube|Sphere|Icosphere|Cylinder|Cone|Torus|Plane|Circle|Grid|Suzanne|Mesh|Curve|BezierCurve|BezierCircle|NurbsPath|NurbsCurve|"
    r"NurbsCircle|"
    r"Surface|SurfSphere|SurfTorus|SurfCylinder|SurfPatch|Text|Font|Mball|Meta|Empty|Armature|Lattice|Camera|Light|Point|Sun|Spot|Area|"
    r"Speaker|"
    r"Material|Collection|Object|Bone|Group|Image|Untitled)(\.\d{3,})?",
)
"""What Blender calls a new thing by itself (4.2, in English)."""

COPIED = re.compile(r".*\.\d{3,}")


@frozen(kw_only=True)
class Naming:
    """Each name fits one of `patterns`. Without `defaults` it is not what Blender called it ("Cube", "Material.001"), without `copies` it
    does not end in a number that Blender added to a copy (".001"). `of`: the "objects", or the "materials" or "meshes" that they use; all
    "collections" of the scene."""

    objects: Any = some("*")
    of: Literal["objects", "materials", "meshes", "collections"] = "objects"
    patterns: Sequence[str] = ()
    defaults: bool = False
    copies: bool = True

    reads = SCENE

    def answer(self, project: Project) -> Answer:
        names = self._names(project)
        wanted = [f"{' or '.join(map(repr, self.patterns))}"] * bool(self.patterns) + ["no default name"] * (not self.defaults)
        wanted += ["no '.001'"] * (not self.copies)
        if not names:
            return Answer(False, f"there are no {self.of} to be named", "none", ", ".join(wanted))
        return every((Finding(repr(name), not (fault := self._fault(name)), fault or "well named") for name in names),
                     f"names of {self.of}", ", ".join(wanted) or "any name")  # fmt: skip

    def _names(self, project: Project) -> Sequence[str]:
        if self.of == "collections":
            return [str(one["name"]) for one in project.scene.value.get("collections") or ()]
        things = project.things(evolve(self.objects, hidden=True))
        if self.of == "materials":
            return materials_of(things)
        if self.of == "meshes":
            return list(dict.fromkeys(str(one["data"]) for one in things if one.get("type") == "MESH"))
        return [str(one["name"]) for one in things]

    def _fault(self, name: str) -> str:
        if self.patterns and not any(meets(name, pattern) for pattern in self.patterns):
            return "fits none"
        if not self.defaults and DEFAULTS.fullmatch(name):
            return "is a default name"
        return "ends in the number of a copy" if not self.copies and COPIED.fullmatch(name) else ""


def naming(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.naming", options, Naming)


@frozen(kw_only=True)
class Hierarchy:
    """Each of `objects` hangs on a `parent` of that name or pattern (`deep`: on it, or on what hangs on it), or on nothing (`root`); is in
    a `collection` (itself or in one below it); moves along with the bone `bone` of its parent."""

    objects: Any = some(needed=True)
    parent: str | None = None
    deep: bool = True
    root: bool = False
    bone: str | None = None
    collection: str | None = None

    def __attrs_post_init__(self) -> None:
        if self.root and (self.parent or self.bone):
            raise ValueError("what hangs on nothing has no parent and no bone")
        if not (self.parent or self.root or self.bone or self.collection):
            raise ValueError("say parent, root, bone or collection")

    reads = SCENE

    def answer(self, project: Project) -> Answer:
        held = project.scene.within(self.collection) if self.collection else frozenset()
        by_name = {one["name"]: one for one in project.scene.value["objects"]}
        wanted = [f"parent {self.parent!r}"] * bool(self.parent) + ["no parent"] * self.root + [f"bone {self.bone!r}"] * bool(self.bone)
        wanted += [f"in collection {self.collection!r}"] * bool(self.collection)
        found = []
        for one in project.things(evolve(self.objects, hidden=True)):
            faults = self._parents(one, by_name)
            if self.collection and one["name"] not in held:
                faults.append(f"is in {', '.join(map(repr, one.get('collections') or ())) or 'no collection'}")
            found.append(Finding(one["name"], not faults, " and ".join(faults) or f"parent {one.get('parent')!r}"))
        return every(found, f"place of {self.objects}", " and ".join(wanted))

    def _parents(self, one: Thing, by_name: Mapping[str, Thing]) -> list[str]:
        direct, line, above = one.get("parent"), list[str](), one.get("parent")
        while isinstance(above, str) and above not in line:
            line.append(above)
            above = by_name.get(above, {}).get("parent") if self.deep else None
        faults = list[str]()
        if self.parent and not any(meets(name, self.parent) for name in line):
            faults.append(f"hangs on {direct!r}" if direct else "hangs on nothing")
        if self.root and direct:
            faults.append(f"hangs on {direct!r}")
        if self.bone and not meets(one.get("parent_bone"), self.bone):
            faults.append(f"follows bone {one.get('parent_bone')!r}" if one.get("parent_bone") else "follows no bone")
        return faults


def hierarchy(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.hierarchy", options, Hierarchy)


@frozen(kw_only=True)
class Modifier:
    """Each of `objects` still has, live, a modifier of `type` (Blender's name, "BEVEL"), of a `name` if that matters; on in the viewport
    and in renders, unless it `may_be_off`. Each of `settings`, by Blender's name: a value, a length as text for a number in metres, or
    {at_least, at_most}; numbers to 0.1 %. With `absent` none of them has one."""

    objects: Any = some(needed=True)
    type: str = field(validator=validators.min_len(1))
    name: str = "*"
    settings: Mapping[str, Any] = Factory(dict)
    may_be_off: bool = False
    absent: bool = False

    def __attrs_post_init__(self) -> None:
        for key, value in self.settings.items():
            if isinstance(value, Mapping) and (not value or set(value) - {"at_least", "at_most"}):
                raise ValueError(f"settings.{key} is {dict(value)}, wanted a value, or at_least and at_most")
            for bound in value.values() if isinstance(value, Mapping) else ():
                metres(bound)

    reads = SCENE

    def answer(self, project: Project) -> Answer:
        told = " with " + ", ".join(f"{key} {_wish(value)}" for key, value in self.settings.items()) if self.settings else ""
        wanted = f"{'no' if self.absent else 'a live'} {self.type} modifier{told}"
        things = project.things(evolve(self.objects, hidden=True))
        return every((self._finding(one) for one in things), f"modifiers of {self.objects}", wanted)

    def _finding(self, one: Thing) -> Finding:
        all_ = [each for each in one.get("modifiers") or () if isinstance(each, Mapping)]
        mine = [each for each in all_ if each.get("type") == self.type and meets(each.get("name"), self.name)]
        if self.absent:
            return Finding(one["name"], not mine, f"has {mine[0].get('name')!r}" if mine else "has none")
        if not mine:
            return Finding(one["name"], False, f"has {', '.join(str(each.get('type')) for each in all_) or 'no modifier'}")
        faults = [self._faults(each) for each in mine]
        best = min(faults, key=len)
        return Finding(one["name"], not best, f"{mine[faults.index(best)].get('name')!r} {' and '.join(best) or 'is as wanted'}")

    def _faults(self, modifier: Mapping[str, Any]) -> list[str]:
        off = [] if self.may_be_off else [f"is off in {where}" for key, where in (("shown", "the viewport"), ("rendered", "renders"))
                                          if modifier.get(key) is False]  # fmt: skip
        there = modifier.get("settings") or {}
        wrong = [key for key, value in self.settings.items() if not agrees(there.get(key), value)]
        return off + [f"has {key} {there[key]}" if key in there else f"has no setting {key!r}" for key in wrong]


def agrees(there: Any, wanted: Any) -> bool:
    """Whether a setting is what is wanted: numbers to 0.1 %, lengths as texts, bounds, everything else equal."""
    if isinstance(wanted, Mapping):
        if isinstance(there, bool) or not isinstance(there, int | float):
            return False
        low, high = (metres(wanted[key]) if key in wanted else None for key in ("at_least", "at_most"))
        return (low is None or there >= low - 1e-6 * max(1, abs(low))) and (high is None or there <= high + 1e-6 * max(1, abs(high)))
    if isinstance(wanted, list | tuple):
        return isinstance(there, list) and len(there) == len(wanted) and all(agrees(*pair) for pair in zip(there, wanted, strict=True))
    if isinstance(there, bool) or isinstance(wanted, bool) or not isinstance(there, int | float):
        return bool(there == wanted)
    try:
        number = metres(wanted)
    except ValueError:
        return False
    return abs(there - number) <= max(1e-6, 1e-3 * abs(number))


def _wish(value: Any) -> str:
    if isinstance(value, Mapping):
        return " and ".join(f"{key.replace('_', ' ')} {bound}" for key, bound in value.items())
    return plainly(value) if isinstance(value, float) else str(value)


def modifier(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.modifier", options, Modifier)
