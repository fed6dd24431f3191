"""What a look at a project leaves besides its views: nothing of an empty one, films, and what a report and a judge are shown."""

import io
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from playproof.errors import TaskError
from playproof.interfaces import Grading
from playproof.model import Evidence
from playproof_blender import views
from playproof_blender.exhibits.views import PictureExhibitor, ViewsExhibitor

pytestmark = pytest.mark.heavy

SCRIPTS = Path(__file__).parent / "scripts"
BOX = (SCRIPTS / "box.txt").read_text("utf-8")
CHAIR = BOX + (SCRIPTS / "chair.txt").read_text("utf-8")
SMALL = {"channel": "workbench", "size": 96}

Made = Callable[..., Path]
Look = Callable[..., tuple[Mapping[str, Any], Sequence[Evidence]]]
Gradings = Callable[..., Grading]


def test_an_empty_scene_has_no_views_and_says_so(made: Made, grading: Gradings, looked: Look) -> None:
    given = grading(made('bpy.context.scene.collection.objects.link(bpy.data.objects.new("Nothing", None))\n'))
    told, seen = looked(given, **SMALL)
    assert told["empty"] == "nothing that a render would show has a surface (0 things are nowhere finite)"
    assert told["views"] == [] and [one.kind for one in seen] == [views.VIEWS]
    assert "no views: nothing that a render would show" in ViewsExhibitor({}, given.services).show(seen[0], lambda _: b"").text


def test_proposed_cameras_pass_the_same_preflight(made: Made, grading: Gradings, looked: Look) -> None:
    good = {"position": [1.5, -1.5, 1.2], "target": [0, 0, 0.5]}
    away = {"position": [1.5, -1.5, 1.2], "target": [9, -9, 0.5]}
    within = {"position": [0, 0.23, 0.75], "target": [0, 0.23, 1.0]}
    told, _ = looked(grading(made(CHAIR)), cameras=[away, good, within], views=3, own_cameras=False, **SMALL)
    assert [view["by"] for view in told["views"]] == ["given", "geometry", "geometry"]
    assert told["views"][0]["matrix"][3:12:4] == pytest.approx(good["position"])
    assert [one["why"].split(":")[0] for one in told["refused"]] == \
        ["0.0% of the picture would show the subject", "the camera stands inside something"]


MOVING = CHAIR + """
ball = box("Ball", (-2, 0, .5), (.4, .4, .4), (.9, .1, .1, 1))
ball.keyframe_insert("location", frame=1)
ball.location.x = 2
ball.keyframe_insert("location", frame=25)
bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 25
"""

READ = """
import bpy, sys
for place in sys.argv[1:]:
    clip = bpy.data.movieclips.load(place)
    print("clip", clip.frame_duration, *clip.size)
"""


def test_a_turn_and_the_timeline_as_films(made: Made, grading: Gradings, looked: Look, tmp_path: Path, blender: Any) -> None:
    given = grading(made(MOVING))
    told, seen = looked(given, views=1, own_cameras=False, turntable=8, timeline=5, film_size=64, **SMALL)
    assert told["films"] == [{"film": "turntable", "pictures": 8, "fps": 12.0}, {"film": "timeline", "pictures": 5, "fps": 5.0}]
    films = [one for one in seen if one.kind == views.VIDEO]
    assert [(one.source, one.media_type) for one in films] == [("turntable", "video/mp4"), ("timeline", "video/mp4")]
    held = given.record.sealed()
    for number, one in enumerate(films):
        assert held.open(one)[4:8] == b"ftyp"
        (tmp_path / f"{number}.mp4").write_bytes(held.open(one))
    (tmp_path / "read.py").write_text(READ)
    places = [str(tmp_path / f"{number}.mp4") for number in range(2)]
    read = [str(blender.program), "-I", str(tmp_path / "read.py"), *places]
    said = subprocess.run(read, check=True, capture_output=True, text=True, timeout=120)
    assert [line for line in said.stdout.splitlines() if line.startswith("clip")] == ["clip 8 64 64", "clip 5 64 64"]
    frames = [one for one in seen if one.kind == views.FRAME]
    assert "timeline: frame 13, at 0.50 s" in [one.source for one in frames]
    first, last = (np.asarray(Image.open(io.BytesIO(held.open(frames[at]))).convert("RGB")).astype(int) for at in (-5, -1))
    assert np.abs(first - last).max() > 60, "the ball has moved"


def test_a_film_alone_is_a_turntable(made: Made, grading: Gradings, looked: Look, monkeypatch: Any) -> None:
    monkeypatch.setattr(views, "TURN", 4)
    _, seen = looked(grading(made(CHAIR)), views.VIDEO, film_size=32)
    assert [one.kind for one in seen] == [views.VIDEO, *[views.FRAME] * 4]


def test_a_report_has_a_sheet_and_a_judge_the_picture_with_its_view(made: Made, grading: Gradings, looked: Look) -> None:
    given = grading(made(CHAIR))
    _, seen = looked(given, views=3, own_cameras=False, **SMALL)
    held = given.record.sealed()
    read = {one.blob: held.open(one) for one in seen if one.blob}.__getitem__
    sheet = ViewsExhibitor({}, given.services).show(seen[0], read)
    assert sheet.thumbnail and Image.open(io.BytesIO(sheet.thumbnail)).size == (4 * 192, 192 + 16)
    assert "view-2: " in sheet.text and "shows Back" in sheet.text and "BLENDER_WORKBENCH in place of BLENDER_EEVEE_NEXT" in sheet.text
    shown = PictureExhibitor({}, given.services).show(seen[1], read)
    assert [(one.data, one.caption) for one in shown.pictures] == [(held.open(seen[1]), seen[1].source)]
    assert shown.thumbnail and Image.open(io.BytesIO(shown.thumbnail)).height == 96 + 16
    without = ViewsExhibitor({}, given.services).show(seen[0], {}.__getitem__)
    assert without.thumbnail is None and without.text == sheet.text, "a run that lost its pictures still tells of them"


@pytest.mark.parametrize(("options", "says"), [
    ({"channel": "eevee"}, "channel"), ({"size": 8}, "size"), ({"views": 0}, "views"), ({"camera": []}, "camera"),
    ({"film_size": 33}, "even"), ({"cameras": [{"position": [0, 0], "target": [1, 1, 1]}]}, "position"),
    ({"cameras": [{"position": [1, 1, 1], "target": [1, 1, 1]}]}, "stands"),
])  # fmt: skip
def test_options_are_refused_before_anything_runs(options: Mapping[str, Any], says: str) -> None:
    with pytest.raises(TaskError, match=says):
        views.wishes_of(options)


def test_names_with_markup_stay_text(made: Made, grading: Gradings, looked: Look) -> None:
    given = grading(made(BOX + 'box("<b>&\\n</b>", (0, 0, 0), (1, 1, 1))\n'))
    told, seen = looked(given, views=1, own_cameras=False, **SMALL)
    html = ViewsExhibitor({}, given.services).show(seen[0], {}.__getitem__).html
    assert "<b>" not in html and "&lt;b&gt;&amp; &lt;/b&gt;" in html and told["views"]
