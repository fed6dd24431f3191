"""Pictures of views of real projects: that rendering runs and writes nothing of theirs, and what is kept when Blender dies."""

import io
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from PIL import Image

from playproof.errors import SessionLost
from playproof.interfaces import Exit, Grading
from playproof.model import Ask, Case, Evidence
from playproof.stage import stage
from playproof_blender import views
from playproof_blender.stages import INSIDE, Staged

pytestmark = pytest.mark.heavy

SCRIPTS = Path(__file__).parent / "scripts"
BOX = (SCRIPTS / "box.txt").read_text("utf-8")
CHAIR = BOX + (SCRIPTS / "chair.txt").read_text("utf-8")
SMALL = {"channel": "workbench", "size": 96}

Made = Callable[..., Path]
Look = Callable[..., tuple[Mapping[str, Any], Sequence[Evidence]]]
Gradings = Callable[..., Grading]
Run = Callable[..., Staged]


def pictures(given: Grading, seen: Sequence[Evidence]) -> Sequence[Image.Image]:
    held = given.record.sealed()
    return [Image.open(io.BytesIO(held.open(one))).convert("RGB") for one in seen if one.kind == views.PICTURE]


def test_pictures_show_what_was_chosen_and_bear_its_name(made: Made, grading: Gradings, looked: Look) -> None:
    camera = """
lens = bpy.data.cameras.new("Lens")
mine = bpy.data.objects.new("Mine", lens)
mine.location, mine.rotation_euler = (0, -3, .5), (1.5708, 0, 0)
bpy.context.scene.collection.objects.link(mine)
bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y = 200, 100
"""
    given = grading(made(CHAIR + camera))
    told, seen = looked(given, **SMALL)
    shots = [one for one in seen if one.kind == views.PICTURE]
    assert len(shots) == 9 and shots[0].source.startswith("view-1: from the front")
    assert shots[8].source.startswith("camera-Mine: the project's camera Mine")
    sizes = [picture.size for picture in pictures(given, seen)]
    assert sizes == [(96, 96)] * 8 + [(96, 48)]
    assert [view["picture"]["digest"] for view in told["views"]] == [one.blob for one in shots]
    assert told["engine"] == {"project": "BLENDER_EEVEE_NEXT", "used": "BLENDER_WORKBENCH", "substituted": True}
    for picture, view in zip(pictures(given, seen)[:8], told["views"], strict=False):
        pixels = np.asarray(picture).astype(int)
        differs = (np.abs(pixels - pixels[0, 0]).max(2) > 12).mean()
        assert differs == pytest.approx(view["coverage"], abs=0.06), "as much is to be seen as the rays foretold"
        rows, columns = np.nonzero(np.abs(pixels - pixels[0, 0]).max(2) > 12)
        assert max(np.ptp(rows), np.ptp(columns)) > 75 and min(rows.min(), columns.min()) > 0 and max(rows.max(), columns.max()) < 95


def test_one_look_is_written_down_once(made: Made, grading: Gradings, looked: Look) -> None:
    given = grading(made(CHAIR), observe={views.PICTURE: {**SMALL, "views": 2, "own_cameras": False}})
    with stage(given, Case()) as running:
        assert running.session.witness() == []
        first = running.session.observe(Ask(views.VIEWS))
        assert running.session.observe(Ask(views.PICTURE)) == first
        assert [one.kind for one in first] == [views.VIEWS, views.PICTURE, views.PICTURE, views.PREVIEW]
        assert running.session.witness() == first[1:3]
    again = grading(made(CHAIR), observe={views.PICTURE: {**SMALL, "views": 2, "own_cameras": False}})
    assert [one.id for one in looked(again)[1]] == [one.id for one in first], "the same project gives the same evidence"


