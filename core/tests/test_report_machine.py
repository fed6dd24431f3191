"""A run as JSON, as JUnit and on a terminal."""

import hashlib
import io
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent))
from test_report import picture, png, reported

from playproof.report import ReportRun, as_json, as_junit, show


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
