"""What a day does by itself: guests keep coming, the screen lives without a question, figures and ends are told."""

import itertools

from _tea import SETTLE, age, dishes, expect_seen, find, first_match, matches, rectangle

from playproof.checks import check, frames, seconds

STEP = seconds(1)


def attend(game, snap):
    """Serve whom one can and brew what is wanted, so that tables stay free."""
    served = set()
    for slot, customer in matches(snap):
        if slot["slot"].value not in served:
            served.add(slot["slot"].value)
            game.input({"type": "serve", "slot": slot["slot"].value, "customer": customer["id"].value})
    coming = dishes(snap["tray"]) + dishes(snap["burners"])
    for customer in snap["customers"]:
        order = customer["order"].value
        if order in coming:
            coming.remove(order)
        else:
            game.input({"type": "brew", "dish": order})


def expect_newcomers(game, count, first, known=()):
    """`count` guests who are not `known` come in, the first by `first` seconds of the day from now and each 3 to 7 s after
    the one before; everybody is served, so that there is room."""
    snap, came = game.snapshot(), {}
    opened, waited = float(snap["time_left"]), 0
    while len(came) < count:
        attend(game, snap)
        game.wait(STEP)
        waited += 1
        snap = game.snapshot()
        game.expect(snap["phase"], "phase").equals("playing")
        for one in snap["customers"]:
            name = str(one["id"].value)
            if name not in known and name not in came:
                came[name] = opened - float(snap["time_left"]) - age(one)
        due = first if not came else max(came.values()) + 7
        game.expect(waited, f"seconds until newcomer {len(came) + 1}").at_most(due + 1.2)
    times = sorted(came.values())
    game.expect(times[0], "seconds until the first newcomer").at_most(first + 0.15)
    for i, (one, other) in enumerate(itertools.pairwise(times)):
        game.expect(other - one, f"seconds between newcomers {i + 1} and {i + 2}").at_least(2.85).at_most(7.15)
    return snap


@check("p1-guests-keep-coming", priority="P1", scenario="fresh_day", title="guests keep coming as long as there is room",
       source="game-spec.md#a-day", timeout_s=150)
def keep_coming(game):
    expect_newcomers(game, 8, 3)                          # eight servings cannot reach the goal: 8 * 28 + 50 at most
    game.load("idle_burners")
    seated = {str(one["id"].value) for one in game.snapshot()["customers"]}
    end = expect_newcomers(game, 2, 13, known=seated)
    game.expect(end["hearts"], "hearts").equals(3)
    game.expect(end["served"], "guests served").at_least(len(seated))


@check("p1-screen-runs-unasked", priority="P1", title="played by keys alone, the screen runs without a call of the interface",
       source="game-spec.md#entities-and-transitions", timeout_s=90)
def runs_unasked(game):
    game.wait(seconds(1))
    looks = [game.screenshot()]
    game.keyboard.press("Enter")
    game.wait(seconds(0.5))
    looks.append(game.screenshot())
    game.expect(looks[1].differs(looks[0]), "change of the screen when the house opens").greater_than(0.01)
    game.keyboard.press("2")
    game.keyboard.press("5")
    for _ in range(4):                                    # two dishes are done by then, and at rest on the tray
        game.wait(seconds(1.7))
        looks.append(game.screenshot())
        game.expect(looks[-1].differs(looks[-2]), "change of the screen within 1.7 s").greater_than(0)
    snap = game.snapshot()                                # the first call
    game.expect(snap["phase"], "phase").equals("playing")
    game.expect(snap["time_left"], "time left").close_to(90 - 7.3, within=0.3)
    wanted = sorted(snap["menu"][i]["dish"].value for i in (1, 4))
    game.expect(sorted(dish for dish in dishes(snap["tray"]) if dish is not None), "dishes on the tray").equals(wanted)
    expect_seen(game, snap, looks[-1], settled=0.85)


@check("p1-coins-are-told", priority="P1", scenario="tray_ready", title="the figures of coins follow the coins and nothing else",
       source="interface.md#snapshot")
def coins_told(game):
    game.wait(SETTLE)
    before = game.snapshot()
    figures = before["hud"]["coins_text"]
    calm = game.idle_control(figures)
    game.expect(calm.share, "change of the figures by themselves").at_most(0.01)
    _, _, width, height = rectangle(figures)
    seen = [calm.last]
    game.input({"type": "discard", "slot": int(find_spare(game, before)["slot"])})
    game.wait(SETTLE)
    game.expect_pixels(figures).like(calm.last)           # a deed that earns nothing
    for _ in range(2):
        snap = game.snapshot()
        slot, customer = first_match(game, snap)
        game.input({"type": "serve", "slot": slot["slot"].value, "customer": customer["id"].value})
        game.wait(seconds(1.6))                           # marks and flying coins are over
        seen.append(game.screenshot(figures))
        for one in seen[:-1]:
            changed = (seen[-1].differs(one) - calm.share) * (width * height)
            game.expect(changed, "pixels changed since the coins were others").greater_than(16)


def find_spare(game, snap):
    """The slot of the tray whose dish nobody ordered."""
    spare = [slot for slot in snap["tray"] if slot["dish"].value is not None and find(snap["customers"], "order", slot["dish"]) is None]
    game.expect(len(spare), "dishes that nobody ordered").at_least(1)
    return spare[0]


def verdict(game, phase):
    game.wait(seconds(1.2))
    end = game.snapshot()
    game.expect(end["phase"], "phase").equals(phase)
    return end["verdict"]


def win(game):
    game.load("near_goal")
    game.wait(frames(5))
    slot, customer = first_match(game, game.snapshot())
    game.input({"type": "serve", "slot": slot["slot"].value, "customer": customer["id"].value})
    return verdict(game, "won")


@check("p1-end-is-told", priority="P1", title="the end screen tells a won day from a lost one",
       source="interface.md#snapshot", timeout_s=90)
def end_told(game):
    game.wait(frames(5))
    game.expect(game.snapshot()["verdict"].value, "verdict before an end").equals(None)
    place = win(game)
    first = game.screenshot(place)
    win(game)
    other = game.screenshot(place)
    game.load("last_heart")
    game.wait_until(lambda snap: snap["phase"] == "lost", within=seconds(3.4), what="a lost day")
    verdict(game, "lost")
    lost = game.screenshot(place)
    alike = other.differs(first)
    game.expect(alike, "difference between two won days").at_most(0.01)
    game.expect(lost.differs(other), "difference between a won day and a lost one").greater_than(alike + 0.01)
