"""One script for every engine: pinch a cube, drag it, put it on the table. The verdicts are equal."""

from collections.abc import Callable
from typing import Any

import pytest

from playproof.errors import ExpectationFailed
from playproof.model import seconds
from playproof_xr.geometry import Vector
from playproof_xr.rooms import planes_of

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]

ENGINES = {"cube.html": "three", "blocks.html": "three", "babylon.html": "babylon", "aframe.html": "aframe"}


def put_on_the_table(xr: Any) -> None:
    cube = xr.find(name="cube")
    table = next(plane for plane in planes_of(xr.room) if plane.label == "table").pose.position
    xr.head.look_at(cube)
    xr.dominant_hand.reach(cube)
    xr.dominant_hand.pinch()
    xr.dominant_hand.move_to((table.x, table.y + 0.05, table.z), seconds(1))
    xr.wait(seconds(0.1))
    xr.dominant_hand.release()
    xr.dominant_hand.rest()
    xr.expect(cube.position, "the cube").close_to([table.x, table.y + 0.05, table.z], 0.03)
    assert xr.find(on="table", name="cube").id == cube.id and not xr.find_all(on="couch", name="cube")


@pytest.mark.parametrize(("page", "backend"), [*((page, "iwer") for page in ENGINES), ("blocks.html", "xrblocks-sim")])
def test_every_engine_plays_the_same_script(play: Play, page: str, backend: str) -> None:
    with play(page=page, hand="left", backend=backend) as xr:
        assert xr.scene().value["engine"] == ENGINES[page]
        cube = xr.find(name="cube")
        xr.expect(cube.position, "the cube").close_to([0.1, 1.3, -0.4], 1e-6)
        xr.expect(cube.colour, "its colour").equals("#ff8800")
        assert cube.size.distance(Vector(0.1, 0.1, 0.1)) < 1e-6 and cube.visible and cube["in_view"]
        assert cube.occluded < 0.5, "hands may stand before it"
        picture = xr.screenshot()
        assert picture.share("#e07800", 70) > 0.004, "the eye sees it"
        put_on_the_table(xr)
        xr.expect_no_exceptions()
        assert xr.screenshot().differs(picture) > 0.01


BLOCKS = ("this.cube.position.addVectors(this.tip, this.offset)", "this.cube.position.copy(this.offset)")


@pytest.mark.parametrize(
    ("page", "backend", "edit"),
    [("blocks.html", "iwer", BLOCKS), ("blocks.html", "xrblocks-sim", BLOCKS),
     ("babylon.html", "iwer", ("cube.position = tip.add(held.offset)", "cube.position = held.offset"))],
)  # fmt: skip
def test_an_offset_in_the_wrong_frame_fails_whatever_the_engine(play: Play, page: str, backend: str, edit: tuple[str, str]) -> None:
    with play(edit, page=page, backend=backend) as xr, pytest.raises(ExpectationFailed, match=r"the cube is \["):
        put_on_the_table(xr)


def test_bodies_of_a_physics_engine_and_panels_of_text_are_told(play: Play) -> None:
    with play(page="physics.html") as xr:
        ball = xr.find(name="ball")
        xr.wait(seconds(0.5))
        falling = ball["physics"]
        assert falling["kind"] == "dynamic" and -6.5 < float(falling["velocity"][1]) < -3.5
        xr.wait(seconds(9))
        xr.expect(ball.position, "the ball").close_to([0.0, 0.1, -1.0], 0.01)
        assert ball["physics"]["sleeping"] or abs(float(ball["physics"]["velocity"][1])) < 0.01
    panel = "; ".join((
        "    const button = new xb.UIButton({ label: 'Start', onClick: () => (this.cube.name = 'started') })",
        "const card = new xb.UICard({ size: { width: 0.6, height: 0.4 }, children: [new xb.UIText({ text: 'Hello there' }), button] })",
        "card.position.set(-0.2, 1.5, -0.8)", "this.add(card);\n    this.tip =",
    ))  # fmt: skip
    with play(("    this.tip =", panel), page="blocks.html") as xr:
        xr.wait(seconds(1))
        start = xr.find(text="Start")
        assert start.visible and -0.5 < start.centre.x < 0.1 and start.centre.distance(xr.find(text="Hello *").centre) < 0.2
        assert xr.find(label="Start")["role"] == "button"
        xr.right.point_at(start)
        xr.right.select()
        xr.wait(seconds(0.2))
        assert xr.find(name="started").visible
