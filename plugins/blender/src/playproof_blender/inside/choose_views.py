"""The stage `choose_views`: complementary views by geometry, each looked through by rays before anything is rendered."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import degrees
from pathlib import Path
from typing import Any

import bpy
import cameras
import candidates
import numpy as np
from candidates import Candidate
from choosing import Chooser, refused
from drawn import Drawn
from framing import Subject, subject_of
from probes import Enclosure, Probes, enclosure
from reading import name_of
from scenery import Scenery
from visibility import Visibility

ENCLOSED = 0.5
"""A scene is an interior of which more places than that are closed in; of one with fewer, both sides are looked at."""

PARTLY = 0.08
SUBSTITUTES = 8
MOST_TOLD = 12


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """`options`: views (how many), own_cameras, cameras (proposed ones). Seals `views`, a JSON value; see `playproof_blender.views`."""
    scene = bpy.context.scene
    own = cameras.own(scene, bpy.context.evaluated_depsgraph_get()) if options["own_cameras"] else []
    scenery = Scenery(Drawn(Visibility()))
    told: dict[str, Any] = {"scene": name_of(scene), "frame": scene.frame_current, "views": [], "substitutes": [], "refused": []}
    if not scenery.names:
        why = f"nothing that a render would show has a surface ({scenery.not_finite} things are nowhere finite)"
        seal("views", {**told, "empty": why})
        return
    seal("views", {**told, **_chosen(scenery, own, options)})


def _chosen(scenery: Scenery, own: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> Mapping[str, Any]:
    subject = subject_of(scenery)
    probes = Probes(scenery, subject)
    enclosed = enclosure(probes)
    probes.shells = enclosed.shells
    proposed = [candidates.given(probes, one["position"], one["target"], one["angle_deg"]) for one in options["cameras"]]
    offered = [*proposed, *_offered(probes, enclosed)]
    unfit = {id(one): why for one, why in refused(offered, subject)}
    case = "interior" if _is_interior(enclosed) else "landscape" if candidates.is_landscape(subject, scenery) else "object"
    fit = [one for one in offered if id(one) not in unfit]
    chooser = Chooser(fit, _bounds(case, options["views"]), _walls(scenery, subject, enclosed))
    views = list(_taken(chooser, options["views"], subject, len(proposed)))
    covered = chooser.covered
    chooser.relax()
    substitutes = [{**view, "why": "a substitute"} for view in _taken(chooser, SUBSTITUTES, subject, 0)]
    no_good = [{"words": one.words, "why": unfit[id(one)], "kind": one.kind} for one in proposed if id(one) in unfit]
    return {
        "views": [_named(view, number) for number, view in enumerate(views, 1)], "own": [_own(one, subject) for one in own],
        "substitutes": substitutes, "refused": no_good,
        "subject": {"box": [*subject.low.tolist(), *subject.high.tolist()], "diagonal": subject.diagonal, "hull": subject.hull.tolist(),
                    "left_out": [{"object": name, "why": why} for name, why in subject.why.items()]},
        "case": case, "enclosed": round(enclosed.share, 3), "covered": round(covered, 3), "candidates": len(offered), "unfit": len(unfit),
        "rays": probes.rays, "scenery": {"pieces": len(scenery.names), "boxed": scenery.boxed, "left_off": scenery.left_off,
                                         "not_finite": scenery.not_finite},
    }  # fmt: skip


def _is_interior(enclosed: Enclosure) -> bool:
    return enclosed.share > ENCLOSED and len(enclosed.free) > 0


def _bounds(case: str, views: int) -> Mapping[str, int]:
    """How many views of a kind at most, so that a whole is not told by its parts alone, nor a room by its house."""
    if case == "interior":
        return {"ring": views // 4, "below": 0}
    return {"close": views * 3 // 8 if case == "landscape" else views // 4, "land": views // 4, "inside": views // 2, "below": views // 4}


def _walls(scenery: Scenery, subject: Subject, enclosed: Enclosure) -> Any:
    large = np.linalg.norm(scenery.highs - scenery.lows, axis=1) > candidates.THING * subject.diagonal
    return large if _is_interior(enclosed) else np.zeros(len(scenery.names), bool)


def _offered(probes: Probes, enclosed: Enclosure) -> Iterator[Candidate]:
    within = _is_interior(enclosed)
    if not within or probes.subject.surroundings.any():  # a house that stands on something was made to be seen from there, too
        yield from candidates.outside(probes)
    if not within:
        yield from candidates.close(probes)
        if candidates.is_landscape(probes.subject, probes.scenery):
            yield from candidates.on_land(probes)
    if enclosed.share > PARTLY and len(enclosed.free):
        yield from candidates.inside(probes, enclosed)


def _taken(chooser: Chooser, count: int, subject: Subject, proposed: int) -> Iterator[Mapping[str, Any]]:
    given = [index for index, one in enumerate(chooser.candidates) if one.kind == "given"] if proposed else []
    for number in range(count):
        taken = chooser.take(given[number] if number < len(given) else None)
        if taken is None:
            return
        index, new = taken
        yield _view(chooser.candidates[index], new, subject)


def _view(one: Candidate, new: float, subject: Subject) -> Mapping[str, Any]:
    sight, extent = one.sight, subject.diagonal + float(np.linalg.norm(one.camera.place - subject.middle))
    return {
        "by": "given" if one.kind == "given" else "geometry", "kind": one.kind, "words": one.words,
        "why": f"shows {new:.0%} of what can be seen that no view before it shows", "matrix": one.camera.matrix.ravel().tolist(),
        "angle_deg": degrees(one.camera.angle), "lens_mm": candidates.lens_mm(one.camera.angle),
        "clip": [max(1e-4 * subject.diagonal, 1e-6), max(1000.0, 100 * extent)], "target": sight.target.tolist(),
        "coverage": round(sight.coverage, 4), "inside": round(sight.inside, 4), "near": sight.near, "new": round(new, 4),
        "shows": [[name, round(share, 4)] for name, share in sight.shows[:MOST_TOLD]], "things": len(sight.shows),
    }  # fmt: skip


def _named(view: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    return {"name": f"view-{number}", **view}


def _own(one: Mapping[str, Any], subject: Subject) -> Mapping[str, Any]:
    words = f"the project's {'active ' if one['active'] else ''}camera {one['object']}"
    return {"name": f"camera-{one['object']}", "by": "own camera", "kind": "own", "words": words, **one}
