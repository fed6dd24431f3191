"""The design score from end to end: an app is run and filmed, a judge rates the film, and the report shows it apart from Pass@1."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from playproof.cli.judge import judge as judge_command
from playproof.cli.look import report as report_command
from playproof.cli.run import execute
from playproof.run import Request, plan
from playproof.scales import scale
from playproof_judges.testing import Asked, Server, Turn

pytestmark = pytest.mark.heavy

SCALE = "playproof_xr:scales/heuristics-1.toml"
APPS = Path(__file__).parent / "apps"

TASK = f"""
schema = 1
id = "cube"
version = "1"
domain = "xr"
kind = "application"
title = "A cube that can be grabbed"
deliver = ["index.html"]
[runtime]
driver = "xr.webxr"
[[examiners]]
driver = "python"
files = ["*.py"]
[[ratings]]
scale = "{SCALE}"
exhibits = ["xr.video/1"]
[scoring]
preset = "playproof_xr:presets/genxr.toml"
"""
CHECKS = """
from playproof.checks import check, seconds


@check("tour", title="the cube goes along with the hand", asks="A pinch picks the cube up.", judge="trajectory", viewport=(160, 120))
def tour(xr):
    xr.record(rate=4)
    cube = xr.find(name="cube")
    xr.right.reach(cube)
    xr.right.pinch()
    xr.right.move_by((0.0, 0.1, 0.0), seconds(0.4))
    xr.right.release()
    xr.wait(seconds(0.5))
    xr.expect(cube.position[1], "its height").greater_than(1.35)
    xr.exhibit(*xr.steps(most=6))
"""


def answers(asked: Asked) -> Turn:
    return rates(asked) if "ratings" in asked.schema["properties"] else follows(asked)  # type: ignore[index]


def follows(asked: Asked) -> Turn:
    """Whether a pinch stands in the record, and a picture after it: by the handles of the exhibits."""
    shown = re.split(r"^(?=E\d+: )", asked.text, flags=re.MULTILINE)[1:]
    acts = [one.split(":")[0] for one in shown if "selectstart right" in one and "probe of the verifier" in one]
    seen = [one.split(":")[0] for one in shown if "picture taken by the verifier" in one]
    later = [one for one in seen if acts and int(one[1:]) > int(acts[0][1:])]
    return Turn(data={"reasoning": "In order.", "interaction": "shown" if acts else "not_shown", "interaction_cites": acts[:1],
                      "response": bool(later), "response_cites": later[-1:], "doubts": [], "verdict": bool(later), "issues": [],
                      "tampering": []})  # fmt: skip


def rates(asked: Asked) -> Turn:
    """Marks from 1 to 5, each with its time; below 4 with the steps that would raise it."""
    items = asked.schema["properties"]["ratings"]["items"]["properties"]["item"]["enum"]  # type: ignore[index]
    time = re.findall(r"first person, at ([\d.]+) s", asked.text)[1]
    ratings = [{"item": item, "rating": mark, "issues": [] if mark == 5 else [f"E1 at {time} s: the cube shows no sign that it is held"],
                "cites": ["E1"], "change": [] if mark >= 4 else ["add an emissive colour to the cube", "set it on selectstart"]}
               for item, mark in zip(items, [1, 2, 3, 4, 5, 5, 4, 4, 4, 4], strict=True)]  # fmt: skip
    return Turn(data={"ratings": ratings, "tampering": []})


@pytest.fixture(scope="module")
def graded(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("design")
    for name, text in {"task.toml": TASK, "brief/instruction.md": "# A cube\nIt can be grabbed.\n", "checks/tour.py": CHECKS,
                       "reference/index.html": (APPS / "cube.html").read_text()}.items():  # fmt: skip
        (folder / "cube" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "cube" / name).write_text(text)
    execute(plan(Request([folder / "cube"], ["reference"], cache, workers=1)), folder / "out", 1, quiet=True, verbose=False)
    return folder / "out"


def command(run: Any, *arguments: str) -> str:
    said = CliRunner().invoke(run, arguments)
    assert said.exit_code == 0, said.output[:3000]
    return str(said.stdout)


def test_from_the_film_of_a_session_to_a_score_that_stands_beside_pass_at_one(graded: Path, tmp_path: Path) -> None:
    with Server(answers) as server:
        models = tmp_path / "models.toml"
        options = "\n".join(f"{key} = {json.dumps(value)}" for key, value in server.ref("anthropic").options.items())
        models.write_text(f'[default]\ndriver = "anthropic"\n{options}\n')
        said = json.loads(command(judge_command, str(graded), "--models", str(models), "--cache", str(tmp_path / "cache"), "--json"))
    assert len(server.asked) == 2, "ten heuristics are one request, and the sequence is another"
    told = next(one for one in server.asked if "ratings" in str(one.schema))
    times = {view: [float(one) for one in re.findall(rf"{view} person, at ([\d.]+) s", told.text)] for view in ("first", "third")}
    assert all(moments[0] < 0.3 and moments[-1] > 1.5 and moments == sorted(set(moments)) for moments in times.values()), times
    assert len(told.pictures) == sum(map(len, times.values())) and Image.open(io.BytesIO(told.pictures[0])).size == (160, 120)
    assert "Virtual objects rendered over the physical room are no error" in told.text and "It can be grabbed." in told.text
    assert all(f"- {one.id} ({one.title})" in told.text for one in scale(SCALE).items) and "below 4" in told.text

    [trial] = said["trials"]
    assert [(one["outcome"], one["cases"][0]["by"]) for one in trial["checks"]] == [("pass", "trajectory")]
    assert [one["value"] for one in trial["ratings"]] == [1, 2, 3, 4, 5, 5, 4, 4, 4, 4]
    [score] = said["scores"]["reference"]
    assert score["value"] == 1 and score["parts"]["design"] == pytest.approx(3.6), "never mixed"

    command(report_command, str(graded), "--out", str(tmp_path / "report.html"), "--cache", str(tmp_path / "cache"))
    shown = (tmp_path / "report.html").read_text()
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", shown))
    assert re.search(r"pass@1 100.0 % .* design 3\.6 ", words), "side by side"
    assert "Direct and responsive spatial input" in words
    assert "to raise it: 1. add an emissive colour to the cube 2. set it on selectstart" in words
    assert f"E1 at {times['first'][1]:.2f} s: the cube shows no sign that it is held" in words and "<video" in shown
