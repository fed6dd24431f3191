"""The domain: a state machine with buttons, read from JSON, on a clock that somebody else moves."""

import json
from collections.abc import Mapping
from typing import Any

from attrs import Factory, define, frozen

from playproof.canonical import structure
from playproof.model import seconds


@frozen
class After:
    """A transition that comes of itself, `seconds` after its state was entered."""

    seconds: float
    to: str


@frozen
class State:
    """`shows` is what a person sees; `on` says where each button leads; `does` is a misdeed on entering (see `lamp`)."""

    shows: Any = None
    on: Mapping[str, str] = Factory(dict)
    after: After | None = None
    does: str | None = None


@frozen
class Machine:
    start: str
    states: Mapping[str, State]


def read_machine(text: str) -> Machine:
    """Raises ValueError with the place: not JSON, a malformed or unknown key, a state that is not there."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    machine = structure(data, Machine)
    named = {machine.start, *(to for one in machine.states.values() for to in one.on.values())}
    named |= {one.after.to for one in machine.states.values() if one.after}
    if lost := sorted(named - set(machine.states)):
        raise ValueError(f"there is no state {lost[0]!r}")
    for name, one in machine.states.items():
        if one.after and not 0.001 <= one.after.seconds <= 1e6:
            raise ValueError(f"state {name!r} lasts {one.after.seconds:g} s; wanted 0.001 to 1000000 s")
    return machine


@define
class Running:
    """A machine at a moment, in ticks since its start."""

    machine: Machine
    state: str
    now: int = 0
    entered: int = 0

    @property
    def shows(self) -> Any:
        return self.machine.states[self.state].shows

    @property
    def due(self) -> int | None:
        """When the state changes of itself."""
        after = self.machine.states[self.state].after
        return self.entered + seconds(after.seconds) if after else None

    def press(self, button: str) -> bool:
        """Whether the button did something."""
        to = self.machine.states[self.state].on.get(button)
        if to is not None:
            self._enter(to)
        return to is not None

    def turn(self) -> None:
        """Make the change that is due."""
        after = self.machine.states[self.state].after
        if after is not None:
            self._enter(after.to)

    def _enter(self, state: str) -> None:
        self.state, self.entered = state, self.now
