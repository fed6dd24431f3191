"""The box, with a real browser in it: what it shows, what it keeps in, and that nothing is left."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Error, Page

from playproof.errors import InfrastructureError
from playproof_browser.box import Box, BoxOptions, Request, started
from playproof_browser.box_keeper import below, joined
from playproof_browser.finding import find

pytestmark = pytest.mark.heavy

ROOT = os.geteuid() == 0
WAYS = pytest.mark.parametrize("boxed", [True, False], ids=["box", "proxy"])

PAGES = {
    "index.html": "<!doctype html><title>hello</title><body style='background:#0000ff'>",
    "webgl.html": """<!doctype html><canvas id="c" width="64" height="64"></canvas><script>
        const gl = c.getContext("webgl2"); gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);</script>""",
    "hoard.html": """<script>const held = []; (function more() {
        const taken = new Uint8Array(32 << 20); for (let i = 0; i < taken.length; i += 4096) taken[i] = 1;
        held.push(taken); setTimeout(more) })()</script>""",
    "greed.html": """<script>const held = []; try { for (;;) {
        const taken = new Uint8Array(64 << 20); for (let i = 0; i < taken.length; i += 4096) taken[i] = 1; held.push(taken) } }
        catch (refused) { held.length = 0; document.title = refused.name }</script>""",
    "hang.html": "<script>for (;;);</script>",
}


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return find(tmp_path_factory.mktemp("cache"), os.environ).path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    for name, text in PAGES.items():
        (site / name).write_text(text)
    (site / "link.html").symlink_to("index.html")
    (site / "index.html").chmod(0o600)
    return site


@pytest.fixture(scope="module")
def held_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Held-out checks, as a run keeps them: only their owner may read."""
    folder = tmp_path_factory.mktemp("task") / "checks"
    folder.mkdir(mode=0o700)
    (folder / "serving.py").write_text("the answers")
    return folder


@pytest.fixture(scope="module")
def box(site: Path, chromium: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    with Box(site, tmp_path_factory.mktemp("scratch"), chromium) as box:
        yield box


@pytest.fixture
def page(box: Box) -> Iterator[Page]:
    context = box.browser.new_context(viewport={"width": 64, "height": 48})
    yield context.new_page()
    context.close()


def until(truth: Callable[[], object], what: str, within: float = 10.0) -> None:
    deadline = time.monotonic() + within
    while not truth():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def tree_of(box: Box) -> set[int]:
    outer = set(box._running().values())
    return outer | {pid for root in outer for pid in below(root)}


def uid_of(pid: int) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


def colour(page: Page) -> object:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB").getpixel((20, 20))


def test_a_page_loads_and_is_seen(box: Box, page: Page) -> None:
    page.goto(box.origin)
    assert page.title() == "hello"
    assert colour(page) == (0, 0, 255)
    assert Request("GET", "/", 200, len(PAGES["index.html"])) in box.requests()
    assert box.alive
    assert box.protection.boxed


def test_nothing_is_rendered_but_the_page(box: Box, page: Page) -> None:
    page.goto(box.origin)
    page.wait_for_timeout(500)  # the browser's own pages came with the window
    lines = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in tree_of(box)]
    renderers = [line for line in lines if b"--type=renderer" in line]
    assert len(renderers) == 1 and b"--top-chrome-webui" not in renderers[0]


def test_what_is_switched_off_adds_to_what_playwright_switches_off() -> None:
    flags = ["--disable-features=A,B", "--mute-audio", "--disable-features=C"]
    assert joined(flags, "--disable-features=") == ["--mute-audio", "--disable-features=A,B,C"]


def test_webgl_draws(box: Box, page: Page) -> None:
    page.goto(f"{box.origin}/webgl.html")
    assert colour(page) == (255, 0, 0)


def test_the_copy_holds_files_alone(box: Box) -> None:
    assert {place.name for place in (box._folder / "site").iterdir()} == set(PAGES)


def test_the_box_shows_neither_checks_nor_home(box: Box, page: Page, held_out: Path) -> None:
    page.goto("file:///etc/passwd")
    assert page.inner_text("body").startswith("u0:x:0:0::/:/bin/false")
    page.goto("file:///etc/fonts/")
    assert "fonts.conf" in page.inner_text("body"), "fonts are found"
    page.goto("file:///box/")
    assert {"[parent directory]", "site/", "lib/", "config.json"} == set(page.locator("a.icon").all_inner_texts())
    for hidden in (held_out, Path(__file__), Path.home() / ".profile", box._folder / "log"):
        with pytest.raises(Error, match="ERR_FILE_NOT_FOUND"):
            page.goto(f"file://{hidden}")


