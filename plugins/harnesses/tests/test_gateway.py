"""The gateway before a scripted provider: counts to the token in four protocols, keys that agents never see, bounds, faults passed on."""

import threading
import time
from collections.abc import Callable

import httpx
import pytest

from playproof.dialogue import Tokens
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
