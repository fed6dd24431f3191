"""Cassettes: recorded once, replayed exactly without the model, and clear about what is not there."""

import fcntl
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playproof.canonical import plain
from playproof.dialogue import FREE, Picture, Request, Text, Tool, spelled, user
from playproof.drivers import build
from playproof.errors import ModelUnavailable, NotRecorded, TaskError, UsageError
from playproof.interfaces import Services
from playproof.model import Options, Ref
from playproof_judges.models.nearest import differences
from playproof_judges.testing import Fail, Server, Turn

ASK = Request([user("What is this?", Picture(b"one", caption="a view"))], system="You judge.")
TOOL = Tool("look", "looks", {"type": "object", "properties": {"at": {"type": "string"}}})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tapes" / "one.jsonl"


@pytest.fixture
def cassette(path: Path, services: Services, server: Server) -> Callable[..., Any]:
    """cassette(mode, driver=None, **its options)"""

    def made(mode: str, driver: str | None = "anthropic", **options: Any) -> Any:
        inner = {"model": plain(server.ref(driver, retries=0, price={"input": 3, "output": 15}, **options))} if driver else {}
        return build("model", Ref("cassette", {"path": str(path), "mode": mode, **inner}), services)

    return made


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


# --- recorded and replayed ---


def test_a_replay_is_the_recording_for_nothing(cassette: Callable[..., Any], server: Server, driver: str) -> None:
    server.script(Turn("a chair", thought="hm", calls=[("look", {"at": "it"})], stop="calls"))
    live = cassette("record", driver)
    first = live.ask(ASK)
    replay = cassette("replay", driver)
    again = replay.ask(ASK)
    assert again.parts == first.parts and (again.stop, again.model, again.raw) == (first.stop, first.model, first.raw)
    assert again.cached and again.tokens == FREE and again.size == first.tokens and (first.tokens.usd or 0) > 0
    assert replay.identity == live.identity and len(server.asked) == 1
    assert replay.estimate(ASK) == FREE and (live.estimate(ASK).usd or 0) > 0


def test_a_replay_needs_no_model_key_or_network(cassette: Callable[..., Any], server: Server, path: Path, tmp_path: Path) -> None:
    """In a process of its own, in which nothing can be connected to and httpx is not even loaded."""
    server.script(Turn("a chair"))
    cassette("record").ask(ASK)
    script = f"""
import socket, sys
def no(*a, **k): raise AssertionError("it went out")
socket.socket.connect = socket.create_connection = no
from pathlib import Path
from playproof.dialogue import Picture, Request, user
from playproof.interfaces import Services
from playproof_judges.models.cassette import CassetteModel
model = CassetteModel({{"path": {str(path)!r}}}, Services(Path({str(tmp_path)!r})))
ask = Request([user("What is this?", Picture(b"one", caption="a view"))], system="You judge.")
print(model.identity["driver"], model.ask(ask).text, "httpx" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "anthropic a chair False\n", done.stderr


def test_votes_are_takes(cassette: Callable[..., Any], server: Server) -> None:
    server.script(Turn("yes"), Turn("no"), Turn("yes, I think"))
    recording = cassette("record")
    said = [recording.ask(ASK).text for _ in range(3)]
    replay = cassette("replay")
    assert [replay.ask(ASK).text for _ in range(3)] == said == ["yes", "no", "yes, I think"]
    with pytest.raises(NotRecorded, match="is recorded 3 times, and is asked once more"):
        replay.ask(ASK)


def test_recording_again_replaces_what_is_asked_again(cassette: Callable[..., Any], server: Server, path: Path) -> None:
    other = Request([user("Another.")])
    server.script(Turn("old"), Turn("kept"), Turn("new"))
    first = cassette("record")
    first.ask(ASK)
    first.ask(other)
    cassette("record").ask(ASK)
    assert len(lines(path)) == 3  # nothing is taken away while it records
    replay = cassette("replay")
    assert (replay.ask(ASK).text, replay.ask(other).text) == ("new", "kept")


def test_auto_asks_only_for_what_is_missing(cassette: Callable[..., Any], server: Server) -> None:
    server.script(Turn("first"), Turn("second"))
    assert cassette("auto").ask(ASK).text == "first"
    model = cassette("auto")
    assert model.ask(ASK).text == "first" and model.ask(ASK).text == "second" and len(server.asked) == 2
    assert model.estimate(ASK).usd > 0 == cassette("auto").estimate(ASK).usd


def test_a_fault_is_not_recorded(cassette: Callable[..., Any], server: Server, path: Path) -> None:
    server.script(Fail(500), Turn("at last"))
    model = cassette("record")
    with pytest.raises(ModelUnavailable):
        model.ask(ASK)
    assert model.ask(ASK).text == "at last" and [line["take"] for line in lines(path)] == [0]
    assert cassette("replay").ask(ASK).text == "at last"


def test_models_in_one_cassette_are_told_apart(cassette: Callable[..., Any], server: Server) -> None:
    server.script(Turn("by one"), Turn("by two"))
    cassette("record", model="one").ask(ASK)
    cassette("record", model="two").ask(ASK)
    assert cassette("replay", model="two").ask(ASK).text == "by two"
    assert cassette("replay", model="one").ask(ASK).text == "by one"
    with pytest.raises(TaskError, match=r"holds .*one.*two.*name the `model`"):
        cassette("replay", driver=None)


# --- the file ---


def test_the_file_is_plain_and_in_order(cassette: Callable[..., Any], server: Server, path: Path, services: Services) -> None:
    requests = [Request([user(f"Question {number}", Picture(b"p"))], system=f"S{number % 2}", tools=[TOOL]) for number in (3, 1, 2)]
    server.script(*[Turn("ok")] * 6)
    model = cassette("record")
    for request in requests:
        model.ask(request)
    grown = path.read_bytes()
    services.exits.close()
    settled = path.read_bytes()
    assert sorted(grown.splitlines()) == sorted(settled.splitlines()) and grown != settled
    found = lines(path)
    assert [line["request"]["messages"][0]["parts"][0]["text"] for line in found] == ["Question 1", "Question 2", "Question 3"]
    assert found[0]["schema"] == "cassette/1" and found[0]["request"] == plain(spelled(requests[1]))
    assert all(json.dumps(json.loads(line), sort_keys=True, ensure_ascii=False) == line for line in path.read_text().splitlines())
    assert list(path.parent.iterdir()) == [path]


def test_the_same_recording_is_the_same_file(server: Server, tmp_path: Path) -> None:
    """Whatever the order in which threads came."""
    def record(name: str, order: list[int]) -> bytes:
        path = tmp_path / name
        services = Services(tmp_path)
        script = {"driver": "scripted", "options": {"replies": [{"text": f"reply {n}", "when": f"<{n}>", "times": 0} for n in range(8)]}}
        model = build("model", Ref("cassette", {"path": str(path), "mode": "record", "model": script}), services)
        threads = [threading.Thread(target=model.ask, args=(Request([user(f"<{n}>")]),)) for n in order]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        services.exits.close()
        return path.read_bytes()

    assert record("a", list(range(8))) == record("b", list(range(7, -1, -1)))


def test_two_processes_may_record_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "shared.jsonl"
    script = f"""
