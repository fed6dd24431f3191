"""Comets and the pulse: natural motion, hits, throwing them off, refusals."""

import math
import re
from typing import Any

from _courier import COMET, free, gap, ids, named, overlap, playing_since, refused, says, seen_ship, speed, threat

from playproof.checks import check, frames, seconds


@check(
    "p1-comets-drift-by-themselves",
    priority="P1",
    scenario="fresh_run",
    title="comets move by their velocities without any input, on the screen too",
    source="game-spec.md#5",
)
def drift(game: Any) -> None:
    before = game.snapshot()
    after = playing_since(game, before, seconds(1.5))
    took = float(after["time"]) - float(before["time"])
    followed = seen = 0
    for old in before["comets"]:
        game.expect(speed(old), "speed of a comet").at_least(59).at_most(151)
        at = (float(old["x"]) + float(old["vx"]) * took, float(old["y"]) + float(old["vy"]) * took)
        new = named(after["comets"], old["id"])
        game.expect(new is not None, f"{old['id']} still drifts").is_true()
        if 0 < at[0] < 1200 and 0 < at[1] < 660:
            followed += 1
            game.expect([float(new["x"]), float(new["y"])], f"place of {old['id']}").close_to(at, 4)
            game.expect([float(new["vx"]), float(new["vy"])], f"velocity of {old['id']}").close_to(
                [float(old["vx"]), float(old["vy"])], 0.5
            )
        if free(new, after):
            seen += 1
            game.expect_pixels(new["bounds"]).shows(COMET, share=0.3)
        if free(old, before) and not any(overlap(old["bounds"], one["bounds"], 8) for one in after["comets"]):
            game.expect_pixels(old["bounds"]).lacks(COMET, share=0.05)
    game.expect(followed, "comets that stayed in the field").at_least(1)
    game.expect(seen, "comets seen whole").at_least(1)


@check(
    "p1-comets-come-round",
    priority="P1",
    scenario="fresh_run",
    title="a comet that left the field comes in again on the other side",
    source="game-spec.md#5",
)
def round_the_field(game: Any) -> None:
    last = game.snapshot()
    crossed = 0
    for _ in range(60):
        game.wait(seconds(0.25))
        now = game.snapshot()
        if now["phase"] != "playing":
            game.load("fresh_run")
            now = game.snapshot()
        for old in last["comets"]:
            new = named(now["comets"], old["id"])
            if new is None or gap(old, new) < 100:
                continue
            crossed += 1
            for axis, size in (("x", 1200), ("y", 660)):
                jump = float(new[axis]) - float(old[axis])
                if abs(jump) > 100:
                    game.expect(abs(jump), f"jump of {old['id']} along {axis}").close_to(size + 2 * float(old["radius"]), 45)
                    game.expect(jump * float(old["v" + axis]) < 0, "it jumped against its motion").is_true()
        if crossed:
            return
        last = now
    game.expect(crossed, "comets that crossed the border in 15 s").at_least(1)


@check(
    "p1-hit-costs-hull-and-streak",
    priority="P1",
    title="a comet that touches the ship costs the hull its damage, ends the streak and is gone",
    source="game-spec.md#5",
    timeout_s=90,
)
def hit(game: Any) -> None:
    for turn in range(2):
        game.load("comet_incoming")
        before, quiet = game.snapshot(), game.text()
        comet, due = threat(game, before)
        damage = 20 if comet["radius"] == 16 else 35
        game.expect(comet["damage"], "damage of the comet").equals(damage)
        game.wait(seconds(0.5))
        coming = named(game.snapshot()["comets"], comet["id"])
        game.expect(coming is not None, "the comet still comes").is_true()
        game.expect_pixels(coming["bounds"]).shows(COMET, share=0.3)
        after = game.wait_until(lambda snap: snap["ship"]["hull"] < 100, within=seconds(2), every=frames(3), what="the comet hit the ship")
        game.expect(float(after["time"]) - float(before["time"]), "seconds until the hit").close_to(due, 0.12)
        game.expect(after["ship"]["hull"], "hull").equals(100 - damage)
        game.expect(after["streak"], "streak").equals(0)
        game.expect(after["ship"]["invulnerable"], "invulnerable").greater_than(1.0).at_most(1.2)
        game.expect(comet["id"].value in ids(after["comets"]), "the comet is still there").is_false()
        for name in ("score", "delivered", "cargo"):
            game.expect(after[name].value, name).equals(before[name].value)
        game.expect(after["ship"]["energy"], "energy").close_to(before["ship"]["energy"], 0.1)
        game.wait(frames(3))
        text = game.text()
        if turn == 0:
            says(game, "hull hit", quiet)
        game.expect(
            re.search(rf"hull\s+{100 - damage}(?!\d)", text, re.IGNORECASE) is not None, f"visible text says Hull {100 - damage}"
        ).is_true()
        game.wait(seconds(1.3))
        game.expect(game.snapshot()["ship"]["invulnerable"], "invulnerable, 1.3 s later").equals(0)
    game.wait_until(lambda snap: len(snap["comets"]) >= len(before["comets"]), within=seconds(2), what="another comet drifted in")


