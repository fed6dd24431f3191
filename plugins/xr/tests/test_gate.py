"""The draw gate: nothing is drawn while nobody looks, and no app can tell."""

from collections.abc import Callable
from typing import Any

import pytest

from playproof.model import seconds

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]

SMALL = [160, 120]
"""What is drawn in every frame costs by its pixels."""


def picked(play: Play, way: str, thing: str, draws: str) -> tuple[list[str], Any]:
    """Which things turn green when somebody points at one and pinches, and the session."""
    with play(page=f"picking.html?way={way}", draws=draws, viewport=SMALL) as xr:
        xr.right.point_at(xr.find(name=thing), seconds(0.1))
        xr.right.select(seconds(0.1))
        xr.wait(seconds(0.2))
        xr.expect_no_exceptions()
        return [one["name"].value for one in xr.find_all(colour="#00ff00")], xr


@pytest.mark.parametrize("way", ["target", "screen", "copy", "query"])
def test_an_app_that_picks_by_pixels_gives_equal_verdicts_gated_and_not(play: Play, way: str) -> None:
    gated, xr = picked(play, way, "right", "wanted")
    drawn, _ = picked(play, way, "right", "always")
    assert gated == drawn == ["right"]
    replays = xr.stage.evidence.of("xr.replay/1")
    assert (len(replays) == 0) is (way == "target"), "what it draws for itself is drawn; what it draws for the eye, when it reads it"


def test_nothing_is_drawn_while_nobody_looks(play: Play) -> None:
    with play() as xr:
        before = xr.tab.play([])
        xr.wait(seconds(1))
        after = xr.tab.play([])
        assert after.drawn == before.drawn == 0 and after.left_out > before.left_out + 60 and after.rendered == before.rendered + 60
        assert xr.tab.screenshot().share("#ff8a00", 60) == 0, "what the browser shows is what was drawn"
        assert xr.screenshot().share("#ff8a00", 60) > 0.005
        assert xr.tab.play([]).drawn > 0


def test_an_app_that_reads_every_frame_is_drawn_always_and_that_is_remembered(play: Play) -> None:
    reading = "gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);"
    every = ("  renderer.render(scene, camera);\n}", f"  renderer.render(scene, camera);\n  {reading}\n}}")
    with play(every, page="picking.html", viewport=SMALL) as xr:
        xr.wait(seconds(0.1))
        assert [entry.value["drawn"] for entry in xr.stage.evidence.of("xr.replay/1")][-1] == "always"
        glance = xr.tab.play([])
        assert glance.stale == -1 and glance.left_out == 0
    digest = xr.stage.grading.submission.digest
    finding = xr.stage.grading.runtime._services.cache / "xr" / "draws-1" / digest
    assert finding.exists()
    finding.unlink()  # other tests of this run play the same submission