HOSTILE = CHAIR + """
import os
spoils = os.path.join(os.path.dirname(place), "spoils")
os.makedirs(spoils, exist_ok=True)
os.chmod(spoils, 0o777)
text = bpy.data.texts.new("style.py")
text.write(f"open({os.path.join(spoils, 'freestyle')!r}, 'w').write('ran')\\n")
scene = bpy.context.scene
for one in (scene, bpy.data.scenes.new("Other")):
    one.render.use_freestyle = True
    layer = one.view_layers[0]
    layer.use_freestyle = True
    layer.freestyle_settings.mode = "SCRIPT"
    layer.freestyle_settings.modules.new().script = text
    one.use_nodes = True
    tree = one.node_tree
    output = tree.nodes.new("CompositorNodeOutputFile")
    output.base_path = spoils
    layers = tree.nodes.get("Render Layers") or tree.nodes.new("CompositorNodeRLayers")
    tree.links.new(layers.outputs["Image"], output.inputs[0])
    one.render.filepath = os.path.join(spoils, "render")
lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "SUN"))
scene.collection.objects.link(lamp)
"""

WATCHED = """
import bpy, sys
from pathlib import Path
place, inside, out = sys.argv[1:4]
sys.path.insert(0, inside)
bpy.ops.wm.open_mainfile(filepath=place, load_ui=False, use_scripts=False)
if sys.argv[4] == "neutral":
    import neutral
    neutral.make_safe(out)
scene = bpy.context.scene
camera = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
camera.location, camera.rotation_euler = (0, -3, .5), (1.5708, 0, 0)
scene.collection.objects.link(camera)
scene.camera = camera
scene.render.engine, scene.cycles.samples = "CYCLES", 1
scene.render.resolution_x = scene.render.resolution_y = 16
scene.render.filepath = out + "/mine.png"
bpy.ops.render.render(write_still=True)
"""


@pytest.mark.parametrize("how", ["neutral", "as it is"])
def test_nothing_of_a_file_runs_or_writes_when_it_is_rendered(made: Made, tmp_path: Path, blender: Any, how: str) -> None:
    """Outside of a box, which would hide it; and the same file without our settings does both, or the test would prove nothing."""
    project = made(HOSTILE)
    spoils = project.parent / "spoils"
    for one in spoils.iterdir():
        one.unlink()
    (tmp_path / "watch.py").write_text(WATCHED)
    subprocess.run([str(blender.program), "-I", str(tmp_path / "watch.py"), str(project), str(INSIDE), str(tmp_path), how], check=False,
                   capture_output=True, timeout=120)  # fmt: skip
    left = {one.name.split(".")[0].rstrip("0123456789") for one in spoils.iterdir()}
    assert left == (set() if how == "neutral" else {"freestyle", "Image"})
    assert (tmp_path / "mine.png").exists()


def test_a_hostile_project_is_rendered_as_any_other(made: Made, grading: Gradings, looked: Look) -> None:
    project = made(HOSTILE)
    before = sorted((project.parent / "spoils").iterdir())
    told, seen = looked(grading(project), views=2, own_cameras=False, channel="cycles", size=64, samples=1)
    assert len([one for one in seen if one.kind == views.PICTURE]) == 2 and told["missing"] == []
    assert sorted((project.parent / "spoils").iterdir()) == before


def test_a_dark_scene_is_a_fact_and_no_invalid_view(made: Made, grading: Gradings, looked: Look) -> None:
    told, seen = looked(grading(made(CHAIR)), views=2, own_cameras=False, channel="cycles", size=64, samples=1)
    assert [view["picture"]["black"] for view in told["views"]] == [True, True], "there is no light and no world"
    assert not any("invalid" in view or "instead" in view for view in told["views"])
    assert len([one for one in seen if one.kind == views.PICTURE]) == 2
    assert seen[1].source.endswith("by Cycles; the project is set to EEVEE")


def test_an_invalid_view_is_rendered_again_from_elsewhere(made: Made, staged: Run) -> None:
    """A view that looks away shows one colour: two substitutes have their turn, and of these the second shows something."""
    project = made(CHAIR)
    told = staged("choose_views", project, views=3, own_cameras=False, cameras=[]).named("views").value
    away = {**told["views"][0], "matrix": [1, 0, 0, 50, 0, 1, 0, 50, 0, 0, 1, 50, 0, 0, 0, 1]}
    done = staged("render_views", project, views=[away, told["views"][1]], substitutes=[{**away, "words": "no better"}, told["views"][2]],
                  samples=1, time_limit=60, **SMALL)  # fmt: skip
    assert done.whole
    assert [(seal.name, seal.value.get("view")) for seal in done.seals if seal.name in ("picture", "invalid")] == [
        ("picture", "view-1"), ("picture", "view-2"), ("invalid", "view-1"), ("picture", "view-1-again-1"), ("invalid", "view-1-again-1"),
        ("picture", "view-1-again-2")]  # fmt: skip


