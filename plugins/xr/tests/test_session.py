"""A person in a plain three.js app: what a check script does, and what is seen and written down."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from playproof.errors import ExpectationFailed, SubmissionFault
from playproof.model import Ask, Observer, seconds
from playproof_xr.geometry import Vector

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]

CHANCE = ("scene.add(new THREE.Hemi", "setInterval(() => { const one = new THREE.Object3D(); one.position.random(); scene.add(one); }, 40);"
          " scene.add(new THREE.Hemi")  # fmt: skip
RIG = (
    ("scene.add(new THREE.Hemi", "const rig = new THREE.Group(); rig.position.set(3, -1, 5); rig.rotation.y = 1.2; rig.add(camera);"
     " scene.add(rig); rig.updateMatrixWorld(); scene.add(new THREE.Hemi"),
    ("cube.position.set(0.1, 1.3, -0.4);", "cube.position.set(0.1, 1.3, -0.4).applyMatrix4(rig.matrixWorld);"),
    ("scene.add(hand, controller)", "rig.add(hand, controller)"),
)  # fmt: skip


def kinds(xr: Any) -> list[str]:
    return [one["kind"] for one in xr.events().value]


@pytest.mark.parametrize("hand", ["right", "left"])
def test_a_hand_pinches_a_cube_and_drags_it(play: Play, hand: str) -> None:
    with play(hand=hand) as xr:
        cube = xr.find(name="cube")
        before = cube.centre
        xr.dominant_hand.reach(cube)
        xr.dominant_hand.pinch()
        xr.dominant_hand.move_by((0.2, 0.1, -0.1))
        xr.expect(cube.position, "the cube").close_to([before.x + 0.2, before.y + 0.1, before.z - 0.1], 0.03)
        xr.dominant_hand.release()
        left = cube.centre
        xr.dominant_hand.move_by((0.0, -0.3, 0.0))
        assert cube.centre == left, "let go, it stays"
        assert [one for one in kinds(xr) if one.startswith("select")] == ["selectstart", "select", "selectend"]
        xr.expect_no_exceptions()
        assert len(xr.stage.grading.record.grounds) == 2


def test_two_runs_give_the_same_scene_graph(play: Play) -> None:
    def run(seed: int) -> str:
        with play(CHANCE, seed=seed) as xr:
            cube = xr.find(name="cube")
            xr.right.reach(cube)
            xr.right.pinch()
            xr.right.move_by((0.1, 0.2, 0.0), seconds(0.3))
            xr.wait(seconds(1))
            seen = [xr.scene().value, xr.user().value, xr.events().value]
            return hashlib.sha256(json.dumps(seen).encode()).hexdigest()

    assert run(0) == run(0)
    assert run(0) != run(7), "what the app draws by chance follows the grading's seed"


def test_what_a_check_finds_by_what_it_is_like(play: Play) -> None:
    with play(page="things.html") as xr:
        assert xr.find(name="CUBE*")["type"].value == "Mesh"
        assert xr.find(colour="orange").id == xr.find(name="cube").id == xr.find(label="the box").id == xr.find(role="button").id
        assert xr.find(text="Press me").position.value == pytest.approx([0.0, 1.5, -0.6])
        assert xr.find(near=(0.0, 1.0, -1.0), within=0.05, type="Mesh")["name"].value == "ball"
        assert [one["name"].value for one in xr.find_all(name="twin")] == ["twin", "twin"]
        with pytest.raises(SubmissionFault, match=r"scene: has nothing with name 'dragon' and colour 'red'"):
            xr.find(name="dragon", colour="red")
        gone = xr.find(name="ghost")
        xr.wait(seconds(0.5))
        with pytest.raises(SubmissionFault, match=r"scene\[name 'ghost'\]: is no longer in the scene"):
            gone.centre  # noqa: B018 - reading it is the look
        with pytest.raises(TypeError, match="cannot be found by 'nmae'"):
            xr.find(nmae="cube")


def test_the_scene_tells_places_boxes_looks_and_what_is_in_view(play: Play) -> None:
    with play(page="things.html") as xr:
        group, child = xr.find(name="rig"), xr.find(name="child")
        assert child.position.value == pytest.approx([0.5, 1.25, -1.0], abs=1e-6), "in the session's frame, whatever its parents"
        assert child["parent"].value == group.id
        assert child["box"].value == pytest.approx([0.4, 1.15, -1.1, 0.6, 1.35, -0.9], abs=1e-5)
        assert group["box"].value == child["box"].value, "what has no shape of its own is as large as what it holds"
        assert child["in_view"].value and not xr.find(name="behind")["in_view"].value
        hidden = xr.find(name="under-hidden")
        assert not hidden["visible"].value and not hidden["in_view"].value
        glass = xr.find(name="glass")["material"].value
        assert glass == {"color": "#3366cc", "opacity": 0.25, "emissive": "#ff0000", "texture": False}
        many = xr.find(type="Mesh", name="many")
        assert many["box"].value == pytest.approx([-1.05, 0.95, -2.05, 1.05, 1.05, -1.95], abs=1e-5), "instances count"
        planes = {plane["id"]: plane for plane in xr.scene().value["planes"]}
        assert planes["floor"]["orientation"] == "horizontal" and planes["floor"]["matrix"][13] == 0
        assert planes["wall-0"]["orientation"] == "vertical"
        xr.head.turn(180)
        assert xr.find(name="behind")["in_view"].value and not child["in_view"].value


def test_how_much_of_a_thing_is_hidden(play: Play) -> None:
    def screens(*at: tuple[float, float]) -> tuple[str, str]:
        made = "".join(f'mesh("screen", [{x}, {y}, -0.6], {{}}).scale.set(2, 2, 0.1);' for x, y in at)
        return 'mesh("ball", [0, 1, -1]);', f'mesh("ball", [0, 1.6, -1]); scene.remove(scene.getObjectByName("sign")); {made}'

    for screen, low, high in ((screens(), 0.0, 0.0), (screens((0.0, 1.6)), 1.0, 1.0), (screens((0.2, 1.6)), 0.4, 0.6)):
        with play(screen, page="things.html") as xr:
            xr.expect(xr.find(name="ball").occluded, "the hidden share").at_least(low).at_most(high)
            with pytest.raises(SubmissionFault, match="is not in view"):
                _ = xr.find(name="behind").occluded
    glass = "Object.assign(scene.getObjectByName('screen').material, { transparent: true, opacity: 0.3 });"
    with play(screens((0.0, 1.6)), ("scale.set(2, 2, 0.1);", f"scale.set(2, 2, 0.1); {glass}"), page="things.html") as xr:
        assert xr.find(name="ball").occluded == 0, "glass hides nothing"


def test_an_app_on_a_rig_is_seen_in_the_users_frame(play: Play) -> None:
    with play(*RIG) as xr:
        cube = xr.find(name="cube")
        xr.expect(cube.position, "the cube").close_to([0.1, 1.3, -0.4], 1e-4)
        xr.right.reach(cube)
        xr.right.pinch()
        xr.right.move_by((0.0, 0.2, 0.0))
        xr.expect(cube.position, "the cube").close_to([0.1, 1.5, -0.4], 0.03)


def test_the_eye_sees_room_and_app_and_looking_changes_nothing(play: Play) -> None:
    with play() as xr:
        cube = xr.find(name="cube")
        before = json.dumps(xr.scene().value)
        picture = xr.screenshot()
        assert picture.share("#ff8a00", 60) > 0.005 and picture.width == 640
        assert picture.share("#000000", 10) < 0.2, "the room is there, too"
        assert json.dumps(xr.scene().value) == before and xr.stage.clock.now == 0
        xr.right.reach(cube)
        xr.right.pinch()
        xr.right.move_by((-0.3, 0.0, 0.0))
        assert xr.screenshot().differs(picture) > 0.005
        (seen,) = xr.witness()
        assert seen.kind == "image.png/1" and seen.observer is Observer.OUTSIDE


def test_users_and_events_are_evidence(play: Play) -> None:
    with play() as xr:
        told = xr.user()
        assert told["hands"]["right"]["tracked"] and len(told["hands"]["right"]["joints"].value) == 25
        assert told["head"].value[12:15] == pytest.approx([0.0, 1.6, 0.0])
        assert [one["kind"] for one in told["inputs"].value] == ["hand", "hand"]
        xr.right.reach((0.1, 1.4, -0.5))
        xr.right.pinch()
        joints = xr.user()["hands"]["right"]["joints"]
        tips = [Vector.of(joints[name]["position"].value) for name in ("thumb-tip", "index-finger-tip")]
        assert tips[0].lerp(tips[1], 0.5).distance(Vector(0.1, 1.4, -0.5)) < 0.005
        first = xr.events().value[0]
        assert (first["kind"], first["detail"]) == ("requested", "gesture") and first["tick"] <= 0
        for kind in sorted(xr.observes):
            assert {entry.kind for entry in xr.observe(Ask(kind))} == {kind}
        recorded = xr.stage.evidence
    evidence = xr.stage.evidence
    steps = json.loads(evidence.open(evidence.last("xr.input/1")))["steps"]
    assert sum(ticks for ticks, _ in steps) == xr.stage.clock.now and steps[0][1]["hands"]["right"]["ray"]
    assert recorded.last("xr.user/1").observer is Observer.OUTSIDE


def test_waiting_for_what_comes(play: Play) -> None:
    with play(page="things.html") as xr:
        xr.wait_until(lambda: not xr.scene().select(name="ghost"), within=seconds(1), what="its end")
        assert seconds(0.2) <= xr.stage.clock.now <= seconds(0.5)
        with pytest.raises(ExpectationFailed, match=r"a dragon did not come within 0\.5 s"):
            xr.wait_until(lambda: xr.scene().select(name="dragon"), within=seconds(0.5), what="a dragon")
