"""Time in a page is ours: it moves only when told, in the order of a browser, and the same in every run."""

import json
from typing import Any

import pytest

pytestmark = pytest.mark.heavy

FRAME, MS = 1500, 90

LOG = "<script>const out = []; const log = (...what) => out.push(what); const test = { log: () => out };</script>"
PAGES = {
    "timers": LOG + """<script>
        window.test = test;
        setTimeout(() => log("zero", performance.now()), 0);
        setTimeout("log('text', performance.now())", 20);
        setTimeout((a, b) => log("arguments", a, b), 1, "x", "y");
        setTimeout(() => log("late", performance.now()), 40);
        setTimeout(() => log("early", performance.now()), 30);
        setTimeout(() => log("infinite", performance.now()), Infinity);
        clearTimeout(setTimeout(() => log("never"), 5));
        let left = 8;
        const every = setInterval(() => { log("interval", performance.now()); if (--left === 0) clearInterval(every); }, 1);
        requestAnimationFrame((time) => log("frame", time, performance.now()));
        cancelAnimationFrame(requestAnimationFrame(() => log("never")));
        requestIdleCallback((deadline) => log("idle", performance.now(), deadline.didTimeout, deadline.timeRemaining() > 0));
        </script>""",
    "tasks": LOG + """<script>
        window.test = test;
        const promise = () => Promise.resolve().then(() => log("its promise"));
        setTimeout(() => { log("first"); promise(); queueMicrotask(() => log("its microtask")); }, 5);
        setTimeout(() => { throw new Error("boom"); }, 5);
        setTimeout(() => log("second"), 5);
        requestAnimationFrame(() => { throw new Error("boom in a frame"); });
        requestAnimationFrame(() => { log("frame a"); promise(); });
        requestAnimationFrame(() => log("frame b"));
        </script>""",
    "dates": LOG + """<script>
        window.test = { now: () => ({
          now: Date.now(), date: new Date().toISOString(), text: Date(), given: new Date(5).toISOString(), one: new Date() instanceof Date,
          own: new Date().constructor === Date, utc: Date.UTC(2020, 1), performance: performance.now(), origin: performance.timeOrigin,
          day: new Intl.DateTimeFormat("en-GB").format(), native: String(Date) + String(setTimeout), mark: performance.mark("m").startTime,
          temporal: window.Temporal ? Number(Temporal.Now.instant().epochMilliseconds) : null, timeline: document.timeline.currentTime,
          event: new Event("x").timeStamp }),
          spin() { const start = performance.now(); let looks = 0; while (performance.now() - start < 50) looks++; return looks; } };
        </script>""",
    "chance": """<script>window.test = { draw: () => [Math.random(), [...crypto.getRandomValues(new Uint8Array(4))], crypto.randomUUID(),
        [...crypto.getRandomValues(new Uint32Array(2))]] };</script>""",
    "motion": LOG + """<style>
        div { width: 50px; height: 50px; background: red } .gone { opacity: 0 }
        #shift { transition: opacity 400ms linear; } #turn { animation: grow 1s linear infinite; }
        @keyframes grow { from { width: 0px } to { width: 100px } }</style>
        <div id=shift></div><div id=turn></div><div id=web></div>
        <svg width=100 height=20><rect id=box width=10 height=10><animate attributeName=x from=0 to=100 dur=1s fill=freeze /></rect></svg>
        <script>
        shift.addEventListener("transitionend", (event) => log("transitionend", performance.now(), event.timeStamp));
        let moved;
        window.test = { begin() { shift.className = "gone"; moved = web.animate([{ opacity: 1 }, { opacity: 0 }], 200);
            moved.onfinish = () => log("finish", performance.now()); },
          state: () => [Number(getComputedStyle(shift).opacity), parseFloat(getComputedStyle(turn).width),
                        Number(getComputedStyle(web).opacity), box.x.animVal.value], log: () => out };
        </script>""",
    "frames": LOG + """<script>
        window.test = test; window.log = log;
        const bare = document.body.appendChild(document.createElement("iframe"));
        bare.contentWindow.setTimeout(() => log("bare", performance.now(), bare.contentWindow.performance.now()), 50);
        log("date", new bare.contentWindow.Date().getTime() - Date.now());
        const made = document.createElement("iframe");
        made.srcdoc = "<script>setInterval(() => parent.log('inner'), 10)<\\/script>";
        document.body.append(made);
        window.test.remove = () => made.remove();
        </script>""",
    "sandboxed": """
        <iframe sandbox="allow-scripts" srcdoc="<script>setInterval(() => 1, 10)</script>"></iframe>
        <script>window.test = {}</script>""",
    "network": LOG + """<script>
        window.test = test;
        fetch("data.json").then((answer) => answer.json()).then(() => log("fetched", performance.now()));
        const picture = new Image(); picture.onload = () => log("picture", performance.now());
        setTimeout(() => { picture.src = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="; }, 10);
        const request = new XMLHttpRequest(); request.open("GET", "data.json"); request.onload = () => log("xhr", performance.now());
        setTimeout(() => request.send(), 20);
        </script>""",
    "unhandled": """<script>window.test = {}; setTimeout(() => fetch("http://elsewhere.example/"), 10);</script>""",
    "observed": LOG + """<div id=one style="width: 10px"></div><script>
        window.test = test; new ResizeObserver(([entry]) => log(entry.contentRect.width)).observe(one);
        setTimeout(() => { one.style.width = "20px"; }, 83); setTimeout(() => log("later"), 84);</script>""",
    "data.json": "{}",
    "poisoned": LOG + """<script>
        window.test = { log: () => out, plain: () => ({ a: [1, { b: 2 }], c: "d" }) };
        setInterval(() => log("tick"), 10);
        const evil = () => { throw new Error("poison"); };
        JSON.stringify = evil; JSON.parse = evil; Reflect.apply = evil; Function.prototype.call = evil; Function.prototype.apply = evil;
        Function.prototype.bind = evil; Promise.prototype.then = evil; MessagePort.prototype.postMessage = evil; Object.keys = evil;
        Array.isArray = evil; Array.prototype.push = evil; Array.prototype[Symbol.iterator] = evil; Set.prototype.add = evil;
        Map.prototype.set = evil; Map.prototype.get = evil; String.prototype.slice = evil; EventTarget.prototype.addEventListener = evil;
        window.Promise = evil; window.MessageChannel = evil; window.Proxy = evil;
        Object.prototype.toJSON = () => "forged"; Array.prototype.toJSON = () => "forged"; Object.prototype.then = evil;
        Object.defineProperty(Array.prototype, "0", { set: evil }); Object.defineProperty(Object.prototype, "fault", { get: evil });
        </script>""",
    "latecomers": LOG + """<script>
        window.test = test;
        AbortSignal.timeout(100).addEventListener("abort", () => log("abort", performance.now()));
        window.scheduler?.postTask(() => log("task", performance.now()), { delay: 50 });
        </script>""",
    "beside": """<script>window.test = {};
        new Worker(URL.createObjectURL(new Blob(["1"]))); new AudioContext(); document.createElement("video").play().catch(() => {});
        </script>""",
    "heard": """<audio id=tune></audio><script>window.test = {
        sound() {
          const sound = new Audio(); sound.play().catch(() => {}); sound.pause(); sound.currentTime = 0; return sound.currentTime; },
        read() { tune.play().catch(() => {}); return tune.currentTime; },
        hear() { tune.addEventListener("timeupdate", () => {}); }, on() { tune.ontimeupdate = () => {}; },
        odd() { try { HTMLMediaElement.prototype.play.call(tune.parentNode); } catch {} } };</script>""",
    "probing": """<script>
        window.test = { probe() { for (const name of Object.getOwnPropertyNames(window)) if (/^_[0-9a-f]{16}$/.test(name)) {
            const entrance = window[name]; entrance("guess", "", "advance", 90000); window[name] = 1; delete window[name];
            return typeof window[name] + /[0-9a-f]{20}/.test(String(entrance)); } } };
        </script>""",
}


