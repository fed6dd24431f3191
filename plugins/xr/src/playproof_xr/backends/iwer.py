"""Meta's WebXR emulator: the body's state as the page's injected script takes it. Only what has changed is sent."""

from collections.abc import Mapping
from typing import Any

from playproof_xr.device import SIDES, ControllerState, DeviceState, HandState, seven

Message = Mapping[str, Any]


def message(before: DeviceState | None, now: DeviceState) -> Message | None:
    """What `xrPlay` takes, or None when nothing has changed."""
    told: dict[str, Any] = {}
    if before is None or before.head != now.head:
        told["head"] = seven(now.head)
    for name in ("mode", "visibility", "gaze", "tracking"):
        if before is None or getattr(before, name) != getattr(now, name):
            told[name] = getattr(now, name)
    hands = {side: _hand(before.hands[side] if before else None, now.hands[side]) for side in SIDES}
    controllers = {side: _controller(before.controllers[side] if before else None, now.controllers[side]) for side in SIDES}
    for name, changed in (("hands", hands), ("controllers", controllers)):
        if any(changed.values()):
            told[name] = {side: state for side, state in changed.items() if state}
    return told or None


def with_room(told: Message | None, room: Mapping[str, Any] | None) -> Message | None:
    """A message that also tells what has changed in the room."""
    return told if room is None else {**(told or {}), "room": room}


def _hand(before: HandState | None, now: HandState) -> Mapping[str, Any]:
    told: dict[str, Any] = {}
    if before is None or before.tracked != now.tracked:
        told["tracked"] = now.tracked
    if before is None or before.ray != now.ray:
        told["ray"] = seven(now.ray)
    if before is None or before.pinch != now.pinch:
        told["pinch"] = now.pinch
    if before is None or (before.joints, before.grip) != (now.joints, now.grip):
        told["joints"] = now.joints and list(now.joints)
        told["grip"] = now.grip and seven(now.grip)
    return told


def _controller(before: ControllerState | None, now: ControllerState) -> Mapping[str, Any]:
    told: dict[str, Any] = {}
    if before is None or before.tracked != now.tracked:
        told["tracked"] = now.tracked
    if before is None or before.ray != now.ray:
        told["ray"] = seven(now.ray)
    if before is None or before.buttons != now.buttons:
        let_go = {name: 0.0 for name in (before.buttons if before else ()) if name not in now.buttons}
        told["buttons"] = {**let_go, **now.buttons}
    if before is None or before.stick != now.stick:
        told["stick"] = list(now.stick)
    return told
