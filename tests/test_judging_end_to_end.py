"""`playproof run` and `judge` with the judges and models that ship, against a server that speaks the providers' protocols."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from playproof.cli.judge import judge as judge_command
from playproof.cli.run import execute
from playproof.interfaces import Services
from playproof.judging import Panel, bench_of, judge_trial
from playproof.opinions import read_lines
from playproof.run import Request, plan, stored
from playproof.run import score as score_of
from playproof.store import Store
from playproof_judges.testing import DRIVERS, Asked, Fail, Server, Turn

TASK = """
schema = 1
id = "lamp"
version = "1"
domain = "toy"
kind = "generation"
title = "A judged lamp"
deliver = ["machine.json"]
[runtime]
driver = "toy.lamp"
[[examiners]]
driver = "rubric"
files = ["rubric.toml"]
[[examiners]]
driver = "python"
files = ["*.py"]
[[ratings]]
scale = "playproof_blender:scales/dimensions-1.toml"
exhibits = ["toy.history/1"]
[scoring]
rules = [{ rule = "fused", scale = "dimensions", items = 8, top = 10 }]
"""
RUBRIC = """
[[criteria]]
id = "looks"
asks = { judge = "vision", question = "Is it dark at first?", exhibits = ["toy.state/1"] }
[[criteria]]
id = "goes"
asks = { judge = "trajectory", question = "Does it begin dark?", exhibits = ["toy.history/1", "toy.state/1"] }
[[criteria]]
id = "holds"
asks = { judge = "inspector", question = "Is the level nought?", exhibits = ["toy.state/1"] }
[[criteria]]
id = "agreed"
asks = { judge = "panel", question = "Is all well?", exhibits = ["toy.state/1"], votes = 3, of = { judge = "vision" } }
"""
SCRIPT = """
from playproof.checks import check


@check("lit", title="lit", asks="Is it bright when lit?")
def lit(lamp):
    lamp.press("switch")
    lamp.expect(lamp.state()["light"], "light").is_true()
