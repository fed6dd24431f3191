"""The tools as a model is told of them: names, words and the schemas of their arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

from playproof_judges.loop import ActorTool
from playproof_xr.adaptive import deeds
from playproof_xr.body import JOINTS, pose_names
from playproof_xr.session import XRSession

LONGEST_S = 10.0

Schema = Mapping[str, Any]


def _schema(*required: str, **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required)}


def _numbers(count: int, about: str) -> Schema:
    one = {"type": "number", "minimum": -50, "maximum": 50}
    return {"type": "array", "items": one, "minItems": count, "maxItems": count, "description": about}


HAND: Schema = {"enum": ["right", "left"]}
SOURCE: Schema = {"enum": ["right", "left", deeds.GAZE]}
WHERE: Mapping[str, Schema] = {
    "thing": {"type": "string", "pattern": "^[A-Za-z0-9-]{1,20}$", "description": "a thing in sight, by its number: its middle is meant"},
    "point": _numbers(3, "[x, y, z] in metres, as you are told of places"),
}
SECONDS: Schema = {"type": "number", "exclusiveMinimum": 0, "maximum": LONGEST_S}
DEGREES: Schema = {"type": "number", "minimum": -180, "maximum": 180}
PARTS = ("pinch", "palm", *(joint for joint in JOINTS if joint.endswith("-tip")))
POSES = [name for name in pose_names() if "pinch" not in name]
"""A pinch is a selection, and has tools of its own."""

TOOLS: Sequence[ActorTool[XRSession]] = (
    ActorTool("aim_at", "Turn a hand (or the gaze) so that its ray goes to a thing or a point, and hear what it meets. Selects nothing.",
              _schema("hand", hand=SOURCE, **WHERE), deeds.deed(deeds.aim_at)),
    ActorTool("select", "Pinch and let go at once, or press and release the trigger: select what the hand points at or touches.",
              _schema("hand", hand=SOURCE), deeds.deed(deeds.select)),
    ActorTool("start_hold", "Pinch and keep the hand closed: the beginning of a grab or a drag.", _schema("hand", hand=HAND),
              deeds.deed(deeds.start_hold)),
    ActorTool("move_held", "Move the hand that holds: by so much, to a point, or turn its ray to a point (aim).",
              _schema("hand", hand=HAND, by=_numbers(3, "[right, up, back] in metres, as you see it"),
                      to=_numbers(3, "[x, y, z] for the pinch"), aim=_numbers(3, "[x, y, z] for the ray"), seconds=SECONDS),
              deeds.deed(deeds.move_held)),
    ActorTool("end_hold", "Open the hand that holds: the end of a grab or a drag. It must be the hand that began.",
              _schema("hand", hand=HAND), deeds.deed(deeds.end_hold)),
    ActorTool("reach", "Bring a free hand to a thing or a point within an arm's length: with its pinch, its palm or the tip of a finger.",
              _schema("hand", hand=HAND, part={"enum": list(PARTS)}, **WHERE), deeds.deed(deeds.reach)),
    ActorTool("turn_hand", "Turn a hand about the point of its pinch, holding or not; counter-clockwise as seen from the axis's tip.",
              _schema("hand", "degrees", hand=HAND, degrees=DEGREES, axis={"enum": list(deeds.AXES)}), deeds.deed(deeds.turn_hand)),
    ActorTool("pose", "Bring a free hand's fingers into a pose, and keep it.", _schema("hand", "pose", hand=HAND, pose={"enum": POSES}),
              deeds.deed(deeds.pose)),
    ActorTool("rest", "Take a free hand back to where it does nothing.", _schema("hand", hand=HAND), deeds.deed(deeds.rest)),
    ActorTool("look", "Turn your head to a thing or a point, or by some degrees to the left (to the right: negative).",
              _schema(left=DEGREES, **WHERE), deeds.deed(deeds.look)),
    ActorTool("walk", "Walk to a named place, or to a point [x, z] of the floor, around what stands in the way.",
              _schema(place={"type": "string"}, point=_numbers(2, "[x, z] in metres")), deeds.deed(deeds.walk)),
    ActorTool("wait", "Do nothing for some seconds of the app's time.", _schema("seconds", seconds=SECONDS), deeds.deed(deeds.wait)),
    ActorTool("measure", "What lies at a pixel of the picture, how far from your eyes, and at which point. Takes no time.",
              _schema("x", "y", x={"type": "number"}, y={"type": "number"}), deeds.measure),
)  # fmt: skip
