"""The desktop simulator of XR Blocks: a head and two bare hands that are always seen, in a room that stays as it is.

It takes the emulator's messages (page/simulator.js carries them over). What it cannot do is refused here, rather than left undone."""

from collections.abc import Mapping
from typing import Any

from playproof.errors import TaskError
from playproof_xr.backends import iwer
from playproof_xr.device import SIDES, DeviceState


def message(before: DeviceState | None, now: DeviceState) -> iwer.Message | None:
    if now.mode != "hand" or now.gaze:
        _refuse("has bare hands alone, no controllers and no gaze")
    if not all(now.hands[side].tracked for side in SIDES):
        _refuse("loses no hand: its hands stay valid for the SDK when they are hidden")
    if now.tracking != "full":
        _refuse("never loses the head")
    if now.visibility != "visible":
        _refuse("is always visible")
    return iwer.message(before, now)


def with_room(told: iwer.Message | None, room: Mapping[str, Any] | None) -> iwer.Message | None:
    if room is not None:
        _refuse("has a room that stays as it is, and begins nowhere anew")
    return told


def _refuse(why: str) -> None:
    raise TaskError(f"the back end xrblocks-sim {why}; use iwer for that")
