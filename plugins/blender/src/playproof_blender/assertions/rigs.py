"""`blender.rig`: what moves when a bone is turned. It reads `blender.rig/1`; [observe."blender.rig/1"] sets by how much.

    asks = { driver = "blender.rig", bone = "Forearm.L", groups = ["Forearm.L", "Hand.L"], still_groups = ["Spine*"] }
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from playproof.interfaces import Services
from playproof.model import Options
from playproof_blender.assertions.forms import SHARE
from playproof_blender.assertions.lengths import SLACK, spelled
from playproof_blender.assertions.stating import Answer, Finding, Project, ProjectAssertion, every, length, stated
from playproof_blender.assertions.tracks import named, of_the_form
from playproof_blender.scene import meets

RIG = "blender.rig/1"
RESTORED = 1e-4
"""Metres by which a point may be off when the bone is back."""


@frozen(kw_only=True)
class Rig:
    """Each bone of that name (of an `armature`), turned by itself, moves points of every one of `objects` and every vertex group of
    `groups` (patterns), a share `share_at_least` of them (0: one), the furthest by `at_least`; and none of `still` and `still_groups`.
    Points belong to the group in which they weigh most. When the bone is back, so is every point, to 0.1 mm."""

    bone: str
    armature: str = "*"
    objects: Sequence[str] = ()
    groups: Sequence[str] = ()
    still: Sequence[str] = ()
    still_groups: Sequence[str] = ()
    share_at_least: float = field(default=0.0, validator=SHARE)
    at_least: float | None = length()

    def __attrs_post_init__(self) -> None:
        if not (self.objects or self.groups or self.still or self.still_groups):
            raise ValueError("say objects, groups, still or still_groups")

    reads = frozenset({RIG})

    def answer(self, project: Project) -> Answer:
        told = project.latest(RIG)
        with of_the_form(RIG, project):
            bones = [one for one in told["bones"] if meets(one["bone"], self.bone) and meets(one["armature"], self.armature)]
            named(bones, [self.bone], [str(one["bone"]) for one in told["bones"]], "bone", project)
            found = [finding for bone in bones for finding in self._of(bone, project)]
        turned = f"turned by {told.get('angle_deg')}°"
        return every(found, f"what moves with the bone {self.bone!r}, {turned}", "what should move moves, and nothing else")

    def _of(self, bone: Mapping[str, Any], project: Project) -> Iterator[Finding]:
        objects = dict(bone["objects"])
        groups = {f"group {group!r} of {name}": (group, told) for name, one in objects.items() for group, told in one["groups"].items()}
        for patterns, moves in ((self.objects, True), (self.still, False)):
            for pattern in patterns:
                mine = {name: told for name, told in objects.items() if meets(name, pattern)}
                named(list(mine), [pattern], list(objects), "object on the armature", project)
                yield from (self._finding(name, told, moves) for name, told in mine.items())
        for patterns, moves in ((self.groups, True), (self.still_groups, False)):
            for pattern in patterns:
                held = {said: told for said, (group, told) in groups.items() if meets(group, pattern)}
                named(list(held), [pattern], sorted({group for group, _ in groups.values()}), "vertex group with points", project)
                yield from (self._finding(said, told, moves) for said, told in held.items())
        off = float(bone["restored"])
        yield Finding(f"bone {bone['bone']}", math.isfinite(off) and off <= RESTORED, f"its points are {spelled(off)} off when it is back")

    def _finding(self, name: str, told: Mapping[str, Any], moves: bool) -> Finding:
        moved, count, furthest = int(told["moved"]), max(int(told["points"]), 1), float(told["furthest"])
        if not math.isfinite(furthest):
            return Finding(name, False, "its points move to no place that is a number")
        seen = f"{moved} of {count} points move, by {spelled(furthest)} at most" if moved else "does not move"
        if not moves:
            return Finding(name, moved == 0, seen)
        enough = moved > 0 and moved / count >= self.share_at_least
        return Finding(name, enough and furthest >= (self.at_least or 0.0) - SLACK, seen)


def rig(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.rig", options, Rig)
