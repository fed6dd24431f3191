"""Judges over stored evidence: what is asked, of whom, what becomes of it, and what it may cost."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof.cli.run import execute
from playproof.opinions import read_lines
from playproof.run import Request, plan

from .conftest import HEAD, LAMP

Run = Callable[..., Any]
Models = Callable[..., Path]

TASK = """
schema = 1
id = "{id}"
version = "1"
domain = "toy"
kind = "generation"
title = "A judged task"
deliver = ["machine.json"]
[runtime]
driver = "toy.lamp"
[[examiners]]
driver = "python"
files = ["*.py"]
[[examiners]]
driver = "rubric"
files = ["rubric.toml"]
[[ratings]]
scale = "playproof_toy:scales/manners-1.toml"
exhibits = ["toy.history/1"]
judge = {{ driver = "toy.eye" }}
[scoring]
rules = [{{ rule = "pass_at_k", design = "manners" }}, {{ rule = "fused", scale = "manners", items = 2, top = 5 }}]
"""
CHECKS = """
@check("pleasant", title="pleasant when lit", asks="Is the lit lamp pleasant?", judge="toy.eye")
def pleasant(lamp):
    lamp.press("switch")
    lamp.expect(lamp.state()["light"], "light").is_true()
"""
RUBRIC = """
[[criteria]]
id = "calm-start"
importance = "major"
asks = { judge = "toy.eye", question = "Is it dark at first?", exhibits = ["toy.state/1"] }
[[criteria]]
id = "shows-light"
importance = "detail"
asks = { driver = "toy.reaches", shows = { light = false } }
"""
YES, NO = '{"answer": true, "why": "it is"}', '{"answer": false, "why": "it is not"}'
FOUR = '{"answer": 4, "why": "good"}'
GLARE = {"start": "dark", "states": {
    "dark": {"shows": {"light": False, "level": 0}, "on": {"switch": "lit"}},
    "lit": {"shows": {"light": True, "level": 900}, "on": {"switch": "dark"}},
}}
DEAD = {"start": "dark", "states": {"dark": {"shows": {"light": False, "level": 0}}}}


def write_task(root: Path) -> Path:
    for name, text in {"task.toml": TASK.format(id="judged"), "brief/instruction.md": "# A judged task\n",
                       "checks/checks.py": HEAD + CHECKS, "checks/rubric.toml": RUBRIC, "reference/machine.json": json.dumps(LAMP),
                       "broken/glare/machine.json": json.dumps(GLARE), "broken/dead/machine.json": json.dumps(DEAD)}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def judged(toy: Path, tmp_path: Path) -> Path:
    return write_task(tmp_path / "judged")


@pytest.fixture(scope="module")
def once(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference and two broken variants, graded once and not judged."""
    folder = tmp_path_factory.mktemp("graded")
    request = Request([write_task(folder / "judged")], ["reference", "broken:glare", "broken:dead"], folder / "cache")
    execute(plan(request), folder / "out", 1, quiet=True, verbose=False)
    return folder / "out"


@pytest.fixture
def graded(once: Path, playproof: Run) -> str:
    """A copy of it, in the folder where commands run."""
    shutil.copytree(once, "out")
    return "out"