def ask(tab: Any, method: str) -> Any:
    return json.loads(tab.world.call("test", method, [], method))


def test_timers_and_frames_run_in_a_browsers_order_at_the_times_they_were_set_for(open_tab: Any) -> None:
    tab = open_tab("timers")  # two frames, 33.3 ms, pass while it becomes ready
    ran = ask(tab, "log")
    intervals = [entry[1] for entry in ran if entry[0] == "interval"]
    assert intervals == [1, 2, 3, 4, 5, 9, 13, 17], "from the fifth nesting on a timer waits 4 ms"
    assert [entry for entry in ran if entry[0] != "interval"] == [
        ["zero", 0], ["infinite", 0], ["arguments", "x", "y"], ["frame", pytest.approx(50 / 3), pytest.approx(50 / 3)],
        ["idle", pytest.approx(50 / 3), False, True], ["text", 20], ["early", 30],
    ]  # fmt: skip
    tab.advance(40 * MS - 2 * FRAME - 10)
    assert ask(tab, "log")[-1] != ["late", 40], "10 ticks too early"
    tab.advance(10)
    assert ask(tab, "log")[-1] == ["late", 40]


def test_each_callback_is_a_task_of_its_own_and_a_throw_stops_nothing(open_tab: Any) -> None:
    tab = open_tab("tasks")
    assert [what for (what,) in ask(tab, "log")] == [
        "first", "its promise", "its microtask", "second", "frame a", "its promise", "frame b",
    ]  # fmt: skip
    assert len(tab.watch.exceptions) == 2


