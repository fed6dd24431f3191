"""The gateway before a scripted provider: counts to the token in four protocols, keys that agents never see, bounds, faults passed on."""

import json
import socket
import threading
import time
from collections.abc import Callable

import httpx
import pytest

from playproof.dialogue import Tokens
from playproof_harnesses.gateway.ledger import Ledger
from playproof_judges.testing import Fail, Server, Turn, Used

from .conftest import BODIES, KEY, Agent

USED = Used(input=11, output=23, cache_read=5, cache_write=0, reasoning=3)
COUNTED = Tokens(11, 23, 5, 0, 3)
Make = Callable[..., Agent]


@pytest.mark.parametrize("dialect", BODIES)
def test_tokens_are_counted_the_same_in_every_protocol(agent: Make, provider: Server, dialect: str) -> None:
    one = agent()
    provider.script(Turn("done", used=USED), Turn("", calls=[("write", {"path": "a"})], used=USED))
    for _ in range(2):
        assert one.ask(dialect).status_code == 200
    spent = one.gateway.ledger.spent
    assert (spent.requests, spent.steps, spent.uncounted, spent.failed) == (2, 2, 0, 0)
    assert spent.tokens == COUNTED + COUNTED and spent.input == 32 and spent.tokens.usd is None
    assert [entry["tokens"]["cache_read"] for entry in one.written()] == [5, 5]


@pytest.mark.parametrize("dialect", BODIES)
def test_the_real_key_goes_up_and_never_down(agent: Make, provider: Server, dialect: str) -> None:
    one = agent()
    provider.script(Turn("done"))
    response = one.ask(dialect, key="sk-made-up-by-us")
    assert provider.asked[0].key == KEY
    assert not [value for value in provider.asked[0].headers.values() if "made-up" in value]
    assert KEY not in response.text + str(response.headers) + one.log.read_text()


def test_an_answer_is_passed_through_as_it_comes(agent: Make, provider: Server) -> None:
    one = agent()
    provider.script(Turn("a b c d", pieces=4, gap_s=0.3))
    path, body = BODIES["anthropic"]
    came, begun = list[float](), time.monotonic()
    with one.client.stream("POST", path, json=body) as response:
        assert response.headers["content-type"] == "text/event-stream"
        for chunk in response.iter_raw():
            came += [time.monotonic() - begun] if b"text_delta" in chunk else []
    assert came[0] < came[-1] - 0.5, "the first piece is there long before the last"


def test_what_declares_no_tools_is_no_step(agent: Make, provider: Server) -> None:
    one = agent(steps=1)
    provider.script(Turn("a title"), Turn("done"), Turn("a title"))
    assert [one.ask("anthropic", tools=tools).status_code for tools in ([], BODIES["anthropic"][1]["tools"], [])] == [200, 200, 200]
    spent = one.gateway.ledger.spent
    assert (spent.requests, spent.steps, one.gateway.ledger.reached) == (3, 1, None)


@pytest.mark.parametrize("dialect", BODIES)
@pytest.mark.parametrize("bounds", [{"steps": 1}, {"tokens": 39}, {"usd": 0.5}], ids=["steps", "tokens", "usd"])
def test_a_bound_that_is_reached_ends_it_in_the_protocols_own_words(agent: Make, provider: Server, dialect: str,
                                                                    bounds: dict[str, float]) -> None:
    one = agent(price=lambda provider, model, tokens: 0.5, **bounds)
    provider.script(Turn("", calls=[("write", {})], used=USED))
    assert one.ask(dialect).status_code == 200
    refusal = one.ask(dialect)
    assert refusal.status_code == 400 and "of this task is reached" in refusal.json()["error"]["message"]
    assert one.gateway.ledger.reached == next(iter(bounds)) and len(provider.asked) == 1
    assert one.gateway.ledger.spent.refused == 1 and one.written()[-1]["kind"] == "refused"


