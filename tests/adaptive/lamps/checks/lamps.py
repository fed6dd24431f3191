"""A model plays; what then burns on the screen decides, not what it says."""

from playproof.checks import check, seconds

GOAL = "Press the red disk to begin. Pull the orange block into the blue frame. Then press the green square until three yellow lamps burn."
YELLOW = "#ffd400"


@check("three-lamps", title="a player can make three lamps burn", priority="P0", plays="player", viewport=(640, 400))
def three_lamps(game):
    game.adaptive(GOAL, turns=16)
    game.wait(seconds(0.2))
    after = game.snapshot()
    game.expect(after["placed"], "placed").is_true()
    game.expect(after["level"], "level").equals(3)
    for number in range(5):
        lamp = game.expect_pixels(after["lamps"][number])
        if number < 3:
            lamp.shows(YELLOW, share=0.6)
        else:
            lamp.lacks(YELLOW)
