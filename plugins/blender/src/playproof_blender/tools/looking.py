"""Pictures of a project for the agent that works on it: through one camera, or from all sides on one sheet."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import field, frozen, validators

from playproof.errors import SessionError
from playproof.interfaces import Services
from playproof.model import Evidence, Observer
from playproof_blender import views
from playproof_blender.exhibits.views import ViewsExhibitor
from playproof_blender.tools.calls import Failed
from playproof_blender.tools.workshop import Workshop

ACTIVE = "active"
CYCLES_WALL = 5
"""How many times longer than other work rendering by Cycles may take."""


@frozen
class Look:
    """One of the project's cameras by its name (or the `active` one), or a place from which to look at a target (metres of the world), or
    neither: as many `views` of all as geometry finds, on one sheet. `angle_deg` is the field of view, `size` pixels of a side, `samples`
    are those of Cycles."""

    project: str | None = None
    camera: str | None = None
    position: tuple[float, float, float] | None = None
    target: tuple[float, float, float] | None = None
    angle_deg: float = field(default=40.0, validator=validators.and_(validators.ge(5), validators.le(120)))
    views: int = field(default=8, validator=validators.and_(validators.ge(1), validators.le(16)))
    engine: str = field(default="workbench", validator=validators.in_(("workbench", "cycles")))
    size: int = field(default=512, validator=validators.and_(validators.ge(16), validators.le(2048)))
    samples: int = field(default=16, validator=validators.and_(validators.ge(1), validators.le(1024)))

    def __attrs_post_init__(self) -> None:
        if (self.position is None) != (self.target is None):
            raise ValueError("position and target go together")
        if self.position is not None and self.camera is not None:
            raise ValueError("either a camera, or a position and a target")
        if self.position is not None and self.target is not None:
            if not np.isfinite([*self.position, *self.target]).all():
                raise ValueError("position and target are finite numbers")
            if np.allclose(self.position, self.target):
                raise ValueError("the camera stands where it looks at")


@frozen
class Seen:
    """`picture` (PNG) is what the agent is shown, `files` (paths in the workspace) what was written, `text` says what is to be seen."""

    text: str
    picture: bytes
    files: Sequence[str]


def look(workshop: Workshop, wish: Look, renders: Path) -> Seen:
    """Raises Failed where there is no such camera, or nothing could be rendered."""
    name, _ = workshop.project(wish.project)
    return _one(workshop, name, wish, renders) if wish.camera or wish.position else _around(workshop, name, wish, renders)


def _one(workshop: Workshop, project: str, wish: Look, renders: Path) -> Seen:
    view = _own(workshop, project, wish.camera) if wish.camera else _given(wish)
    options = {"views": [view], "substitutes": [], "channel": wish.engine, "size": wish.size, "samples": wish.samples,
               "time_limit": _wall_s(workshop, wish) / 2}  # fmt: skip
    staged = workshop.run("render_views", project, options, _wall_s(workshop, wish))
    if failed := staged.get("failed"):
        raise Failed(f"Blender did not render {view['words']}: {failed.value['why']}")
    try:
        seal = staged.named("picture")
    except SessionError as fault:
        raise Failed(str(fault)) from None
    picture = seal.read()
    kept = _kept(workshop, renders, view["name"], picture)
    empty = ". The picture is of one colour: nothing is to be seen from there" if staged.get("invalid") else ""
    dark = ". It is black: there is no light that reaches what is seen" if seal.value["black"] and not empty else ""
    return Seen(f"{view['words']}, by {wish.engine}, {' x '.join(map(str, seal.value['size']))}: {kept}{empty}{dark}", picture, [kept])


def _own(workshop: Workshop, project: str, name: str | None) -> Mapping[str, Any]:
    scene = workshop.scene(project)
    there = [one["name"] for one in scene["objects"] if one.get("type") == "CAMERA"]
    wanted = scene["render"]["camera"] if name == ACTIVE and ACTIVE not in there else name
    if wanted not in there:
        what = "the scene has no active camera" if wanted is None else f"there is no camera {wanted!r}"
        raise Failed(f"{what}; there are {', '.join(map(repr, there[:20])) or 'none'}")
    return {"name": f"camera-{wanted}", "kind": "own", "object": wanted, "words": f"through the camera {wanted}"}


def _given(wish: Look) -> Mapping[str, Any]:
    place, target = np.array(wish.position, np.float64), np.array(wish.target, np.float64)
    far = float(np.linalg.norm(target - place))
    words = f"from {tuple(wish.position or ())} to {tuple(wish.target or ())}"
    return {"name": "given", "kind": "given", "words": words, "matrix": _looking(place, target).ravel().tolist(),
            "angle_deg": wish.angle_deg, "clip": [max(1e-3 * far, 1e-6), max(1000.0, 100 * far)]}  # fmt: skip


def _looking(place: Any, target: Any) -> Any:
    """A camera's matrix (4, 4), by rows: it looks along -z, with +y up, as far as the world's z can be."""
    back = (place - target) / np.linalg.norm(place - target)
    up = np.array([0.0, 0.0, 1.0]) if abs(back[2]) < 0.9999 else np.array([0.0, 1.0, 0.0])
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2], matrix[:3, 3] = right, np.cross(back, right), back, place
    return matrix


def _around(workshop: Workshop, project: str, wish: Look, renders: Path) -> Seen:
    wishes = views.Wishes(wish.engine, wish.size, wish.samples, wish.views)
    try:
        taken = views.take(lambda stage, options, wall_s: workshop.run(stage, project, options, wall_s), wishes, workshop.wall_s,
                           _wall_s(workshop, wish))  # fmt: skip
    except SessionError as fault:
        raise Failed(str(fault)) from None
    told = taken[0].value
    if told.get("empty"):
        raise Failed(f"there is nothing to see: {told['empty']}")
    pictures = {hashlib.sha256(content := one.blob.read()).hexdigest(): content for one in taken if one.kind == views.PICTURE and one.blob}
    evidence = Evidence("", 0, 0, views.VIEWS, Observer.OUTSIDE, "", value=told)
    shown = ViewsExhibitor({}, Services(workshop.scratch)).show(evidence, pictures.__getitem__)
    if shown.thumbnail is None:
        raise Failed(shown.text)
    files = [_kept(workshop, renders, view["name"], pictures[view["picture"]["digest"]]) for view in told["views"]
             if view["picture"] and view["picture"]["digest"] in pictures]  # fmt: skip
    sheet = _kept(workshop, renders, "sheet", shown.thumbnail)
    return Seen(f"{shown.text}\n{sheet} shows all; each is also {files[0]} and so on", shown.thumbnail, [*files, sheet])


def _wall_s(workshop: Workshop, wish: Look) -> float:
    return workshop.wall_s * (CYCLES_WALL if wish.engine == "cycles" else 1)


def _kept(workshop: Workshop, renders: Path, name: str, picture: bytes) -> str:
    """Written under the next free number, so that earlier pictures can be compared; its path in the workspace."""
    renders.mkdir(parents=True, exist_ok=True)
    numbers = [int(one.name[:4]) for one in renders.glob("[0-9][0-9][0-9][0-9]-*.png")]
    slug = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()[:40] or "camera"
    place = renders / f"{max(numbers, default=0) + 1:04}-{slug}.png"
    place.write_bytes(picture)
    return place.relative_to(workshop.root).as_posix()
