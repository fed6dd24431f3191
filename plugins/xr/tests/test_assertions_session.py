"""Statements about a real session: each true, false and on its limit, in an app of which all of that is so (apps/statements.html)."""

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from playproof.drivers import build
from playproof.errors import ExpectationFailed, TaskError
from playproof.evidence import Record
from playproof.interfaces import Grading, Services
from playproof.model import Ask, Observer, Outcome, Ref, case, seconds
from playproof.stage import stage
from playproof_xr.assertions import (
    always,
    angle,
    attached,
    between,
    distance,
    eventually,
    facing,
    forward,
    gap,
    in_view,
    inside,
    last,
    letter_size,
    never,
    on_surface,
    pinching,
    position,
    reachable,
    readable,
    since,
    speed,
    stable_for,
    there,
    touching,
    towards,
    until,
    visible,
    while_,
)
from playproof_xr.geometry import Box, Vector
from playproof_xr.quantities import Quantity
from playproof_xr.time.track import Track

pytestmark = pytest.mark.heavy

WATCHED = {"watch": [{"name": "cube"}, {"name": "palm-panel"}, {"name": "wrist-panel"}]}


@pytest.fixture(scope="module")
def xr(grading: Grading, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Somebody drags the cube, presses the button and waves; `times` says when each was done."""
    task = evolve(grading.task, observe={"xr.track/1": WATCHED})
    mine = evolve(grading, record=Record(tmp_path_factory.mktemp("record")), task=task)
    with stage(mine, case(page="statements.html")) as staged:
        xr = staged.session
        names = ("cube", "ghost", "broken", "button", "palm-panel", "wrist-panel", "tip-panel", "loose-panel")
        xr.things = {name: xr.find(name=name) for name in names}
        xr.late = xr.watch(name="late")
        xr.times = SimpleNamespace(**dict(_performed(xr)))
        xr.stage = staged
        yield xr


def _performed(xr: Any) -> Iterator[tuple[str, tuple[int, int]]]:
    def timed(name: str, *deeds: Any) -> tuple[str, tuple[int, int]]:
        start = xr.clock.now
        for deed in deeds:
            deed()
        return name, (start, xr.clock.now)

    hand, cube, button = xr.right, xr.things["cube"], xr.things["button"]
    yield timed("reach", lambda: hand.reach(cube))
    yield timed("pinch", hand.pinch)
    yield timed("drag", lambda: hand.move_by((0.2, 0.1, 0.0), seconds(0.5)), lambda: xr.wait(seconds(0.2)))
    yield timed("release", hand.release, lambda: xr.wait(seconds(0.2)))
    before = button.centre + Vector(0.0, 0.0, 0.1)
    yield timed("aim", lambda: hand.pose("point"), lambda: hand.reach(before, part="index-finger-tip"))
    yield timed("press", lambda: hand.move_to(button.centre + Vector(0.0, 0.0, 0.008), seconds(0.3), part="index-finger-tip"))
    yield timed("back", lambda: hand.move_to(before, seconds(0.3), part="index-finger-tip"))
    hand.move_to((0.3, 1.2, -0.4), seconds(0.3), part="palm")
    hand.pose("open")
    yield timed("wave", lambda: hand.turn(50, (1.0, 0.3, 0.5), seconds(0.4)), lambda: hand.move_by((0.0, 0.2, 0.0), seconds(0.3)),
                lambda: hand.pose("fist"))  # fmt: skip


def fails(xr: Any, statement: Any, over: Any = None) -> str:
    with pytest.raises(ExpectationFailed) as failed:
        xr.expect(statement, over=over)
    kinds = {entry.kind for entry in xr.stage.evidence if entry.id in failed.value.cites}
    assert kinds & {"xr.track/1", "xr.scene/1"}, "it says where that is written"
    return str(failed.value)


def extremes(xr: Any, quantity: Quantity, window: tuple[int, int]) -> tuple[float, float]:
    """The least and the most of a quantity in a window, as the session recorded it."""
    xr.expect(always(quantity <= 1e9), over=between(*window))
    entry = xr.stage.evidence.last("xr.track/1")
    track = Track.of(entry.value)
    values = [value for row, value in zip(track.rows, quantity.over(track), strict=True) if window[0] <= row.tick <= window[1]]
    return min(values), max(values)


# --- time ---


def test_what_is_dragged_stays_at_the_pinch(xr: Any) -> None:
    cube, hand = xr.things["cube"], xr.right
    held = distance(cube, hand.pinch_point)
    answer = xr.expect(always(held < 0.03), over=between(*xr.times.drag))
    (cited,) = [entry for entry in xr.stage.evidence if entry.id in answer.cites]
    assert cited.kind == "xr.track/1" and cited.observer is Observer.MAIN and cited.id in xr.stage.grading.record.grounds
    message = fails(xr, always(held < 0.03), between(*xr.times.reach))
    assert "wanted always distance(scene[name 'cube'], right.pinch_point) < 0.03 m between 0 s and 0.6 s: at 0 s" in message
    _, most = extremes(xr, held, xr.times.drag)
    xr.expect(always(held <= most), over=between(*xr.times.drag))
    assert f"was {most:.4g} m" in fails(xr, always(held < most), between(*xr.times.drag))


def test_operators_over_a_real_grab(xr: Any) -> None:
    cube, hand, times = xr.things["cube"], xr.right, xr.times
    held = distance(cube, hand.pinch_point) < 0.03
    xr.expect(eventually(held), over=between(0, times.pinch[1]))
    assert "nearest at" in fails(xr, eventually(held, within=seconds(0.1)), between(0, times.pinch[1]))
    xr.expect(never(held), over=between(*times.wave))
    xr.expect(while_(pinching(hand), held), over=between(times.pinch[0], times.release[1]))
    fails(xr, while_(pinching("left"), held), between(*times.drag))
    xr.expect(until(speed(cube) < 0.01, pinching("right")), over=between(0, times.drag[1]))
    xr.expect(stable_for(seconds(0.15), position(cube).x, within=0.001), over=between(*times.drag))
    assert "at the longest" in fails(xr, stable_for(seconds(0.6), position(cube).x, within=0.001), between(*times.drag))
    xr.expect(always(position(cube).y > 1.39), over=since("selectend", hand))
    assert "there was no squeezestart" in fails_without_cites(xr, always(held), since("squeezestart"))
    xr.expect(always(~held), over=last(seconds(0.5)))


def fails_without_cites(xr: Any, statement: Any, over: Any) -> str:
    with pytest.raises(ExpectationFailed) as failed:
        xr.expect(statement, over=over)
    return str(failed.value)


def test_what_goes_comes_late_or_has_no_numbers(xr: Any) -> None:
    ghost, broken, late = xr.things["ghost"], xr.things["broken"], xr.late
    xr.expect(until(there(ghost) & visible(ghost), ~there(ghost), within=seconds(1)))
    assert "scene[name 'ghost'] is not there" in fails(xr, always(distance(ghost, "head") < 99))
    assert "scene[name 'ghost'] is not there" in fails(xr, never(distance(ghost, "head") > 99)), "nor is the contrary shown"
    assert "has numbers that are not finite" in fails(xr, always(position(broken).x < 99))
    xr.expect(always(position(broken).x < 99), over=between(0, seconds(0.2)))
    xr.expect(until(~there(late), position(late).y > 1.2, within=seconds(1)))
    assert "it came at 0.4" in fails(xr, eventually(there(late), within=seconds(0.4)))
    assert xr.find(name="late").id, "a thing that is found now was not watched before"
    with pytest.raises(TaskError, match=r"scene\[name 'late'\] was watched from .* s on, and the window begins at 0 s"):
        xr.expect(always(distance(xr.find(name="late"), "head") < 99), over=between(0, seconds(0.5)))


def test_waiting_for_a_predicate_and_asking_for_the_present(xr: Any) -> None:
    resting = xr.find(name="resting")
    xr.wait_until(distance(resting, "head") < 5)
    answer = xr.expect(distance(resting, "head") < 5)
    assert answer.message.startswith("distance(scene[name 'resting'], head) < 5 m now: it held, distance(")
    with pytest.raises(ExpectationFailed, match=r"distance\(.*\) > 5 m did not come within 0\.05 s"):
        xr.wait_until(distance(resting, "head") > 5, within=seconds(0.05))
    assert len({entry.kind for entry in xr.stage.evidence if entry.id in answer.cites} & {"xr.scene/1", "xr.user/1"}) == 2


# --- places ---


def test_frames_of_reference(xr: Any) -> None:
    sign = xr.find(name="sign")
    head = xr.head.pose.position
    xr.expect(abs(position(sign, "viewer").z + (head.z + 1)) < 1e-3)
    xr.expect(distance(sign, "head") <= head.distance(sign.centre) + 1e-6)
    fails(xr, distance(sign, "head") < head.distance(sign.centre) - 1e-6)
    xr.expect(position(sign, xr.right.palm).length < 5)


def test_on_a_surface(xr: Any) -> None:
    shelf = xr.find(name="shelf")
    for name, seen in (("resting", None), ("floating", "floats by 0.03 m"), ("sunk", "is sunk by 0.02 m"), ("beside", "lies beside it")):
        statement = on_surface(xr.find(name=name), shelf)
        if seen is None:
            xr.expect(statement)
        else:
            assert seen in fails(xr, statement)
    xr.expect(on_surface(xr.find(name="floating"), shelf, tolerance=0.0301))
    fails(xr, on_surface(xr.find(name="floating"), shelf, tolerance=0.0299))
    xr.expect(on_surface(xr.find(name="on-floor"), "floor"))
    assert "there is no plane 'lawn'" in fails(xr, on_surface(xr.find(name="on-floor"), "lawn"))


def test_facing_readable_reachable_inside(xr: Any) -> None:
    sign, small, away, aside, far = (xr.find(name=name) for name in ("sign", "small-print", "turned-away", "aside", "far"))
    xr.expect(facing(sign) & in_view(sign) & readable(sign))
    assert "was 180 °" in fails(xr, facing(away)) or "was 17" in fails(xr, facing(away))
    turned = angle(forward(aside, "+z"), towards(aside, "head"))
    (degrees,) = turned.over(_moment(xr, turned))
    xr.expect(facing(aside, within=degrees + 0.01))
    fails(xr, facing(aside, within=degrees - 0.01))
    assert "letter size of scene[name 'small-print'] was 0.1" in fails(xr, readable(small))
    (spans,) = letter_size(sign).over(_moment(xr, letter_size(sign)))
    xr.expect(readable(sign, minimum=spans - 1e-4))
    fails(xr, readable(sign, minimum=spans + 1e-4))
    (reach,) = gap("right.shoulder", far).over(_moment(xr, gap("right.shoulder", far)))
    assert "gap(left.shoulder" in fails(xr, reachable(far)) and reach > 1.5
    xr.expect(reachable(far, "right", reach=reach + 1e-4))
    fails(xr, reachable(far, "right", reach=reach - 1e-4))
    xr.expect(reachable(xr.find(name="button")))
    place = sign.centre
    xr.expect(inside(sign, Box(place, place + Vector(1.0, 1.0, 1.0))))
    fails(xr, inside(sign, Box(place + Vector(1e-4), place + Vector(1.0, 1.0, 1.0))))


def _moment(xr: Any, quantity: Quantity) -> Track:
    from playproof_xr.targets import anchor_told
    from playproof_xr.time.moments import moment

    user = xr.user().value
    return moment(quantity.targets, xr.scene(), lambda name: anchor_told(name, user), xr.clock.now, ())


def test_a_finger_touches_a_button_once(xr: Any) -> None:
    tip, button, times = xr.right.joint("index-finger-tip"), xr.things["button"], xr.times
    touch = touching(tip, button)
    xr.expect(never(touch), over=between(*times.reach))
    xr.expect(until(~touch, touch), over=between(times.aim[0], times.press[1]))
    xr.expect(until(touch, ~touch), over=between(*times.back))
    assert "the gap between right.index-finger-tip and scene[name 'button'] was" in fails(xr, always(touch), between(*times.press))
    least, _ = extremes(xr, gap(tip, button), times.reach)
    xr.expect(eventually(touching(tip, button, begin=least, end=least)), over=between(*times.reach))
    fails(xr, eventually(touching(tip, button, begin=least - 1e-6, end=least)), between(*times.reach))


def test_attached_to_the_palm_and_to_nothing_else(xr: Any) -> None:
    palm, over = xr.right.palm, between(*xr.times.wave)
    answer = xr.expect(attached(xr.things["palm-panel"], palm), over=over)
    assert "slipping by" in answer.message
    for name, seen in (("wrist-panel", "m away"), ("tip-panel", "m away"), ("loose-panel", "slipped by")):
        assert seen in fails(xr, attached(xr.things[name], palm), over), name
    least, most = extremes(xr, distance(xr.things["palm-panel"], palm), xr.times.wave)
    assert most - least < 1e-3
    xr.expect(attached(xr.things["palm-panel"], palm, within=most + 1e-6), over=over)
    fails(xr, attached(xr.things["palm-panel"], palm, within=most - 1e-4), over)


# --- drivers and stored evidence ---


def driver(name: str, **options: Any) -> Any:
    return build("assertion", Ref(f"xr.{name}", options), Services(cache=None))  # type: ignore[arg-type]


def test_stored_evidence_gives_the_same_verdicts(xr: Any) -> None:
    for kind in ("xr.track/1", "xr.scene/1", "xr.user/1", "xr.events/1"):
        xr.observe(Ask(kind, {"parts": ["right.palm", "right.wrist", "right.pinch_point", "head"]} if kind == "xr.track/1" else {}))
    drag, wave = ({"from_s": start / 90_000, "to_s": end / 90_000} for start, end in (xr.times.drag, xr.times.wave))
    cube, panel, wrist = ({"name": name} for name in ("cube", "palm-panel", "wrist-panel"))
    held: Mapping[str, Any] = {"a": cube, "b": "right.pinch_point", "when": "always"}
    evidence = xr.stage.evidence
    assert driver("distance", **held, at_most=0.03, **drag).check(evidence).outcome is Outcome.PASS
    assert driver("attached", a=panel, to="right.palm", **wave).check(evidence).outcome is Outcome.PASS
    assert driver("on_surface", a={"name": "resting"}, surface={"name": "shelf"}).check(evidence).outcome is Outcome.PASS
    for name, options in (("distance", {**held, "at_most": 0.03}), ("attached", {"a": wrist, "to": "right.palm", **wave}),
                          ("readable", {"a": {"name": "small-print"}})):  # fmt: skip
        with pytest.raises(ExpectationFailed):
            driver(name, **options).check(evidence)
