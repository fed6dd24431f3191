"""What every provider's driver does when things go wrong: what passes is tried again, what does not is told at once."""

import threading
import time
from typing import Any

import httpx
import pytest

from playproof.dialogue import Request, Stop, user
from playproof.drivers import build, load
from playproof.errors import ModelError, ModelUnavailable, RequestRejected, TaskError, TooLarge
from playproof.interfaces import Services
from playproof_judges.testing import Fail, Server, Turn

ASK = Request([user("?")])

PASSES = {
    "rate limit": Fail(429), "timeout": Fail(408), "lock": Fail(409), "internal": Fail(500), "gateway": Fail(502, body="<html>Bad</html>"),
    "overloaded": Fail(529), "unavailable": Fail(503, kind="UNAVAILABLE"), "dropped": Fail(drop=True), "hung": Fail(hang=True),
    "no JSON in an error": Fail(500, body="not json"), "a page": Fail(200, body="<html>Log in</html>"), "JSON, no stream": Fail(200),
    "cut": Turn("half", cut=1), "closed before the end": Turn("half", cut=1, gently=True), "cut at once": Turn("half", cut=0),
    "silent": Turn("half", silent=1), "junk": Turn("half", junk=True),
    "fault inside": Turn("x", fault=(1, "overloaded_error", "Overloaded")),
    "unknown fault inside": Turn("x", fault=(1, "strange_thing", "?")),
}


@pytest.mark.parametrize("step", [pytest.param(step, id=name) for name, step in PASSES.items()])
def test_what_passes_is_tried_again(driver: str, make: Any, server: Server, waits: list[float], step: Fail | Turn) -> None:
    server.script(step, Turn("whole"))
    quiet = (isinstance(step, Fail) and step.hang) or (isinstance(step, Turn) and step.silent is not None)
    reply = make(driver, idle_s=0.5 if quiet else 30).ask(ASK)
    assert reply.text == "whole" and len(server.asked) == 2 and len(waits) == 1 and 0.5 <= waits[0] <= 1


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_what_is_no_stream_is_named(driver: str, make: Any, server: Server, kind: str) -> None:
    server.script(Fail(200, body="<p>Log in\n here</p>", headers={"content-type": f"{kind}; charset=utf-8"}))
    with pytest.raises(ModelUnavailable, match=f"it answers with {kind}, no event stream: <p>Log in here"):
        make(driver, retries=0).ask(ASK)


STRANGE = {"anthropic": '{"type": "content_block_start"}', "openai": '{"choices": [7]}', "gemini": '{"candidates": [7]}',
           "openai-responses": '{"type": "response.completed", "response": {"output": [{}]}}'}


def test_a_stream_of_another_protocol_is_tried_again(driver: str, make: Any, server: Server, waits: list[float]) -> None:
    server.script(Fail(200, body=f"data: {STRANGE[driver]}\n\n", headers={"content-type": "text/event-stream"}), Turn("ok"))
    assert make(driver).ask(ASK).text == "ok" and len(waits) == 1


STAYS = {
    "bad request": (Fail(400, "temperature: out of range"), "does not take the request"),
    "wrong key": (Fail(401), "no key was sent"), "forbidden": (Fail(403), "no key was sent"),
    "no such model": (Fail(404, "model: nobody"), "no model 'test-model'"),
    "unprocessable": (Fail(422, "what?"), "what?"), "teapot": (Fail(418, body="short and stout"), "short and stout"),
    "elsewhere": (Fail(302, headers={"location": "http://127.0.0.1:1/else"}), "sends us elsewhere"),
    "refused inside": (Turn("x", fault=(1, "invalid_request_error", "no")), "does not take the request"),
}


@pytest.mark.parametrize(("step", "words"), [pytest.param(*one, id=name) for name, one in STAYS.items()])
def test_what_stays_is_told_at_once(driver: str, make: Any, server: Server, waits: list[float], step: Fail | Turn, words: str) -> None:
    server.script(step)
    with pytest.raises(RequestRejected, match=words) as told:
        make(driver).ask(ASK)
    assert not isinstance(told.value, TooLarge) and len(server.asked) == 1 and not waits
    assert driver in str(told.value) and server.url in str(told.value)


