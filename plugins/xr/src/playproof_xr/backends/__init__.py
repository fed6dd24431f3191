"""What takes a body's states to a page: Meta's WebXR emulator, or the simulator that XR Blocks has of its own."""

from collections.abc import Mapping
from typing import Any, Protocol

from playproof_xr.backends import iwer, simulator
from playproof_xr.device import DeviceState

IWER, SIMULATOR = "iwer", "xrblocks-sim"
BACKENDS = (IWER, SIMULATOR)


class Backend(Protocol):
    """Raises TaskError on what it cannot do."""

    def message(self, before: DeviceState | None, now: DeviceState) -> iwer.Message | None:
        """What `xrPlay` takes, or None when nothing has changed."""

    def with_room(self, told: iwer.Message | None, room: Mapping[str, Any] | None) -> iwer.Message | None:
        """The same, with what has changed in the room."""


def backend_named(name: str) -> Backend:
    return simulator if name == SIMULATOR else iwer
