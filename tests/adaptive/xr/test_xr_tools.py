"""The tools of a model that plays an XR app, each in a real session; and the player in a cast."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from PIL import Image

from playproof.dialogue import Picture, Reply, Request, Result, Text
from playproof.drivers import build
from playproof.errors import TaskError
from playproof.evidence import Record
from playproof.interfaces import Grading, Plays, Services
from playproof.model import Ref, case
from playproof.stage import stage
from playproof_judges.replay import Recorded
from playproof_judges.testing.players import call
from playproof_xr.exhibits.sight import SightExhibitor
from playproof_xr.session import XRSession

pytestmark = pytest.mark.heavy


class Overheard(Recorded):
    """A script of calls that keeps what it was shown."""

    asked: list[Request]

    def ask(self, model: str, request: Request) -> Reply:
        self.asked = [*getattr(self, "asked", []), request]
        return super().ask(model, request)

    def told(self, turn: int) -> str:
        """What came of the turn of that number, from 1."""
        parts = self.asked[turn].messages[-1].parts
        return "\n".join(one.text for part in parts if isinstance(part, Result) for one in part.content if isinstance(one, Text))


def skin(heard: Overheard, turn: int) -> int:
    """How many pixels of the picture after a turn have the colour of the lines that are a right hand."""
    shown = [one for part in heard.asked[turn].messages[-1].parts if isinstance(part, Result) for one in part.content]
    picture = next(one for one in shown if isinstance(one, Picture))
    found = Image.open(io.BytesIO(picture.data)).convert("RGB").getcolors(1 << 20) or []
    return sum(many for many, colour in found if colour == (0xE8, 0xB4, 0x8F))


@pytest.fixture(scope="module")
def person(grading: Grading, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Overheard]]:
    """`person(call, ..., named=...)` plays these calls in one session of the near page, and gives what was overheard."""
    mine = evolve(grading, record=Record(tmp_path_factory.mktemp("tools") / "record"))
    with stage(mine, case(page="near.html", viewport=(320, 240))) as staged:
        def play(*calls: Reply, named: bool = True) -> Overheard:
            heard = Overheard(("player",), [*calls, call("done", reached=True, claim="seen")])
            staged.session.bench = heard
            played = staged.session.adaptive("Do it.", named=named)
            assert played.how == "done"
            return heard

        play.xr = staged.session  # type: ignore[attr-defined]
        yield play


def test_aiming_is_apart_from_selecting_and_what_is_held_ends_with_the_hand_that_began(person: Any) -> None:
    xr = person.xr
    block = xr.find(name="block")
    was, number = block.centre, block.id
    heard = person(
        call("end_hold", hand="right"), call("reach", hand="right", thing=number), call("start_hold", hand="right"),
        call("move_held", hand="left", by=[0, 0.1, 0]), call("aim_at", hand="right", thing=number), call("select", hand="right"),
        call("move_held", hand="right", by=[0, 5, 0]), call("move_held", hand="right", by=[0, 0.1, 0], to=[0, 1, 0]),
        call("move_held", hand="right", by=[-0.1, 0.1, 0.0]), call("end_hold", hand="right"), call("reach", hand="right", thing=number),
        call("aim_at", hand="right", thing=number))  # fmt: skip
    refused = {1: "holds nothing: begin with start_hold", 4: "your left hand holds nothing; your right hand does",
               5: "your right hand holds since start_hold", 6: "your right hand holds since start_hold",
               7: "and an arm reaches 0.8 m", 8: "say one of by", 12: "your right hand is there already"}  # fmt: skip
    for turn, words in refused.items():
        assert words in heard.told(turn), (turn, heard.told(turn))
    assert "it has not pinched" in heard.told(2) and "Whether it holds anything is seen by what moves" in heard.told(3)
    turns = [entry.value for entry in xr._record.sealed().of("adaptive.turn/1")]
    assert {turn["turn"] for turn in turns if turn["error"]} == set(refused), "each is counted as a turn, and carried nothing out"
    assert block.centre == was, "the button was not pressed, so nothing could be grabbed"
    assert [one["kind"] for one in xr.events().value if one["kind"].startswith("select")] == ["selectstart", "select", "selectend"]
    assert skin(heard, 2) > 20, "a hand that is in view is drawn in"


def test_rays_and_pixels_are_told_with_their_true_distances(person: Any) -> None:
    xr = person.xr
    button, tray = xr.find(name="button"), xr.find(name="tray")
    heard = person(
        call("look", point=list(button.centre)), call("aim_at", hand="left", thing=button.id), call("measure", x=160, y=120),
        call("measure", x=320, y=0), call("look", left=180), call("aim_at", hand="left", thing=button.id), call("look", left=-180),
        call("walk", place="table"), call("walk", place="moon"), call("pose", hand="left", pose="thumbs-up"), call("select", hand="gaze"),
        call("wait", seconds=0.5), call("turn_hand", hand="right", degrees=20, axis="up"), call("rest", hand="right"))  # fmt: skip
    assert f"its ray meets thing {button.id} at " in heard.told(2)
    met = re.search(r"meets thing \d+ at ([\d.]+) m", heard.told(2))
    assert met is not None and float(met[1]) == pytest.approx(1.34, abs=0.02)
    front = rf"meets: thing {button.id} at 1.6[12] m, then the window of the room"
    assert re.search(front, heard.told(3)), "it is 1.58 m ahead, and a little aside"
    assert "320, 0 lies outside the picture, which is 320 x 240" in heard.told(4)
    assert "there is no such thing in sight" in heard.told(6) and "has no place 'moon'" in heard.told(9)
    assert "does not point with the gaze" in heard.told(11)
    entry = xr._record.sealed().last("xr.sight/1")
    shown = SightExhibitor({}, None).show(entry, lambda blob: b"")  # type: ignore[arg-type]
    assert "ray of the left hand: the window at" in shown.text and "name 'button', 0.16x0.16x0.04" in shown.text, shown.text
    assert "name 'button'" in heard.told(3) and f"thing {tray.id}" in heard.told(3)
    unnamed = person(call("wait", seconds=0.1), named=False)
    assert "button" not in unnamed.told(1) and "#e02020" in unnamed.told(1)


def test_it_can_lead_a_cast_with_a_goal(tmp_path: Path) -> None:
    options = {"goal": "Put the block on the tray.", "model": "hand", "turns": 3, "named": False}
    player = build("actor", Ref("xr.player", options), Services(tmp_path))
    assert (player.models, player.goal, player.loop.allowance.turns) == (("hand",), "Put the block on the tray.", 3)
    assert isinstance(player, Plays) and issubclass(XRSession, player.needs)
    assert {"adaptive.turn/1", "xr.sight/1"} <= player.records
    with pytest.raises(TaskError, match="goal"):
        build("actor", Ref("xr.player", {"turns": 3}), Services(tmp_path))
