from playproof.checks import check, seconds


@check("timer-darkens", priority="P1", title="the timer lets the lamp go out after five seconds")
def timer_darkens(lamp):
    lamp.press("switch")
    lamp.press("timer")
    lamp.wait(seconds(4.9))
    lamp.expect(lamp.state()["light"], "light just before").is_true()
    lamp.wait(seconds(0.2))
    lamp.expect(lamp.state()["light"], "light just after").is_false()


@check("timer-is-cancelled", priority="P1", title="switching off ends the timer")
def timer_is_cancelled(lamp):
    lamp.press("switch")
    lamp.press("timer")
    lamp.wait(seconds(2))
    lamp.press("switch")
    lamp.press("switch")
    lamp.wait(seconds(10))
    lamp.expect(lamp.state()["light"], "light").is_true()


@check("level", priority="P2", title="the level is between 0 and 100, and 0 in the dark")
def level(lamp):
    lamp.expect(lamp.state()["level"], "level in the dark").equals(0)
    lamp.press("switch")
    lamp.expect(lamp.state()["level"], "level of a lit lamp").at_most(100).greater_than(0)
