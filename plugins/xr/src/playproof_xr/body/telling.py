"""What the headset tells of a body: joints, rays, grips and buttons, as the page's emulator takes them."""

from functools import lru_cache

from playproof_xr.body.fingers import Fingers
from playproof_xr.body.joints import JOINTS
from playproof_xr.body.state import Arm, BodyState
from playproof_xr.device import ControllerState, DeviceState, HandState
from playproof_xr.geometry import Pose, Vector


def device_state(body: BodyState) -> DeviceState:
    """Each arm as a hand and as a controller; the body's mode says which of them the headset shows."""
    return DeviceState(
        head=body.head, hands={arm.side: _hand(arm) for arm in body.arms},
        controllers={arm.side: ControllerState(arm.tracked, arm.ray, arm.buttons, arm.stick) for arm in body.arms},
        mode=body.mode, visibility=body.visibility, tracking=body.tracking,
    )  # fmt: skip


def _hand(arm: Arm) -> HandState:
    return _told(arm.side, arm.wrist, arm.fingers, arm.pinch, arm.tracked, arm.size, arm.noise)


@lru_cache(maxsize=16)
def _told(
    side: str, wrist: Pose, fingers: Fingers, pinch: float, tracked: bool, size: float, noise: tuple[Vector, ...]
) -> HandState:
    """A hand that stands still costs nothing: 25 joints are a third of a millisecond."""
    arm = Arm(side, wrist, fingers, pinch, tracked, size=size, noise=noise)
    joints, radii = arm.joints, arm.radii
    numbers = tuple(number for name in JOINTS for number in (*joints[name].position, *joints[name].orientation, radii[name]))
    return HandState(tracked, arm.ray, pinch, numbers, arm.grip)
