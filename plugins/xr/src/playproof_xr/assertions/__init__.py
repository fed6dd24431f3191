"""What a check script says of space and time:

    from playproof_xr.assertions import always, distance, last

    xr.expect(always(distance(cube, hand.pinch_point) < 0.03), over=last(seconds(0.5)))

Everything is in the session's frame unless another is named: metres, degrees, ticks."""

from playproof_xr.assertions.attachment import attached
from playproof_xr.assertions.places import facing, inside, letter_size, on_surface, reachable, readable, touching
from playproof_xr.quantities import angle, centre, distance, forward, gap, pinch_strength, pinching, position, speed, towards
from playproof_xr.sights import in_view, there, visible
from playproof_xr.time.operators import always, eventually, never, stable_for, until, while_
from playproof_xr.time.windows import between, last, since, whole

__all__ = [
    "always", "angle", "attached", "between", "centre", "distance", "eventually", "facing", "forward", "gap", "in_view", "inside", "last",
    "letter_size", "never", "on_surface", "pinch_strength", "pinching", "position", "reachable", "readable", "since", "speed", "stable_for",
    "there", "touching", "towards", "until", "visible", "while_", "whole",
]  # fmt: skip
