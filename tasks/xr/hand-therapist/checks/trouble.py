"""Hands that are lost, apps that are hidden, plans that are not there; people who tremble."""

from _therapist import HANDS, NEUTRAL, SHORT, begin, do, expect_asked, expect_legible, expect_shown, progress, take

from playproof.checks import check, seconds


@check("p1-lost-hand", priority="P1", title="while the hand is not seen or the app is hidden a hold stands still, and goes on afterwards",
       source="experience.md#what-must-not-happen", page=SHORT, hands=HANDS)
def lost_hand(xr):
    hand = xr.dominant_hand
    begin(xr, hand)
    take(xr, hand, "fist")
    xr.wait(seconds(1.0))
    here = progress(xr)
    hand.lose()
    xr.wait(seconds(2.5))
    expect_shown(xr, "prompt")
    expect_asked(xr, "Close the hand", 0, 3)
    hand.regain()
    xr.wait(seconds(0.2))
    xr.expect(progress(xr), "per cent when the hand is back").close_to(here + 10, 14)
    xr.wait(seconds(1.0))
    expect_asked(xr, "Close the hand", 1, 3)
    hand.pose(NEUTRAL)
    take(xr, hand, "fist")
    xr.wait(seconds(1.0))
    here = progress(xr)
    xr.see("hidden")
    xr.wait(seconds(3.0))
    xr.see("visible")
    xr.wait(seconds(0.15))
    expect_asked(xr, "Close the hand", 1, 3)
    xr.expect(progress(xr), "per cent after the app was hidden").close_to(here + 8, 15)
    hand.lose()
    hand.pose(NEUTRAL)
    hand.regain()
    xr.wait(seconds(0.3))
    xr.expect(progress(xr), "per cent when it comes back in another pose").equals(0)
    do(xr, hand, "fist")
    expect_asked(xr, "Close the hand", 2, 3)
    xr.expect_no_exceptions()


def notice_alone(xr):
    for turn in (0, 90):
        xr.head.turn(turn)
        xr.wait(seconds(1.1))
        expect_shown(xr, "notice")
        expect_legible(xr, "notice")
    text = str(xr.find(name="notice")["text"])
    xr.expect("exercises" in text.lower(), f"the word 'exercises' in {text!r}").is_true()
    xr.dominant_hand.select()
    xr.dominant_hand.pose("fist")
    xr.wait(seconds(2.2))
    expect_shown(xr, "notice")
    xr.expect_no_exceptions()


@check("p1-no-plan", priority="P1", title="where there is no plan a notice that can be read says so", source="experience.md#the-plan",
       page="index.html?plan=assets/lost.json")
def no_plan(xr):
    notice_alone(xr)


@check("p1-empty-plan", priority="P1", title="an empty plan is as good as none", source="experience.md#the-plan",
       page="index.html?plan=assets/empty.json")
def empty_plan(xr):
    notice_alone(xr)


@check("p1-odd-plan", priority="P1", title="what cannot be asked for is passed over, and the plan says how long to hold",
       source="experience.md#the-plan", page="index.html?plan=assets/odd.json")
def odd_plan(xr):
    hand = xr.dominant_hand
    begin(xr, hand)
    expect_asked(xr, "Pick up a crumb", 0, 1)
    do(xr, hand, "pinch", 0.55)
    expect_asked(xr, "Pick up a crumb", 0, 1)
    do(xr, hand, "pinch", 1.1)
    xr.wait(seconds(0.5))
    expect_shown(xr, "summary")
    text = str(xr.find(name="summary")["text"])
    xr.expect("Pick up a crumb: 1" in text, f"the exercise in {text!r}").is_true()
    for title in ("Wave to somebody", "Let it go"):
        xr.expect(title in text, f"{title!r} in {text!r}").is_false()


@check("p2-people-differ", priority="P2", title="with a tremor, a noisy tracker, one hand alone and from a seat it is the same",
       source="evaluation.md", page=SHORT, modifiers=["tremor:mm=3", "jitter:mm=2", "seated+one-hand"])
def people_differ(xr):
    hand = xr.dominant_hand
    begin(xr, hand)
    do(xr, hand, "fist", 2.2)
    expect_asked(xr, "Close the hand", 1, 3)
    expect_legible(xr, "prompt")
    xr.expect_no_exceptions()