def test_dates_and_stamps_follow_the_clock_and_look_native(open_tab: Any) -> None:
    tab = open_tab("dates")
    before = ask(tab, "now")
    tab.advance(90_000 * 3600)
    after = ask(tab, "now")
    assert before["performance"] == before["timeline"] == before["event"] == before["mark"] == pytest.approx(100 / 3)
    assert before["origin"] == 1_750_000_000_000 and before["now"] == 1_750_000_000_033
    assert before["date"] == "2025-06-15T15:06:40.033Z" and before["text"].startswith("Sun Jun 15 2025 15:06:40")
    assert (before["given"], before["one"], before["own"], before["utc"]) == ("1970-01-01T00:00:00.005Z", True, True, 1580515200000)
    assert before["day"] == "15/06/2025" and before["native"].count("[native code]") == 2
    assert before["temporal"] in (None, before["now"])
    for name in ("now", "performance", "timeline"):
        assert after[name] - before[name] == pytest.approx(3_600_000)


def test_a_loop_that_waits_for_time_ends_after_the_same_number_of_looks(open_tab: Any) -> None:
    looks = {ask(open_tab("dates"), "spin") for _ in range(2)}
    assert len(looks) == 1 and looks.pop() > 2000


def test_chance_follows_the_seed(open_tab: Any) -> None:
    first, same, other = (ask(open_tab("chance", seed=seed), "draw") for seed in (1, 1, 2))
    assert first == same
    assert all(mine != theirs for mine, theirs in zip(first, other, strict=True))
    real = ask(open_tab("chance", seed=1, virtual=False), "draw")
    assert real == first, "chance is seeded on real time, too"


def test_animations_of_every_kind_move_with_the_clock_and_their_ends_are_told(open_tab: Any) -> None:
    def run() -> Any:
        tab = open_tab("motion")
        tab.world.call("test", "begin", [], "begin")
        tab.page.wait_for_timeout(100)  # real time, which must move nothing
        states = [ask(tab, "state")]
        for _ in range(4):
            tab.advance(6 * FRAME)
            states.append(ask(tab, "state"))
        tab.advance(6 * FRAME)
        return states, ask(tab, "log")

    states, told = run()
    shift, turn, web, box = (list(column) for column in zip(*states, strict=True))
    assert shift[0] == 1 and shift[1] == pytest.approx(0.79, abs=0.05) and shift[-1] < 0.1
    assert turn[0] < 5 and turn[2] - turn[1] == pytest.approx(10, abs=0.1)
    assert web[0] == 1 and web[1] == pytest.approx(0.58, abs=0.1) and web[3:] == [1, 1]
    assert box[2] - box[1] == pytest.approx(10, abs=0.1)
    assert [entry[0] for entry in told] == ["finish", "transitionend"]
    assert run() == (states, told)