def test_requests_side_by_side_do_not_pass_a_bound_together(agent: Make, provider: Server) -> None:
    one = agent(steps=3)
    provider.script(*[Turn("done", gap_s=0.05) for _ in range(3)])
    found = list[int]()
    threads = [threading.Thread(target=lambda: found.append(one.ask("openai").status_code)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [200] * 3 + [400] * 5 and len(provider.asked) == 3


@pytest.mark.parametrize("status", [401, 429, 500, 529])
def test_a_providers_fault_is_passed_on_and_not_tried_again(agent: Make, provider: Server, status: int) -> None:
    one = agent()
    provider.script(Fail(status, "no", headers={"retry-after": "7"}))
    response = one.ask("anthropic")
    assert (response.status_code, response.headers["retry-after"], len(provider.asked)) == (status, "7", 1)
    spent = one.gateway.ledger.spent
    assert (spent.requests, spent.failed, spent.tokens) == (1, 1, Tokens(usd=0.0)) and one.gateway.ledger.statuses == {status: 1}


def test_a_stream_that_is_cut_stays_cut_and_counts_as_uncounted(agent: Make, provider: Server) -> None:
    one = agent()
    provider.script(Turn("a b c d", pieces=4, cut=0))
    with pytest.raises(httpx.RemoteProtocolError):
        one.ask("openai")
    spent = one.gateway.ledger.spent
    assert (spent.requests, spent.uncounted) == (1, 1) and "RemoteProtocolError" in one.written()[0]["trouble"]


def test_a_provider_that_is_not_there_is_a_bad_gateway(agent: Make) -> None:
    one = agent(address="http://127.0.0.1:9")
    response = one.ask("anthropic")
    assert response.status_code == 502 and "cannot be reached" in response.json()["error"]["message"]
    assert one.gateway.ledger.statuses == {502: 1}


def test_nothing_but_models_is_answered(agent: Make, provider: Server) -> None:
    one = agent()
    assert one.client.head("/").status_code == 200
    for method, path, status in (("GET", "/v1/models", 404), ("POST", "/v1/files", 404), ("POST", "/v1/messages", 400)):
        assert one.client.request(method, path, content=b"[no json").status_code == status
    assert provider.asked == [] and one.gateway.ledger.spent.refused == 3
    assert [entry["kind"] for entry in one.written()] == ["unknown"] * 3


@pytest.mark.parametrize("dialect", [one for one in BODIES if one != "gemini"])
def test_no_other_model_is_asked_with_this_key(agent: Make, provider: Server, dialect: str) -> None:
    one = agent()
    refusal = one.ask(dialect, model="a-dearer-one")
    assert refusal.status_code == 400 and "'a-dearer-one' is none of this stack's: m" in refusal.json()["error"]["message"]
    assert provider.asked == [] and one.gateway.ledger.spent.refused == 1 and one.gateway.ledger.reached is None
    assert one.written()[0]["model"] == "a-dearer-one"


def test_gemini_names_the_model_in_its_path(agent: Make, provider: Server) -> None:
    path, body = BODIES["gemini"]
    assert agent().client.post(path.replace("/m:", "/other:"), json=body).status_code == 400 and provider.asked == []


def test_a_chat_stream_is_asked_for_its_counts(agent: Make, provider: Server) -> None:
    one = agent()
    provider.script(Turn("done", used=USED))
    one.ask("openai", stream_options={"x": 1})
    assert provider.asked[0].body["stream_options"] == {"x": 1, "include_usage": True}
    assert "stream_options" not in one.written()[0]["request"] or one.written()[0]["request"]["stream_options"] == {"x": 1}


@pytest.mark.parametrize("path", [
    "/v1/files#/messages", "/v1beta/models/other:generateContent#/models/m:generateContent", "/v1/../v1/messages",
    "/v1/%2e%2e/messages", "/v1/\x7f/messages", "/v1beta/models/m/x:generateContent"])
def test_no_path_leads_around_what_is_known(agent: Make, provider: Server, path: str) -> None:
    """As raw bytes, since a client would tidy them up."""
    one = agent()
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(str(one.gateway.socket))
        raw.sendall(b"POST %s HTTP/1.1\r\nhost: g\r\ncontent-length: 13\r\nconnection: close\r\n\r\n" % path.encode() + b'{"model":"m"}')
        assert b" 404 " in raw.makefile("rb").read().splitlines()[0]
    assert provider.asked == [] and one.gateway.ledger.spent.requests == 0


@pytest.mark.parametrize(("head", "status"), [
    ("content-length: -1", 400), ("content-length: x", 400), ("content-length: 99999999999", 413),
    ("transfer-encoding: chunked\r\n\r\n-1", 400), ("transfer-encoding: chunked\r\n\r\nfffffffff", 413)])
def test_a_length_is_bounded_before_anything_is_read(agent: Make, provider: Server, head: str, status: int) -> None:
    one = agent()
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(str(one.gateway.socket))
        raw.sendall(f"POST /v1/messages HTTP/1.1\r\nhost: g\r\n{head}\r\n\r\n".encode())
        assert f" {status} " in raw.makefile("rb").read().splitlines()[0].decode()
    assert provider.asked == [] and one.gateway.ledger.spent.refused == 1


@pytest.mark.parametrize(("dialect", "more"), [
    ("anthropic", {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}), ("anthropic", {"mcp_servers": [{"url": "x"}]}),
    ("openai-responses", {"tools": [{"type": "web_search"}]}), ("gemini", {"tools": [{"googleSearch": {}}]}),
    ("openai", {"web_search_options": {"x": 1}})])
def test_tools_that_the_provider_runs_are_no_way_out(agent: Make, provider: Server, dialect: str, more: dict[str, object]) -> None:
    one = agent()
    refusal = one.ask(dialect, **more)
    assert refusal.status_code == 400 and "a network that this agent has not" in refusal.json()["error"]["message"]
    assert provider.asked == []


def test_tools_that_the_agent_runs_are_its_own(agent: Make, provider: Server) -> None:
    one = agent()
    provider.script(Turn("done"), Turn("done"))
    assert one.ask("anthropic", tools=[{"type": "bash_20250124", "name": "bash"}]).status_code == 200
    assert one.ask("openai-responses", tools=[{"type": "custom", "name": "apply_patch"}]).status_code == 200


def test_a_failure_within_a_stream_is_the_providers(agent: Make, provider: Server) -> None:
    one = agent()
    provider.script(Turn("a b c", fault=(2, "overloaded_error", "Overloaded")))
    assert one.ask("anthropic").status_code == 200
    spent = one.gateway.ledger.spent
    assert (spent.failed, one.gateway.ledger.last_status) == (1, 502) and spent.tokens.input == 11, "what was told of tokens is kept"


def test_a_key_that_the_provider_says_back_is_hidden(agent: Make, provider: Server) -> None:
    one = agent()
    provider.script(Fail(401, "invalid key {key}", headers={"request-id": "{key}"}))
    response = one.ask("anthropic")
    assert response.status_code == 401 and KEY not in response.text + str(response.headers) and "***" in response.text
    assert KEY not in one.log.read_text()


def test_half_a_letter_is_counted_written_and_answered(agent: Make, provider: Server) -> None:
    one = agent()
    provider.script(Turn("done"))
    path, body = BODIES["anthropic"]
    content = json.dumps({**body, "messages": [{"role": "user", "content": "cut \ud83d"}]})
    response = one.client.post(path, content=content)
    assert "message_stop" in response.text and one.written()[0]["tokens"]["output"] == 20


def test_what_ends_after_the_agent_is_not_counted_twice() -> None:
    ledger = Ledger()
    for step in True, False:
        ledger.begin(step=step)
    ledger.end("p", "m", 200, Tokens(1, 2), answered=True)
    spent = ledger.close()
    ledger.end("p", "m", 200, Tokens(1, 2), answered=True)
    assert ledger.spent == spent and (spent.answered, spent.uncounted, ledger.waiting, spent.tokens.output) == (1, 1, 1, 2)


def test_a_loop_without_tools_meets_a_bound_too(agent: Make, provider: Server) -> None:
    one = agent(steps=1)
    provider.script(*[Turn("ok")] * 20)
    found = [one.ask("anthropic", tools=[]).status_code for _ in range(21)]
    assert found == [200] * 20 + [400] and one.gateway.ledger.reached == "steps"
