"""What a model that plays is shown: the picture of its eyes with its hands, and in words what a person there would know.

Distances come from rays and boxes, never from the picture. What the app itself says (names, texts) is foreign, and stands in texts that
the loop fences; everything else that is told is in numbers and in words of ours."""

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import asdict
from PIL import ImageDraw

from playproof.dialogue import Picture, Text
from playproof.model import Observer
from playproof_judges.loop import Sight
from playproof_xr.body import PARENTS, SIDES
from playproof_xr.exhibits.spelling import printable
from playproof_xr.geometry import Matrix, Vector
from playproof_xr.looking import spelled
from playproof_xr.session import XRSession
from playproof_xr.sighting import MOST_LISTED, Sighted, in_sight, met_by, pose_words, rays_of, spelled_point, told_of
from playproof_xr.targets import anchor_told
from playproof_xr.time.track import spelled_time

EVENTS = 12
"""The last so many are told."""

PINCHED = 0.8
"""From which strength on a headset takes a pinch for an action."""


def observed(session: XRSession, *, named: bool) -> Sequence[Sight]:
    """The user, what is in sight, what the app was told, and the picture. `named`: things are told with their names and texts."""
    return [_user(session), _things(session, named), _events(session), _picture(session)]


# --- in words ---


def _user(session: XRSession) -> Sight:
    noted = session.looking.user()
    user = noted.value
    head = Matrix.of(user["head"]).pose
    lines = [f"You, {spelled_time(session.clock.now)} after the start; metres; x to the right, y up and -z ahead, as you stood then:",
             f"eyes {pose_words(head)}", *(_hand(user, side) for side in SIDES), f"places to walk to: {_places(session)}"]  # fmt: skip
    return Sight(Text("\n".join(lines)), noted.id)


def _hand(user: Mapping[str, Any], side: str) -> str:
    source = next((one for one in user["inputs"] if one["handedness"] == side), None)
    if source is None:
        return f"{side} hand: not seen by the headset"
    if source["kind"] == "controller":
        trigger = "pressed" if max(source["buttons"][:1], default=0.0) >= PINCHED else "free"
        return f"{side} controller: at {spelled_point(Matrix.of(source['ray']).column(3))}, its trigger is {trigger}"
    told = anchor_told(f"{side}.pinch_point", user)
    place = spelled_point(Matrix.of(told["matrix"]).column(3)) if "matrix" in told else "unknown"
    return f"{side} hand: thumb and index finger meet at {place}, {'closed' if user['hands'][side]['pinch'] >= PINCHED else 'open'}"


def _places(session: XRSession) -> str:
    return ", ".join(one.id for one in session.room.places) or "none"


def _things(session: XRSession, named: bool) -> Sight:
    """What the rays of hands meet, and what is in sight; all that is told of it is evidence (`xr.sight/1`)."""
    tab = session.tab
    rays = {name: met_by(tab, session.room, ray) for name, ray in rays_of(tab).items()}
    found = in_sight(tab, named=named)
    value = {"rays": {name: [asdict(one) for one in met] for name, met in rays.items()},
             "things": [{**_said(one, named), "hidden": one.hidden} for one in found]}  # fmt: skip
    noted = tab.witness.note("xr.sight/1", Observer.MAIN, "rays against the scene graph", spelled(value))
    lines = [f"The ray of your {f'{name} hand' if name in SIDES else 'gaze'} meets: {told_of(met)}" for name, met in rays.items()]
    head = f"In sight, the nearest first{f', {MOST_LISTED} at most' if len(found) == MOST_LISTED else ''}:"
    lines += [head, *(_line(one, named) for one in found)] if found else ["No thing of the app's is in sight that could be measured."]
    return Sight(Text("\n".join(lines)), noted.id)


def _said(one: Sighted, named: bool) -> Mapping[str, Any]:
    keys = ("name", "type", "text", "role", "label") if named else ()
    return {"id": one.id, "box": one.entry["box"], "material": one.entry["material"], **{key: one.entry[key] for key in keys}}


def _line(one: Sighted, named: bool) -> str:
    words = [f"{key} {printable(one.entry[key])!r}" for key in ("name", "label", "role", "text") if named and one.entry[key]]
    box = one.place.box
    size = " x ".join(f"{side:.2f}" for side in box.size) if box else ""
    colour = (one.entry["material"] or {}).get("color")
    looks = [f"{size} m", f"{one.away:.2f} m from your eyes", *([printable(colour)] if colour else [])]
    hidden = [f"{one.hidden:.0%} of it behind other things"] if one.hidden else []
    return f"thing {one.id}: " + ", ".join([*words, f"middle at {spelled_point(one.place.centre)}", *looks, *hidden])


def _events(session: XRSession) -> Sight:
    noted = session.looking.events()
    told = [(spelled_time(one["tick"]), one["kind"], one.get("handedness", ""), printable(one.get("detail", ""))) for one in noted.value]
    lines = [" ".join(filter(None, one)) for one in told[-EVENTS:]]
    return Sight(Text("\n".join(["What the app was last told by the headset:", *lines])), noted.id)


# --- the picture ---


def _picture(session: XRSession) -> Sight:
    shot = session.screenshot()
    image = shot.image.copy()
    draw = ImageDraw.Draw(image)
    for side, points in _bones(session, image.size):
        draw.line(points, "#e8b48f" if side == "right" else "#d9a07c", 4)
    out = io.BytesIO()
    image.save(out, "PNG")
    caption = (f"What your eyes see now, {image.width} x {image.height} pixels. Your hands are drawn in as lines over everything: "
               "that a line lies over a thing says nothing of how near they are.")  # fmt: skip
    return Sight(Picture(out.getvalue(), caption=caption), shot.cites[0])


def _bones(session: XRSession, size: tuple[int, int]) -> Iterator[tuple[str, Sequence[tuple[float, float]]]]:
    """Each bone of the hands that are seen, as a line in the picture."""
    eye, user = session.tab.world.ask("xrEye"), session.tab.look("user")
    inverse = Matrix.of(eye["matrix"]).inverse
    for side in SIDES:
        joints = user["hands"][side]["joints"] if user["hands"][side]["tracked"] else {}
        seen = {name: inverse.point(Vector.of(joint["position"])) for name, joint in joints.items()}
        for child, parent in PARENTS.items():
            ends = [seen[name] for name in (parent, child) if name in seen and seen[name].z < -0.05]
            if len(ends) == 2:
                yield side, [((at.x / -at.z / eye["right"] + 1) / 2 * size[0], (1 - at.y / -at.z / eye["up"]) / 2 * size[1]) for at in ends]