@pytest.fixture
def models(tmp_path: Path) -> Callable[..., Path]:
    """`models(answers, ...)`: a models file whose default is a parrot with these answers; it logs what it was asked."""

    def write(*answers: tuple[str, str], **options: Any) -> Path:
        table = {"driver": "toy.parrot", "model": "grey", "answers": [list(one) for one in answers],
                 "log": str(tmp_path / "asked.log"), **options}
        place = tmp_path / "models.toml"
        place.write_text("[default]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()))
        return place

    return write


ALL_GOOD = (("pleasant", YES), ("dark at first", YES), ("calm?", FOUR), ("clear", FOUR))


def verdicts(said: Any, stack: str = "reference") -> Mapping[str, Mapping[str, Any]]:
    trial = next(one for one in json.loads(said.out)["trials"] if one["stack"] == stack)
    return {check["id"]: check["cases"][0] for check in trial["checks"]}


def score(said: Any, rule: str, stack: str = "reference") -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(one for one in json.loads(said.out)["scores"][stack] if one["rule"] == rule)
    return found


def asked(tmp_path: Path) -> list[str]:
    place = tmp_path / "asked.log"
    return place.read_text().splitlines() if place.exists() else []


def test_without_a_model_the_rest_is_scored_and_coverage_says_what_is_missing(judged: Path, playproof: Run) -> None:
    said = playproof("run", judged, "--harness", "reference", "-o", "out", "--json")
    found = verdicts(said)
    assert found["pleasant"]["reason"] == found["calm-start"]["reason"] == "NO_MODEL"
    assert found["shows-light"]["outcome"] == "pass"
    assert said.code == 3 and score(said, "pass@1")["coverage"] == 0
    fused = score(said, "fused")
    assert fused["value"] is None and fused["parts"]["deterministic"] == 100
    assert list((Path("out") / "records" / "grading").glob("*.json")), "a judge that was not asked leaves the grading whole"


def test_judges_decide_what_is_asked_of_them(judged: Path, models: Models, playproof: Run, tmp_path: Path) -> None:
    said = playproof("run", judged, "--harness", "reference", "--models", models(*ALL_GOOD), "-o", "out", "--json")
    found = verdicts(said)
    assert found["pleasant"]["outcome"] == "pass" and found["pleasant"]["by"] == "toy.eye" and found["pleasant"]["message"] == "it is"
    assert found["pleasant"]["cites"] and found["calm-start"]["outcome"] == "pass"
    assert said.code == 0
    assert score(said, "pass@1")["parts"]["design"] == 4
    assert score(said, "fused")["value"] == 90  # (100 + 100 * 8 / 10) / 2
    assert len(asked(tmp_path)) == 4


def test_trials_that_show_the_same_share_an_opinion(graded: str, models: Models, playproof: Run, tmp_path: Path) -> None:
    at_once = playproof("judge", graded, "--models", models(*ALL_GOOD), "--json")
    later = playproof("score", graded, "--json")
    for stack in ("reference", "broken:glare", "broken:dead"):
        assert verdicts(at_once, stack)["calm-start"]["outcome"] == verdicts(later, stack)["calm-start"]["outcome"] == "pass"
    assert sum("dark at first" in line for line in asked(tmp_path)) == 1


def test_a_script_that_fails_is_never_asked_about(graded: str, models: Models, playproof: Run) -> None:
    said = playproof("judge", graded, "--models", models(*ALL_GOOD), "--json")
    assert verdicts(said, "broken:dead")["pleasant"]["outcome"] == "fail"
    about = [line.trial for line in read_lines(Path("out/opinions/judges.jsonl")) if line.opinion.question.id == "judged/pleasant"]
    assert about == ["judged/reference/0", "judged/broken:glare/0"]


def test_the_same_command_asks_nothing_twice(judged: Path, models: Models, playproof: Run, tmp_path: Path) -> None:
    command = ("run", judged, "--harness", "reference", "--models", models(*ALL_GOOD), "-o", "out", "--json")
    first, second = playproof(*command), playproof(*command)
    assert verdicts(first) == verdicts(second) and len(asked(tmp_path)) == 4
    assert len(read_lines(Path("out/opinions/judges.jsonl"))) == 4


def test_judging_again_stands_beside_and_never_over(graded: str, models: Models, playproof: Run) -> None:
    playproof("judge", graded, "--models", models(*ALL_GOOD))
    stern = models(("pleasant", NO), *ALL_GOOD, model="stern")
    said = playproof("judge", graded, "--models", stern, "--as", "stern", "--json")
    assert verdicts(said)["pleasant"]["outcome"] == "fail" and json.loads(said.out)["facts"]["opinions"] == "stern"
    assert verdicts(playproof("score", graded, "--json"))["pleasant"]["outcome"] == "pass"
    assert verdicts(playproof("score", graded, "--opinions", "stern", "--json"))["pleasant"]["outcome"] == "fail"


def test_an_identical_question_comes_from_the_cache(graded: str, models: Models, playproof: Run, tmp_path: Path) -> None:
    command = ("judge", graded, "--models", models(*ALL_GOOD), "--only", "pleasant")
    playproof(*command)
    before = len(asked(tmp_path))
    shutil.rmtree(Path(graded) / "records" / "opinion")
    (Path(graded) / "records" / "opinion").mkdir()
    playproof(*command, "--as", "again")
    assert len(asked(tmp_path)) == before == 2
    playproof(*command, "--as", "fresh", "--fresh")
    assert len(asked(tmp_path)) == 2, "what is committed is not asked for again"
    shutil.rmtree(Path(graded) / "records" / "opinion")
    (Path(graded) / "records" / "opinion").mkdir()
    playproof(*command, "--as", "fresh", "--fresh")
    assert len(asked(tmp_path)) == 4


def test_votes_are_asked_one_by_one(graded: str, models: Models, playproof: Run, tmp_path: Path) -> None:
    said = playproof("judge", graded, "--models", models(*ALL_GOOD), "--votes", "3", "--only", "pleasant", "--json")
    assert verdicts(said)["pleasant"]["message"] == "it is (3 of 3 votes)"
    assert len(asked(tmp_path)) == 6


@pytest.mark.parametrize("reply", ["REFUSE", "gibberish"])
def test_a_refusal_is_a_fail_when_the_reference_is_answered(graded: str, models: Models, playproof: Run, reply: str) -> None:
    said = playproof("judge", graded, "--json", "--models", models(("900", reply), *ALL_GOOD))
    found = verdicts(said, "broken:glare")
    assert (found["pleasant"]["outcome"], found["pleasant"]["reason"]) == ("fail", "JUDGE_REFUSED_ON_SUBMISSION")


def test_the_reference_is_graded_for_a_refusal_where_the_run_has_none(judged: Path, models: Models, playproof: Run) -> None:
    said = playproof("run", judged, "--harness", "broken:glare", "-o", "out", "--json", "--models", models(("900", "REFUSE"), *ALL_GOOD))
    found = verdicts(said, "broken:glare")
    assert (found["pleasant"]["outcome"], found["pleasant"]["reason"]) == ("fail", "JUDGE_REFUSED_ON_SUBMISSION")


def test_what_makes_a_judge_refuse_is_void_when_the_reference_does_so_too(graded: str, models: Models, playproof: Run) -> None:
    said = playproof("judge", graded, "--json", "--models", models(("pleasant", "REFUSE"), *ALL_GOOD))
    found = verdicts(said, "broken:glare")
    assert (found["pleasant"]["outcome"], found["pleasant"]["reason"]) == ("void", "JUDGE_ERROR")


def test_a_refused_rating_is_the_lowest_mark(graded: str, models: Models, playproof: Run) -> None:
    answers = models(("calm?", FOUR), ("clear", FOUR), ("900", "REFUSE"), *ALL_GOOD)
    assert score(playproof("judge", graded, "--json", "--models", answers), "pass@1", "broken:glare")["parts"]["design"] == 4
    refused = models(("900", "REFUSE"), *ALL_GOOD, model="shy")
    said = playproof("judge", graded, "--json", "--models", refused, "--as", "shy")
    assert score(said, "pass@1", "broken:glare")["parts"]["design"] == 1


def test_an_endpoint_that_is_down_is_void_and_the_same_command_asks_again(graded: str, models: Models, playproof: Run) -> None:
    down = playproof("judge", graded, "--json", "--models", models(("pleasant", "DOWN"), *ALL_GOOD))
    assert verdicts(down)["pleasant"]["reason"] == "INFRA" and "it is down" in verdicts(down)["pleasant"]["message"]
    assert verdicts(playproof("judge", graded, "--json", "--models", models(*ALL_GOOD)))["pleasant"]["outcome"] == "pass"


def test_a_malformed_reply_is_not_taken_from_the_cache_by_the_next_command(graded: str, models: Models, playproof: Run) -> None:
    bad = playproof("judge", graded, "--json", "--models", models(("pleasant", "gibberish"), *ALL_GOOD))
    assert verdicts(bad)["pleasant"]["reason"] == "JUDGE_ERROR"
    assert verdicts(playproof("judge", graded, "--json", "--models", models(*ALL_GOOD)))["pleasant"]["outcome"] == "pass"


def test_a_wrong_key_is_told_in_the_verdict(graded: str, models: Models, playproof: Run) -> None:
    said = playproof("judge", graded, "--json", "--models", models(("", "DENY")))
    assert "the key in PARROT_KEY was refused" in verdicts(said)["pleasant"]["message"]


def test_a_dry_run_tells_the_greatest_cost_and_sends_nothing(graded: str, models: Models, playproof: Run, tmp_path: Path) -> None:
    said = json.loads(playproof("judge", graded, "--models", models(*ALL_GOOD, usd=0.25), "--dry-run", "--json").out)
    assert {**said, "requests": 0, "usd": 0} == {"questions": 11, "answered": 0, "requests": 0, "cached": 0, "usd": 0,
                                                 "input_tokens": 1000 * said["requests"], "output_tokens": 100 * said["requests"]}
    assert said["usd"] == said["requests"] / 4 and 0 < said["requests"] <= 11
    assert asked(tmp_path) == []
    told = playproof("judge", graded, "--models", models(*ALL_GOOD), "--dry-run").out
    assert "a cost that is not known" in told
    playproof("judge", graded, "--models", models(*ALL_GOOD, usd=0.25))
    assert len(asked(tmp_path)) == said["requests"]


def test_a_budget_stops_before_it_is_exceeded(graded: str, models: Models, playproof: Run, tmp_path: Path) -> None:
    command = ("judge", graded, "--models", models(*ALL_GOOD, usd=0.25), "--only", "pleasant")
    said = playproof(*command, "--budget-usd", "0.3")
    assert said.code == 4 and "the budget is reached: 0.2500 USD of 0.3 are spent" in said.err
    assert len(asked(tmp_path)) == 1
    assert playproof(*command, "--budget-usd", "0.3").code == 0
    assert len(asked(tmp_path)) == 2
    counted = playproof("judge", graded, "--as", "a", "--models", models(*ALL_GOOD, model="a"), "--budget-requests", "1")
    assert counted.code == 4 and "1 requests were sent" in counted.err
    unpriced = playproof("judge", graded, "--as", "b", "--models", models(*ALL_GOOD, model="b"), "--budget-usd", "1")
    assert unpriced.code == 2 and "no price is known" in unpriced.err


@pytest.mark.parametrize(("spec", "problem"), [
    ("nothing", "wanted [NAME=]DRIVER:MODEL"), ("toy.crow:x", "no model named 'toy.crow'"),
    ("other=toy.parrot:x", "asks the model 'default'"),
])
def test_models_that_cannot_be_had(graded: str, playproof: Run, spec: str, problem: str) -> None:
    said = playproof("judge", graded, "--model", spec)
    assert said.code == 2 and problem in said.err


def test_a_models_file_that_is_none(graded: str, playproof: Run, tmp_path: Path) -> None:
    for text, problem in (("[default]\nmodel = 1\n", "[default] is no table with a driver"), ("[default", "models.toml"),
                          ('[default]\ndriver = "toy.parrot"\nmodel = "x"\nwings = 2\n', "unknown key 'wings'")):
        place = tmp_path / "models.toml"
        place.write_text(text)
        said = playproof("judge", graded, "--models", place)
        assert said.code == 2 and problem in said.err


@pytest.mark.parametrize(("asks", "problem"), [
    ('{ judge = "toy.eye", question = "", exhibits = ["toy.state/1"] }', "asks has no question"),
    ('{ judge = "toy.eye", question = "Is it?" }', "asks.exhibits lists the evidence kinds"),
    ('{ judge = "toy.eye", question = "Is it?", exhibits = ["toy.smell/1"] }', "which 'toy.lamp' never observes"),
    ('{ judge = "toy.eye", question = "Is it?", exhibits = ["toy.state/1"], colour = 1 }', "unknown key 'colour'"),
    ("{ question = \"Is it?\" }", "asks names neither a driver nor a judge"),
])
def test_a_rubric_that_asks_wrongly_is_refused_with_its_place(judged: Path, playproof: Run, asks: str, problem: str) -> None:
    (judged / "checks" / "rubric.toml").write_text(f'[[criteria]]\nid = "one"\nasks = {asks}\n')
    said = playproof("run", judged, "--harness", "reference", "-o", "out")
    assert said.code == 2 and problem in said.err


def test_an_unknown_scale_is_refused(judged: Path, playproof: Run) -> None:
    place = judged / "task.toml"
    place.write_text(place.read_text().replace("manners-1.toml", "morals-1.toml"))
    said = playproof("run", judged, "--harness", "reference", "-o", "out")
    assert said.code == 2 and "morals-1.toml" in said.err
