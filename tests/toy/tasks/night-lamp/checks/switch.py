from playproof.checks import check, seconds


@check("switch-lights", priority="P0", title="the switch lights a dark lamp", start=["dark"])
def switch_lights(lamp):
    lamp.expect(lamp.state()["light"], "light before").is_false()
    lamp.press("switch")
    lamp.expect(lamp.state()["light"], "light after").is_true()


@check("switch-darkens", priority="P1", title="the switch darkens a lit lamp, and it stays dark")
def switch_darkens(lamp):
    lamp.press("switch")
    lamp.press("switch")
    lamp.wait(seconds(8))
    lamp.expect(lamp.state()["light"], "light").is_false()


@check("stays-lit", priority="P1", title="a lit lamp stays lit, whatever else rings")
def stays_lit(lamp):
    lamp.press("switch")
    lamp.hold("bell", seconds(1))
    lamp.wait(seconds(60))
    lamp.expect(lamp.state()["light"], "light after a minute").is_true()
