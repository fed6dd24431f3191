"""What readers can turn: a driver's script once in the page, named by the policy, over content that can be nothing but text."""

import base64
import hashlib
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_report import HOSTILE, reported

from playproof.interfaces import Exhibit, Live
from playproof.model import Evidence, Observer
from playproof.report import ReportRun, page

SCRIPT = """document.querySelectorAll('[data-live="toy.top/1"]').forEach((figure) => {
  figure.querySelector("figcaption").textContent = atob(figure.querySelector("script").textContent);
});"""
CONTENT = b"</script><script>document.title = 'owned'</script>"


def turned(content=CONTENT):
    return Evidence("t", 0, 0, "toy.top/1", Observer.OUTSIDE, "top", "model/toy", None, hashlib.sha256(content).hexdigest())


def shown(live, trials=1, content=CONTENT, text="", **limits):
    class Exhibitor:
        def show(self, evidence, read):
            made = live(evidence, read)
            return Exhibit("", live=made)

    run = ReportRun("Tops" + text, [reported([content], [turned(content)], text=text, stack=f"s{at}") for at in range(trials)])
    return page(run, lambda kind: Exhibitor() if kind == "toy.top/1" else None, **limits)


def top(evidence, read):
    return Live("toy.top/1", SCRIPT, read(evidence.blob), "a top; spin it")


def test_the_script_stands_once_and_the_policy_lets_no_other_run():
    html = shown(top, trials=3, text=HOSTILE)
    allowed = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert f"script-src 'sha256-{allowed}';" in policy.replace("&#39;", "'") and policy.count("script-src") == 1
    assert html.count(SCRIPT) == 1 and html.count('class="live" data-live="toy.top/1"') == 3
    assert html.count(f'<script type="text/plain">{base64.b64encode(CONTENT).decode()}</script>') == 3
    assert len(re.findall("<script", html)) == 4 and "holds no script but that" in html


def test_without_anything_to_turn_the_page_has_no_script():
    html = page(ReportRun("Plain", [reported()]))
    assert "script-src" not in html and "<script" not in html and "This page holds no script and" in html


def test_what_is_too_large_is_named():
    html = shown(top, content=b"x" * 3000, live_bytes=1000)
    assert "a top; spin it: 0.0 MB, too large for this page" in html and "<script" not in html and "script-src" not in html


@pytest.mark.parametrize(("live", "message"), [
    (lambda evidence, read: read("gone"), "cannot be shown: KeyError"),
    (lambda evidence, read: Live("toy.top/1", "</ScRipt>", b"x", "a top"), "would end its own element"),
])
def test_what_breaks_a_driver_is_told(live, message):
    html = shown(live)
    assert message in html and "<script" not in html


def test_a_driver_that_shows_nothing_live_leaves_nothing():
    assert "data-live" not in shown(lambda evidence, read: None)
