"""What is around the user and changes while an app runs: furniture, what the headset finds of the room, lights, other people."""

from playproof_xr.surroundings.actor import Surroundings
from playproof_xr.surroundings.people import Passerby
from playproof_xr.surroundings.state import RoomState
from playproof_xr.surroundings.telling import changed, told

__all__ = ["Passerby", "RoomState", "Surroundings", "changed", "told"]
