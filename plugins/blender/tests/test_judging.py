"""From a delivered project to its score: criteria with and without judges, the eight dimensions, and what is said where no model is."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from playproof.cli.judge import judge as judge_command
from playproof.cli.look import report as report_command
from playproof.cli.run import execute
from playproof.run import Request, plan
from playproof_judges.testing import Asked, Server, Turn

pytestmark = pytest.mark.heavy

TASK = """
schema = 1
id = "stool"
version = "1"
domain = "blender"
kind = "create"
title = "A stool"
deliver = ["stool.blend"]
[runtime]
driver = "blender.project"
options = { project = "stool.blend" }
[[examiners]]
driver = "rubric"
files = ["rubric.toml"]
[observe."image.render/1"]
channel = "workbench"
size = 96
[[ratings]]
scale = "playproof_blender:scales/dimensions-1.toml"
exhibits = ["image.render/1"]
[scoring]
preset = "playproof_blender:presets/blenderworld.toml"
"""
RUBRIC = """
[[criteria]]
id = "three-legs"
importance = "major"
asks = { driver = "blender.count", objects = "Leg *", equals = 3 }
[[criteria]]
id = "seat-450"
importance = "secondary"
asks = { driver = "blender.position", objects = "Seat", point = "top", axis = "z", equals = "450 mm", tolerance = "1 mm" }
[[criteria]]
id = "round-seat"
importance = "major"
asks = { judge = "vision", question = "Is the seat round?", exhibits = ["image.render/1"] }
[[criteria]]
id = "legs-named"
importance = "detail"
asks = { judge = "inspector", question = "Is every leg an object of its own?", exhibits = ["blender.scene/1"] }
"""
MAKE = (Path(__file__).parent / "scripts" / "stool.txt").read_text("utf-8")


@pytest.fixture(scope="module")
def graded(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged")
    for name, text in {"task.toml": TASK, "brief/instruction.md": "# A stool\nThree legs, a round seat.\n", "checks/rubric.toml": RUBRIC,
                       "reference/build.toml": 'script = "make.py"', "reference/make.py": MAKE}.items():  # fmt: skip
        (folder / "stool" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "stool" / name).write_text(text)
    execute(plan(Request([folder / "stool"], ["reference"], cache, workers=1)), folder / "out", 1, quiet=True, verbose=False)
    return folder / "out"


def answers(asked: Asked) -> Turn:
    """A judge that looks: a seat is round for it where there are pictures; legs are counted with a query."""
    wanted = (asked.schema or {}).get("properties", {})
    if "ratings" in wanted:
        items = wanted["ratings"]["items"]["properties"]["item"]["enum"]
        rated = [{"item": item, "rating": 8, "issues": ["plain"], "cites": ["E1"], "change": []} for item in items]
        return Turn(data={"ratings": rated, "tampering": []})
    verdict = {"reasoning": "Seen.", "verdict": True, "cites": ["E1"], "issues": [], "tampering": []}
    if not asked.tools:
        return Turn(data={**verdict, "verdict": len(asked.pictures) >= 8})
    if not asked.results:
        return Turn(calls=[("find_objects", {"evidence": "E1", "name": "Leg *"})])
    return Turn(calls=[("conclude", {**verdict, "verdict": "Leg 3" in str(asked.results)})])


def command(run: Any, *arguments: str, code: int = 0) -> str:
    said = CliRunner().invoke(run, arguments)
    assert said.exit_code == code, said.output[:3000]
    return str(said.stdout)


def fused(out: Path, *more: str) -> Any:
    return json.loads(command(report_command, str(out), "--format", "json", *more))


def test_without_a_model_the_rest_is_scored_and_what_is_void_is_said(graded: Path) -> None:
    told = fused(graded)
    [trial] = told["trials"]
    verdicts = {one["id"]: (one["outcome"], one["cases"][0]["reason"]) for one in trial["checks"]}
    assert verdicts == {"three-legs": ("pass", "OK"), "seat-450": ("pass", "OK"), "round-seat": ("void", "NO_MODEL"),
                        "legs-named": ("void", "NO_MODEL")}  # fmt: skip
    [score] = [score for scores in told["scores"].values() for score in scores]
    assert score["value"] is None and score["parts"]["deterministic"] == 100
    assert (score["parts"]["decided_weight"], score["parts"]["weight"]) == (5, 9), "3 + 2 of 3 + 2 + 3 + 1"
    assert score["parts"]["rubric"] is None and score["parts"]["rubric_low"] == pytest.approx(500 / 9)


def test_with_a_judge_criteria_and_dimensions_become_one_score(graded: Path, tmp_path: Path) -> None:
    with Server(answers) as server:
        models = tmp_path / "models.toml"
        options = "\n".join(f"{key} = {json.dumps(value)}" for key, value in server.ref("anthropic").options.items())
        models.write_text(f'[default]\ndriver = "anthropic"\n{options}\n')
        command(judge_command, str(graded), "--models", str(models), "--cache", str(tmp_path / "cache"), "--json")
    assert len(server.asked) == 4 and max(len(asked.pictures) for asked in server.asked) >= 8, (
        "two for the inspector, one for the eye, one for eight dimensions")
    told = fused(graded)
    [trial] = told["trials"]
    assert {one["id"]: one["outcome"] for one in trial["checks"]} == dict.fromkeys(
        ("three-legs", "seat-450", "round-seat", "legs-named"), "pass")  # fmt: skip
    assert [one["value"] for one in trial["ratings"]] == [8] * 8
    [score] = [score for scores in told["scores"].values() for score in scores]
    assert (score["value"], score["parts"]["rubric"], score["parts"]["dimension"], score["parts"]["perfect"]) == (90, 100, 80, 1)


def test_the_report_shows_the_pictures_beside_what_rests_on_them(graded: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    command(report_command, str(graded), "-o", str(page))
    text = page.read_text("utf-8")
    assert len(set(re.findall(r"shot-[0-9a-f]{20}", text))) >= 8 and "round-seat" in text and "<script src" not in text