import sys
from pathlib import Path
from playproof.dialogue import Request, user
from playproof.interfaces import Services
from playproof_judges.models.cassette import CassetteModel
services = Services(Path({str(tmp_path)!r}))
inner = {{"driver": "scripted", "options": {{"replies": [{{"text": "x" * 5000, "times": 0}}]}}}}
model = CassetteModel({{"path": {str(path)!r}, "mode": "record", "model": inner}}, services)
for number in range(40):
    model.ask(Request([user(sys.argv[1] + str(number))]))
services.exits.close()
"""
    running = [subprocess.Popen([sys.executable, "-c", script, name]) for name in "ab"]
    assert [one.wait(60) for one in running] == [0, 0]
    found = [line["request"]["messages"][0]["parts"][0]["text"] for line in lines(path)]
    assert sorted(found) == found == sorted(f"{name}{number}" for name in "ab" for number in range(40))


def test_nobody_writes_while_another_puts_the_file_in_order(cassette: Callable[..., Any], server: Server, path: Path) -> None:
    server.script(Turn("first"), Turn("second"))
    model = cassette("record")
    model.ask(ASK)
    second = threading.Thread(target=model.ask, args=(Request([user("Another.")]),))
    with path.open("a+b") as held:  # as another process does that is at it
        fcntl.flock(held, fcntl.LOCK_EX)
        second.start()
        second.join(0.5)
        assert second.is_alive()
        shutil.copy(path, path.with_name("new"))
        path.with_name("new").replace(path)
    second.join(30)
    assert len(lines(path)) == 2


def test_a_line_that_was_never_ended_is_dropped(cassette: Callable[..., Any], server: Server, path: Path) -> None:
    """Its writer was killed in the middle."""
    server.script(Turn("whole"), Turn("next"))
    cassette("record").ask(ASK)
    whole = path.read_text()
    path.write_text(whole + whole[:100])
    assert cassette("replay").ask(ASK).text == "whole"
    cassette("auto").ask(Request([user("Another.")]))
    assert len(lines(path)) == 2 and path.read_text().startswith(whole)


def test_a_key_is_in_no_cassette(cassette: Callable[..., Any], server: Server, path: Path, keys: dict[str, str]) -> None:
    keys["MY_KEY"] = "sk-planted-0123456789"
    server.script(Turn("you sent {key}"))
    cassette("record", key="MY_KEY").ask(ASK)
    assert server.asked[0].key and "planted" not in path.read_text()


@pytest.mark.parametrize(("line", "words"), [("{", "no line of a cassette"), ("{}", "missing key"), ("7", "no line"),
                                             (None, "written as cassette/9")])
def test_a_spoilt_file_says_where(cassette: Callable[..., Any], server: Server, services: Services, path: Path, line: str | None,
                                  words: str) -> None:
    server.script(Turn("ok"))
    cassette("record").ask(ASK)
    kept = path.read_text()
    path.write_text(kept + (f"{line}\n" if line is not None else kept.replace("cassette/1", "cassette/9")))
    spoilt = path.read_text()
    with pytest.raises(UsageError, match=f"one.jsonl:2: .*{words}"):
        cassette("replay")
    services.exits.close()
    assert path.read_text() == spoilt


# --- what is not there ---


@pytest.mark.parametrize(("options", "words"), [
    ({}, "missing key 'path'"), ({"path": ""}, "path"), ({"path": "x", "mode": "play"}, "mode"), ({"path": "x", "tape": 1}, "unknown key"),
    ({"path": "x", "mode": "record"}, "wants a `model`"), ({"path": "/not/there"}, "there is no file /not/there"),
])
def test_options_are_judged_at_once(services: Services, options: Options, words: str) -> None:
    with pytest.raises(TaskError, match=words):
        build("model", Ref("cassette", options), services)


def test_a_missing_request_names_the_nearest(cassette: Callable[..., Any], server: Server, path: Path) -> None:
    server.script(*[Turn("ok")] * 2)
    recording = cassette("record")
    recording.ask(Request([user("Something else altogether.")], system="Other.", max_tokens=9))
    recording.ask(ASK)
    near = Request([user("What is this?", Picture(b"two", caption="a view"))], system="You judge.")
    with pytest.raises(NotRecorded) as told:
        cassette("replay").ask(near)
    words = str(told.value)
    assert str(path) in words and "message 1, part 2: another picture (" in words and "altogether" not in words
    assert words.endswith("It ends: You judge.\nWhat is this?\na view")


def test_another_model_is_named(cassette: Callable[..., Any], server: Server) -> None:
    server.script(Turn("ok"))
    cassette("record", temperature=0.0).ask(ASK)
    with pytest.raises(NotRecorded, match=r"the model's temperature: 0.7 is asked, 0.0 recorded"):
        cassette("replay", temperature=0.7).ask(ASK)


BASE = Request([user("Look.", Picture(b"p", caption="c"))], system="You judge fairly.", tools=[TOOL], schema={"type": "object", "a": [1]})
OTHER: list[tuple[Request, str]] = [
    (Request(BASE.messages, "You judge badly.", BASE.tools, BASE.schema), 'the system prompt, from character 11: "You judge badly."'),
    (Request([user("Look!", Picture(b"p", caption="c"))], BASE.system, BASE.tools, BASE.schema), 'the text, from character 5: "Look!"'),
    (Request([user("Look.", Picture(b"q", caption="c"))], BASE.system, BASE.tools, BASE.schema), "part 2: another picture"),
    (Request([user("Look.", Picture(b"p", caption="d"))], BASE.system, BASE.tools, BASE.schema), "the picture's caption"),
    (Request([user("Look.")], BASE.system, BASE.tools, BASE.schema), "part 2: a picture is not asked"),
    (Request([user("Look.", "And.")], BASE.system, BASE.tools, BASE.schema), "part 2: a text is asked, a picture recorded"),
    (Request([*BASE.messages, user("More.")], BASE.system, BASE.tools, BASE.schema), "the number of messages: 2 are asked, 1 recorded"),
    (Request(BASE.messages, BASE.system, [], BASE.schema), "the tool 'look', which is not asked"),
    (Request(BASE.messages, BASE.system, [Tool("look", "peers", TOOL.schema)], BASE.schema), "the tool 'look', at $[1]"),
    (Request(BASE.messages, BASE.system, BASE.tools, {"type": "object", "a": [2]}), "the schema of the reply, at $.a[0]"),
    (Request(BASE.messages, BASE.system, BASE.tools, None), "the schema of the reply, at $"),
    (Request(BASE.messages, BASE.system, BASE.tools, BASE.schema, max_tokens=7), "its max_tokens: 7 is asked, 4096 recorded"),
    (Request(BASE.messages, BASE.system, BASE.tools, BASE.schema, must_call=True), "its must_call: true is asked"),
]


@pytest.mark.parametrize(("asked", "words"), OTHER)
def test_each_part_that_can_differ_is_said(asked: Request, words: str) -> None:
    found = list(differences(plain(spelled(asked)), plain(spelled(BASE))))
    assert len(found) == 1 and words in found[0]
    assert not list(differences(plain(spelled(asked)), plain(spelled(asked))))


def test_text_of_a_record_is_readable(cassette: Callable[..., Any], server: Server, path: Path) -> None:
    server.script(Turn("schön 漢字"))
    assert cassette("record").ask(Request([user(Text("Wie heißt das?"))])).text == "schön 漢字"
    assert "schön 漢字" in path.read_text() and "heißt" in path.read_text()
