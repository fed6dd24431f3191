"""Things in an app's scene, named by what they are like and looked up when they are asked: tests do not know how it is built."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from playproof.seen import Seen
from playproof_xr.geometry import Vector
from playproof_xr.observe.scene import Scene, box_of, centre_of, matrix_of, spelled


class Looks(Protocol):
    """What a thing needs of a session."""

    def scene(self) -> Scene: ...
    def occlusion(self, identity: str, path: str, room: bool = False) -> Seen: ...


class Thing:
    """One object, by its id in the scene; every value is of the present moment.

    What a check reads is wrapped as Seen: a NaN, or that it is gone, is the submission's fault. `path` names it in reports."""

    def __init__(self, looks: Looks, identity: str, path: str) -> None:
        self._looks, self.id, self.path = looks, identity, path

    @classmethod
    def found(cls, looks: Looks, **wanted: Any) -> "Thing":
        return cls(looks, str(looks.scene().one(**wanted)["id"]), f"scene[{spelled(wanted)}]")

    @classmethod
    def all_found(cls, looks: Looks, **wanted: Any) -> "Sequence[Thing]":
        found = looks.scene().select(**wanted)
        return [cls(looks, str(one["id"]), f"scene[{spelled(wanted)}][{index}]") for index, one in enumerate(found)]

    def _held(self) -> tuple[Scene, Mapping[str, Any]]:
        scene = self._looks.scene()
        return scene, scene.by_id(self.id, self.path)

    def __getitem__(self, key: str) -> Seen:
        """A member of its entry in `xr.scene/1`."""
        scene, held = self._held()
        return scene.seen(held, self.path)[key]

    @property
    def position(self) -> Seen:
        """Its place in the session's frame, [x, y, z]."""
        scene, held = self._held()
        return scene.seen(held["matrix"][12:15], f"{self.path}.position")

    @property
    def colour(self) -> Seen:
        """Of its own material, or of the first thing in it that has one."""
        scene, held = self._held()
        return scene.seen(scene.clothed(held), self.path)["material"]["color"]

    @property
    def visible(self) -> Seen:
        return self["visible"]

    @property
    def occluded(self) -> Seen:
        """The share of its picture, 0 to 1, that other things hide from the eye. That no part of it is in view is a fault."""
        return self._looks.occlusion(self.id, self.path)

    @property
    def obstructed(self) -> Seen:
        """The share of its picture, 0 to 1, before which something real stands: furniture, a wall, another person. An app that does
        not ask for depth is drawn over all of these; so this is no property of its picture, and a wall's own panel is not obstructed."""
        return self._looks.occlusion(self.id, self.path, room=True)

    @property
    def centre(self) -> Vector:
        """The middle of its box, as a point to reach for."""
        scene, held = self._held()
        return centre_of(held, self.path, scene.cites)

    @property
    def size(self) -> Vector:
        scene, held = self._held()
        box = box_of(held, self.path, scene.cites)
        return box.size if box else Vector()

    @property
    def forward(self) -> Vector:
        """Where its -z points."""
        scene, held = self._held()
        return -matrix_of(held, self.path, scene.cites).column(2).unit
