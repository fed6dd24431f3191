"""What is seen from outside cannot be hidden, and what floods is bounded."""

from typing import Any

import pytest

from playproof.evidence import Record
from playproof.model import Observer
from playproof_browser import observe

pytestmark = pytest.mark.heavy

HIDE = """addEventListener("error", (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, true);
    addEventListener("unhandledrejection", (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, true);
    window.onerror = () => true; console.error = () => {};"""

PAGES = {
    "throws": f"""<script>{HIDE}
        setTimeout(() => {{ throw new Error("hidden boom"); }}, 5); setTimeout(() => {{ try {{ throw 1; }} catch {{}} }}, 6);
        setTimeout(async () => {{ throw new Error("hidden rejection"); }}, 7);
        setTimeout(() => {{ (async () => {{ throw new Error("handled"); }})().catch(() => {{}}); }}, 8);
        setTimeout(() => {{ Promise.reject(new Error("handled late")).catch(() => {{}}); }}, 9);
        document.addEventListener("pointerdown", () => {{ throw "a text"; }});</script>
        <script>nonsense(</script><script>throw new TypeError("at load");</script>""",
    "flood": """<script>let n = 0; window.test = { n: () => n };
        const again = () => { n++; debugger; console.log("x".repeat(100), n); setTimeout(again, 4); throw new Error("again " + n); };
        setTimeout(again, 4);</script>""",
    "handled": """<script>window.test = {
        reject(count) { for (let n = 0; n < count; n++) { const one = Promise.reject(n); setTimeout(() => one.catch(() => {}), 0); } },
        boom() { setTimeout(() => { throw new Error("after all that"); }, 0); } };
        addEventListener("unhandledrejection", (event) => event.preventDefault());</script>""",
    "windows": """<script>alert("hello"); if (!confirm("sure?")) prompt("name?");
        open("document.html"); const link = document.createElement("a");
        link.href = "data:application/octet-stream,x"; link.download = "x.bin"; link.click();
        </script>""",
    "document": """<div id=seen>Score: <b>12</b></div><div style="display:none">hidden</div><div style="visibility:hidden">hidden</div>
        <p style="opacity:0">hidden</p><div id=host></div>
        <canvas id=board width=50 height=40 style="position:absolute;left:10px;top:100px"></canvas>
        <input value="typed"><div class=off style="position:absolute;left:-500px;width:10px;height:10px">away</div>
        <script>host.attachShadow({ mode: "open" }).innerHTML = "<i>in the shadow</i>";
        Element.prototype.getBoundingClientRect = () => ({ x: 1, y: 2, width: 3, height: 4 });
        Document.prototype.querySelectorAll = () => []; Element.prototype.checkVisibility = () => false;
        window.getComputedStyle = () => ({});
        addEventListener("keydown", () => {}); board.addEventListener("pointerdown", () => {}, { passive: true });</script>""",
    "below": """<button style="display:none">no</button><div style="height:2000px"></div><button>Enter</button>
        <script>document.querySelectorAll = () => []; Element.prototype.scrollIntoView = () => {};</script>""",
    "draws": """<canvas id=c></canvas><script>const pen = c.getContext("2d");
        requestAnimationFrame(function draw() { pen.fillRect(0, 0, 1, 1); requestAnimationFrame(draw); });
        window.test = { spoil() { CanvasRenderingContext2D.prototype.fillRect = () => {}; } };</script>""",
}


def test_what_goes_uncaught_is_seen_whatever_the_page_prevents(open_tab: Any, record: Record) -> None:
    tab = open_tab("throws")
    tab.page.mouse.move(5, 5)
    tab.page.mouse.down()
    status = tab.world.look()
    seen = list(record.sealed().of("page.exception/1"))
    assert [entry.value["text"].splitlines()[0] for entry in seen] == ["TypeError: at load", "Error: hidden boom", "a text"]
    assert {entry.observer for entry in seen} == {Observer.OUTSIDE}
    assert status.errors == "Error: hidden rejection" and status.error_count == 1


