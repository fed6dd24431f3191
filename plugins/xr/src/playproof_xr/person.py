"""Who is in the room: the body at the start, and what is different about it or its headset."""

from collections.abc import Callable

from attrs import frozen

from playproof_xr.backends import Backend, iwer
from playproof_xr.body import BodyState, device_state, read_modifiers, standing
from playproof_xr.device import DeviceState
from playproof_xr.rooms import Room

Live = Callable[[int, BodyState], BodyState]


@frozen
class Person:
    """`live` is None for somebody about whom nothing is different; else it is what modifiers make of a body at a tick. `told` is
    what the headset tells at the start, which `backend` takes to the page. `modifier` is the case's word for what is different."""

    room: Room
    body: BodyState
    live: Live | None
    told: DeviceState
    backend: Backend = iwer
    modifier: str = "none"


def person_in(room: Room, modifier: str, mode: str, seed: int, backend: Backend = iwer) -> Person:
    """Raises TaskError on an unknown modifier."""
    modifiers = read_modifiers(modifier)
    body = standing(room.start.head, mode="controller" if mode == "controller" else "hand")
    if mode == "gaze":
        body = body.changed("left", tracked=False).changed("right", tracked=False)
    body = modifiers.start(body)
    live = modifiers.begin(seed) if modifiers.each else None
    return Person(room, body, live, device_state(live(0, body) if live else body), backend, modifier)
