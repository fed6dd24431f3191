"""A body: what its head, arms and fingers do, moment by moment, and what the headset tells of that.

    body = standing(room.start.head)
    wrist = body.right.wrist_for("aim", cube)                  # which wrist brings a pinch there; also "palm", or a joint
    for body in states(reach(body, "right", wrist, seconds(0.6)), body, frame):
        told = device_state(live(tick, body))                  # `live` of the modifiers"""

from playproof_xr.body.anchors import grip, palm, pinch_point, pinch_strength
from playproof_xr.body.fingers import Finger, Fingers, joints_of, radii_of
from playproof_xr.body.joints import CHAINS, FINGERS, JOINTS, PARENTS, SIDES
from playproof_xr.body.modifiers import MODIFIERS, Modifiers, read_modifiers
from playproof_xr.body.motions import Motion, eased, look_at, pinch, reach, shape, states, together, two_handed, walk, walk_to
from playproof_xr.body.poses import pose_named, pose_names
from playproof_xr.body.state import OTHER, Arm, BodyState, standing
from playproof_xr.body.telling import device_state

__all__ = [
    "CHAINS", "FINGERS", "JOINTS", "MODIFIERS", "OTHER", "PARENTS", "SIDES", "Arm", "BodyState", "Finger", "Fingers", "Modifiers", "Motion",
    "device_state", "eased", "grip", "joints_of", "look_at", "palm", "pinch", "pinch_point", "pinch_strength", "pose_named",
    "pose_names", "radii_of", "reach", "read_modifiers", "shape", "standing", "states", "together", "two_handed", "walk", "walk_to",
]  # fmt: skip
