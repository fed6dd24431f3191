"""How views of real projects are chosen: what is framed, what is told apart, from where a room is seen."""

import math
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playproof_blender.stages import Staged

pytestmark = pytest.mark.heavy

SCRIPTS = Path(__file__).parent / "scripts"
BOX, PARTS, AROUND, WALLS = ((SCRIPTS / f"{name}.txt").read_text("utf-8") for name in ("box", "chair", "around", "room"))
CHAIR, ROOM = BOX + PARTS, BOX + WALLS

Made = Callable[..., Path]
Run = Callable[..., Staged]


def chosen(staged: Run, project: Path, **options: Any) -> Mapping[str, Any]:
    done = staged("choose_views", project, **{"views": 8, "own_cameras": False, "cameras": [], **options})
    found: Mapping[str, Any] = done.named("views").value
    return found


def ahead(view: Mapping[str, Any]) -> Any:
    return -np.array(view["matrix"]).reshape(4, 4)[:3, 2]


def place(view: Mapping[str, Any]) -> Any:
    return np.array(view["matrix"]).reshape(4, 4)[:3, 3]


def test_surroundings_are_not_framed(made: Made, staged: Run) -> None:
    told = chosen(staged, made(CHAIR + AROUND))
    assert {(one["object"], one["why"]) for one in told["subject"]["left_out"]} == {("Sky", "dome"), ("Ground", "ground")}
    assert told["case"] == "object" and len(told["views"]) == 8
    assert all(view["coverage"] > 0.12 and np.linalg.norm(place(view)) < 4 for view in told["views"]), "the chair fills its pictures"
    assert all(place(view)[2] > 0 for view in told["views"]), "nobody looks from under the ground"


def test_views_are_set_off_against_each_other(made: Made, staged: Run) -> None:
    told = chosen(staged, made(CHAIR + AROUND))
    angles = [math.degrees(math.acos(np.clip(ahead(a) @ ahead(b), -1, 1))) for a, b in combinations(told["views"], 2)]
    assert min(angles) >= 25
    sides = {round(math.degrees(math.atan2(*-ahead(view)[1::-1])) / 90) % 4 for view in told["views"] if abs(ahead(view)[2]) < 0.9}
    assert len(sides) == 4, "the chair is seen from each side"
    assert ahead(told["views"][0])[1] > 0 > ahead(told["views"][0])[2], "the first is from the front, and a little from above"


def test_of_near_duplicates_one_is_enough(made: Made, staged: Run) -> None:
    told = chosen(staged, made(CHAIR + AROUND), views=32)
    angles = [math.degrees(math.acos(np.clip(ahead(a) @ ahead(b), -1, 1))) for a, b in combinations(told["views"], 2)]
    assert 8 < len(told["views"]) < 32 and min(angles) >= 25


def test_without_ground_it_is_seen_from_below(made: Made, staged: Run) -> None:
    told = chosen(staged, made(CHAIR))
    assert told["subject"]["left_out"] == []
    assert any(ahead(view)[2] > 0.3 for view in told["views"])


def test_a_closed_room_is_seen_from_inside(made: Made, staged: Run) -> None:
    told = chosen(staged, made(ROOM))
    assert told["case"] == "interior"
    assert len(told["views"]) >= 6
    assert all((np.abs(place(view)) < (2.5, 2.0, 2.6)).all() for view in told["views"])
    shown = {name for view in told["views"] for name, share in view["shows"] if share > 0.02}
    assert {"Bed", "Desk", "Wardrobe"} <= shown


SHEETS = """
for at, turn in (((0, 0, 0), (0, 0, 0)), ((0, 0, 4), (3.1416, 0, 0)), ((0, 2, 2), (1.5708, 0, 0)), ((0, -2, 2), (1.5708, 0, 0)),
                 ((2, 0, 2), (0, 1.5708, 0)), ((-2, 0, 2), (0, 1.5708, 0))):
    bpy.ops.mesh.primitive_plane_add(size=4, location=at, rotation=turn)
box("Bed", (-1, 1, .3), (1.4, 1.9, .6))
"""


def test_walls_of_one_sheet_make_a_room_whichever_way_they_look(made: Made, staged: Run) -> None:
    told = chosen(staged, made(BOX + SHEETS))
    assert told["case"] == "interior"
    assert all((np.abs(place(view) - (0, 0, 2)) < 2).all() for view in told["views"])


def test_a_house_on_its_ground_is_seen_from_outside_too(made: Made, staged: Run) -> None:
    told = chosen(staged, made(ROOM + "bpy.ops.mesh.primitive_plane_add(size=60, location=(0, 0, -.1))\n"))
    kinds = [view["kind"] for view in told["views"]]
    assert told["case"] == "interior" and kinds[0] == "ring" and kinds.count("ring") <= 2 and kinds.count("inside") >= 5


@pytest.mark.parametrize("maker", ["uv_sphere", "monkey"])  # the head is open behind the eyes
def test_a_solid_thing_is_no_room(made: Made, staged: Run, maker: str) -> None:
    told = chosen(staged, made(f"bpy.ops.mesh.primitive_{maker}_add()\n"))
    assert told["case"] == "object" and told["enclosed"] == 0
    assert all(np.linalg.norm(place(view)) > 1.5 for view in told["views"])


def test_faces_that_look_inward_do_not_refuse_every_view(made: Made, staged: Run) -> None:
    told = chosen(staged, made(CHAIR + "for one in bpy.data.meshes:\n    one.flip_normals()\n"))
    assert len(told["views"]) == 8 and told["unfit"] == 0


def test_a_thing_far_off_does_not_shrink_the_rest(made: Made, staged: Run) -> None:
    told = chosen(staged, made(CHAIR + 'box("Moon", (300, 0, 100), (2, 2, 2))\n'))
    assert [(one["object"], one["why"]) for one in told["subject"]["left_out"]] == [("Moon", "far off")]
    assert told["subject"]["diagonal"] < 2


def test_what_stands_nowhere_finite_is_left_out(made: Made, staged: Run) -> None:
    script = CHAIR + 'lost = box("Lost", (0, 0, 0), (1, 1, 1))\nlost.data.vertices[0].co.x = float("nan")\n'
    told = chosen(staged, made(script))
    assert told["scenery"]["not_finite"] == 1 and len(told["views"]) == 8


def test_hidden_things_are_not_looked_for(made: Made, staged: Run) -> None:
    told = chosen(staged, made(CHAIR + 'box("Cutter", (5, 0, 0), (3, 3, 3)).hide_render = True\n'))
    assert told["subject"]["box"][3] < 1
    shown = chosen(staged, made(CHAIR + 'box("Crate", (1, 0, 0), (.5, .5, .5)).hide_viewport = True\n'))
    assert shown["subject"]["box"][3] == pytest.approx(1.25)
