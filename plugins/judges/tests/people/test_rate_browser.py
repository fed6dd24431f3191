"""Raters at work in a real browser: every mode by keys and by clicks, a program that dies, two raters, and pages that fit."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from playproof.opinions import read_lines
from playproof_judges.people.door import Door

from .programs import program
from .runs import CHECKS, Seen, made_run, made_task, picture, rating

pytestmark = pytest.mark.heavy

SCALE = "playproof_toy:scales/manners-1.toml"
RECORD = """async () => {
  const canvas = document.createElement("canvas"); canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d"), recorder = new MediaRecorder(canvas.captureStream(30), {mimeType: "video/webm"}), parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const over = new Promise((done) => { recorder.onstop = done; });
  recorder.start();
  for (let frame = 0; frame < 12; frame++) {
    pen.fillStyle = `hsl(${frame * 30} 80% 50%)`; pen.fillRect(0, 0, 64, 64);
    await new Promise(requestAnimationFrame);
  }
  recorder.stop(); await over;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}"""


def enter(browser: Any, address: str, *, width: int = 1280, scheme: str = "light", script: bool = True) -> Page:
    """A tab that has come in; what its console complains of is in `tab.complaints`."""
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=script)
    tab = context.new_page()
    tab.complaints = []
    tab.on("console", lambda message: tab.complaints.append(message.text))
    tab.on("pageerror", lambda fault: tab.complaints.append(str(fault)))
    tab.goto(address)
    tab.wait_for_url(re.compile(r"/(item/|done|disputes)"))
    return tab


def press(tab: Page, key: str) -> None:
    """Press a key that labels or leads on, once the page listens, and wait for the next page."""
    tab.wait_for_selector("html[data-ready]")
    before = tab.url.partition("?")[0]
    tab.keyboard.press(key)
    tab.wait_for_url(lambda now: now.partition("?")[0] != before)


def said(run: Path) -> list[Any]:
    return [line.opinion for line in read_lines(run / "labels.jsonl")]


def test_verdicts_by_keys_with_a_note_and_a_way_back(browser: Any, tmp_path: Path) -> None:
    run = made_run(tmp_path, seen={})
    with rating(run) as door:
        tab = enter(browser, door.address())
        assert "token" not in tab.url and tab.locator("figure img").evaluate("e => e.decode().then(() => e.naturalWidth)") == 120
        tab.wait_for_selector("html[data-ready]")
        tab.keyboard.press("m")
        tab.keyboard.type("pass? no: it fails")
        tab.keyboard.press("Escape")
        press(tab, "f")
        assert tab.locator("#status").inner_text().startswith("Saved.")
        press(tab, "p")
        press(tab, "u")
        press(tab, "u")
        assert tab.locator(".choice.fail[aria-pressed=true]").count() == 1 and tab.locator("#note").input_value() == "pass? no: it fails"
        press(tab, "p")
        press(tab, "v")
        press(tab, "f")
        tab.wait_for_url("**/done")
        assert tab.complaints == []
    assert [one.value and one.value.verdict for one in said(run)] == [True, True, None, False]
    assert said(run)[0].message == "pass? no: it fails"


STRIKE = """const strike = (key, repeat = false) =>
  document.querySelector("main").dispatchEvent(new KeyboardEvent("keydown", {key, repeat, bubbles: true}));"""


def test_one_press_labels_one_item(browser: Any, tmp_path: Path) -> None:
    """A key that is struck twice or held down must not label what comes next."""
    run = made_run(tmp_path)
    with rating(run) as door:
        tab = enter(browser, door.address())
        tab.wait_for_selector("html[data-ready]")
        first = tab.url
        tab.context.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {STRIKE} strike('f'); }})")
        tab.evaluate(f"() => setTimeout(() => {{ {STRIKE} strike('f', true); strike('p'); strike('f'); }})")
        tab.wait_for_url(lambda now: now != first)
        tab.wait_for_selector("html[data-ready]")
        assert tab.locator("#progress b").inner_text() == "1"
    assert [one.value.verdict for one in said(run)] == [True]


def test_keys_that_look(browser: Any, tmp_path: Path) -> None:
    run = made_run(tmp_path, stacks=["one"], checks=CHECKS[:1], seen={"one": [picture(1), picture(200)]})
    with rating(run) as door:
        tab = enter(browser, door.address())
        assert not tab.locator(".instruction").is_visible()
        tab.wait_for_selector("html[data-ready]")
        tab.keyboard.press("i")
        assert tab.locator(".instruction").inner_text().startswith("# A door")
        tab.keyboard.press("?")
        assert tab.locator("#keys dl").is_visible()
        tab.keyboard.press("Escape")
        assert not tab.locator("#keys dl").is_visible()
        tab.keyboard.press("z")
        large = tab.locator("dialog.large img")
        first = large.get_attribute("src")
        tab.keyboard.press("p")
        tab.keyboard.press("ArrowRight")
        assert large.is_visible() and large.get_attribute("src") != first, "looking labels nothing"
        tab.keyboard.press("Escape")
        assert not large.is_visible() and "/item/" in tab.url
        tab.locator(".cite input").nth(1).check()
        tab.locator("button.pass").click()
        tab.wait_for_url("**/done")
    (one,) = said(run)
    assert list(one.cites) == [one.exhibits["submission"][1]]


def test_a_scale_by_keys_is_saved_line_by_line(browser: Any, toy: Path, tmp_path: Path) -> None:
    run = made_run(tmp_path, tasks=[made_task(tmp_path, scale=SCALE)])
    with rating(run, form="rating") as door:
        tab = enter(browser, door.address())
        tab.wait_for_selector("html[data-ready]")
        tab.keyboard.press("2")
        tab.locator("#status", has_text="1 line is open").wait_for()
        assert len(said(run)) == 1, "it is on disk before anything is sent off"
        assert "here" in (tab.locator(".row").nth(1).get_attribute("class") or "")
        tab.keyboard.press("5")
        tab.locator("#status", has_text="All lines are saved").wait_for()
        assert tab.locator("#progress b").inner_text() == "1"
        tab.keyboard.press("k")
        tab.keyboard.press("m")
        tab.keyboard.type("brighter at night")
        tab.keyboard.press("Escape")
        press(tab, "Enter")
        for row in (0, 1):
            tab.locator(".row").nth(row).locator(".mark", has_text="3").click()
        tab.locator("#status", has_text="All lines are saved").wait_for()
        tab.locator("button.go").click()
        tab.wait_for_url("**/done")
        assert tab.complaints == []
    assert [one.value.rating for one in said(run)] == [2, 5, 3, 3] and said(run)[0].message == "brighter at night"


def test_pairs_by_keys(browser: Any, tmp_path: Path) -> None:
    run = made_run(tmp_path, samples=4)
    with rating(run, form="preference") as door:
        tab = enter(browser, door.address())
        assert tab.locator(".side").count() == 2
        left, right = (tab.locator(".side").nth(n).bounding_box() for n in (0, 1))
        assert left and right and left["y"] == right["y"] and left["x"] < right["x"]
        for key in "abtv":
            press(tab, key)
        tab.wait_for_url("**/done")
    lines = read_lines(run / "labels.jsonl")
    assert [one.opinion.value and one.opinion.value.preference for one in lines] == ["a", "b", "tie", None]
    assert all(set(one.trials) == set(one.opinion.exhibits) == {"a", "b"} for one in lines)


def test_a_program_that_is_killed_loses_nothing_and_goes_on(browser: Any, tmp_path: Path) -> None:
    run = made_run(tmp_path)
    with program("rate", run, "--no-open", "--rater", "ann", cwd=tmp_path) as (running, lines):
        tab = enter(browser, lines[1])
        press(tab, "p")
        press(tab, "f")
        running.kill()
        running.wait()
        tab.wait_for_selector("html[data-ready]")
        with tab.expect_event("requestfailed"):
            tab.keyboard.press("p")
    with program("rate", run, "--no-open", "--rater", "ann", cwd=tmp_path) as (_, lines):
        assert lines[0].startswith("2 of 4 labelled by ann")
        tab = enter(browser, lines[1])
        press(tab, "p")
        press(tab, "p")
        tab.wait_for_url("**/done")
    assert [one.value.verdict for one in said(run)] == [True, False, True, True]


def test_a_mark_that_cannot_be_saved_is_told(browser: Any, toy: Path, tmp_path: Path) -> None:
    run = made_run(tmp_path, tasks=[made_task(tmp_path, scale=SCALE)])
    with rating(run, form="rating") as door:
        tab = enter(browser, door.address())
        tab.wait_for_selector("html[data-ready]")
    tab.keyboard.press("2")
    tab.locator("#status.wrong", has_text="Not saved: the program is not running any more.").wait_for()


def label_all(browser: Any, door: Door, keys: str) -> Page:
    tab = enter(browser, door.address())
    for key in keys:
        press(tab, key)
    tab.wait_for_url("**/done")
    return tab


def test_two_raters_and_their_consensus(browser: Any, tmp_path: Path) -> None:
    run = made_run(tmp_path, checks=CHECKS[:1])
    with rating(run, "ann") as door:
        label_all(browser, door, "pp")
    with rating(run, "bob") as door:
        tab = label_all(browser, door, "fp")
        tab.locator("text=See where raters differ").click()
        tab.wait_for_url("**/disputes")
        differ = tab.locator("article.card")
        assert differ.locator("th").all_inner_texts() == ["ann", "bob", "the verifier"]
        differ.locator("summary").click()
        assert differ.locator("figure img").is_visible()
        differ.locator("select").nth(0).select_option("fail")
        differ.locator("select").nth(1).select_option("narrow")
        differ.locator("textarea").fill("we looked again")
        differ.locator("button").click()
        tab.locator("#status", has_text="Saved.").wait_for()
        assert tab.locator("article.card").first.locator("th").all_inner_texts() == ["ann", "bob", "the verifier", "consensus"]
        assert tab.locator("#against small").inner_text() == "1", "now people and the verifier differ"
        assert tab.complaints == []
    settled = [one for one in said(run) if one.by.name == "consensus"]
    assert [(one.value.verdict, one.message, one.by.settings["cause"]) for one in settled] == [(False, "we looked again", "narrow")]


def test_films_play(browser: Any, tmp_path: Path) -> None:
    maker = browser.new_page()
    maker.goto("about:blank")
    film = base64.b64decode(maker.evaluate(RECORD))
    run = made_run(tmp_path, stacks=["one"], checks=CHECKS[:1], seen={"one": [Seen("film/1", film, "video/webm")]})
    with rating(run) as door:
        tab = enter(browser, door.address())
        tab.locator("video").evaluate("e => new Promise((over, not) => { e.onerror = not; e.onplaying = over; e.play(); })")
        assert tab.locator("video").evaluate("e => e.videoWidth") == 64 and tab.complaints == []


def test_everything_works_without_scripts(browser: Any, toy: Path, tmp_path: Path) -> None:
    run = made_run(tmp_path, tasks=[made_task(tmp_path, scale=SCALE)], checks=CHECKS[:1])
    with rating(run) as door:
        tab = enter(browser, door.address(), script=False)
        for value in ("pass", "fail"):
            tab.locator(f"button.{value}").click()
        tab.wait_for_url("**/done")
    with rating(run, form="rating") as door:
        tab = enter(browser, door.address(), script=False)
        tab.locator(".mark", has_text="4").first.click()
        tab.locator("button.go").click()
        assert "Some lines are still open." in tab.locator("#status").inner_text()
        tab.locator(".row").nth(1).locator(".mark", has_text="1").click()
        tab.locator("button.go").click()
        tab.wait_for_url(lambda now: "saved=1" in now)
    assert len(said(run)) == 4


@pytest.mark.parametrize(("width", "scheme"), [(375, "dark"), (1280, "light")])
@pytest.mark.parametrize("form", ["verdict", "rating", "preference"])
def test_pages_fit_and_can_be_read(browser: Any, toy: Path, tmp_path: Path, form: str, width: int, scheme: str) -> None:
    task = made_task(tmp_path, title="A door with a very-long-and-unbroken-name-" + "x" * 60, scale=SCALE)
    run = made_run(tmp_path, tasks=[task], seen={"agent-alpha": [picture(4, width=1600, height=900), Seen("n/1", value="y" * 900)]})
    with rating(run, form=form) as door:
        tab = enter(browser, door.address(), width=width, scheme=scheme)
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        for button in tab.locator("button.choice, .mark, button.go").all():
            box = button.bounding_box()
            assert box and box["height"] >= 40 and box["width"] >= 26 and box["x"] >= 0 and box["x"] + box["width"] <= width
        back, ink = tab.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
        assert (sum(map(int, re.findall(r"\d+", back))) > sum(map(int, re.findall(r"\d+", ink)))) is (scheme == "light")
        unnamed = tab.evaluate("""() => [...document.querySelectorAll("input:not([type=hidden]), textarea, select, button, img, video")]
          .filter((one) => !(one.alt || one.getAttribute("aria-label") || one.innerText || (one.labels && one.labels.length)))
          .map((one) => one.outerHTML)""")
        assert unnamed == [] and tab.complaints == []
        if form == "verdict":
            pass_button = tab.locator("button.pass").bounding_box()
            assert pass_button and pass_button["y"] + pass_button["height"] <= 800, "in reach without scrolling"
