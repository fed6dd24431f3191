"""A run as JSON, as JUnit and on a terminal."""

import hashlib
import io
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from attrs import evolve
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent))
from test_report import picture, png, reported

from playproof.model import Outcome, Reason
from playproof.report import ReportRun, as_json, as_junit, page, show
from playproof.scoring import conjunction


def test_json_holds_scores_trials_and_every_case():
    told = json.loads(as_json(ReportRun("r", [reported([png()], [picture("e", png())])], facts={"engine": "7"})))
    assert (told["schema"], told["facts"]) == ("playproof.report/1", {"engine": "7"})
    assert [(s["rule"], s["value"], s["coverage"]) for s in told["scores"]["s"]] == [("pass@1", 0, 1)]
    (one,) = told["trials"]
    assert (one["outcome"], one["value"], one["ending"]["ended"], one["valid"]) == ("fail", 0, "completed", True)
    assert [(c["id"], c["outcome"], len(c["cases"])) for c in one["checks"]] == [
        ("bad", "fail", 2), ("extra", "void", 1), ("good", "pass", 1), ("absent", "not_applicable", 1),
    ]
    assert one["evidence"][0]["blob"] == hashlib.sha256(png()).hexdigest()


def test_junit_counts_failures_errors_and_skips():
    root = ElementTree.fromstring(as_junit(ReportRun("r", [reported(), reported(stack="x", valid=False, verdicts=[])])))
    first, second = root.findall("testsuite")
    assert [first.get(name) for name in ("name", "tests", "failures", "errors", "skipped")] == ["t/s/0", "4", "1", "1", "1"]
    assert float(first.get("time")) == pytest.approx(1.75)
    case = first.find("testcase[@name='bad']")
    assert case.find("failure").get("type") == "FAIL" and "served too few" in case.find("failure").get("message")
    assert "case room=a: fail, seen 3, wanted 4" in case.find("failure").text
    assert first.find("testcase[@name='absent']/skipped") is not None
    assert {p.get("name"): p.get("value") for p in first.findall("testcase[@name='extra']/properties/property")}["required"] == "false"
    assert (second.get("errors"), second.find("testcase/error").get("type")) == ("4", "MISSING_RESULT")


def test_the_terminal_says_the_result_and_the_first_failure():
    out = io.StringIO()
    show(ReportRun("My run", [reported(), reported(stack="x", valid=False, verdicts=[], text="disk full")]), Console(file=out, width=140))
    said = out.getvalue()
    for words in ("My run", "✗ fail", "○ void", "1/3", "bad: served too few", "pass@1 0.0 %", "coverage 0.0 %", "disk full"):
        assert words in said, words
    narrow = io.StringIO()
    show(ReportRun("My run", [reported()]), Console(file=narrow, width=40))
    assert max(map(len, narrow.getvalue().splitlines()[:6])) <= 40


def test_two_stacks_on_the_same_tasks_are_compared():
    def trial(stack: str, task: str, passes: bool):
        one = reported(stack=stack)
        won = [evolve(verdict, outcome=Outcome.PASS, reason=Reason.OK) for verdict in one.verdicts] if passes else one.verdicts
        checks = [check for check in one.result.checks if check.id in {verdict.check for verdict in won}]
        return evolve(one, verdicts=won, result=evolve(one.result, task=task, checks=checks, verdicts=conjunction(won)))

    run = ReportRun("r", [trial("a", "t1", True), trial("a", "t2", True), trial("b", "t1", True), trial("b", "t2", False)])
    (met,) = json.loads(as_json(run))["comparisons"]
    assert (met["a"], met["b"], met["both"], met["only_a"], met["only_b"], met["neither"], met["p"]) == ("a", "b", 1, 1, 0, 0, 1)
    out = io.StringIO()
    show(run, Console(file=out, width=140))
    assert "a and b: both 1, only the first 1, only the second 0, neither 0, exact McNemar p 1" in out.getvalue()
    assert "a and b</th><td>1</td><td>1</td><td>0</td><td>0</td>" in page(run)