def test_what_was_sealed_is_kept_and_the_rest_tried_once_more(made: Made, grading: Gradings, looked: Look, monkeypatch: Any) -> None:
    """Blender dies over the second view each time: the others are rendered by a second process, which leaves that one for the end."""
    given = grading(made(CHAIR))
    runtime: Any = given.runtime
    real, asked = runtime.staged, list[list[str]]()

    def dying(grading_: Grading, stage_: str, options: Mapping[str, Any], wall_s: float) -> Staged:
        if stage_ != "render_views":
            return real(grading_, stage_, options, wall_s)  # type: ignore[no-any-return]
        asked.append([view["name"] for view in options["views"]])
        alive = [view for view in options["views"] if view["name"] != "view-2"]
        done: Staged = real(grading_, stage_, {**options, "views": alive[:1] if len(asked) == 1 else alive}, wall_s)
        return evolve(done, seals=[seal for seal in done.seals if seal.name != "end"], ended=Exit("exited", 139, 1.0))

    monkeypatch.setattr(runtime, "staged", dying)
    told, seen = looked(given, views=4, own_cameras=False, **SMALL)
    assert asked == [["view-1", "view-2", "view-3", "view-4"], ["view-3", "view-4", "view-2"]]
    assert [one.source.split(":")[0] for one in seen if one.kind == views.PICTURE] == ["view-1", "view-3", "view-4"]
    assert [one["view"] for one in told["missing"]] == ["view-2"] and "SIGSEGV" in told["missing"][0]["why"]
    assert looked(given, views=4, own_cameras=False, **SMALL)[0]["missing"] and len(asked) == 2, "what died twice is not asked a third time"


def test_a_real_hang_keeps_what_was_rendered(made: Made, staged: Run) -> None:
    """The wall clock ends it in the middle: Cycles has a minute's work for each view, and the whole stage a few seconds."""
    project = made(CHAIR + 'bpy.context.scene.world = bpy.data.worlds.new("World")\n')
    told = staged("choose_views", project, views=2, own_cameras=False, cameras=[]).named("views").value
    small, large = told["views"]
    heavy = {**large, "name": "heavy"}
    done = staged("render_views", project, 12, views=[small, *[{**heavy, "name": f"heavy-{n}"} for n in range(40)]], substitutes=[],
                  channel="cycles", size=256, samples=256, time_limit=3)  # fmt: skip
    assert not done.whole and done.ended.ended == "wall"
    kept = [seal for seal in done.seals if seal.name == "picture"]
    assert 1 <= len(kept) < 41 and all(Image.open(seal.place).size == (256, 256) for seal in kept if seal.place)


def test_not_one_picture_is_a_death(made: Made, grading: Gradings, looked: Look, monkeypatch: Any) -> None:
    given = grading(made(CHAIR))
    runtime: Any = given.runtime
    real = runtime.staged

    def dead(grading_: Grading, stage_: str, options: Mapping[str, Any], wall_s: float) -> Staged:
        return Staged(stage_, [], Exit("exited", 139, 1.0), "") if stage_ == "render_views" else real(grading_, stage_, options, wall_s)

    monkeypatch.setattr(runtime, "staged", dead)
    with pytest.raises(SessionLost, match="died of SIGSEGV during render_views"):
        looked(given, views=2, **SMALL)


def test_the_scene_is_lit_by_its_own_lights_alone(made: Made, grading: Gradings, looked: Look) -> None:
    """A red lamp makes red pictures: nothing is added to light the scene."""
    script = CHAIR + """
lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "SUN"))
lamp.data.energy, lamp.data.color = 5, (1, 0, 0)
bpy.context.scene.collection.objects.link(lamp)
"""
    given = grading(made(script))
    _, seen = looked(given, views=1, own_cameras=False, channel="cycles", size=64, samples=1)
    [picture] = pictures(given, seen)
    red, green, blue = np.asarray(picture).reshape(-1, 3).astype(float).mean(0)
    assert red > 5 and red > 2 * green and red > 2 * blue
