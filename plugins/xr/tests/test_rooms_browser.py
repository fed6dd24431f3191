"""Rooms in the real emulator in a real browser: what a page's own WebXR calls find there is what the room says."""

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import playproof_xr
from playproof.packages import lay_in
from playproof_browser.box import Box
from playproof_browser.finding import find
from playproof_xr.geometry import DOWN, UP, Matrix, Pose, Quaternion, Vector
from playproof_xr.geometry import Box as Bounds
from playproof_xr.rooms import LOAD, Room, find_room, library, planes_of, solids_of, synthetic

pytestmark = pytest.mark.heavy
LOCK = Path(playproof_xr.__file__).parent / "packages" / "emulator" / "package-lock.json"

PAGE = """<!doctype html><meta charset=utf-8><canvas></canvas><script src="iwer.js"></script><script src="sem.js"></script><script>
const device = new IWER.XRDevice(IWER.metaQuest3, {stereoEnabled: false});
device.installRuntime({forceInstall: true});
device.installSEM(IWER_SEM.SyntheticEnvironmentModule);
device.sem.render = () => {};  // nothing here looks at its picture
const loadRoom = LOAD;
const frames = [];
let session, floor, viewer;
const begin = async () => {
  const requiredFeatures = ["local-floor", "plane-detection", "mesh-detection", "hit-test"];
  session = await navigator.xr.requestSession("immersive-ar", {requiredFeatures});
  const gl = document.querySelector("canvas").getContext("webgl2", {xrCompatible: true});
  session.updateRenderState({baseLayer: new XRWebGLLayer(session, gl)});
  floor = await session.requestReferenceSpace("local-floor");
  viewer = await session.requestReferenceSpace("viewer");
};
const frame = () => new Promise((resolve) => session.requestAnimationFrame((time, frame) => resolve(frame)));
const inFrame = (look) => new Promise((resolve, reject) => session.requestAnimationFrame((time, frame) => {
  try { resolve(look(frame)); } catch (error) { reject(error); }
}));
const sense = async (room) => {
  loadRoom(device.sem, room);
  await frame();
  return inFrame((frame) => ({
    planes: [...frame.detectedPlanes].map((plane) => ({
      label: plane.semanticLabel, orientation: plane.orientation, matrix: [...frame.getPose(plane.planeSpace, floor).transform.matrix],
      polygon: plane.polygon.map(({x, y, z}) => [x, y, z])})),
    meshes: [...frame.detectedMeshes].map((mesh) => ({
      label: mesh.semanticLabel, matrix: [...frame.getPose(mesh.meshSpace, floor).transform.matrix], vertices: [...mesh.vertices],
      indices: [...mesh.indices]})),
  }));
};
const hits = async (position, orientation, matrix, kinds) => {
  if (kinds) return device.sem.computeHitTestResults(matrix, kinds);  // the emulator's own API always asks for every kind
  device.position.set(...position);
  device.quaternion.set(...orientation);
  const source = await session.requestHitTestSource({space: viewer});
  await frame();
  await frame();
  const found = await inFrame((frame) => frame.getHitTestResults(source).map((hit) => [...hit.getPose(floor).transform.matrix]));
  source.cancel();
  return found;
};
</script>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Page]:
    """A page of plain WebXR calls, its session begun."""
    packages = lay_in(LOCK, cache) / "node_modules"
    site = tmp_path_factory.mktemp("site")
    (site / "iwer.js").write_bytes((packages / "iwer/build/iwer.min.js").read_bytes())
    (site / "sem.js").write_bytes((packages / "@iwer/sem/build/iwer-sem.min.js").read_bytes())
    (site / "index.html").write_text(PAGE.replace("LOAD", LOAD.read_text("utf-8")))
    chromium = find(Path(tmp_path_factory.getbasetemp()), os.environ).path
    with Box(site, tmp_path_factory.mktemp("scratch"), chromium) as box:
        opened = box.browser.new_context().new_page()
        opened.goto(f"{box.origin}/index.html")
        opened.evaluate("begin()")
        yield opened


def sensed(page: Page, room: Room) -> Mapping[str, Any]:
    found: Mapping[str, Any] = page.evaluate(f"sense({json.dumps(synthetic(room))})")
    return found


def hits(page: Page, eye: Vector, towards: Vector, kinds: Sequence[str] | None = None) -> Sequence[Matrix]:
    """What the viewer's ray meets, the nearest first; of some kinds alone, as the environment itself tells."""
    pose = Pose(eye, Quaternion.facing(towards))
    asked = [list(eye), list(pose.orientation), Matrix.compose(pose).values, kinds]
    return [Matrix.of(one) for one in page.evaluate(f"hits(...{json.dumps(asked)})")]