@WAYS
def test_shelves_stand_beside_the_submission_by_the_name_that_is_asked_for(site: Path, chromium: Path, tmp_path: Path, boxed: bool) -> None:
    shelf = tmp_path / "private" / "shelf"
    shelf.mkdir(parents=True)
    (shelf / "answer.js").write_text("export const answer = 42;")
    (shelf / "up").symlink_to(tmp_path)
    shelf.parent.chmod(0o700)
    with Box(site, tmp_path / "scratch", chromium, BoxOptions(boxed=boxed, host="localhost", shelves={"@npm": shelf})) as box:
        page = box.browser.new_page()
        page.goto(f"{box.origin}/index.html")
        assert box.origin == "http://localhost:8000" and page.title() == "hello"
        assert page.evaluate("import('/@npm/answer.js').then((all) => all.answer)") == 42
        asked = ["/@npm", "/@npm/", "/@npm/gone.js", "/@npm/up/x", "/@other/answer.js"]
        assert page.evaluate("(all) => Promise.all(all.map((one) => fetch(one).then((a) => a.status)))", asked) == [404] * 5
        headers = "['/@npm/answer.js', '/index.html'].map((one) => fetch(one).then((a) => a.headers.get('access-control-allow-origin')))"
        assert page.evaluate(f"Promise.all({headers})") == ["*", None]


def test_what_is_to_be_hidden_is_hidden(site: Path, chromium: Path, tmp_path: Path) -> None:
    places = (place for place in sorted(Path("/usr/share").iterdir()) if place.is_dir() and "font" not in place.name)
    shown = next(place for place in places if any(place.iterdir()))
    with Box(site, tmp_path, chromium, BoxOptions(hidden=[shown])) as box:
        page = box.browser.new_page()
        page.goto(f"file://{shown}/")
        assert page.locator("a.icon").all_inner_texts() == ["[parent directory]"]


@pytest.mark.skipif(not ROOT, reason="only root can give the browser another uid")
@WAYS
def test_the_browser_is_somebody_else(site: Path, chromium: Path, tmp_path: Path, held_out: Path, boxed: bool) -> None:
    with Box(site, tmp_path, chromium, BoxOptions(boxed=boxed)) as box:
        assert box.protection.promises["identity"]
        page = box.browser.new_page()
        page.goto(box.origin)
        [facts] = [event for event in box.events() if event["event"] == "browser"]
        of_browser = {pid for pid in tree_of(box) if b"--type=" in Path(f"/proc/{pid}/cmdline").read_bytes()}
        assert len(of_browser) > 3
        assert {uid_of(pid) for pid in of_browser} == {facts["uid"]}
        of_others = {uid_of(pid) for pid in tree_of(box)} - {facts["uid"]}
        assert facts["uid"] > 60_000
        assert any(uid > 60_000 for uid in of_others), "the server has an unprivileged uid of its own"
        with pytest.raises(Error, match=r"ERR_FILE_NOT_FOUND|ERR_ACCESS_DENIED"):
            page.goto(f"file://{held_out}/serving.py")


@WAYS
def test_nothing_is_left_after_close(site: Path, chromium: Path, tmp_path: Path, boxed: bool) -> None:
    with Box(site, tmp_path, chromium, BoxOptions(boxed=boxed)) as box:
        box.browser.new_page().goto(box.origin)
        born = tree_of(box)
        assert len(born) > 5
    assert not [pid for pid in born if started(pid)]
    assert not box.alive
    assert list(tmp_path.iterdir()) == []
    assert (box._home is None) is boxed
    assert box._home is None or not box._home.exists()
    assert [request.path for request in box.requests()][:1] == ["/"]


def test_nothing_is_left_when_the_keeper_is_killed(site: Path, chromium: Path, tmp_path: Path) -> None:
    with Box(site, tmp_path, chromium, BoxOptions(boxed=False)) as box:
        born = tree_of(box)
        os.kill(box._running()["info"], signal.SIGKILL)
        until(lambda: not [pid for pid in born if started(pid)], "the tree ends")
    assert list(tmp_path.iterdir()) == []
    assert box._home
    assert not box._home.exists()


CHILD = """
import sys
from pathlib import Path
from playproof_browser.box import Box, BoxOptions
site, scratch, chromium, boxed = sys.argv[1:]
with Box(Path(site), Path(scratch), Path(chromium), BoxOptions(boxed=boxed == "True")) as box:
    page = box.browser.new_page()
    page.goto(box.origin)
    print(*box._running().values(), flush=True)
    page.goto(box.origin + "/hang.html", timeout=0)
"""


