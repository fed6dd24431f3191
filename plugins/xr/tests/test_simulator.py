"""The simulator of XR Blocks in a headset's place: the same body in the same room, the same twice; what it cannot do is refused."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from PIL import Image

from playproof.checks import check
from playproof.errors import TaskError
from playproof.evidence import Record
from playproof.interfaces import Grading
from playproof.model import Ask, case, seconds
from playproof_xr.geometry import Vector
from playproof_xr.rooms import planes_of
from playproof_xr.runtime import WebXRRuntime
from playproof_xr.video.webm import film_of

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]
CASE = {"page": "blocks.html", "backend": "xrblocks-sim", "room": "office"}

PLANES = "[...xb.core.world.planes.get()].map((one) => [one.label, ...one.getWorldPosition(one.position.clone()).toArray()])"
JOINTS = """[0, 1].map((side) => Object.entries(xb.core.input.hands[side].joints).map(([name, joint]) => [
  name, joint.getWorldPosition(joint.position.clone()).toArray()]))"""


def test_the_body_and_the_room_are_those_of_the_other_back_end(play: Play, grading: Grading, tmp_path: Path) -> None:
    with play(**CASE) as xr:
        ask = xr.tab.page.evaluate
        planes = [(label, Vector(*place)) for label, *place in ask(PLANES)]
        assert len(planes) == len(planes_of(xr.room))
        for plane, (label, place) in zip(planes_of(xr.room), planes, strict=True):
            assert label == plane.label and place.distance(plane.pose.position) < 1e-5, plane.id
        xr.head.walk_to("desk")
        xr.right.reach((xr.head.pose.position.x + 0.2, 1.2, xr.head.pose.position.z - 0.3))
        xr.right.pose("point")
        assert ask("xb.core.camera.position.toArray()") == pytest.approx(list(xr.head.pose.position), abs=1e-6)
        for arm, joints in zip(xr.body.arms, ask(JOINTS), strict=True):
            assert len(joints) == 25 and all(Vector(*place).distance(arm.joints[name].position) < 1e-5 for name, place in joints)
        assert Vector.of(xr.user()["head"].value[12:15]).distance(xr.head.pose.position) < 1e-6
        assert ask("navigator.xr?.constructor.toString().includes('native code') ?? true"), "the page finds no emulated headset"
        picture = xr.screenshot()
        assert picture.share("#ffffff", 40) < 0.9, "the room is drawn"
        refused = ((xr.right.lose, "loses no hand"), (xr.head.lose, "never loses the head"), (lambda: xr.see("hidden"), "always visible"),
                   (lambda: xr.surroundings.take_away("desk"), "stays as it is"), (xr.head.recentre, "begins nowhere anew"))  # fmt: skip
        for act, why in refused:
            before, steps = xr.body, len(xr.performance.steps)
            with pytest.raises(TaskError, match=f"xrblocks-sim .*{why}.*; use iwer"):
                act()
                xr.wait(xr.frame)
            xr.become(before)
            assert len(xr.performance.steps) == steps
        (film,) = xr.observe(Ask("xr.video/1", {"views": ["first"], "seconds": 0.5}))
        _, still = film_of(xr.stage.evidence.open(film)).stills[-1]
        with Image.open(io.BytesIO(still)) as shown:
            middle = shown.convert("RGB").getpixel((shown.width // 2, shown.height // 4))
        assert max(middle) > 60, "a film shows the room, too"
        xr.scene()
    again = grading.runtime.replay(evolve(grading, record=Record(tmp_path / "again")), case(**CASE), xr.stage.evidence)
    assert again.differs == [] and again.compared >= 2 and again.ticks > seconds(1)


@pytest.mark.parametrize("option", [{"mode": "controller"}, {"cancels": False}, {"surfaces_after": 1.0}])
def test_what_no_case_can_have_is_refused_before_it_is_played(runtime: WebXRRuntime, option: dict[str, Any]) -> None:
    @check("one", title="one", backend="xrblocks-sim", **option)
    def one(xr: Any) -> None: ...

    with pytest.raises(TaskError, match=f"'check one': the back end xrblocks-sim has bare hands .*: no {next(iter(option))}"):
        runtime.cases(one.check)