def test_frames_of_the_page_share_its_clock(open_tab: Any) -> None:
    tab = open_tab("frames")
    tab.advance(6 * FRAME)
    ran = ask(tab, "log")
    assert ran[0] == ["date", 0]
    assert ["bare", 50, 50] in ran
    inner = ran.count(["inner"])
    assert inner >= 5
    tab.page.wait_for_timeout(50)
    assert ask(tab, "log").count(["inner"]) == inner, "real time must move nothing"
    ask(tab, "remove")
    tab.advance(6 * FRAME)
    assert ask(tab, "log").count(["inner"]) == inner, "timers of a removed frame are gone"
    assert tab.leaks() == {}


def test_a_frame_of_another_origin_is_told_as_beyond_the_clock(open_tab: Any) -> None:
    assert open_tab("sandboxed").leaks() == {"frame": 1}


def test_time_stands_still_while_something_is_on_its_way(open_tab: Any) -> None:
    tab = open_tab("network")
    tab.advance(10 * FRAME)
    assert sorted(ask(tab, "log")) == [["fetched", 0], ["picture", 10], ["xhr", 20]]


def test_a_request_that_fails_unhandled_is_still_unhandled(open_tab: Any) -> None:
    tab = open_tab("unhandled")
    tab.advance(6 * FRAME)
    assert tab.world.look().errors == "TypeError: Failed to fetch"


def test_observers_of_layout_are_told_before_an_advance_ends(open_tab: Any) -> None:
    tab = open_tab("observed")
    assert ask(tab, "log") == [[10]]
    tab.advance(3 * FRAME)
    tab.advance(FRAME)
    assert ask(tab, "log") == [[10], [20], ["later"]]


def test_a_page_that_spoils_every_prototype_spoils_itself_alone(open_tab: Any) -> None:
    tab = open_tab("poisoned")
    tab.advance(6 * FRAME)
    assert json.loads(tab.world.call("test", "plain", [], "plain")) == {"a": [1, {"b": 2}], "c": "d"}
    assert tab.world.look().frames == 8
    assert tab.world.document("text") == ""


def test_timeouts_of_signals_and_delayed_tasks_follow_the_clock(open_tab: Any) -> None:
    tab = open_tab("latecomers")
    tab.page.wait_for_timeout(150)
    assert ask(tab, "log") == []
    tab.advance(9 * FRAME)
    assert ask(tab, "log") == [["task", 50], ["abort", 100]]


def test_what_the_clock_does_not_reach_is_told(open_tab: Any) -> None:
    assert open_tab("beside").leaks() == {"worker": 1, "audio": 1, "media": 1}


def test_a_sound_drives_no_game_until_the_page_asks_how_far_it_has_come(open_tab: Any) -> None:
    tab = open_tab("heard")
    tab.page.mouse.click(5, 5)  # before a person has acted no sound plays at all
    assert ask(tab, "sound") == 0 and ask(tab, "odd") is None
    assert tab.leaks() == {"audio": 1}
    for count, use in enumerate(("read", "hear", "on"), 1):
        ask(tab, use)
        assert tab.leaks() == {"audio": 2, "media": count}, use


def test_the_entrance_answers_only_who_knows_the_token_and_cannot_be_removed(open_tab: Any) -> None:
    from playproof_browser.world import Tampered

    tab = open_tab("probing")
    now = tab.world.look().now
    assert ask(tab, "probe") == "functionfalse"
    with pytest.raises(Tampered, match="only its observers"):
        tab.world.look()
    assert now == 2 * FRAME


def test_real_time_passes_by_itself(open_tab: Any) -> None:
    tab = open_tab("timers", virtual=False)
    tab.advance(9000)
    ran = [entry[0] for entry in ask(tab, "log")]
    assert {"zero", "text", "late", "frame", "idle"} <= set(ran) and "never" not in ran
