"""Recordings in a report: what is embedded, what is only named, and what stands on the time line under them."""

import base64
import hashlib
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_report import HOSTILE, parsed, policy, reported

from playproof.interfaces import Exhibit
from playproof.model import Check, Evidence, Observer, Outcome, Reason, Verdict
from playproof.report import ReportRun, page
from playproof.report.recordings import AS_IS, GROUPS, MARKS

WEBM = b"\x1aE\xdf\xa3" + b"film" * 100


def film(id_, blob=WEBM, tick=180_000, source="first view", media_type="video/webm"):
    return Evidence(id_, tick, 0, "some.video/1", Observer.MAIN, source, media_type, None, hashlib.sha256(blob).hexdigest())


def verdict(check, tick, cites, outcome=Outcome.PASS, case="default"):
    return Verdict(check, case, outcome, Reason.OK if outcome is Outcome.PASS else Reason.FAIL, cites=cites, tick=tick)


def report(evidence, verdicts, blobs=(WEBM,), find=lambda kind: None, **known):
    checks = [Check(one, "python", f"title of {one}") for one in dict.fromkeys(v.check for v in verdicts)]
    return page(ReportRun("r", [reported(blobs, evidence, verdicts, checks)]), find, **known)


def times(html):
    """(time, words) of each entry of the lists."""
    lists = re.findall(r'<ol class="times".*?</ol>', html, re.S)
    found = [pair for one in lists for pair in re.findall(r'class="when">([^<]+)</span>(.*?)</li>', one)]
    return [(when, re.sub(r"<[^>]+>", "", rest).strip()) for when, rest in found]


def test_a_video_is_embedded_whole_and_the_policy_opens_for_nothing_else():
    html = report([film("v")], [verdict("a", 90_000, ["v"])])
    assert f'src="data:video/webm;base64,{base64.b64encode(WEBM).decode()}"' in html, "longer than any text that is cut"
    assert policy(html)["media-src"] == ["data:"]
    assert policy(html)["default-src"] == ["'none'"] and "script-src" not in policy(html)
    assert not re.search(r"https?:|//[a-z]", re.sub("base64,[^\"]+", "", html))


def test_without_a_video_the_policy_lets_no_media_in():
    assert "media-src" not in policy(report([], [verdict("a", 0, [])]))
    assert "media-src" not in policy(report([film("v", b"<html>")], [verdict("a", 0, ["v"])], [b"<html>"])), "called a video, and none"


def test_verdicts_and_moments_stand_on_the_line_in_their_order_and_lead_to_what_is_said():
    class Moments:
        def show(self, evidence, read):
            return Exhibit("", moments=[(45_000, "pressed"), (999_999, "after the end"), (-1, "before")])

    happened = Evidence("h", 90_000, 1, "some.happenings/1", Observer.OUTSIDE, "", value=[])
    seen = Evidence("s", 60_000, 2, "some.look/1", Observer.MAIN, "the tree", value={})
    elsewhere = Evidence("x", 30_000, 2, "some.look/1", Observer.MAIN, "another session", value={})
    verdicts = [verdict("late", 135_000, ["v", "h", "s"], Outcome.FAIL), verdict("early", 90_000, ["v"]), verdict("other", 10_000, ["x"])]
    html = report([film("v"), happened, seen, elsewhere], verdicts, find={"some.happenings/1": Moments()}.get)
    assert times(html) == [("0.50 s", "pressed"), ("0.67 s", "seen: the tree"), ("1.00 s", "✓pass:  title of early"),
                           ("1.50 s", "✗fail:  title of late")]  # fmt: skip
    for anchor in re.findall(r'<li>.*?href="#([^"]+)"', html):
        assert html.count(f'id="{anchor}"') == 1
    assert re.search(r'class="mark fail" x1="75.00%"', html)


def test_two_videos_of_one_session_stand_side_by_side_over_one_line():
    html = report([film("v"), film("w", WEBM + b"w", source="second view")], [verdict("a", 90_000, ["v", "w"])], [WEBM, WEBM + b"w"])
    assert (html.count("<video "), html.count('<ol class="times"')) == (2, 1)


def test_a_video_that_is_shown_twice_is_read_once_and_sessions_are_told_apart():
    html = report([film("v"), film("w")], [verdict("a", 9_000, ["v"]), verdict("a", 18_000, ["w"], Outcome.FAIL, "case=b")])
    assert html.count('<ol class="times"') == 2
    assert [when for when, _ in times(html)] == ["0.20 s", "0.10 s"], "what failed stands first"


@pytest.mark.parametrize(("blob", "kept", "limit", "said"), [
    (WEBM, False, 10**9, "the run no longer has it"), (b"MZ" * 50, True, 10**9, "it is called video/webm, and is none"),
    (WEBM, True, 100, "too large for this page"), (WEBM + b"x" * AS_IS, True, 10**9, "6.0 MB, too large for this page"),
])  # fmt: skip
def test_what_cannot_be_embedded_is_named_with_the_reason(blob, kept, limit, said):
    html = report([film("v", blob)], [verdict("a", 0, ["v"])], [blob] if kept else [], video_bytes=limit)
    assert said in html and "<video" not in html
    assert times(html) == [("0.00 s", "✓pass:  title of a")]


def test_many_sessions_and_many_times_are_cut_with_the_number():
    blobs = [WEBM + bytes([at]) for at in range(GROUPS + 2)]
    films = [film(f"v{at}", blob) for at, blob in enumerate(blobs)]
    html = report(films, [verdict("a", 0, [one.id], case=f"n={one.id}") for one in films], blobs)
    assert html.count("<video ") == GROUPS and "recordings of 2 more sessions" in html
    many = report([film("v")], [verdict(f"c{at}", at * 100, ["v"]) for at in range(MARKS + 5)])
    assert len(times(many)) == MARKS and "and 5 more" in many


def test_hostile_sources_and_moments_are_text():
    class Loud:
        def show(self, evidence, read):
            return Exhibit("", moments=[(9, HOSTILE)])

    def told(text):
        happened = Evidence("h", 9, 1, "some.happenings/1", Observer.OUTSIDE, text, value=[])
        find = {"some.happenings/1": Loud()}.get if text == HOSTILE else {"some.happenings/1": Quiet()}.get
        return parsed(report([film("v", source=text), happened], [verdict("a", 9, ["v", "h"])], find=find)).tags

    class Quiet:
        def show(self, evidence, read):
            return Exhibit("", moments=[(9, "harmless")])

    assert told(HOSTILE) == told("harmless")
