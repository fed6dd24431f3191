"""`serve` in a real browser, over HTTPS as a headset meets it; and a submission that tries to label itself."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from playproof.opinions import read_lines

from .programs import program
from .runs import made_run

pytestmark = pytest.mark.heavy

HOSTILE = """<!doctype html><title>a submission</title><h1>works</h1><script src="part.js"></script>
<script>
addEventListener("message", () => {});
async function forge(address) {
  const said = {}, form = "token=x&item=y&value-0=pass";
  const tries = {
    post: () => fetch(address + "label", {method: "POST", credentials: "include", mode: "no-cors", body: new URLSearchParams(form)}),
    read: () => fetch(address + "playproof", {credentials: "include"}),
    picture: () => new Promise((over, not) => { const one = new Image(); one.onload = over; one.onerror = not; one.src = address + "x"; }),
    frame: () => new Promise((over, not) => {
      const one = document.createElement("iframe");
      one.onload = () => { try { one.contentDocument.body.innerText ? over() : not(); } catch { not(); } };
      one.src = address + "playproof"; document.body.append(one); setTimeout(not, 1500);
    }),
    beacon: () => navigator.sendBeacon(address + "label", new URLSearchParams(form)) ? Promise.reject() : Promise.reject(),
    elsewhere: () => fetch("https://example.invalid/", {mode: "no-cors"}),
  };
  for (const [name, act] of Object.entries(tries)) said[name] = await act().then(() => "done", () => "refused");
  said.cookies = document.cookie;
  said.part = window.part;
  return said;
}
</script>"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str, str]]:
    """A run's folder, and the addresses of a trial's submission and of its page for labels."""
    run = made_run(tmp_path, files={"index.html": HOSTILE.encode(), "part.js": b"window.part = 'loaded';"})
    with program("serve", run, "--lan", "--trial", "alpha", "--rater", "ann", "--address", "localhost", cwd=tmp_path, lines=4) as (_, said):
        found = [re.search(r"https://localhost:\S+", line) for line in said[1:3]]
        yield run, *(one[0] for one in found if one)


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    opened = browser.new_context(ignore_https_errors=True, viewport={"width": 375, "height": 700}, has_touch=True)
    yield opened
    opened.close()


def test_an_expert_notes_what_holds_on_a_phone(served: tuple[Path, str, str], context: Any) -> None:
    run, submission, labels = served
    page = context.new_page()
    page.goto(submission)
    page.wait_for_url(lambda now: "token" not in now)
    assert page.locator("h1").inner_text() == "works" and page.evaluate("window.isSecureContext && window.part") == "loaded"
    page = context.new_page()
    page.goto(labels)
    page.wait_for_url("**/playproof")
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    for button in page.locator("button.choice").all():
        box = button.bounding_box()
        assert box and box["height"] >= 44 and box["width"] >= 44, "a fingertip, or a ray from a hand, can hit it"
    with context.expect_page() as opening:
        page.locator("text=open the submission").tap()
    opening.value.wait_for_url(lambda now: "token" not in now)
    assert opening.value.locator("h1").inner_text() == "works" and opening.value.evaluate("window.opener") is None
    page.locator("form.check").nth(0).locator("summary").tap()
    page.locator("form.check").nth(0).locator("textarea").fill("only with the left hand")
    page.locator("form.check").nth(0).locator("button.fail").tap()
    page.wait_for_url("**saved=1**")
    page.locator("form.check").nth(1).locator("button.pass").tap()
    page.locator("text=See where the verifier differs").tap()
    page.wait_for_url("**/compare")
    assert page.locator("article.card").count() == 1 and page.evaluate("document.documentElement.scrollWidth") == 375
    page.locator("select").select_option("device")
    page.locator("article button").tap()
    page.locator("#status", has_text="Saved.").wait_for()
    first, second = read_lines(run / "labels.jsonl")
    assert (first.opinion.value.verdict, first.opinion.message) == (False, "only with the left hand") and second.opinion.value.verdict
    assert first.opinion.by.settings["cause"] == "device" and "Mozilla" in first.opinion.by.settings["device"]


def test_a_submission_cannot_label_itself(served: tuple[Path, str, str], context: Any) -> None:
    run, submission, labels = served
    page = context.new_page()
    page.goto(labels)  # the browser holds the cookie of the labels' page, and sends it to the same host
    page.wait_for_url("**/playproof")
    page = context.new_page()
    answered: list[str] = []
    page.on("response", lambda one: answered.append(one.url))
    page.goto(submission)
    page.wait_for_url(lambda now: "token" not in now)
    said = page.evaluate("address => forge(address)", labels.partition("playproof")[0])
    assert said == {"post": "refused", "read": "refused", "picture": "refused", "frame": "refused", "beacon": "refused",
                    "elsewhere": "refused", "cookies": "", "part": "loaded"}
    refused = page.evaluate("""address => new Promise((told) => {
      document.addEventListener("securitypolicyviolation", (event) => told(event.effectiveDirective));
      document.body.innerHTML = `<form method="post" action="${address}label"><input name="value-0" value="pass"></form>`;
      document.forms[0].submit();
    })""", labels.partition("playproof")[0])
    assert refused == "form-action", "not even by leaving"
    assert answered and not [url for url in answered if not url.startswith(submission.partition("?")[0])], "nothing was even sent"
    assert not (run / "labels.jsonl").exists()
