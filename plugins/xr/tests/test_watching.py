"""What is watched is sampled once in every frame, also when the session had to be played again with frames drawn."""

from collections.abc import Callable
from typing import Any

import pytest

from playproof.model import seconds
from playproof_xr.assertions import always, distance, last, visible

pytestmark = pytest.mark.heavy


def test_a_session_that_is_played_again_is_sampled_anew(play: Callable[..., Any]) -> None:
    with play(page="picking.html?way=screen") as xr:
        thing = xr.find(name="right")
        xr.right.point_at(thing, seconds(0.4))
        xr.expect(always(visible(thing)), over=last(seconds(0.3)))
        xr.right.select()
        xr.wait(seconds(0.3))
        assert xr.stage.evidence.last("xr.replay/1"), "it was played again"
        xr.expect(always(visible(thing)))
        (*_, track) = xr.stage.evidence.of("xr.track/1")
        assert [row["tick"] for row in track.value["rows"]] == list(range(0, xr.clock.now + 1, xr.frame))
        xr.expect(distance(thing, "head") < 5)
