"""The page in a real browser: it asks for nothing, runs nothing, fits a phone, and shows its pictures."""

import os
import socket
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_report import hostile_run, picture, png, reported
from test_report_live import shown, top

from playproof.report import ReportRun, page

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def browser():
    """A browser as the browser plugin finds it, driven by its connection: a thread can have but one."""
    driver, finding = (pytest.importorskip(f"playproof_browser.{name}") for name in ("driver", "finding"))
    program = next(filter(None, map(finding.program_of, finding.candidates(os.environ))))
    opened = driver.playwright().chromium.launch(executable_path=program, args=["--no-sandbox"])
    yield opened
    opened.close()


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.3)
        yield server


def visit(browser, html, folder, width, scheme="light"):
    """The opened page, with what it asked for and what it complained of."""
    place = folder / "report.html"
    place.write_text(html, "utf-8")
    tab = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    asked, said = [], []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda fault: said.append(str(fault)))
    tab.on("dialog", lambda dialog: said.append(dialog.message))
    tab.goto(place.as_uri())
    return tab, [url for url in asked if not url.startswith(("data:", place.as_uri()))], said


def test_a_hostile_run_asks_for_nothing_and_runs_nothing(browser, listener, tmp_path):
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/x"
    text = f"<script>document.title='owned'</script><img src={address} onerror=alert(1)></style><style>@import url({address})</style>"
    text += f"\"><link rel=stylesheet href={address}><meta http-equiv=refresh content='0;url={address}'><svg onload=alert(1)>"
    tab, asked, said = visit(browser, page(hostile_run(text)), tmp_path, 1280)
    for summary in tab.locator("summary").all():
        if summary.is_visible():
            summary.click()
    assert (asked, said) == ([], [])
    assert "owned" not in tab.title()[:8]
    with pytest.raises(TimeoutError):
        listener.accept()


def test_what_can_be_turned_runs_and_nothing_beside_it(browser, tmp_path):
    tab, asked, said = visit(browser, shown(top, text="<script>document.title = 'owned'</script>"), tmp_path, 375)
    assert (asked, said) == ([], [])
    assert tab.locator("figure.live figcaption").text_content() == "</script><script>document.title = 'owned'</script>"
    assert "owned" not in tab.title()[:8] and tab.evaluate("document.documentElement.scrollWidth") == 375


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_and_its_pictures_show(browser, tmp_path, width, scheme):
    blob = png(320, 200)
    trials = [reported([blob], [picture("e", blob)], stack=f"a-stack-with-a-long-name-{i}") for i in range(6)]
    tab, asked, said = visit(browser, page(ReportRun("Six stacks", trials)), tmp_path, width, scheme)
    assert (asked, said) == ([], []), "the style's hash is right: the policy refuses nothing"
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    shot = tab.locator("a.shot").first
    box = shot.bounding_box()
    assert box["width"] > 120 and abs(box["width"] / box["height"] - 320 / 200) < 0.1
    assert "data:image/png" in shot.evaluate("e => getComputedStyle(e).backgroundImage")
    back, ink = tab.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    assert (sum(map(int, back[4:-1].split(","))) > sum(map(int, ink[4:-1].split(",")))) is (scheme == "light")


def test_a_cell_leads_to_its_trial_and_a_picture_opens_and_closes(browser, tmp_path):
    blob = png(320, 200)
    trials = [reported([blob], [picture("e", blob)], stack=f"stack-{i}") for i in range(9)]
    tab, _, _ = visit(browser, page(ReportRun("Nine", trials)), tmp_path, 1280)
    inside = tab.locator("#trial-9")
    assert not inside.is_visible()
    tab.locator("a.cell").nth(8).click()
    inside.wait_for(state="visible")
    inside.locator("a.shot").first.click()
    large = tab.locator("a.zoom:target span")
    assert large.bounding_box()["width"] > 600
    assert "data:image/png" in large.evaluate("e => getComputedStyle(e).backgroundImage")
    tab.locator("a.zoom:target").click()
    tab.locator("a.zoom:target").wait_for(state="detached")
