"""`blender.symmetry`, `blender.watertight`, `blender.flat_card`, `blender.iou` and `blender.chamfer`: the shapes themselves.

    asks = { driver = "blender.symmetry", objects = "Mug", axis = "y", at_most = 0.01 }
    asks = { driver = "blender.watertight", objects = { type = "MESH" } }
    asks = { driver = "blender.flat_card", objects = "Tree*", at_least = 0.1 }
    asks = { driver = "blender.iou", objects = "Bracket", reference = "bracket.npz", at_least = 0.9 }
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from attrs import field, frozen, validators

from playproof.interfaces import Services
from playproof.model import Options
from playproof_blender.assertions.held import held_soup
from playproof_blender.assertions.lengths import Bounds, bounds, spelled
from playproof_blender.assertions.stating import SHAPES, Answer, Finding, Project, ProjectAssertion, every, length, some, stated
from playproof_blender.expected import HELD
from playproof_blender.geometry.samples import apart, mirrored, principal
from playproof_blender.geometry.solids import outline, shared
from playproof_blender.geometry.soup import closure, diagonal, extent
from playproof_blender.geometry.surface import Surface

SHARE: Any = validators.and_(validators.ge(0), validators.le(1))


def percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _soups(project: Project, objects: Any, together: bool) -> Mapping[str, Any]:
    if together:
        return {str(objects): project.surface(objects)[0].soup}
    return {name: project.soup(name, solid) for name, solid in project.solids(objects).items()}


@frozen(kw_only=True)
class Symmetry:
    """`objects` (together, unless `each`) are their own mirror image in the plane where coordinate `axis` is `at`, or through the middle of
    their box: of points spread over the surface, a share `of_points` has its image no further from the surface than `at_most` times the
    diagonal of the box."""

    objects: Any = some(needed=True)
    axis: Literal["x", "y", "z"]
    at: float | None = length()
    at_most: float = field(default=0.01, validator=SHARE)
    of_points: float = field(default=0.99, validator=SHARE)
    each: bool = False

    reads = SHAPES

    def answer(self, project: Project) -> Answer:
        axis, found = "xyz".index(self.axis), []
        for name, soup in _soups(project, self.objects, not self.each).items():
            surface, size = Surface(soup), diagonal(soup)
            middle = float(surface.box[:, axis].mean()) if self.at is None else self.at
            away = float(np.quantile(mirrored(surface, axis, middle), self.of_points))
            share = away / size if size else 0.0
            found.append(Finding(name, share <= self.at_most, f"off by {spelled(away)}, {percent(share)} of its size"))
        wanted = f"at most {percent(self.at_most)} for {percent(self.of_points)} of it"
        return every(found, f"symmetry of {self.objects} along {self.axis}", wanted)


def symmetry(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.symmetry", options, Symmetry)


@frozen(kw_only=True)
class Watertight:
    """Each of `objects`, with its modifiers, is closed: each edge is shared by two triangles that run through it in opposite ways; and it
    encloses a volume with its outside out. `weld`: points no further apart count as one, as after an import of triangles that share
    none."""

    objects: Any = some(needed=True)
    weld: float | None = length(0.0)

    reads = SHAPES

    def answer(self, project: Project) -> Answer:
        found = []
        for name, solid in project.solids(self.objects).items():
            project.soup(name, solid)
            told = closure(solid.points, solid.triangles, self.weld or 0.0)
            counts = ((told.open_edges, "open edges"), (told.crowded_edges, "edges of three or more faces"),
                      (told.flipped_edges, "edges between faces that look opposite ways"))  # fmt: skip
            faults = [f"{count} {what}" for count, what in counts if count]
            if told.closed and told.volume <= 0:
                faults.append("it is inside out" if told.volume < 0 else "it encloses nothing")
            found.append(Finding(name, not faults, ", ".join(faults) or f"closed, {told.volume * 1e6:.4g} cm³"))
        return every(found, f"closedness of {self.objects}", "a closed surface with its outside out")


def watertight(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.watertight", options, Watertight)


@frozen(kw_only=True)
class FlatCard:
    """None of `objects` (`together`: all as one) is a card, or cards put crosswise: along the thinnest of its principal axes it reaches at
    least `at_least` times as far as along the middle one (which a slender pole does, and a card does not), and from each of six directions
    (the axes of the world, its own principal axes) it fills at least that share of the smallest rectangle around what is seen of it."""

    objects: Any = some(needed=True)
    at_least: float = field(default=0.05, validator=SHARE)
    together: bool = False

    reads = SHAPES

    def answer(self, project: Project) -> Answer:
        found = []
        for name, soup in _soups(project, self.objects, self.together).items():
            own = soup - extent(soup).mean(0)
            axes, reach = principal(own)
            thin = float(np.min(reach) / np.median(reach)) if np.median(reach) > 0 else 0.0
            if thin < self.at_least:
                along = _direction(axes[int(reach.argmin())])
                found.append(Finding(name, False, f"is {percent(thin)} as thick as it is wide, along {along}"))
                continue
            fills = {_direction(axis): outline(own, axis, 48)[1] for axis in (*np.eye(3), *axes)}
            least = min(fills, key=lambda axis: fills[axis])
            seen = f"fills {percent(fills[least])} of what it spans, seen along {least}; it is {percent(thin)} as thick as it is wide"
            found.append(Finding(name, fills[least] >= self.at_least, seen))
        return every(found, f"fullness of {self.objects}", f"at least {percent(self.at_least)} from every side")


def _direction(axis: Any) -> str:
    return f"({', '.join(f'{each:.2g}' for each in axis + 0.0)})"


def flat_card(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.flat_card", options, FlatCard)


@frozen(kw_only=True)
class Against:
    """`reference`: a file of `checks/` (see `held`), of which `reference_objects` are taken where it holds several. `align`: "none" leaves
    both in the world; "centre" lays the middles of the boxes upon each other, "ground" too, but the bottoms in height; `scale` makes the
    diagonals of the boxes equal first."""

    objects: Any = some(needed=True)
    reference: str
    reference_objects: str = "*"
    align: Literal["none", "centre", "ground"] = "none"
    scale: bool = False

    reads = SHAPES | {HELD}

    def both(self, project: Project) -> tuple[Any, Any]:
        mine, theirs = project.surface(self.objects)[0].soup, held_soup(project, self.reference, self.reference_objects)
        if self.scale and diagonal(mine) > 0:
            mine = mine * (diagonal(theirs) / diagonal(mine))
        if self.align != "none":
            (low, high), (their_low, their_high) = extent(mine), extent(theirs)
            away = (their_low + their_high - low - high) / 2.0
            if self.align == "ground":
                away[2] = their_low[2] - low[2]
            mine = mine + away
        return mine, theirs


@frozen(kw_only=True)
class Iou(Against):
    """Volume in common over volume together, on `cells` cells along the longest side."""

    at_least: float = field(validator=SHARE)
    cells: int = field(default=96, validator=validators.in_(range(16, 193)))

    def answer(self, project: Project) -> Answer:
        share = shared(*self.both(project), self.cells)
        seen = "no volume at all" if np.isnan(share) else f"{share:.3f} of their volume in common"
        message = f"{self.objects} and {self.reference!r} have {seen}; wanted {self.at_least:g} at least"
        return Answer(bool(share >= self.at_least), message, seen, f"at least {self.at_least:g}")


def iou(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.iou", options, Iou)


@frozen(kw_only=True)
class Chamfer(Against):
    """The mean distance of points of either surface from the other is `at_most` (a length), or `share_at_most` of the diagonal of the
    reference's box; no point is further than `furthest_at_most`."""

    at_most: float | None = length()
    share_at_most: float | None = None
    furthest_at_most: float | None = length()

    def __attrs_post_init__(self) -> None:
        if self.at_most is None and self.share_at_most is None and self.furthest_at_most is None:
            raise ValueError("say at_most, share_at_most or furthest_at_most")

    def answer(self, project: Project) -> Answer:
        mine, theirs = self.both(project)
        told, size = apart(Surface(mine), Surface(theirs)), diagonal(theirs)
        limits = [(told.mean, bounds(None, None, None, self.at_most), "mean")] if self.at_most is not None else []
        if self.share_at_most is not None:
            share = told.mean / size if size else np.inf
            limits.append((share, bounds(None, None, None, self.share_at_most, percent), "mean, by the size"))
        if self.furthest_at_most is not None:
            limits.append((told.furthest, bounds(None, None, None, self.furthest_at_most), "furthest point"))
        return every((Finding(name, wanted.hold(value), f"{wanted.judged(value)}") for value, wanted, name in limits),
                     f"distance of {self.objects} from {self.reference!r}", _all_of(limits))  # fmt: skip


def _all_of(limits: list[tuple[float, Bounds, str]]) -> str:
    return ", ".join(f"{name} {wanted.text}" for _, wanted, name in limits)


def chamfer(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.chamfer", options, Chamfer)


