"""A key goes to its own endpoint and shows itself nowhere else, even where the endpoint says it back."""

import json
import logging
import traceback
from typing import Any

import pytest

from playproof.canonical import plain
from playproof.dialogue import Request, Tool, stored, user
from playproof.drivers import load
from playproof.errors import ModelError, RequestRejected
from playproof.interfaces import Services
from playproof_judges.models.secret import Secret
from playproof_judges.testing import Fail, Server, Turn

KEY = "sk-planted-0123456789"
ASK = Request([user("?")], tools=[Tool("look", "", {"type": "object"})])

VARIABLES = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "openai-responses": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY"}
HEADERS = {"anthropic": "x-api-key", "openai": "authorization", "openai-responses": "authorization", "gemini": "x-goog-api-key"}

ECHO = {"x-you-sent": "{key}"}
STEPS = {
    "a reply": Turn("your key is {key}, I think", thought="{key}", calls=[("look", {"at": ["{key}"], "{key}": 1})], headers=ECHO),
    "an error": Fail(400, "you sent {key}", headers=ECHO), "a wrong key": Fail(401, "Incorrect API key provided: {key}", headers=ECHO),
    "a page": Fail(500, body="<pre>{key}</pre>", headers=ECHO), "elsewhere": Fail(302, headers={"location": "http://x/?key={key}"}),
    "no stream": Fail(200, body="{key}"), "a fault inside": Turn("x", fault=(1, "invalid_request_error", "not {key}")),
    "a passing fault inside": Turn("x", fault=(1, "api_error", "not {key}")), "a cut": Turn("{key}", cut=1), "a drop": Fail(drop=True),
    "silence": Fail(hang=True), "a refusal": Fail(400, "{key}", kind="content_filter"),
}


@pytest.mark.parametrize("step", [pytest.param(step, id=name) for name, step in STEPS.items()])
def test_a_planted_key_is_found_nowhere(driver: str, make: Any, server: Server, keys: dict[str, str], caplog: pytest.LogCaptureFixture,
                                        capfd: pytest.CaptureFixture[str], step: Fail | Turn) -> None:
    caplog.set_level(logging.DEBUG)
    keys["MY_KEY"] = KEY
    server.script(step)
    model = make(driver, key="MY_KEY", retries=0, idle_s=0.5 if step == STEPS["silence"] else 30)
    shown = [repr(model), repr(model.settings), repr(vars(model)), repr(vars(model.endpoint)), json.dumps(plain(model.identity))]
    try:
        reply = model.ask(ASK)
        shown += [repr(reply), json.dumps(plain(stored(reply)))]
    except ModelError as fault:
        shown += [str(fault), repr(fault), "".join(traceback.format_exception(fault)), repr(vars(fault))]
        assert fault.__cause__ is None and fault.__context__ is None  # httpx's own errors carry the request, and so the key
    assert server.asked[0].key == KEY
    shown += [caplog.text, *capfd.readouterr()]
    assert caplog.records and not [one for one in shown if KEY in one]


def test_its_variable_is_named(driver: str, make: Any, server: Server, keys: dict[str, str]) -> None:
    keys["MY_KEY"] = KEY
    server.script(Fail(401, "Incorrect API key provided: {key}"))
    with pytest.raises(RequestRejected, match=r"the key in MY_KEY is not accepted .*\*\*\*"):
        make(driver, key="MY_KEY").ask(ASK)


def test_a_providers_own_key_goes_to_the_provider_alone(driver: str, make: Any, server: Server, keys: dict[str, str]) -> None:
    keys[VARIABLES[driver]] = KEY
    server.script(Turn("ok"))
    make(driver).ask(ASK)
    assert server.asked[0].key == "" and HEADERS[driver] not in server.asked[0].headers


def test_a_provider_at_home_wants_its_key(driver: str, services: Services, keys: dict[str, str]) -> None:
    model = load("model", driver)({"model": "m"}, services)
    with pytest.raises(RequestRejected, match=f"set the environment variable {VARIABLES[driver]}"):
        model.ask(ASK)
    keys[VARIABLES[driver]] = KEY
    assert model.endpoint.secret().header("") == KEY


def test_a_key_that_is_named_must_be_there(driver: str, make: Any, server: Server) -> None:
    with pytest.raises(RequestRejected, match="set the environment variable NOT_THERE"):
        make(driver, key="NOT_THERE").ask(ASK)
    assert not server.asked


@pytest.mark.parametrize("value", ["sk-with\nnewline-in-it", "sk-ключ-0123456789", "sk-\x00-0123456789"])
def test_what_is_no_key_is_not_sent(make: Any, server: Server, keys: dict[str, str], value: str) -> None:
    keys["MY_KEY"] = value
    with pytest.raises(RequestRejected, match="what MY_KEY holds is no key") as told:
        make("openai", key="MY_KEY").ask(ASK)
    assert not server.asked and value not in str(told.value)


def test_a_newline_at_the_end_is_forgiven(make: Any, server: Server, keys: dict[str, str]) -> None:
    keys["MY_KEY"] = f" {KEY}\n"
    server.script(Turn("ok"))
    make("openai", key="MY_KEY").ask(ASK)
    assert server.asked[0].key == KEY


def test_a_placeholder_spoils_no_words(make: Any, server: Server, keys: dict[str, str]) -> None:
    keys["MY_KEY"] = "x"
    server.script(Turn("six boxes"))
    assert make("openai", key="MY_KEY").ask(ASK).text == "six boxes"


def test_a_key_cut_in_two_by_the_stream_is_hidden(driver: str, make: Any, server: Server, keys: dict[str, str]) -> None:
    keys["MY_KEY"] = KEY
    server.script(Turn(f"it is {KEY}.", pieces=9))
    reply = make(driver, key="MY_KEY").ask(ASK)
    assert reply.text == "it is ***." and KEY not in reply.raw


def test_logs_are_left_as_they_were(make: Any, services: Services, server: Server, keys: dict[str, str]) -> None:
    keys["MY_KEY"] = KEY
    before = list(logging.getLogger("httpcore.http11").filters)
    server.script(Turn("ok"))
    make("openai", key="MY_KEY").ask(ASK)
    assert logging.getLogger("httpcore.http11").filters != before
    services.exits.close()
    assert logging.getLogger("httpcore.http11").filters == before


def test_a_secret_shows_its_variable() -> None:
    secret = Secret("MY_KEY", KEY)
    assert repr(secret) == "Secret('MY_KEY')" == str(secret) and bool(secret) and not Secret("MY_KEY", "")
    assert secret.hide_in({"a": [KEY, 1, None, {KEY: KEY}]}) == {"a": ["***", 1, None, {"***": "***"}]}
