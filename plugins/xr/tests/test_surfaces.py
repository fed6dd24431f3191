"""A room that the headset finds late: planes, meshes and hits are not there at the session's start."""

from collections.abc import Callable
from typing import Any

import pytest

from playproof.model import seconds

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]

FEATURES = ('["hand-tracking", "plane-detection"]', '["hand-tracking", "plane-detection", "mesh-detection", "hit-test"]')
COUNTS = ("renderer.setAnimationLoop(() => {", """let rays = null;
renderer.xr.addEventListener("sessionstart", async () => {
  const session = renderer.xr.getSession();
  rays = await session.requestHitTestSource({ space: await session.requestReferenceSpace("viewer") });
});
renderer.setAnimationLoop((time, frame) => {
  if (frame && rays) cube.text = [frame.detectedPlanes.size, frame.detectedMeshes.size, frame.getHitTestResults(rays).length].join(" ");""")


def found(xr: Any) -> list[int]:
    return [int(one) for one in str(xr.find(name="cube")["text"]).split()]


def test_surfaces_are_found_when_the_case_says(play: Play) -> None:
    with play(FEATURES, COUNTS, surfaces_after=1.5) as xr:
        xr.wait(seconds(1.3))
        assert found(xr) == [0, 0, 0] and xr.scene().value["planes"] == []
        xr.wait(seconds(0.3))
        planes, meshes, hits = found(xr)
        assert planes == len(xr.scene().value["planes"]) > 5 and meshes > 5 and hits > 0


def test_without_a_word_they_are_there_at_once(play: Play) -> None:
    with play(FEATURES, COUNTS) as xr:
        xr.wait(seconds(0.1))
        assert min(found(xr)) > 0
