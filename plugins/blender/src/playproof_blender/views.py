"""Views of a project, from the parent's side: chosen in one child, rendered in another, and told as evidence.

`blender.views/1` says what was looked at and how: {"scene", "frame", "case": object | interior | landscape, "channel", "size", "samples",
"engine" {"project", "used", "substituted"}, "subject" {"box", "diagonal", "left_out" [{"object", "why"}]}, "views" [view], "substitutes"
[view], "refused" [what was proposed and is no good, with why], "covered": share of what can be seen, "films" [{"film", "pictures", "fps"}],
"preview" {"bytes"} or {"missing": why}, "missing" [{"view", "why"}], "empty": why there are no views}, and where a model
was asked for cameras "proposed" {"model", "cameras": how many, "faults", "why": there are none | null} (see `session`). A view is
{"name", "by": geometry | given | own camera | substitute, "kind", "words", "why", "matrix" (16 numbers by rows, camera to world, metres; it
looks along -z), "angle_deg", "clip", "coverage", "near", "shows" [[object, share]], "picture": {"digest", "size", "mean", "std", "p99",
"black", "flat"} | null, "missing": why, "invalid": why, "instead": name}.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import Factory, asdict, evolve, field, frozen, validators

from playproof.drivers import settings
from playproof.errors import SessionLost
from playproof.model import Options
from playproof_blender.preview import MEDIA_TYPE, PREVIEW, take_preview
from playproof_blender.sealed import Seal
from playproof_blender.stages import Staged

VIEWS, PICTURE, VIDEO, FRAME = "blender.views/1", "image.render/1", "blender.video/1", "blender.frame/1"
KINDS = (VIEWS, PICTURE, VIDEO, FRAME, PREVIEW)
"""Kinds that come of one ask together."""

FILMS = (VIDEO, FRAME)
TURN = 24
"""Pictures of the turntable that is made where a film is asked for and none is wished."""

FIRST_SHARE = 2 / 3
"""Of the wall clock for all pictures: what the first process may use up; the rest is for one that goes on where it stopped."""


@frozen
class Proposed:
    """A camera that somebody wishes for (a model that has read the brief): where it is and at what it looks, metres of the world."""

    position: Sequence[float] = field(validator=validators.and_(validators.min_len(3), validators.max_len(3)))
    target: Sequence[float] = field(validator=validators.and_(validators.min_len(3), validators.max_len(3)))
    angle_deg: float = field(default=40.0, validator=validators.and_(validators.ge(5), validators.le(120)))

    def __attrs_post_init__(self) -> None:
        if max(abs(one - other) for one, other in zip(self.position, self.target, strict=True)) < 1e-6:
            raise ValueError("the camera stands where it looks at")


@frozen
class Wishes:
    """Options of [observe."image.render/1"]. `channel` is cycles, or workbench for shapes and base colours alone; `size` pixels of a side,
    `samples` of Cycles for each, `time_limit` its seconds for each view. `views` are as many as can be found that differ, `cameras`
    proposed ones that come before those by geometry, if they pass the same preflight. `turntable` and `timeline` are pictures of a film, 0
    for none; `preview` is the scene for people to turn."""

    channel: str = field(default="cycles", validator=validators.in_(("cycles", "workbench")))
    size: int = field(default=512, validator=validators.and_(validators.ge(16), validators.le(4096)))
    samples: int = field(default=16, validator=validators.and_(validators.ge(1), validators.le(4096)))
    views: int = field(default=8, validator=validators.and_(validators.ge(1), validators.le(32)))
    cameras: Sequence[Proposed] = field(default=(), validator=validators.max_len(32))
    own_cameras: bool = True
    turntable: int = field(default=0, validator=validators.and_(validators.ge(0), validators.le(360)))
    timeline: int = field(default=0, validator=validators.and_(validators.ge(0), validators.le(360)))
    film_size: int = field(default=256, validator=validators.and_(validators.ge(16), validators.le(1024), lambda _, __, size: _even(size)))
    time_limit: float = field(default=60.0, validator=validators.gt(0))
    preview: bool = True


def _even(size: int) -> None:
    if size % 2:
        raise ValueError(f"a film's side is even, not {size}")


@frozen
class Taken:
    """One entry to be: a JSON value, or a file that a stage sealed."""

    kind: str
    source: str
    media_type: str = "application/json"
    value: Any = None
    blob: Seal | None = None


Run = Callable[[str, Mapping[str, Any], float], Staged]
"""Runs a stage on the project: its name, its options, and the wall seconds that it may take."""


def wishes_of(options: Options) -> Wishes:
    """Raises TaskError with the path of each fault."""
    return settings(Wishes, options, PICTURE)


def is_film_alone(kind: str, options: Options) -> bool:
    """Whether it is a film that is asked for, and none comes with the pictures."""
    wishes = wishes_of(options)
    return kind in FILMS and not wishes.turntable and not wishes.timeline


def take_film(run: Run, wishes: Wishes, choose_s: float, render_s: float) -> Sequence[Taken]:
    """A turntable alone. Raises SessionError where there is none; of an empty scene it gives nothing."""
    films = _film(run, evolve(wishes, turntable=TURN), _choice(run, wishes, choose_s), render_s)
    if lost := next((one["missing"] for one in films.told if "missing" in one), None):
        raise SessionLost(f"no turntable: {lost}")
    return films.taken


def _choice(run: Run, wishes: Wishes, choose_s: float) -> Mapping[str, Any]:
    asked = {"views": wishes.views, "own_cameras": wishes.own_cameras, "cameras": [asdict(one) for one in wishes.cameras]}
    chosen: Mapping[str, Any] = run("choose_views", asked, choose_s).named("views").value
    return chosen


def take(run: Run, wishes: Wishes, choose_s: float, render_s: float) -> Sequence[Taken]:
    """Views of a project, and pictures of them. Raises SessionError where no views were chosen, or Blender died twice and left not one
    picture; where it refused them all, each view says so."""
    chosen = _choice(run, wishes, choose_s)
    told = {"channel": wishes.channel, "size": wishes.size, "samples": wishes.samples if wishes.channel == "cycles" else None}
    if "empty" in chosen:
        return [Taken(VIEWS, "no views", value={**chosen, **told, "missing": [], "films": []})]
    shoot = _shoot(run, wishes, chosen, render_s)
    films = _film(run, wishes, chosen, render_s)
    preview, glb = take_preview(run) if wishes.preview else (None, None)
    views, pictures = _pictures(shoot, chosen, wishes)
    kept = {name: value for name, value in chosen.items() if name not in ("own", "subject", "views")}
    kept["subject"] = {name: value for name, value in chosen["subject"].items() if name != "hull"}
    missing = [{"view": view["name"], "why": view["missing"]} for view in views if "missing" in view]
    value = {**kept, **told, "engine": shoot.engine, "views": views, "missing": missing, "films": films.told, "preview": preview}
    turned = [Taken(PREVIEW, "the scene, to be turned", MEDIA_TYPE, blob=glb)] if glb else []
    return [Taken(VIEWS, f"{len(pictures)} views", value=value), *pictures, *films.taken, *turned]


@frozen
class Shoot:
    """What rendering sealed, over all its processes, and why what is not there is missing."""

    seals: Sequence[Seal]
    fault: str = ""

    def of(self, name: str) -> Iterator[Seal]:
        return (seal for seal in self.seals if seal.name == name)

    @property
    def engine(self) -> Any:
        return next((seal.value for seal in self.of("engine")), None)

    @property
    def told(self) -> frozenset[str]:
        """The views of which something is known: a picture, or that Blender refused."""
        return frozenset(seal.value["view"] for seal in self.seals if seal.name in ("picture", "failed"))


def _shoot(run: Run, wishes: Wishes, chosen: Mapping[str, Any], render_s: float) -> Shoot:
    """Where a process dies, a second one goes on with what is missing, and tries last what the first one died over."""
    options = {"channel": wishes.channel, "size": wishes.size, "samples": wishes.samples, "time_limit": wishes.time_limit,
               "substitutes": chosen["substitutes"]}  # fmt: skip
    views = [*chosen["views"], *chosen["own"]]
    if not views:
        return Shoot(())
    first = run("render_views", {**options, "views": views}, render_s * FIRST_SHARE)
    shoot = Shoot(first.seals)
    left = [view for view in views if view["name"] not in shoot.told]
    if not first.whole and left:
        second = run("render_views", {**options, "views": [*left[1:], left[0]]}, max(1.0, render_s - first.ended.wall_s))
        shoot = Shoot([*first.seals, *second.seals], "" if second.whole else str(second.fault()))
        late = second.ended.ended in ("wall", "idle") and any(view["name"] not in shoot.told for view in left)
        if late or not any(True for _ in shoot.of("picture")):  # the control tells whether the project or this machine is slow
            raise (second if late else first).fault()
    return shoot


def _pictures(shoot: Shoot, chosen: Mapping[str, Any], wishes: Wishes) -> tuple[Sequence[Mapping[str, Any]], Sequence[Taken]]:
    """Each view with what became of it, those that stand in for others behind the rest; and the pictures. An invalid one is left out."""
    seals = {seal.value["view"]: seal for seal in shoot.of("picture")}
    failed = {seal.value["view"]: seal.value["why"] for seal in shoot.of("failed")}
    invalid = {seal.value["view"]: seal.value["why"] for seal in shoot.of("invalid")}
    instead = [_substitute(seal.value["of"], seal.value["view"]) for seal in shoot.of("instead")]
    replaced = {view["of"]: view["name"] for view in instead if view["name"] in seals and view["name"] not in invalid}
    views, taken = list[Mapping[str, Any]](), list[Taken]()
    for view in [*chosen["views"], *chosen["own"], *instead]:
        name, seal = view["name"], seals.get(view["name"])
        lost = failed.get(name) or shoot.fault or "not rendered"
        more: dict[str, Any] = {"picture": _measures(seal)} if seal else {"picture": None, "missing": lost}
        more |= {"invalid": invalid[name]} if name in invalid else {}
        more |= {"instead": replaced[name]} if name in replaced else {}
        views.append({**view, **more})
        if seal and not (name in invalid and (name in replaced or view["by"] == "substitute")):
            taken.append(Taken(PICTURE, f"{name}: {view['words']}; {_spelled(shoot, wishes)}", "image/png", blob=seal))
    return views, taken


def _substitute(of: str, view: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**view, "by": "substitute", "of": of, "why": f"in place of {of}, which shows nothing"}


def _measures(seal: Seal) -> Mapping[str, Any]:
    """Without its seconds: evidence of the same thing is the same, and what was said of it stands."""
    told = {name: value for name, value in seal.value.items() if name not in ("view", "seconds")}
    return {"digest": hashlib.sha256(seal.read()).hexdigest(), **told}


ENGINES = {"BLENDER_EEVEE_NEXT": "EEVEE", "BLENDER_EEVEE": "EEVEE", "BLENDER_WORKBENCH": "Workbench", "CYCLES": "Cycles"}


def _spelled(shoot: Shoot, wishes: Wishes) -> str:
    if wishes.channel == "workbench":
        return "shapes and base colours, not as the project is lit"
    engine = shoot.engine or {}
    wanted = ENGINES.get(str(engine.get("project")), "another engine")
    return f"by Cycles; the project is set to {wanted}" if engine.get("substituted") else "by Cycles"


@frozen
class Films:
    told: Sequence[Mapping[str, Any]] = ()
    taken: Sequence[Taken] = Factory(tuple)


def _film(run: Run, wishes: Wishes, chosen: Mapping[str, Any], render_s: float) -> Films:
    """Films never cost a picture of a view: what becomes of them is told, whatever it is."""
    wanted = [name for name in ("turntable", "timeline") if getattr(wishes, name)]
    if not wanted or not chosen["views"]:
        return Films()
    options = {"turntable": wishes.turntable, "timeline": wishes.timeline, "size": wishes.film_size, "subject": chosen["subject"],
               "view": chosen["views"][0]}  # fmt: skip
    done = run("render_films", options, render_s)
    films = {seal.value["film"]: seal for seal in done.seals if seal.name == "film"}
    failed = {seal.value["film"]: seal.value["why"] for seal in done.seals if seal.name == "failed"}
    told = [{"film": name, **({k: v for k, v in films[name].value.items() if k != "film"} if name in films else
                              {"missing": failed.get(name) or str(done.fault())})} for name in wanted]  # fmt: skip
    taken = [Taken(VIDEO, name, "video/mp4", blob=films[name]) for name in wanted if name in films]
    taken += [Taken(FRAME, _moment(seal.value), "image/png", blob=seal) for seal in done.seals if seal.name == "frame"]
    return Films(told, taken)


def _moment(told: Mapping[str, Any]) -> str:
    if told["film"] == "turntable":
        return f"turntable: turned by {told['turned_deg']:.0f} degrees"
    return f"timeline: frame {told['frame']}, at {told['at_s']:.2f} s"
