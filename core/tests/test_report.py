"""Reports from fabricated runs: what stands in them, in what order, and that no foreign text can do anything there."""

import base64
import hashlib
import io
import json
import re
import struct
import zlib
from html.parser import HTMLParser

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from playproof.interfaces import Exhibit
from playproof.model import Check, Ended, Ending, Evidence, Observer, Outcome, Priority, Reason, Usage, Verdict
from playproof.report import ReportRun, ReportTrial, as_json, as_junit, clean, page, show
from playproof.report.run import figure, judged, parts
from playproof.scoring import Rating, TrialResult, conjunction, make

REASONS = {Outcome.PASS: Reason.OK, Outcome.FAIL: Reason.FAIL, Outcome.NOT_APPLICABLE: Reason.OK, Outcome.VOID: Reason.INFRA}
HOSTILE = (
    "<script>alert(1)</script><img src=//evil.example/x onerror=alert(1)>\"'><style>@import 'http://evil.example'</style></details></style>"
    "{{ 7*7 }} [red]markup[/red] \x1b[31mred\x1b]8;;http://evil.example\x07link\x1b\\ \x9b2J \x00\x08\u202egnp.exe\ud800"
    " javascript:alert(1) ]]> &lt;"
)


def png(width=4, height=3, salt=0):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = b"".join(b"\0" + bytes((x * 40 + salt) % 256 for x in range(3 * width)) for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def picture(id_, blob, tick=90_000):
    return Evidence(id_, tick, 0, "image.png/1", Observer.OUTSIDE, "screenshot", "image/png", None, hashlib.sha256(blob).hexdigest())


def reported(blobs=(), evidence=(), verdicts=None, checks=None, text="", **known):
    """A trial with a failing, a passing, a void and a not applicable check; `text` is put into every free text."""
    checks = checks or [
        Check("good", "python", "it starts" + text, priority=Priority.P0, source="spec.md" + text),
        Check("bad", "python", "it serves" + text, priority=Priority.P1, category=text),
        Check("extra", "python", "it sings" + text, priority=Priority.P2, required=False),
        Check("absent", "python", "it prints" + text, priority=Priority.P2, required=False, optional_feature=True),
    ]
    cites, told = [entry.id for entry in evidence], ("3" + text, "4" + text)
    if verdicts is None:
        verdicts = [
            Verdict("good", "default", Outcome.PASS, Reason.OK, cites=cites, wall_ms=1500),
            Verdict("bad", "room=b" + text, Outcome.PASS, Reason.OK),
            Verdict("bad", "room=a" + text, Outcome.FAIL, Reason.FAIL, "served too few" + text, *told, cites, 9, 250, flaky=True),
            Verdict("extra", "default", Outcome.VOID, Reason.INFRA, "no room" + text),
            Verdict("absent", "default", Outcome.NOT_APPLICABLE, Reason.OK, observer=Observer.OUTSIDE),
        ]
    held = {hashlib.sha256(blob).hexdigest(): blob for blob in blobs}
    given_ = {"task": "t", "stack": "s", **known}
    ending = Ending(given_.get("ended", Ended.COMPLETED), "bye" + text, 0, Usage(12.0, 3, 10, 2000, 0.5))
    result = TrialResult(checks=checks, verdicts=conjunction(verdicts), **given_)
    return ReportTrial(result, "A task" + text, ending, verdicts, evidence, held.__getitem__, trouble=text)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def parsed(html):
    tags = Tags()
    tags.feed(html)
    return tags


def policy(html):
    content = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    return {name: sources for name, *sources in (part.split() for part in content.split(";"))}


# --- hostile text -----------------------------------------------------------------------------------------------------


def hostile_run(text):
    plain_blob, drawn = png(), b"<svg onload=alert(1)>"
    evidence = [
        picture("e1", plain_blob), Evidence("e2", 5, 1, "page.text/1" + text, Observer.MAIN, "page" + text, value={"t": "v" + text}),
        picture("e3", drawn), Evidence("e4", 5, 1, "page.text/1", Observer.MAIN, "", "text/html" + text, None, "gone" + text),
    ]
    one = reported([plain_blob, drawn], evidence, text=text, stack="s" + text, task="t" + text)
    other = reported(stack="other" + text, task="t" + text, valid=False, verdicts=[], text=text)
    return ReportRun("A run" + text, [one, other], {}, {"n" + text: "f" + text})


def test_hostile_text_changes_no_tag_and_no_attribute_of_the_page():
    quiet, loud = (parsed(page(hostile_run(text))) for text in ("harmless", HOSTILE))
    assert loud.tags == quiet.tags
    assert {tag for tag, _ in loud.tags}.isdisjoint({"script", "img", "iframe", "object", "link", "base", "form", "video", "embed"})
    for name, value in loud.attributes:
        assert not name.startswith("on") and name not in ("src", "srcset", "style", "action", "formaction", "xlink:href"), name
        assert name != "href" or re.fullmatch(r"#[\w-]+", value), value
    assert "<script>alert(1)</script>" in loud.text, "it is shown, as text"
    assert "{{ 7*7 }}" in loud.text


def test_no_control_character_or_escape_reaches_a_report():
    run = hostile_run(HOSTILE)
    for text in (page(run), as_junit(run).decode(), parsed(page(run)).text):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    assert "\x1b" not in as_json(run).decode()
    assert json.loads(as_json(run))["title"].endswith(HOSTILE), "data keep what was said"


def test_a_terminal_gets_colours_of_ours_only():
    out = io.StringIO()
    show(hostile_run(HOSTILE), Console(file=out, force_terminal=True, width=240, color_system="standard"))
    said = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", said)
    title, _, rest = said.partition("stack")
    assert "[red]markup[/red]" in title and "[red]markup[/red]" in rest


@given(st.text(), st.integers(1, 50))
def test_clean_text_is_safe_short_and_stays_as_it_is(text, limit):
    once = clean(text, limit)
    assert len(once) <= limit + 1
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", once)
    assert clean(once, limit + 1) == once


def test_escape_sequences_go_whole():
    assert clean("a\x1b[1;31mb\x1b[0mc\x1b]0;title\x07d\x1b(Be\x9b2Jf\x1bPq\x1b\\g") == "abcdefg"
    assert clean("x" * 5000).endswith("x…") and len(clean("x" * 5000)) == 2001
    assert clean("two\nlines\tand tabs") == "two\nlines\tand tabs"


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_policy_forbids_everything_but_the_page_s_own_style_and_data_pictures():
    html = page(ReportRun("r", [reported([png()], [picture("e", png())])]))
    said = policy(html)
    style = re.search(r"<style>(.*?)</style>", html, re.S)[1]
    hashed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert said == {
        "default-src": ["'none'"], "img-src": ["data:"], "style-src": [f"'sha256-{hashed}'"],
        "base-uri": ["'none'"], "form-action": ["'none'"],
    }
    assert html.count("<style>") == 1
    assert not re.search(r"https?:|//[a-z]", html), "no address at all"


def test_what_failed_stands_first_and_says_why():
    html = page(ReportRun("r", [reported()]))
    order = [html.index(title) for title in ("it serves", "it sings", "it prints", "it starts")]
    assert order == sorted(order)
    for words in ("served too few", "room=a", "room=b", "seen", "wanted", "no room", "flaky", "not required", "asked for in spec.md"):
        assert words in html
    assert "1.5 s" in html and "250 ms" in html
    assert "Generation finished by itself after 12 s, 3 steps, 2,000 output tokens, 0.50 USD." in " ".join(parsed(html).text.split())
    assert [j.check.id for j in judged(reported())] == ["bad", "extra", "good", "absent"]


def test_required_checks_stand_before_the_rest():
    checks = [Check("loose", "python", "", required=False), Check("must", "python", "", layer="L3")]
    one = reported(checks=checks, verdicts=[Verdict(c.id, "default", Outcome.FAIL, Reason.FAIL) for c in checks])
    assert [j.check.id for j in judged(one)] == ["must", "loose"]


def test_evidence_cited_twice_or_not_kept_is_shown_once_or_not_at_all():
    entry = Evidence("e", 1, 1, "page.text/1", Observer.MAIN, "a source", value="hello")
    verdict = Verdict("c", "default", Outcome.FAIL, Reason.FAIL, cites=["e", "lost", "e"])
    html = page(ReportRun("r", [reported(evidence=[entry], verdicts=[verdict], checks=[Check("c", "python", "")])]))
    assert html.count("a source") == 1


def test_headline_coverage_bounds_and_endings_are_said():
    void = reported(task="u", stack="a", valid=False, verdicts=[])
    text = " ".join(parsed(page(ReportRun("r", [reported(stack="a"), void, reported(stack="b", ended=Ended.STEPS)]))).text.split())
    for words in ("0.0 %", "n 1 of 2", "coverage 50.0 %", "bounds 0.0 % to 50.0 %", "of 50.0 % covered"):
        assert words in text, words
    assert "95 % interval 0.0 % to 79.3 %" in text and "as published 0.0 %" in text
    assert "ran out of steps" in text
    assert "Void: no score stands behind this trial." in text
    assert "There is no verdict on this check." in text


def test_a_not_applicable_that_is_refused_is_shown_as_failed_with_the_reason():
    check = Check("c", "python", "", priority=Priority.P1)
    one = reported(checks=[check], verdicts=[Verdict("c", "default", Outcome.NOT_APPLICABLE, Reason.OK)])
    (found,) = judged(one)
    assert found.outcome is Outcome.FAIL
    assert "Counts as failed" in page(ReportRun("r", [one]))


def test_a_picture_cited_a_hundred_times_is_embedded_once():
    blob = png(64, 40)
    checks = [Check(f"c{i}", "python", "") for i in range(100)]
    verdicts = [Verdict(c.id, "default", Outcome.FAIL, Reason.FAIL, cites=["e"]) for c in checks]
    html = page(ReportRun("r", [reported([blob], [picture("e", blob)], verdicts, checks)] * 3))
    assert html.count(base64.b64encode(blob).decode()) == 1
    assert html.count('<a class="shot shot-') == 303, "each citation, and one at the head of each trial"
    assert "aspect-ratio:64/40" in html


def test_the_weight_of_pictures_is_bounded():
    blobs = [png(100, 100, salt) for salt in range(20)]
    evidence = [picture(f"e{i}", blob, i) for i, blob in enumerate(blobs)]
    verdicts = [Verdict("c", f"n={i}", Outcome.FAIL, Reason.FAIL, cites=[f"e{i}"]) for i in range(20)]
    one = reported(blobs, evidence, verdicts, [Check("c", "python", "")])
    twin = Evidence("twin", 1, 0, "other.png/1", Observer.OUTSIDE, "again", "image/png", None, evidence[0].blob)
    both = reported(blobs, [evidence[0], twin], None)
    size = len(base64.b64encode(blobs[0]))
    assert "not embedded" not in page(ReportRun("r", [both]), picture_bytes=size), "it is counted once"
    html = page(ReportRun("r", [one]), picture_bytes=5 * size + 5)
    assert len(re.findall("data:image/png", html)) in (4, 5, 6)
    assert html.count("not embedded") >= 14


@pytest.mark.parametrize("blob", [b"<svg onload=alert(1)>", b"", png()[:10] + b"\0" * 900_000])
def test_what_is_no_picture_or_too_large_is_named_not_embedded(blob):
    html = page(ReportRun("r", [reported([blob], [picture("e", blob)])]))
    assert "data:image" not in html
    assert "not embedded" in html


def test_a_lost_blob_and_a_breaking_driver_are_said_and_break_nothing():
    class Breaks:
        def show(self, evidence, read):
            raise RuntimeError("a bomb <b>")

    entry = picture("e", png())
    assert "cannot be shown: KeyError" in page(ReportRun("r", [reported([], [entry])]))
    assert "cannot be shown: RuntimeError: a bomb &lt;b&gt;" in page(ReportRun("r", [reported([png()], [entry])]), lambda kind: Breaks())


def test_an_exhibit_driver_gives_fragment_and_thumbnail():
    class Small:
        def show(self, evidence, read):
            assert read(evidence.blob) == png(200, 100)
            return Exhibit("<b>8 objects</b>", png(20, 10))

    html = page(ReportRun("r", [reported([png(200, 100)], [picture("e", png(200, 100))])]), {"image.png/1": Small()}.get)
    assert "<b>8 objects</b>" in html
    assert "aspect-ratio:20/10" in html
    assert base64.b64encode(png(200, 100)).decode() not in html


def test_long_lists_of_evidence_are_cut_with_the_number():
    evidence = [Evidence(f"e{i}", i, i, "page.text/1", Observer.MAIN, "", value=i) for i in range(15)]
    assert "and 3 more" in page(ReportRun("r", [reported(evidence=evidence)]))


def test_a_run_without_trials_is_a_page_too():
    assert "0 trials of 0 tasks by 0 stacks" in page(ReportRun("nothing yet", []))


# --- figures ----------------------------------------------------------------------------------------------------------


def test_figures_are_per_cent_or_out_of_100():
    assert [figure(26 / 47), figure(83.125, 100), figure(None), figure(1 / 8)] == ["55.3 %", "83.1", "—", "12.5 %"]


def test_parts_are_named_and_a_void_rubric_is_told_as_bounds():
    checks = [Check("a", "rubric", "", weight=3), Check("b", "rubric", "", weight=1)]
    verdicts = [Verdict("a", "default", Outcome.PASS, Reason.OK), Verdict("b", "default", Outcome.VOID, Reason.NO_MODEL)]
    result = TrialResult("t", "s", checks=checks, verdicts=conjunction(verdicts), ratings=[Rating("d", "x", 8)])
    rule = make({"rule": "fused", "scale": "d", "items": 1, "top": 10})
    told = dict(parts(rule.score([result])))
    whole = dict(parts(rule.score([evolve(result, checks=checks[:1])])))
    assert (whole["rubric"], whole["perfect"]) == ("100.0", "100.0 %")
    assert told == {"rubric": "75.0 to 100.0", "dimension": "80.0", "deterministic": "100.0", "decided_weight": "3", "weight": "4"}


def test_a_score_on_100_is_shown_in_the_cell():
    checks = [Check("a", "rubric", "", weight=3), Check("b", "rubric", "")]
    verdicts = [Verdict("a", "default", Outcome.PASS, Reason.OK), Verdict("b", "default", Outcome.FAIL, Reason.FAIL)]
    result = TrialResult("t", "s", checks=checks, verdicts=conjunction(verdicts), ratings=[Rating("d", "x", 8)])
    rules = {"t": [{"rule": "fused", "scale": "d", "items": 1, "top": 10}]}
    run = ReportRun("r", [ReportTrial(result, "t", Ending(Ended.COMPLETED), verdicts)], rules)
    assert "77.5" in parsed(page(run)).text
    out = io.StringIO()
    show(run, Console(file=out, width=120))
    assert "✗ 77.5" in out.getvalue()
