"""What a page says is taken with its place and its bounds; what it does to be left alone is told for what it is."""

import json
import time
from typing import Any

import pytest

from playproof.errors import SubmissionFault
from playproof.evidence import Record
from playproof_browser.tab import LoadFault
from playproof_browser.watchdog import PageCrash, PageHang

pytestmark = pytest.mark.heavy

PAGES = {
    "values": """<script>window.test = {
        plain: () => ({ a: 1, b: [1, , "x\\u2028\\"<"], c: { d: null, gone: undefined, f() {}, s: Symbol() }, when: new Date(0), n: -0,
                        map: new Map([[1, 2]]) }),
        numbers: () => [NaN, Infinity, -Infinity, 1e21, 5e-324], nothing() {}, echo: (...given) => given,
        circle() { const a = { list: [] }; a.list.push({ a }); return a; }, twice() { const a = {}; return [a, a]; },
        getter: () => ({ customers: [{ get bounds() { throw new TypeError("nope"); } }] }),
        large: () => ({ text: "x".repeat(60e6) }), much: () => "x".repeat(4e6),
        endless: () => new Proxy([], { get: (list, key) => (key === "length" ? 1e9 : 1) }),
        deep() { let a = {}; for (let i = 0; i < 5000; i++) a = { a }; return a; },
        big: () => ({ n: 1n }), throws() { throw new RangeError("out"); }, later: async () => 7,
        refuses: async () => { throw new Error("no"); },
        waits: () => new Promise((done) => setTimeout(() => done({ ok: 1 }), 50)), ghost() { throw { get message() { throw 1; } }; },
        notCallable: 3,
        revoked() { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy }; },
        loop() { for (;;); }, away() { location.href = "data.html"; }, again() { location.reload(); } };</script>""",
    "data": "elsewhere",
    "loop": "<script>for (;;);</script>",
    "late_loop": "<script>window.test = {}; setTimeout(() => { for (;;); }, 100);</script>",
    "slow_ready": "<script>setTimeout(() => { window.test = { one: () => 1 }; }, 3000)</script>",
    "never_ready": "<script>undefinedName.x;</script>",
    "reloads": "<script>window.test = {}; setTimeout(() => location.reload(), 50);</script>",
}


def call(tab: Any, method: str, *arguments: Any) -> Any:
    return json.loads(tab.world.call("test", method, list(arguments), method))


def fault_of(tab: Any, method: str) -> tuple[str, str]:
    with pytest.raises(SubmissionFault) as caught:
        tab.world.call("test", method, [], method)
    return caught.value.path, caught.value.problem


def test_values_arrive_as_json_and_their_faults_with_their_places(open_tab: Any) -> None:
    tab = open_tab("values")
    assert call(tab, "plain") == {
        "a": 1, "b": [1, None, 'x\u2028"<'], "c": {"d": None}, "when": "1970-01-01T00:00:00.000Z", "n": 0, "map": {},
    }  # fmt: skip
    assert str(call(tab, "numbers")) == "[nan, inf, -inf, 1e+21, 5e-324]"
    assert call(tab, "nothing") is None and call(tab, "twice") == [{}, {}] and call(tab, "later") == 7
    assert call(tab, "echo", {"a": ['"', 1.5]}, None) == [{"a": ['"', 1.5]}, None]
    assert fault_of(tab, "circle") == ("circle.list[0].a", "refers to itself")
    assert fault_of(tab, "getter") == ("getter.customers[0].bounds", "its getter threw TypeError: nope")
    assert fault_of(tab, "large") == ("large.text", "the value is larger than 4 MB")
    assert len(call(tab, "much")) == 4_000_000
    assert "nested more than 200 deep" in fault_of(tab, "deep")[1]
    assert fault_of(tab, "endless") == ("endless[999999]", "more than a million values")
    assert fault_of(tab, "big") == ("big.n", "a BigInt is not JSON")
    assert fault_of(tab, "throws") == ("throws", "threw RangeError: out")
    assert fault_of(tab, "refuses") == ("refuses", "threw Error: no")
    assert fault_of(tab, "ghost") == ("ghost", "threw something that cannot be shown")
    assert "revoked" in fault_of(tab, "revoked")[1]
    assert fault_of(tab, "notCallable") == ("window.test.notCallable", "is not a function")
    assert fault_of(tab, "absent") == ("window.test.absent", "missing")
    with pytest.raises(SubmissionFault, match=r"window\.other: missing"):
        tab.world.call("other", "x", [], "x")


def test_a_domain_adds_verbs_that_have_the_saved_originals(open_tab: Any) -> None:
    part = "verbs.double = (n) => answer({ __proto__: null, twice: 2 * n, frames: clock.state.frames, own: document.title });"
    tab = open_tab("values", parts=(part,))
    told = tab.world.ask("double", 21)
    assert told["twice"] == 42 and told["frames"] > 0
    assert tab.page.evaluate("typeof verbs") == "undefined"


def test_a_promise_that_waits_for_time_is_asked_again_when_time_has_passed(open_tab: Any) -> None:
    tab = open_tab("values")
    number = tab.world.call("test", "waits", [], "waits")
    assert isinstance(number, int) and tab.world.poll(number) == number
    tab.advance(4500)
    assert tab.world.poll(number) == '{"ok":1}'


def test_a_page_that_goes_away_is_a_fault_and_one_that_loads_again_is_used_again(open_tab: Any, record: Record) -> None:
    tab = open_tab("values", global_name="test")
    call(tab, "again")
    assert call(tab, "echo", 1) == [1]
    assert [entry.value["url"].rpartition("/")[2] for entry in record.sealed().of("page.navigation/1")] == ["values.html"]
    call(tab, "away")
    with pytest.raises(SubmissionFault, match=r"navigated away, to .*data\.html"):
        for _ in range(2000):  # the browser goes when it gets to it; a busy machine takes its time
            tab.advance(1500)


def test_a_page_that_keeps_loading_itself_is_stopped(open_tab: Any) -> None:
    with pytest.raises(SubmissionFault, match="loaded itself again"):
        tab = open_tab("reloads", global_name="test")
        for _ in range(20):
            tab.advance(9000)


def test_readiness_takes_the_pages_own_time(open_tab: Any) -> None:
    begun = time.monotonic()
    assert call(open_tab("slow_ready", global_name="test"), "one") == 1
    with pytest.raises(LoadFault, match=r"window\.test: did not appear within 2 s"):
        open_tab("never_ready", global_name="test", ready_s=2)
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize("name", ["loop", "late_loop", "values"])
def test_a_loop_anywhere_ends_as_a_hang_after_its_limit(name: str, fresh: Any, open_tab: Any) -> None:
    begun = time.monotonic()
    with pytest.raises(PageHang, match="no answer within"):
        tab = open_tab(name, box=fresh, load_s=8, call_s=8)
        if name == "values":
            tab.world.call("test", "loop", [], "loop")
        tab.advance(90_000)
    assert time.monotonic() - begun < 60
    assert not fresh.alive


def test_a_killed_renderer_is_a_crash_that_no_call_waits_for(fresh: Any, open_tab: Any) -> None:
    tab = open_tab("values", box=fresh)
    begun = time.monotonic()
    with pytest.raises(PageCrash), tab.watchdog.within(60, "crashing"):
        tab.cdp.send("Page.crash")
    assert time.monotonic() - begun < 30
    with pytest.raises(PageCrash):
        tab.advance(1500)
