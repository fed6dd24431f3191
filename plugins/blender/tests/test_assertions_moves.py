"""Statements about what the stages saw that turn bones, step the timeline and let bodies fall."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playproof.drivers import build
from playproof.errors import ExpectationFailed, SubmissionFault, TaskError
from playproof.interfaces import Assertion, Services
from playproof.model import Outcome, Ref
from playproof_blender.testing import taken

FRAMES = list(range(1, 102))


def track(name: str, places: Any, angle: float = 0.0, bone: str | None = None, size: float | None = 0.2) -> dict[str, Any]:
    """With a box about each place, turned about z by `angle` degrees in all."""
    halves = [math.radians(angle * at / 100) / 2 for at in range(len(places))]
    turns = [[math.cos(half), 0, 0, math.sin(half)] for half in halves]
    boxes = None if size is None else [[*(one - size / 2 for one in place), *(one + size / 2 for one in place)] for place in places]
    return {"object": name, "bone": bone, "moves": len(places) > 1, "places": places, "turns": turns, "boxes": boxes}


THERE_AND_BACK = [[5 - abs(at - 50) / 10, 0.0, 1.0] for at in range(101)]
HOP = [[0.0, 0.0, math.sin(at / 100 * math.pi)] for at in range(101)]
MOTION = {"fps": 25.0, "frames": FRAMES, "left_off": 0, "tracks": [
    track("Train", THERE_AND_BACK), track("Hopper", HOP), track("Still", [[0, 0, 0.1]]), track("Wheel", [[0.0, 0, 1]] * 101, 720.0),
    track("Rig", [[0, 0, 0]], size=None), track("Rig", THERE_AND_BACK, bone="Hand", size=None)]}  # fmt: skip
SETTLED = [[0.0, 0.0, max(0.5, 2.0 - 0.05 * at)] for at in range(101)]
FALLING = [[20.0, 0.0, 3.0 - 0.002 * at * at] for at in range(101)]
PHYSICS = {"fps": 25.0, "frames": FRAMES, "left_off": 0, "tracks": [
    track("Crate", SETTLED, size=1.0) | {"body": {"type": "ACTIVE", "held": 0}}, track("Runaway", FALLING) | {"body": {"type": "PASSIVE"}},
    track("Old", SETTLED, size=1.0) | {"body": {"type": "ACTIVE"}},
    track("Puppet", SETTLED, size=1.0) | {"body": {"type": "ACTIVE", "held": 7}}, track("Top", [[0.0, 0, 0.5]] * 101, 40.0)]}  # fmt: skip


def moved(points: int, count: int, furthest: float = 0.5, **groups: Any) -> dict[str, Any]:
    return {"points": points, "moved": count, "furthest": furthest if count else 0.0, "box": None, "groups": groups}


RIG = {"angle_deg": 30.0, "axis": "X", "threshold": 0.001, "left_off": 0, "bones": [
    {"armature": "Rig", "bone": "Hand", "parent": "Arm", "deform": True, "restored": 0.0, "objects": {
        "Body": moved(100, 10, Hand=moved(10, 10), Arm=moved(30, 0)), "Ring": moved(8, 8), "Hat": moved(20, 0)}},
    {"armature": "Rig", "bone": "Arm", "parent": None, "deform": True, "restored": 0.02,
     "objects": {"Body": moved(100, 40), "Hat": moved(20, 3)}},
]}  # fmt: skip
SEEN = {"blender.motion/1": MOTION, "blender.physics/1": PHYSICS, "blender.rig/1": RIG}


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., str]:
    def asked(name: str, seen: Any = None, **options: Any) -> str:
        assertion: Assertion = build("assertion", Ref(f"blender.{name}", options), Services(Path()))
        verdict = assertion.check(taken(tmp_path, [], {**SEEN, **(seen or {})}))
        assert verdict.outcome is Outcome.PASS
        assert len(verdict.cites) == 1
        return verdict.message

    return asked


@pytest.mark.parametrize(("name", "options", "says"), [
    ("motion", {"object": "Train", "start": [0, 0, "1 m"], "end": [0, 0, 1], "travels_at_least": "9.99 m",
     "travels_at_most": 10.01, "loops": True},
     "10 m in 101 frames"),
    ("motion", {"object": "Train", "first": 1, "last": 51, "end": ["5 m", "any", "any"], "loops": False, "away_at_least": "5 m"},
     "5 m in 51"),
    ("motion", {"object": "Train", "speed_at_most": 2.51, "speed_at_least": 2.49, "slowest_at_least": 2.49}, "Train"),
    ("motion", {"object": "Hopper", "above": "-10 cm", "below": "1.1 m", "moves": True}, "Hopper"),
    ("motion", {"object": "Still", "moves": False, "above": 0}, "0 mm in 101 frames"),
    ("motion", {"object": "Wheel", "turns_at_least": 719, "turns_at_most": 721, "loops": True, "moves": True}, "Wheel"),
    ("motion", {"object": "Rig", "bone": "Hand", "travels_at_least": "9 m"}, "Rig: Hand"),
    ("settle", {"objects": "Crate", "free": True, "tilt_at_least": 0}, "rests at"),
    ("settle", {"objects": "Crate", "above": 0, "within_s": 2, "moved_at_least": "1 m", "tilt_at_most": 1}, "rests at (0, 0, 0.5)"),
    ("rig", {"bone": "Hand", "objects": ["Body", "Ring"], "groups": ["Hand"], "still": ["Hat"], "still_groups": ["Arm"]}, "all 6 hold"),
    ("rig", {"bone": "Hand", "groups": ["H*"], "share_at_least": 1.0, "at_least": "50 cm"}, "10 of 10 points move, by 500 mm at most"),
])  # fmt: skip
def test_passes(ask: Callable[..., str], name: str, options: Any, says: str) -> None:
    assert says in ask(name, **options)


@pytest.mark.parametrize(("name", "options", "says"), [
    ("motion", {"object": "Train", "travels_at_least": "12 m"},
     "path of 'Train': wanted length of the path at least 12 m, but Train: length of the "
     "path is 10 m (2 m too little)"),
    ("motion", {"object": "Train", "end": [5, 0, 1]}, "ends at (0, 0, 1), 5 m away"),
    ("motion", {"object": "Train", "first": 1, "last": 51, "loops": True}, "its end is 5 m and 0° from its start"),
    ("motion", {"object": "Train", "loops": False}, "its end is 0 mm and 0° from its start"),
    ("motion", {"object": "Train", "speed_at_most": 2}, "greatest speed is 2.5 m/s (0.5 m/s too much)"),
    ("motion", {"object": "Hopper", "above": 0}, "Hopper: comes down to -100 mm at frame 1"),
    ("motion", {"object": "Hopper", "below": "1 m"}, "rises to 1.1 m at frame 51"),
    ("motion", {"object": "Still", "moves": True}, "Still: does not move"),
    ("motion", {"object": "Wheel", "turns_at_most": 360}, "turning is 720° (360° too much)"),
    ("motion", {"object": "train", "moves": True}, "no object that was followed 'train'; there are: 'Train'"),
    ("motion", {"object": "Rig", "bone": "Foot", "moves": True}, "no bone that was followed 'Foot'; there are: 'Hand'"),
    ("motion", {"object": "Train", "first": 500, "moves": True}, "no frame from 500 to None was taken"),
    ("settle", {"objects": "Crate", "free": True, "tilt_at_least": 1}, "Crate: ends tilted by only 0°"),
    ("settle", {"objects": "Runaway", "drift": "90 m", "free": True}, "is no active body, but passive"),
    ("settle", {"objects": "Old", "free": True}, "grade it again"),
    ("settle", {"objects": "Puppet", "free": True}, "is moved by other things than physics at 7 of 101 frames"),
    ("settle", {"objects": "Top", "turn": 90, "free": True}, "is no active body, but none"),
    ("settle", {"objects": "*", "above": 0}, "rigid bodies '*': wanted at rest, above 0, but Runaway: still moves: "),
    ("settle", {"objects": "Runaway", "drift": "90 m", "above": 0}, "Runaway: falls to -17.1 m"),
    ("settle", {"objects": "Crate", "within_s": 0.5}, "Crate: still moves: "),
    ("settle", {"objects": "Crate", "moved_at_most": "10 cm"}, "ends 1.5 m (1.4 m too much) from where it began"),
    ("settle", {"objects": "Top", "turn": 90, "tilt_at_most": 30}, "ends tilted by 40°"),
    ("settle", {"objects": "Top"}, "Top: still moves: 0 mm and "),
    ("rig", {"bone": "Hand", "objects": ["Hat"]},
     "what moves with the bone 'Hand', turned by 30.0°: wanted what should move moves, and nothing else, "
     "but Hat: does not move"),
    ("rig", {"bone": "Hand", "still": ["Ring"]}, "Ring: 8 of 8 points move, by 500 mm at most"),
    ("rig", {"bone": "Hand", "groups": ["Arm"]}, "group 'Arm' of Body: does not move"),
    ("rig", {"bone": "Hand", "objects": ["Body"], "share_at_least": 0.5}, "Body: 10 of 100 points move"),
    ("rig", {"bone": "Hand", "objects": ["Body"], "at_least": "60 cm"}, "by 500 mm at most"),
    ("rig", {"bone": "Arm", "objects": ["Body"]}, "bone Arm: its points are 20 mm off when it is back"),
    ("rig", {"bone": "Leg", "objects": ["Body"]}, "no bone 'Leg'; there are: 'Hand', 'Arm'"),
    ("rig", {"bone": "Hand", "objects": ["Boots"]}, "no object on the armature 'Boots'; there are: 'Body'"),
    ("rig", {"bone": "Hand", "groups": ["Tail"]}, "no vertex group with points 'Tail'; there are: "),
])  # fmt: skip
def test_fails(ask: Callable[..., str], name: str, options: Any, says: str) -> None:
    with pytest.raises(ExpectationFailed) as failed:
        ask(name, **options)
    assert says in str(failed.value)
    assert failed.value.cites


@pytest.mark.parametrize("spoiled", [
    {"frames": [1, 2], "fps": 25, "tracks": [{"object": "Train"}]}, {"fps": 25}, {"frames": "many", "fps": 25, "tracks": []},
    {"frames": [1, 2], "fps": 25, "tracks": [track("Train", [[0, 0, 0], [math.nan, 0, 0]])]},
    {"frames": [1, 2, 3], "fps": 25, "tracks": [track("Train", [[0, 0, 0], [1, 0, 0]])]}, {"frames": [1], "fps": None, "tracks": []}, [1],
])  # fmt: skip
def test_what_is_not_of_its_form_is_the_submissions_fault(ask: Callable[..., str], spoiled: Any) -> None:
    with pytest.raises(SubmissionFault, match=r"blender.motion/1") as fault:
        ask("motion", {"blender.motion/1": spoiled}, object="Train", moves=True)
    assert fault.value.cites


def test_without_a_world_of_bodies_it_says_so(ask: Callable[..., str]) -> None:
    nothing = {"blender.physics/1": {"fps": 24, "frames": [], "tracks": [], "why": "the scene has no rigid body world"}}
    with pytest.raises(ExpectationFailed, match="nothing was stepped: the scene has no rigid body world"):
        ask("settle", nothing, objects="*")


@pytest.mark.parametrize(("name", "options", "says"), [
    ("motion", {"object": "A"}, "says nothing of the path"), ("motion", {"object": "A", "start": [0, 0]}, r"is no place; .* @ \$.start"),
    ("motion", {"object": "A", "start": ["any"] * 3}, "is no place"), ("motion", {"object": "A", "end": [0, 0, "1 mile"]},
     "has the unit 'mile'"),
    ("motion", {"object": "A", "speed_at_least": 3, "speed_at_most": 2}, "is more than"), ("settle", {"objects": "A", "for_s": 0}, "for_s"),
    ("rig", {"bone": "A"}, "say objects, groups, still or still_groups"), ("rig", {"bone": "A", "still": "Hat"}, "expected a list"),
])  # fmt: skip
def test_options_that_make_no_sense_are_refused_at_once(name: str, options: Any, says: str) -> None:
    with pytest.raises(TaskError, match=says):
        build("assertion", Ref(f"blender.{name}", options), Services(Path()))
