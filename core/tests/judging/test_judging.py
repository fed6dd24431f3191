"""Judges over stored evidence: what is asked, of whom, what becomes of it, and what it may cost."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof.opinions import read_lines

Run = Callable[..., Any]
Models = Callable[..., Path]

YES, NO = '{"answer": true, "why": "it is"}', '{"answer": false, "why": "it is not"}'
FOUR = '{"answer": 4, "why": "good"}'
RULES = 'rules = [{ rule = "pass_at_k", design = "manners" }, { rule = "fused", scale = "manners", items = 2, top = 5 }]'
MEASURED = '[[criteria]]\nid = "shows"\nasks = { driver = "toy.reaches", shows = { light = false } }\n'
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


@pytest.mark.parametrize(("judge", "with_model", "why"), [
    ("toy.eye", False, "no model was asked; name one with --model DRIVER:MODEL"),
    ("stern", False, "no judge named 'stern'; installed: "),
    ("stern", True, "no judge named 'stern'; installed: "),
])  # fmt: skip
def test_ratings_that_nobody_gives_are_absent_and_the_rest_is_scored(
    judged: Path, models: Models, playproof: Run, judge: str, with_model: bool, why: str
) -> None:
    """Whether there is no such judge, or no model for it: the task is planned, run and scored, and one line says what is absent."""
    (judged / "checks" / "rubric.toml").write_text(MEASURED)
    for name, old, new in (("task.toml", 'driver = "toy.eye"', f'driver = "{judge}"'), ("task.toml", RULES, RULES[:49] + "}]\n"),
                           ("checks/checks.py", ', asks="Is the lit lamp pleasant?", judge="toy.eye"', "")):  # fmt: skip
        text = (judged / name).read_text()
        assert old in text
        (judged / name).write_text(text.replace(old, new))
    arguments = ["run", judged, "--harness", "reference", "-o", "out", *(["--models", models(*ALL_GOOD)] if with_model else [])]
    said = playproof(*arguments)
    lines = [line for line in said.out.splitlines() if line.startswith("ratings: ")]
    assert said.code == 0 and len(lines) == 1 and lines[0].startswith(f"ratings: none on manners: {why}"), said
    assert "pass@1 100.0 %" in said.out and "none on manners: no " in (Path("out") / "report.html").read_text()
    found = json.loads(playproof(*arguments, "--json").out)
    assert found["facts"]["ratings"] == lines[0].removeprefix("ratings: ")
    assert [one["value"] for one in found["trials"][0]["ratings"]] == [None, None]
    assert "ratings: " not in playproof("run", judged, "--harness", "nothing", "-o", "none").out, "not delivered: the lowest marks"


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
    command = ("judge", graded, "--models", models(*ALL_GOOD), "--only", "pleasant", "--min-coverage", "0")
    playproof(*command)
    before = len(asked(tmp_path))
    shutil.rmtree(Path(graded) / "records" / "opinion")
    (Path(graded) / "records" / "opinion").mkdir()
    playproof(*command, "--as", "again")
    assert len(asked(tmp_path)) == before == 2
    playproof(*command, "--as", "fresh", "--fresh")
    assert len(asked(tmp_path)) == 4
    playproof(*command, "--as", "fresh", "--fresh")
    assert len(asked(tmp_path)) == 4, "what this set holds is not asked for again"


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
    assert down.code == 3 and verdicts(down)["pleasant"]["reason"] == "INFRA" and "it is down" in verdicts(down)["pleasant"]["message"]
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
    command = ("judge", graded, "--models", models(*ALL_GOOD, usd=0.25), "--only", "pleasant", "--min-coverage", "0")
    said = playproof(*command, "--budget-usd", "0.3", "--json")
    assert json.loads(said.out)["trials"], "what was answered is shown"
    assert said.code == 4 and "the budget is reached: 0.2500 USD of 0.3 are spent" in said.err
    assert len(asked(tmp_path)) == 1
    assert playproof(*command, "--budget-usd", "0.3").code == 0
    assert len(asked(tmp_path)) == 2
    counted = playproof("judge", graded, "--as", "a", "--models", models(*ALL_GOOD, model="a"), "--budget-requests", "1")
    assert counted.code == 4 and "1 requests were sent" in counted.err
    unpriced = playproof("judge", graded, "--as", "b", "--models", models(*ALL_GOOD, model="b"), "--budget-usd", "1")
    assert unpriced.code == 2 and "no price is known" in unpriced.err


def test_another_model_in_the_same_set_takes_the_place_of_the_first(graded: str, models: Models, playproof: Run) -> None:
    denied = playproof("judge", graded, "--json", "--models", models(("", "DENY"), model="wrong"))
    assert verdicts(denied)["pleasant"]["reason"] == "INFRA"
    right = playproof("judge", graded, "--json", "--models", models(*ALL_GOOD, model="right"))
    assert verdicts(right)["pleasant"]["outcome"] == "pass" and score(right, "pass@1")["parts"]["design"] == 4
    stern = playproof("judge", graded, "--json", "--models", models(("pleasant", NO), *ALL_GOOD, model="stern"))
    assert verdicts(stern)["pleasant"]["outcome"] == "fail"
    assert verdicts(playproof("score", graded, "--json")) == verdicts(stern)


def test_an_old_answer_is_none_to_a_new_question(graded: str, models: Models, playproof: Run, once: Path) -> None:
    playproof("judge", graded, "--models", models(*ALL_GOOD))
    rubric = once.parent / "judged" / "checks" / "rubric.toml"
    before = rubric.read_text()
    try:
        rubric.write_text(before.replace("Is it dark at first?", "Is it purple?"))
        said = playproof("score", graded, "--assert", "--json")
        assert verdicts(said)["calm-start"]["reason"] == "NO_MODEL" and verdicts(said)["pleasant"]["outcome"] == "pass"
    finally:
        rubric.write_text(before)


def test_a_control_that_failed_once_is_asked_anew(graded: str, models: Models, playproof: Run) -> None:
    """The reference's reply was unusable once, and stands in the cache: the next command does not take it from there."""
    shy = ("900", "REFUSE")
    first = playproof("judge", graded, "--json", "--models", models(shy, ("pleasant", "gibberish"), *ALL_GOOD))
    assert verdicts(first, "broken:glare")["pleasant"]["outcome"] == "void"
    second = playproof("judge", graded, "--json", "--models", models(shy, *ALL_GOOD))
    assert verdicts(second, "broken:glare")["pleasant"]["reason"] == "JUDGE_REFUSED_ON_SUBMISSION"