@pytest.mark.parametrize("to_driver", [None, signal.SIGKILL, signal.SIGSTOP], ids=["alone", "driver-killed", "driver-stuck"])
@WAYS
def test_nothing_is_left_after_kill_9(site: Path, chromium: Path, tmp_path: Path, boxed: bool, to_driver: signal.Signals | None) -> None:
    """Killed alone, Playwright's driver would still close the browser; killed or stuck, it cannot."""
    command = [sys.executable, "-c", CHILD, str(site), str(tmp_path), str(chromium), str(boxed)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout
    outer = [int(pid) for pid in child.stdout.readline().split()]
    until(lambda: any(b"--type=renderer" in command_of(pid) for pid in below(child.pid)), "a renderer")
    born = below(child.pid) | {pid for root in outer for pid in below(root)} | set(outer)
    assert len(born) > 6
    drivers = {pid for pid in born if to_driver and b"cli.js" in command_of(pid)}
    assert len(drivers) == (1 if to_driver else 0)
    for driver in drivers:
        os.kill(driver, to_driver or 0)
    child.kill()
    child.wait()
    child.stdout.close()
    until(lambda: not [pid for pid in born - drivers if started(pid)], "the tree ends", within=5.0)
    for driver in drivers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(driver, signal.SIGKILL)


def command_of(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


@WAYS
def test_a_page_that_eats_memory_dies_alone(site: Path, chromium: Path, tmp_path: Path, boxed: bool) -> None:
    with Box(site, tmp_path, chromium, BoxOptions(boxed=boxed, memory=700 << 20)) as box:
        page = box.browser.new_page()
        crashed: list[Page] = []

        def note(page: Page) -> None:
            crashed.append(page)

        page.on("crash", note)
        with contextlib.suppress(Error):
            page.goto(f"{box.origin}/hoard.html")
            page.wait_for_event("crash", timeout=30_000)
        assert crashed
        [told] = [event for event in box.events() if event["event"] == "memory"]
        assert told["limit"] < told["bytes"] < 2 * told["limit"]
        assert not told["browser"]
        assert box.alive
        fresh = box.browser.new_context().new_page()
        fresh.goto(box.origin)
        assert fresh.title() == "hello"


def test_one_process_is_bounded_by_the_kernel(site: Path, chromium: Path, tmp_path: Path) -> None:
    with Box(site, tmp_path, chromium, BoxOptions(memory=None, process_memory=1200 << 20)) as box:
        page = box.browser.new_page()
        page.goto(f"{box.origin}/greed.html", timeout=30_000)
        assert page.title() == "RangeError"


def test_a_page_that_hangs_does_not_hold_up_the_end(site: Path, chromium: Path, tmp_path: Path) -> None:
    box = Box(site, tmp_path, chromium)
    with box:
        page = box.browser.new_page()
        with pytest.raises(Error, match="Timeout"):
            page.goto(f"{box.origin}/hang.html", timeout=1500)
        before = time.monotonic()
    assert time.monotonic() - before < 3


def test_a_browser_that_does_not_answer_is_killed(site: Path, chromium: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playproof_browser.box.PATIENCE_S", 0.5)
    with Box(site, tmp_path, chromium) as box:
        born = tree_of(box)
        for pid in born:
            if b"--remote-debugging-pipe" in command_of(pid) and b"chrom" in command_of(pid).partition(b"\0")[0]:
                os.kill(pid, signal.SIGSTOP)
    assert not [pid for pid in born if started(pid)]


def test_the_end_of_the_server_ends_the_box(site: Path, chromium: Path, tmp_path: Path) -> None:
    with Box(site, tmp_path, chromium) as box:
        [server] = [pid for pid in tree_of(box) if b"box_keeper" in command_of(pid) and not below(pid)]
        os.kill(server, signal.SIGKILL)
        until(lambda: not box._running(), "the box ends")
        assert not box.alive
        assert {"event": "server-ended", "code": -9} in box.events()


def test_what_cannot_start_is_our_failure_and_says_why(site: Path, tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="did not start"), Box(site, tmp_path, Path("/bin/true")):
        pass
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InfrastructureError, match="no browser's own folder"), Box(site, tmp_path, tmp_path / "chrome"):
        pass


def test_a_box_that_was_asked_for_is_not_replaced(site: Path, chromium: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playproof_browser.box.why_no_bubblewrap", lambda: "bubblewrap is not installed")
    with pytest.raises(InfrastructureError, match="bubblewrap is not installed"), Box(site, tmp_path, chromium, BoxOptions(boxed=True)):
        pass
    with Box(site, tmp_path, chromium) as box:
        assert not box.protection.boxed
        assert "bubblewrap is not installed" in box.protection.words


def test_a_box_that_finds_no_place_is_nobodys_fault(site: Path, chromium: Path, tmp_path: Path) -> None:
    (tmp_path / "scratch").write_text("not a folder")
    with pytest.raises(InfrastructureError, match="has no place"), Box(site, tmp_path / "scratch", chromium):
        pass