def near(a: Vector, b: Vector, within: float = 1e-4) -> bool:
    return a.distance(b) < within


@pytest.mark.parametrize("name", library())
def test_a_page_finds_the_planes_and_meshes_of_the_room(page: Page, name: str) -> None:
    room = find_room(name)
    found = sensed(page, room)
    assert len(found["planes"]) == len(planes_of(room))
    for plane, seen in zip(planes_of(room), found["planes"], strict=True):
        assert (seen["label"], seen["orientation"]) == (plane.label, plane.orientation)
        matrix = Matrix.of(seen["matrix"])
        corners = [matrix.point(Vector(*corner)) for corner in seen["polygon"]]
        assert all(near(a, b) for a, b in zip(corners, plane.corners, strict=True)), plane.id
        assert near(matrix.direction(UP), plane.pose.orientation.rotate(UP)), plane.id
    boxes = {(seen["label"], tuple(round(n, 3) for n in (*bounds.low, *bounds.high))) for seen in found["meshes"]
             if (bounds := Bounds.around(vertices(seen)))}  # fmt: skip
    pieces = {piece.id for piece in room.furniture}
    wanted = {(solid.label, tuple(round(n, 3) for n in (*solid.box.low, *solid.box.high)))
              for solid in solids_of(room) if solid.id in pieces}  # fmt: skip
    assert wanted <= boxes
    whole = [seen for seen in found["meshes"] if seen["label"] == "global mesh"]
    assert len(whole) == 1 and len(found["meshes"]) == len(room.furniture) + 1
    assert len(whole[0]["indices"]) == 3 * sum(len(face) - 2 for solid in solids_of(room) for face in solid.faces)


def vertices(seen: Mapping[str, Any]) -> Sequence[Vector]:
    matrix, flat = Matrix.of(seen["matrix"]), seen["vertices"]
    return [matrix.point(Vector(*flat[k : k + 3])) for k in range(0, len(flat), 3)]


@pytest.mark.parametrize("name", library())
def test_rays_meet_surfaces_where_they_are(page: Page, name: str) -> None:
    room = find_room(name)
    sensed(page, room)
    for piece in room.furniture:
        if piece.surface is None or piece.kind == "seat":
            continue
        over = [one for one in room.furniture if one.lift >= piece.surface and one.footprint.overlaps(piece.footprint)]
        aside = piece.footprint.corners[3]  # near a corner nothing stands on it
        at = (piece.at[0] * 0.1 + aside[0] * 0.9, piece.at[1] * 0.1 + aside[1] * 0.9)
        assert not any(one.footprint.contains(at) for one in over), piece.id
        for kinds in (["plane"], ["mesh"], None):
            first, *_ = hits(page, Vector(at[0], 2.2, at[1]), DOWN, kinds)
            assert near(first.column(3), Vector(at[0], piece.surface, at[1]), 2e-3), (piece.id, kinds)
            assert near(first.direction(UP), UP, 1e-3), (piece.id, kinds)


def test_rays_meet_floor_walls_and_openings_from_inside_alone(page: Page) -> None:
    room = find_room("workshop")
    sensed(page, room)
    down = hits(page, Vector(0.3, 1.6, 1.0), DOWN, ["plane"])
    assert [round(hit.column(3).y, 4) for hit in down] == [0.0]
    skylight = next(plane for plane in planes_of(room) if plane.id == "skylight")
    eye = Vector(skylight.pose.position.x, 1.6, -2.0)
    ahead = hits(page, eye, skylight.pose.position - eye, ["plane"])
    assert near(ahead[0].column(3), skylight.pose.position, 1e-3) and near(ahead[0].direction(UP), Vector(0, 0, 1), 1e-3)
    assert len(ahead) == 2 and ahead[1].column(3).z == pytest.approx(-3.0, abs=1e-3)
    outside = hits(page, Vector(0, 1.6, -5.0), Vector(0, 0, -1), ["plane"])
    assert not outside


def test_a_room_takes_another_s_place(page: Page) -> None:
    before = sensed(page, find_room("office"))
    after = sensed(page, find_room("bare-hall"))
    assert len(before["planes"]) > len(after["planes"]) == len(planes_of(find_room("bare-hall")))
    tables = [Matrix.of(plane["matrix"]).column(3).y for plane in after["planes"] if plane["label"] == "table"]
    assert tables == [pytest.approx(0.65)]
    assert math.isclose(hits(page, Vector(0.2, 2, -0.65), DOWN)[0].column(3).y, 0.65, abs_tol=2e-3)