"""
LAMP = {"start": "dark", "states": {"dark": {"shows": {"light": False, "level": 0}, "on": {"switch": "lit"}},
                                    "lit": {"shows": {"light": True, "level": 80}, "on": {"switch": "dark"}}}}


@pytest.fixture(scope="module")
def graded(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged")
    for name, text in {"task.toml": TASK, "brief/instruction.md": "# A lamp\n", "checks/rubric.toml": RUBRIC, "checks/lit.py": SCRIPT,
                       "reference/machine.json": json.dumps(LAMP)}.items():
        (folder / "lamp" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "lamp" / name).write_text(text)
    execute(plan(Request([folder / "lamp"], ["reference"], folder / "cache")), folder / "out", 1, quiet=True, verbose=False)
    return folder / "out"


VERDICT = {"reasoning": "Seen.", "verdict": True, "cites": ["E1"], "issues": [], "tampering": []}


def sensible(asked: Asked) -> Turn:
    """What a good model would answer, by the form that it is asked for."""
    wanted = (asked.schema or {}).get("properties", {})
    if "ratings" in wanted:
        items = wanted["ratings"]["items"]["properties"]["item"]["enum"]
        rated = [{"item": item, "rating": 7, "issues": ["a little plain"], "cites": ["E1"], "change": []} for item in items]
        return Turn(data={"ratings": rated, "tampering": []})
    if asked.tools:
        return Turn(calls=[("conclude", VERDICT)] if asked.results else [("read_json", {"evidence": "E1", "pointer": ""})])
    if "interaction" in wanted:
        return Turn(data={**VERDICT, "interaction": "none_demanded", "interaction_cites": [], "response": True, "response_cites": ["E1"],
                          "doubts": []})
    assert "verdict" in wanted, f"a request of an unknown form: {sorted(wanted)}"
    return Turn(data=VERDICT)


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, "sk-not-a-real-key-0123456789")
    yield


def judged(graded: Path, server: Server, driver: str, cache: Path, name: str, **options: Any) -> Mapping[str, Any]:
    """The trial after judging by that driver's model, with its set in the run's folder."""
    store = Store(graded)
    (done,) = stored(store)
    with ExitStack() as exits:
        services = Services(cache, exits)
        bench = bench_of({"default": server.ref(driver, **options)}, services)
        judged = judge_trial(done, store, Panel(bench, services, name))
        return {"done": judged, "bench": bench}


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_judge_over_every_protocol(graded: Path, keys: None, tmp_path: Path, driver: str) -> None:
    with Server(sensible) as server:
        said = judged(graded, server, driver, tmp_path, driver)
    done = said["done"]
    assert {one.check: (one.outcome, one.by) for one in done.verdicts} == {
        "looks": ("pass", "vision"), "goes": ("pass", "trajectory"), "holds": ("pass", "inspector"), "agreed": ("pass", "panel"),
        "lit": ("pass", "vision")}
    assert [one.value for one in done.ratings] == [7] * 8
    (score,) = score_of([done])["reference"]
    assert (score.value, score.parts["rubric"], score.parts["dimension"]) == (85.0, 100.0, 70.0)
    requests = {"looks": 1, "goes": 1, "holds": 2, "agreed": 3, "lit": 1, "ratings": 1}
    assert len(server.asked) == sum(requests.values()), "eight ratings share one request, and each vote has its own"
    shown = {id for one in done.opinions for id in one.cites}
    assert shown and all(set(one.cites) <= set(one.exhibits["submission"]) for one in done.opinions)
    assert said["bench"].purse.spent.output == sum(requests.values()) * 20


def test_a_key_stands_nowhere_in_the_run(graded: Path, keys: None, tmp_path: Path) -> None:
    with Server(sensible) as server:
        judged(graded, server, "anthropic", tmp_path, "secret", key="ANTHROPIC_API_KEY")
    key = b"sk-not-a-real-key"
    assert server.asked[0].key.encode().startswith(key)
    found = [place for root in (graded, tmp_path) for place in root.rglob("*") if place.is_file() and key in place.read_bytes()]
    assert found == []


def test_an_endpoint_that_is_down_leaves_voids_and_the_next_command_goes_on(graded: Path, keys: None, tmp_path: Path) -> None:
    with Server(lambda asked: Fail(503)) as server:
        down = judged(graded, server, "openai", tmp_path, "down", retries=0)["done"]
    assert {one.reason for one in down.verdicts} == {"INFRA"} and all(one.value is None for one in down.ratings)
    with Server(sensible) as server:
        up = judged(graded, server, "openai", tmp_path, "down", retries=0)["done"]
    assert {one.outcome for one in up.verdicts} == {"pass"}


def test_a_command_line_and_a_cassette(graded: Path, keys: None, tmp_path: Path) -> None:
    """Recorded once against the server; replayed with the network gone, to the same verdicts and at no cost."""
    place = tmp_path / "models.toml"

    def judge(mode: str, inner: str) -> Result:
        place.write_text(f'[default]\ndriver = "cassette"\npath = "{tmp_path}/tape.jsonl"\nmode = "{mode}"\n{inner}')
        command = [str(graded), "--models", str(place), "--cache", str(tmp_path / mode), "--as", mode, "--json"]
        said = CliRunner().invoke(judge_command, command)
        assert said.exit_code == 0, said.output
        return said

    with Server(sensible) as server:
        recorded = judge("record", f'model = {{ driver = "anthropic", options = {toml(server.ref("anthropic").options)} }}\n')
    said = judge("replay", "")
    first, second = (json.loads(one.stdout)["trials"][0] for one in (recorded, said))
    assert [check["outcome"] for check in first["checks"]] == [check["outcome"] for check in second["checks"]] == ["pass"] * 5
    assert len(read_lines(graded / "opinions" / "replay.jsonl")) == 13


def toml(table: Mapping[str, Any]) -> str:
    return "{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in table.items()) + " }"
