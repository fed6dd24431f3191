"""A floor that the headset corrects while pieces stand on it."""

from _furniture import bring, expect_at, put, seize, start

from playproof.checks import check, seconds


@check("p1-corrected-floor", priority="P1", title="pieces go with the floor when the headset corrects its height",
       source="experience.md#setting", rooms=["living-room"], hands=["right"])
def corrected_floor(xr):
    start(xr)
    hand = xr.dominant_hand
    chair = put(xr, hand, "armchair", 0.1, -0.5)

    def expect_height(height, what):
        xr.surroundings.shift("floor", (0.0, height, 0.0))
        xr.wait(seconds(0.5))
        xr.expect(float(chair.position[1]), f"armchair, {what}: height of its underside").close_to(height, 0.012)

    expect_height(-0.06, "on a floor that is lower than it seemed")
    seize(xr, hand, "armchair")
    bring(xr, hand, chair, 0.3, 0.1)
    expect_at(xr, chair, "armchair", 0.3, 0.1)
    expect_height(0.05, "carried, on a floor that is higher")
    hand.release()
    xr.wait(seconds(0.3))
    xr.expect(float(chair.position[1]), "armchair, let go: height of its underside").close_to(0.05, 0.012)
    xr.expect_no_exceptions()
