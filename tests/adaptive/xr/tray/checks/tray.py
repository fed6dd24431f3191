"""A model plays; where the block then lies decides, not what it says."""

from playproof.checks import check, seconds
from playproof_xr.assertions import on_surface

GOAL = "Press the red button. Then grab the orange block, bring it over the blue tray, and let it go there: a lamp turns green."


@check("block-in-tray", title="a person can put the block on the tray", priority="P0", plays="player", viewport=(320, 240))
def block_in_tray(xr):
    xr.adaptive(GOAL, turns=12, named=False)
    xr.wait(seconds(0.2))
    xr.expect(xr.find(name="lamp").colour, "the lamp's colour").equals("#20c040")
    xr.expect(on_surface(xr.find(name="block"), xr.find(name="tray"), tolerance=0.02))
    xr.expect_no_exceptions()
