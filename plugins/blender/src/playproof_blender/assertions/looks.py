"""`blender.material` and `blender.uv`: what surfaces are made of, and how pictures lie on them. Colours are linear, from 0 to 1.

    asks = { driver = "blender.material", objects = "Seat", colour = "#8a5a2b", roughness = { at_least = 0.4 } }
    asks = { driver = "blender.material", objects = "*", distinct_at_least = 4 }
    asks = { driver = "blender.uv", objects = "Barrel", overlap_at_most = 0.01, density_at_least = 500, pixels = 2048 }
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen, validators

from playproof.errors import ExpectationFailed, SubmissionFault
from playproof.interfaces import Services
from playproof.model import Options
from playproof.seen import Seen
from playproof_blender.assertions.amounts import materials_of
from playproof_blender.assertions.forms import SHARE, percent
from playproof_blender.assertions.lengths import bounds, plainly
from playproof_blender.assertions.selecting import Selection, Thing
from playproof_blender.assertions.stating import SCENE, SHAPES, Answer, Finding, Project, ProjectAssertion, every, some, stated
from playproof_blender.colours import linear, shown, spelled
from playproof_blender.geometry.soup import areas
from playproof_blender.scene import meets, told

SURFACED = frozenset({"MESH", "CURVE", "SURFACE", "FONT", "META", "CURVES", "POINTCLOUD", "VOLUME"})
"""Types of objects that have a surface to be of something."""

MOST_LOST = 0.01
"""Share of a mesh's triangles that may have no area on its map: some poles and caps have, maps that were never made have nothing else."""

FACTORS = ("metallic", "roughness", "transmission", "alpha")


def _of_types(project: Project, objects: Selection, types: frozenset[str]) -> Sequence[Thing]:
    """What a pattern takes along that has no surface (a camera, an empty) is passed over; ExpectationFailed where that is all."""
    things = project.things(objects)
    kept = [one for one in things if one.get("type") in types]
    if not kept:
        raise ExpectationFailed(f"of {len(things)} objects {objects} none is of type {' or '.join(sorted(types))} ({told(things)})",
                                "none of that type", f"an object {objects} with a surface", tuple(project.scene.cites))  # fmt: skip
    return kept