def test_a_run_whose_judges_lack_their_model_is_scored_all_the_same(judged: Path, playproof: Run) -> None:
    said = playproof("run", judged, "--harness", "reference", "-o", "out", "--json", "--model", "player=toy.parrot:grey")
    assert said.code == 3 and verdicts(said)["pleasant"]["reason"] == "NO_MODEL" and verdicts(said)["shows-light"]["outcome"] == "pass"


def test_a_judge_never_decides_what_a_missing_player_left_open(judged: Path, models: Models, playproof: Run) -> None:
    script = judged / "checks" / "checks.py"
    script.write_text("""
from playproof.checks import check
from playproof.dialogue import Request, user


@check("pleasant", title="pleasant when lit", plays="player", asks="Is the lit lamp pleasant?", judge="toy.eye")
def pleasant(lamp):
    lamp.state()
    lamp._grading.bench.ask("player", Request([user("press something")]))
""")
    said = playproof("run", judged, "--harness", "broken:dead", "-o", "out", "--json", "--models", models(*ALL_GOOD))
    found = verdicts(said, "broken:dead")["pleasant"]
    assert (found["outcome"], found["reason"], found["by"]) == ("void", "NO_MODEL", None) and said.code == 3


def test_a_run_without_questions_says_so(small: Callable[..., Path], playproof: Run) -> None:
    root = small('''
@check("dark", priority="P1", title="dark at first")
def dark(lamp):
    lamp.expect(lamp.state()["light"], "light").is_false()
''')
    playproof("run", root, "--harness", "reference", "-o", "out", "--json")
    said = playproof("judge", "out", "--model", "toy.parrot:grey")
    assert said.code == 2 and "no check of this run asks a judge" in said.err