TOO_LARGE = {
    "413": Fail(413, body="<html>413 Request Entity Too Large</html>"),
    "Anthropic's bytes": Fail(413, "Request exceeds the maximum allowed number of bytes."),
    "Anthropic's picture": Fail(400, "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"),
    "Anthropic's pixels": Fail(400, "At least one of the image dimensions exceed max allowed size: 8000 pixels"),
    "Anthropic's prompt": Fail(400, "prompt is too long: 210000 tokens > 200000 maximum"),
    "OpenAI's context": Fail(400, "This model's maximum context length is 128000 tokens.", kind="context_length_exceeded"),
    "vLLM's context": Fail(400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"),
    "llama.cpp's context": Fail(400, "the request exceeds the available context size. try increasing it"),
    "Gemini's payload": Fail(400, "Request payload size exceeds the limit: 20971520 bytes.", kind="INVALID_ARGUMENT"),
    "Gemini's tokens": Fail(400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    "Anthropic's sum": Fail(400, "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length"),
    "a proxy's words": Fail(422, "too many images in request"),
}


@pytest.mark.parametrize("step", [pytest.param(step, id=name) for name, step in TOO_LARGE.items()])
def test_what_is_too_large_is_told_apart(make: Any, server: Server, driver: str, step: Fail) -> None:
    server.script(step)
    with pytest.raises(TooLarge, match="too large"):
        make(driver).ask(ASK)


@pytest.mark.parametrize("words", ["max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens",
                                   "max_completion_tokens is too large: 100000. This model supports at most 16384 completion tokens",
                                   "'max_tokens' is too large: 9000. This model's maximum context length is 8192 tokens and your request "
                                   "has 200 input tokens"])
def test_too_much_asked_for_is_not_too_much_sent(make: Any, server: Server, words: str) -> None:
    server.script(Fail(400, words))
    with pytest.raises(RequestRejected) as told:
        make("openai").ask(ASK)
    assert not isinstance(told.value, TooLarge)


REFUSALS = [Fail(400, "Output blocked by content filtering policy"), Fail(400, "The response was filtered", kind="content_filter"),
            Fail(400, "Invalid prompt: your prompt was flagged as potentially violating our usage policy", kind="invalid_prompt")]


@pytest.mark.parametrize("step", REFUSALS)
def test_a_refusal_with_a_status_is_a_reply(driver: str, make: Any, server: Server, waits: list[float], step: Fail) -> None:
    server.script(step)
    reply = make(driver).ask(ASK)
    assert (reply.stop, reply.text, waits) == (Stop.REFUSED, "", []) and "400" in reply.raw


def test_an_empty_purse_is_not_asked_again(driver: str, make: Any, server: Server, waits: list[float]) -> None:
    server.script(Fail(429, "You exceeded your current quota, please check your plan", kind="insufficient_quota"))
    with pytest.raises(ModelUnavailable, match="nothing left to spend"):
        make(driver).ask(ASK)
    assert not waits


def test_gemini_says_quota_of_a_limit_by_the_minute(make: Any, server: Server, waits: list[float]) -> None:
    body = '{"error": {"code": 429, "message": "You exceeded your current quota", "status": "RESOURCE_EXHAUSTED", ' \
           '"details": [{"retryDelay": "7s"}]}}'
    server.script(Fail(429, body=body), Turn("ok"))
    assert make("gemini").ask(ASK).text == "ok" and 7 <= waits[0] < 8.1


# --- patience ---


def test_a_wait_that_is_asked_for_is_kept(driver: str, make: Any, server: Server, waits: list[float]) -> None:
    server.script(Fail(429, headers={"retry-after": "12"}), Fail(503, headers={"retry-after-ms": "2500"}), Turn("ok"))
    assert make(driver).ask(ASK).text == "ok"
    assert 12 <= waits[0] <= 13 and 2.5 <= waits[1] <= 3.5


def test_it_gives_up_and_says_what_happened(driver: str, make: Any, server: Server, waits: list[float]) -> None:
    server.script(Fail(529), Fail(529), Fail(drop=True), Turn("half", cut=1))
    with pytest.raises(ModelUnavailable) as told:
        make(driver, retries=3).ask(ASK)
    words = str(told.value)
    assert f"{driver} 'test-model' at {server.url}" in words and "4 tries in " in words and "2 times: 529" in words
    assert words.count("RemoteProtocolError") == 2
    assert len(waits) == 3 and waits[0] <= 1 <= waits[1] <= 2 <= waits[2] <= 4


def test_waits_double_and_are_bounded(make: Any, server: Server, waits: list[float]) -> None:
    server.script(*[Fail(500)] * 9)
    with pytest.raises(ModelUnavailable):
        make("openai", retries=8).ask(ASK)
    assert all(top / 2 <= wait <= top for wait, top in zip(waits, [1, 2, 4, 8, 16, 32, 60, 60], strict=True))


def test_a_wait_beyond_all_patience_is_not_begun(driver: str, make: Any, server: Server, waits: list[float]) -> None:
    server.script(Fail(429, headers={"retry-after": "3600"}))
    with pytest.raises(ModelUnavailable, match="it asks for 3600 s more"):
        make(driver, patience_s=60).ask(ASK)
    assert not waits


def test_a_server_that_is_not_there_is_unavailable(driver: str, services: Services, waits: list[float]) -> None:
    with Server() as gone:
        ref = gone.ref(driver, retries=2)
    with pytest.raises(ModelUnavailable, match="3 times: ConnectError"):
        load("model", driver)(ref.options, services, waits.append).ask(ASK)


def test_one_that_drips_is_cut_off(driver: str, make: Any, server: Server) -> None:
    """It is never silent for long, and never done."""
    server.script(Turn("x" * 400, pieces=400, gap_s=0.02))
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="still speaking"):
        make(driver, idle_s=1, wall_s=0.3, retries=0).ask(ASK)
    assert time.monotonic() - began < 2


def test_slow_is_not_silent(driver: str, make: Any, server: Server, waits: list[float]) -> None:
    server.script(Turn("slowly it goes", pieces=14, gap_s=0.07))
    assert make(driver, idle_s=0.9).ask(ASK).text == "slowly it goes" and not waits


def test_what_is_closed_waits_no_longer(server: Server, services: Services) -> None:
    """A command that is interrupted closes its models: a thread that waits for the next try must not hold it up."""
    server.script(*[Fail(503)] * 50)
    model = build("model", server.ref("openai", retries=40), services)
    met: list[BaseException] = []

    def ask() -> None:
        try:
            model.ask(ASK)
        except ModelError as fault:
            met.append(fault)

    waiting = threading.Thread(target=ask)
    waiting.start()
    while not server.asked:
        time.sleep(0.01)
    services.exits.close()
    waiting.join(5)
    assert not waiting.is_alive() and isinstance(met[0], ModelUnavailable)


def test_many_at_once_share_a_model(driver: str, services: Services) -> None:
    meet = threading.Barrier(4, timeout=10)
    with Server(lambda asked: (meet.wait(), Turn(f"to {asked.text}"))[1]) as busy:
        model = load("model", driver)(busy.ref(driver).options, services)
        said: dict[str, str] = {}

        def ask(word: str) -> None:
            said[word] = model.ask(Request([user(word)])).text

        threads = [threading.Thread(target=ask, args=(word,)) for word in "abcd"]
        for one in threads:
            one.start()
        for one in threads:
            one.join(10)
        assert said == {word: f"to {word}" for word in "abcd"} and busy.most_at_once == 4


# --- options ---


@pytest.mark.parametrize(("options", "words"), [
    ({"wall": 3}, "unknown key 'wall'"), ({"model": ""}, "model"), ({"limit": 0}, "limit"), ({"idle_s": 0}, "idle_s"),
    ({"retries": -1}, "retries"), ({"temperature": "hot"}, "expected float"), ({"schema": "maybe"}, "schema"),
    ({"effort": "huge"}, "effort"),
    ({"price": {"input": 1}}, "missing key 'output'"), ({"price": {"input": -1, "output": 1}}, "input"),
    ({"base_url": "ftp://x"}, "wants http"), ({"base_url": "localhost:80"}, "wants http"),
    ({"base_url": "http://me:secret@x/"}, "a key stands in the environment"), ({"base_url": "http://x/?key=1"}, "a key stands in"),
])
def test_options_are_judged_at_once(driver: str, make: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(TaskError, match=words) as told:
        make(driver, **options)
    assert "secret" not in str(told.value)


def test_a_model_is_named(driver: str, services: Services) -> None:
    with pytest.raises(TaskError, match="missing key 'model'"):
        load("model", driver)({}, services)


def test_building_meets_nobody(driver: str, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(httpx, "Client", None)
    model = load("model", driver)({"model": "m"}, services)
    assert model.identity["model"] == "m" and model.limit == 4