def _range(value: Any) -> tuple[float, float]:
    """A number, give or take 0.02, or {at_least, at_most}."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value - 0.02, value + 0.02
    if isinstance(value, Mapping) and value and not set(value) - {"at_least", "at_most"}:
        ends = [value.get("at_least", float("-inf")), value.get("at_most", float("inf"))]
        if all(isinstance(one, int | float) and not isinstance(one, bool) for one in ends):
            return ends[0], ends[1]
    raise ValueError(f"{value!r} is no range; wanted a number, or at_least and at_most")


def _factor() -> Any:
    return field(default=None, metadata={"read": _range})


@frozen(kw_only=True)
class Material:
    """Each of `objects` has a material (`all`: has materials, and all of them) that is `named` so; whose base colour is no further than
    `colour_within` from `colour` (the greatest difference of a channel, as a screen shows it); whose `metallic`, `roughness`,
    `transmission` and `alpha` are a number or {at_least, at_most}; that glows (`emits`); uses nodes of every type of `uses` (patterns for
    Blender's names without "ShaderNode", "TexImage"); has a picture (`textured`). What is linked to a node is no number and no colour.

    `distinct_at_least`, `distinct_at_most`: how many different materials all of them have."""

    objects: Any = some(needed=True)
    named: str | None = None
    colour: Any = field(default=None, metadata={"read": linear})
    colour_within: float = field(default=0.1, validator=validators.and_(validators.ge(0), validators.le(1)))
    metallic: Any = _factor()
    roughness: Any = _factor()
    transmission: Any = _factor()
    alpha: Any = _factor()
    emits: bool | None = None
    uses: Sequence[str] = ()
    textured: bool | None = None
    all: bool = False
    distinct_at_least: int | None = None
    distinct_at_most: int | None = None

    def __attrs_post_init__(self) -> None:
        if self.distinct_at_least is not None or self.distinct_at_most is not None:
            _ = bounds(None, None, self.distinct_at_least, self.distinct_at_most, plainly)

    reads = SCENE

    def answer(self, project: Project) -> Answer:
        things = _of_types(project, self.objects, SURFACED)
        if self.distinct_at_least is not None or self.distinct_at_most is not None:
            wanted = bounds(None, None, self.distinct_at_least, self.distinct_at_most, plainly)
            names = materials_of(things)
            if not wanted.hold(len(names)):
                shown_names = ", ".join(map(repr, names[:12])) or "none"
                said = f"{len(names)} different materials on {self.objects} ({shown_names}); wanted {wanted.text}"
                return Answer(False, said, str(len(names)), wanted.text)
        return every((self._finding(project, one) for one in things), f"materials of {self.objects}", ", ".join(self._wishes()))

    def _wishes(self) -> Sequence[str]:
        wishes = [f"name {self.named!r}"] * bool(self.named) + [f"nodes {' and '.join(self.uses)}"] * bool(self.uses)
        if self.colour is not None:
            wishes.append(f"colour {spelled(self.colour)} within {self.colour_within:g}")
        for key in FACTORS:
            if (ends := getattr(self, key)) is not None:
                wishes.append(f"{key} from {ends[0]:g} to {ends[1]:g}")
        wishes += [("glows" if self.emits else "does not glow")] * (self.emits is not None)
        wishes += [("a picture" if self.textured else "no picture")] * (self.textured is not None)
        return wishes or ["a material"]

    def _finding(self, project: Project, one: Thing) -> Finding:
        names = materials_of([one])
        if not names:
            return Finding(one["name"], False, "has no material")
        faults = {name: list(self._faults(name, project.scene.entry("materials", name))) for name in names}
        judged = max(faults, key=lambda name: len(faults[name])) if self.all else min(faults, key=lambda name: len(faults[name]))
        return Finding(one["name"], not faults[judged], f"{judged!r} {', '.join(faults[judged]) or 'is as wanted'}")

    def _faults(self, name: str, held: Seen) -> Iterator[str]:
        if self.named and not meets(name, self.named):
            yield "is named otherwise"
        if self.colour is not None:
            yield from self._colour_faults(held.get("base_color"))
        for key in FACTORS:
            ends, value = getattr(self, key), held.get(key).value
            if ends is not None and (value is None or not ends[0] - 1e-6 <= float(value) <= ends[1] + 1e-6):
                yield f"has {key} {value:g}" if value is not None else f"has no one {key}"
        glow = held.get("emission").value
        glows = isinstance(glow, list) and any(part > 1e-4 for part in glow)
        if self.emits is not None and glows is not self.emits:
            yield "glows" if glows else "does not glow"
        types = [str(node["type"]).removeprefix("ShaderNode") for node in held.get("nodes", [])]
        if missing := [use for use in self.uses if not any(meets(kind, use) for kind in types)]:
            yield f"has no node {' and '.join(missing)}"
        pictures = len(held.get("images", []))
        if self.textured is not None and bool(pictures) is not self.textured:
            yield "has a picture" if pictures else "has no picture"

    def _colour_faults(self, held: Seen) -> Iterator[str]:
        if held.value is None:
            yield "has no one colour"
            return
        there = [float(part) for part in held][:3]
        away = max(abs(a - b) for a, b in zip(shown(there), shown(self.colour), strict=True))
        if away > self.colour_within + 1e-6:
            yield f"has colour {spelled(there)}, {away:.2g} away"


def material(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.material", options, Material)


@frozen(kw_only=True)
class Uv:
    """The active UV map of each of `objects`' meshes: of what it covers no more than `overlap_at_most` is covered twice; it covers
    `coverage_at_least` and `coverage_at_most` of the square; no more than `outside_at_most` of its triangles leave it (all are shares).
    `density_at_least`, `density_at_most`: pixels along a metre of the surface as drawn, on the mean, with pictures of `pixels` x `pixels`
    (else the largest picture of its materials)."""

    objects: Any = some(needed=True)
    overlap_at_most: float | None = field(default=None, validator=validators.optional(SHARE))
    coverage_at_least: float | None = field(default=None, validator=validators.optional(SHARE))
    coverage_at_most: float | None = field(default=None, validator=validators.optional(SHARE))
    outside_at_most: float | None = field(default=None, validator=validators.optional(SHARE))
    density_at_least: float | None = None
    density_at_most: float | None = None
    pixels: int | None = field(default=None, validator=validators.optional(validators.gt(0)))

    @property
    def _dense(self) -> bool:
        return self.density_at_least is not None or self.density_at_most is not None

    @property
    def reads(self) -> frozenset[str]:
        return SHAPES if self._dense else SCENE

    def answer(self, project: Project) -> Answer:
        wanted = [f"{key.replace('_', ' ')} {getattr(self, key):g}" for key in (
            "overlap_at_most", "coverage_at_least", "coverage_at_most", "outside_at_most", "density_at_least", "density_at_most",
        ) if getattr(self, key) is not None]  # fmt: skip
        found = []
        for one in _of_types(project, self.objects, frozenset({"MESH"})):
            faults, seen = self._looked_at(project, one)
            found.append(Finding(one["name"], not faults, ", ".join(faults) or seen))
        return every(found, f"UV maps of {self.objects}", ", ".join(wanted) or "a UV map")

    def _looked_at(self, project: Project, one: Thing) -> tuple[Sequence[str], str]:
        mesh = project.scene.mesh_of(one)
        uv = mesh.get("uv")
        if uv.value is None:
            return [f"cannot be read: {mesh['unreadable']}" if "unreadable" in mesh else "has no UV map"], ""
        faults = list[str]()
        for key, low, high in (("overlap", None, self.overlap_at_most), ("coverage", self.coverage_at_least, self.coverage_at_most),
                               ("outside", None, self.outside_at_most)):  # fmt: skip
            if low is None and high is None:
                continue
            limit, value = bounds(None, None, low, high, percent), uv[key].value
            if value is None:
                faults.append(f"its {key} is too costly to find out: faces lie upon each other many times")
            elif not limit.hold(float(value)):
                faults.append(f"{key} is {limit.judged(float(value))}")
        if (lost := float(uv.get("lost", 0.0))) > MOST_LOST:
            faults.append(f"{percent(lost)} of its triangles have no area on the map")
        if self._dense:
            density = self._density(project, one, float(uv["area"]))
            limit = bounds(None, None, self.density_at_least, self.density_at_most, lambda number: f"{number:.4g} pixels per metre")
            faults += [] if limit.hold(density) else [limit.judged(density)]
        covers = "a map" if uv["coverage"].value is None else f"covers {percent(float(uv['coverage']))}"
        return faults, covers

    def _density(self, project: Project, one: Thing, area: float) -> float:
        """The root of pixels over square metres."""
        [(name, solid)] = project.solids_of([one["name"]], repr(one["name"])).items()
        surface = float(areas(project.soup(name, solid)).sum())
        if surface <= 0:
            raise SubmissionFault(f"shapes.objects[{name}]", "has no surface", project.cites)
        return float((area * self._picture(project, one) / surface) ** 0.5)

    def _picture(self, project: Project, one: Thing) -> float:
        if self.pixels is not None:
            return float(self.pixels) ** 2
        used = {str(image) for name in materials_of([one]) for image in project.scene.entry("materials", name).get("images", [])}
        sizes = [image.get("size") or (0, 0) for image in project.scene.value.get("images") or () if image.get("name") in used]
        return float(max((wide * high for wide, high in sizes), default=0))


def uv(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.uv", options, Uv)