@check(
    "p1-pulse-throws-off",
    priority="P1",
    scenario="comet_incoming",
    title="Space spends energy and sends near comets straight away; the hit does not happen",
    source="game-spec.md#5",
)
def pulse(game: Any) -> None:
    start = seen_ship(game)
    comet, _ = threat(game, start)
    before = game.wait_until(
        lambda snap: gap(named(snap["comets"], comet["id"]), snap["ship"]) < 140,
        within=seconds(2),
        every=frames(3),
        what="the comet came within 140 units",
    )
    game.keyboard.press("Space")
    game.wait(frames(2))
    after = game.snapshot()
    game.expect(after["ship"]["energy"], "energy").close_to(before["ship"]["energy"] - 25, 0.3)
    game.expect(after["pulse"]["cooldown"], "cooldown").greater_than(1.3).at_most(1.5)
    for old in before["comets"]:
        _thrown(game, old, named(after["comets"], old["id"]), before["ship"])
    game.wait(seconds(1.5))
    later = game.snapshot()
    for name in ("streak", "score", "delivered"):
        game.expect(later[name], name).equals(start[name])
    game.expect(later["ship"]["hull"], "hull").equals(100)
    new = named(later["comets"], comet["id"])
    game.expect(gap(new, later["ship"]), "way of the thrown comet from the ship").greater_than(gap(comet, start["ship"]) - 60)
    if free(new, later):
        game.expect_pixels(new["bounds"]).shows(COMET, share=0.3)


def _thrown(game: Any, old: Any, new: Any, ship: Any) -> None:
    """Within the radius: straight away from the ship with the speed it had. Outside of it: as before."""
    game.expect(new is not None, f"{old['id']} is still there").is_true()
    far = gap(old, ship)
    if far > 172:
        game.expect([float(new["vx"]), float(new["vy"])], f"velocity of {old['id']}").close_to([float(old["vx"]), float(old["vy"])], 0.5)
    if far < 148:
        dx, dy = float(new["x"]) - float(ship["x"]), float(new["y"]) - float(ship["y"])
        pace = speed(old)
        game.expect([float(new["vx"]), float(new["vy"])], f"velocity of {old['id']}").close_to(
            [pace * dx / math.hypot(dx, dy), pace * dy / math.hypot(dx, dy)], 6
        )


@check(
    "p1-pulse-equals-interface",
    priority="P1",
    scenario="fresh_run",
    title="Space, the pulse button and the interface do the same pulse, and it is seen",
    source="interface.md#actions",
)
def pulse_ways(game: Any) -> None:
    spent = []
    for act in (
        lambda: game.keyboard.press("Space"),
        lambda: game.mouse.click(game.centre(game.snapshot()["controls"]["pulse"])),
        lambda: game.input({"type": "pulse"}),
    ):
        game.load("fresh_run")
        game.wait(seconds(0.6))
        before = game.snapshot()
        x, y = game.centre(before["ship"]["bounds"])
        region = (max(42, x - 80), max(102, y - 80), 160, 160)
        calm = game.idle_control(region, over=seconds(0.3))
        act()
        game.wait(frames(6))
        game.expect_pixels(region).differs_more_than(calm)
        after = game.snapshot()
        spent.append([float(before["ship"]["energy"]) - float(after["ship"]["energy"]), float(after["pulse"]["cooldown"])])
        game.expect(spent[-1], "energy spent, cooldown left").close_to([25, 1.4], 0.12)


@check(
    "p1-pulse-refused-low-energy",
    priority="P1",
    scenario="low_energy",
    title="a pulse that cannot be paid does nothing",
    source="game-spec.md#5",
)
def pulse_low(game: Any) -> None:
    before, text = seen_ship(game), game.text()
    refused(game, {"type": "pulse"}, "low_energy")
    game.keyboard.press("Space")
    game.wait(frames(2))
    after = game.snapshot()
    game.expect(after["ship"]["energy"], "energy").close_to(before["ship"]["energy"], 0.05)
    game.expect(after["pulse"]["cooldown"], "cooldown").equals(0)
    for old in before["comets"]:
        new = named(after["comets"], old["id"])
        game.expect([float(new["vx"]), float(new["vy"])], f"velocity of {old['id']}").close_to([float(old["vx"]), float(old["vy"])], 0.01)
    says(game, "low energy", text)


@check(
    "p1-pulse-refused-recharging",
    priority="P1",
    scenario="fresh_run",
    title="a second pulse too early does nothing; in time it works",
    source="game-spec.md#5",
)
def pulse_recharging(game: Any) -> None:
    seen_ship(game)
    text = game.text()
    game.expect(game.input({"type": "pulse"})["ok"], "first pulse").is_true()
    refused(game, {"type": "pulse"}, "recharging")
    game.wait(seconds(1.3))
    refused(game, {"type": "pulse"}, "recharging")
    says(game, "recharging", text)
    game.wait(seconds(0.3))
    before = game.snapshot()
    game.expect(before["pulse"]["cooldown"], "cooldown").equals(0)
    game.expect(game.input({"type": "pulse"})["ok"], "pulse after 1.6 s").is_true()
    game.expect(game.snapshot()["ship"]["energy"], "energy").close_to(before["ship"]["energy"] - 25, 0.01)
