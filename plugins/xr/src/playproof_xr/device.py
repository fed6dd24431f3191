"""What the headset tells of a body, as values: one state for each moment. Positions in metres, in the session's frame."""

from collections.abc import Mapping, Sequence

from attrs import Factory, frozen

from playproof_xr.geometry import Pose

SIDES = ("left", "right")


@frozen
class HandState:
    """A hand as it is tracked. `ray` is the target ray: its origin and, along -z, its direction. `pinch` is 0 to 1. `joints` are
    25 poses with radii (8 numbers each) in the order of the WebXR hand specification; None leaves them to the emulator."""

    tracked: bool = True
    ray: Pose = Pose()
    pinch: float = 0.0
    joints: Sequence[float] | None = None
    grip: Pose | None = None


@frozen
class ControllerState:
    """Buttons by name (trigger, squeeze, thumbstick, a-button, ...) from 0 to 1; `stick` is x (right) and y (back)."""

    tracked: bool = True
    ray: Pose = Pose()
    buttons: Mapping[str, float] = Factory(dict)
    stick: tuple[float, float] = (0.0, 0.0)


@frozen
class DeviceState:
    """All that the headset tells at one moment. `mode` is what is held: bare hands, or controllers. `gaze` is how far its own button
    is pressed (0 to 1), where it points with its gaze. `tracking` is the head's: "full", "orientation" (its position is made up) or
    "none"."""

    head: Pose
    hands: Mapping[str, HandState]
    controllers: Mapping[str, ControllerState]
    mode: str = "hand"
    visibility: str = "visible"
    gaze: float = 0.0
    tracking: str = "full"


def seven(pose: Pose) -> list[float]:
    return [*pose.position, *pose.orientation]
