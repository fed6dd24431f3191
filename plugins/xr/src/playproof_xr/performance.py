"""A session as it is played: the steps that were taken, and the page they were taken in, which another may replace."""

from collections.abc import Callable, Sequence
from typing import Protocol

from playproof.errors import PluginError
from playproof.model import Observer
from playproof_browser.observe import Witness
from playproof_xr.injection import Gate
from playproof_xr.tab import Glance, Step, XRTab

TRIES = 2
"""How often the frames that a page read are drawn one by one before all are."""


class OpenTab(Protocol):
    """Gives an entered tab. `patience` is how much longer than usual a call into it may take; `witness` who else than usual writes
    down what it does."""

    def __call__(self, gate: Gate, patience: float = 1.0, witness: Witness | None = None) -> XRTab: ...


class Performance:
    """Plays steps. When the page has read pixels of a frame that was not drawn, the whole is played again from the beginning in
    a fresh page, with that frame drawn: the same inputs at the same ticks give the same session, and the right pixels.

    `drawn` is called when every frame has to be drawn."""

    def __init__(self, open_tab: OpenTab, gate: Gate, drawn: Callable[[], None]) -> None:
        self._open_tab, self._gate, self._drawn = open_tab, gate, drawn
        self.steps: list[Step] = []
        self.ticks = 0
        """How far the present page has come."""
        self.tab = open_tab(gate)
        self._settle(self.tab.play([]))

    def play(self, steps: Sequence[Step]) -> Glance:
        self.steps.extend(steps)
        return self._settle(self._play(steps))

    def _play(self, steps: Sequence[Step]) -> Glance:
        glance = self.tab.play(steps)
        self.ticks += sum(ticks for ticks, _ in steps)
        return glance

    def _settle(self, glance: Glance) -> Glance:
        while glance.stale >= 0:
            self._widen(glance)
            self.tab.close()
            self.ticks = 0
            self.tab = self._open_tab(self._gate)
            glance = self.tab.play([])
            if glance.stale < 0:
                glance = self._play(self.steps)
        return glance

    def _widen(self, glance: Glance) -> None:
        """Open the gate further: for the frame that was read, and for all when that does not settle it."""
        frames = self._gate.frames
        if self._gate.open == "always":
            raise PluginError(f"frame {glance.stale} was read ({glance.stale_by}) and not drawn, though all are")
        if glance.stale in frames or len(frames) >= TRIES:
            self._gate = Gate("always")
            self._drawn()
        else:
            self._gate = Gate(frames=(*frames, glance.stale))
        told = {"frame": glance.stale, "by": glance.stale_by, "drawn": self._gate.open, "frames": list(self._gate.frames)}
        self.tab.witness.note("xr.replay/1", Observer.OUTSIDE, "draw gate", told)

    def again(self, patience: float, witness: Witness) -> XRTab:
        """Another page beside the present one, at the beginning of its session, for somebody who plays the steps once more."""
        return self._open_tab(self._gate, patience, witness)

    def close(self) -> None:
        self.tab.close()