def test_a_flood_of_throws_debugger_statements_and_console_lines_is_bounded(open_tab: Any, record: Record) -> None:
    tab, lines = open_tab("flood"), []
    tab.page.on("console", lambda message: lines.append(message.text))
    tab.advance(90_000 * 4)
    assert int(tab.world.call("test", "n", [], "n")) > 900, "nothing stops the page"
    assert len(tab.watch.exceptions) == observe.MOST_EXCEPTIONS
    assert 0 < len(lines) <= 200
    assert len(record.sealed()) < observe.MOST_EXCEPTIONS + observe.MOST_NOTES + 5
    assert tab.watch.flooded in {entry.id for entry in record.sealed().of("page.flooded/1")}


def test_rejections_that_are_handled_blind_nobody_until_they_flood(open_tab: Any, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = open_tab("handled")
    tab.world.call("test", "reject", [150], "reject")
    tab.world.call("test", "boom", [], "boom")
    tab.advance(3000)
    assert tab.watch.flooded is None
    assert [entry.value["text"].splitlines()[0] for entry in record.sealed().of("page.exception/1")] == ["Error: after all that"]
    monkeypatch.setattr(observe, "MOST_STOPS", 200)
    tab.world.call("test", "reject", [150], "reject")
    assert record.sealed().last("page.flooded/1").value == {"unwritten": "exceptions", "exceptions": 1, "stops": 200}


def test_windows_dialogs_and_downloads_are_refused_and_noted(open_tab: Any, record: Record) -> None:
    tab = open_tab("windows")
    tab.page.wait_for_timeout(300)
    tab.advance(1500)
    assert [entry.value for entry in record.sealed().of("page.dialog/1")] == [
        {"type": "alert", "message": "hello"}, {"type": "confirm", "message": "sure?"}, {"type": "prompt", "message": "name?"},
    ]  # fmt: skip
    assert len(record.sealed().of("page.popup/1")) == 1
    assert len(tab.page.context.pages) == 1


def test_the_document_is_read_where_the_page_cannot_forge_it(open_tab: Any) -> None:
    tab = open_tab("document")
    assert tab.world.document("text") == "Score: 12\nin the shadow\ntyped\naway"
    (board,) = tab.world.document("elements", "canvas")
    assert board == {"text": "", "bounds": {"x": 10, "y": 100, "width": 50, "height": 40}, "visible": True}
    assert [one["visible"] for one in tab.world.document("elements", "#seen, p, .off")] == [True, False, False]
    with pytest.raises(ValueError, match="not a valid selector"):
        tab.world.document("elements", "..")


def test_what_lies_below_can_be_scrolled_to(open_tab: Any) -> None:
    tab = open_tab("below")
    (found,) = tab.world.document("reachable", "button")
    assert found == {"place": 1, "text": "Enter"}
    assert not tab.world.document("elements", "button")[1]["visible"]
    shown = tab.world.document("show", "button", 1)
    assert shown["visible"] and 0 < shown["bounds"]["y"] < 300
    assert tab.world.document("show", "button", 7) is None


def test_listeners_and_requests_are_known_from_outside(open_tab: Any) -> None:
    tab = open_tab("document")
    assert "keydown" in [one["type"] for one in tab.listeners("window")]
    assert tab.listeners("#board") == [{"type": "pointerdown", "capture": False, "passive": True, "once": False}]
    assert tab.listeners("#absent") == []
    assert [(one["path"], one["status"]) for one in tab.requests()][:1] == [("/document.html", 200)]


def test_frames_and_draw_calls_are_counted_and_a_replaced_counter_is_told(open_tab: Any) -> None:
    tab = open_tab("draws")
    before = tab.world.look()
    tab.advance(15_000)
    after = tab.world.look()
    assert (after.frames - before.frames, after.draw_calls - before.draw_calls) == (10, 10)
    assert after.replaced_observer == ""
    tab.world.call("test", "spoil", [], "spoil")
    assert tab.world.look().replaced_observer == "fillRect"


def test_a_screenshot_shows_what_was_drawn_in_the_last_frame(open_tab: Any, record: Record) -> None:
    tab = open_tab("draws")
    picture = tab.screenshot((0, 0, 20, 10))
    assert (picture.width, picture.height) == (20, 10)
    assert picture.pixel(0, 0) == (0, 0, 0) and picture.pixel(5, 5) == (255, 255, 255)
    (entry,) = record.sealed().of("image.png/1")
    assert [entry.id] == list(picture.cites) and record.sealed().open(entry) == picture.png
