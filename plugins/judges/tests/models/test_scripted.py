"""Scripts: replies in order or by what a request says, and a clear end."""

import threading
from typing import Any

import pytest

from playproof.dialogue import FREE, Call, Message, Picture, Request, Result, Stop, Text, Tool, user
from playproof.drivers import build, load
from playproof.errors import ModelUnavailable, NotRecorded, RequestRejected, TaskError, TooLarge
from playproof.interfaces import Services
from playproof.model import Ref
from playproof.testing import check_model

LOOK = Tool("look", "", {})


def scripted(services: Services, *replies: Any, **options: Any) -> Any:
    return build("model", Ref("scripted", {"replies": list(replies), **options}), services)


def asked(*words: Any, **more: Any) -> Request:
    return Request([user(*words)], **more)


def test_it_keeps_the_contract() -> None:
    replies = ["green", {"data": {"answer": 42}}, {"calls": [{"name": "look", "arguments": {"at": "x"}}]}, "It is green."]
    check_model(load("model", "scripted"), options={"replies": replies, "price": {"input": 1, "output": 2}})


def test_replies_come_in_order(services: Services) -> None:
    model = scripted(services, "one", {"data": {"score": 4}}, {"text": "Look.", "calls": [{"name": "look", "arguments": {"at": 1}}]},
                     {"text": "never", "stop": "refused"})
    replies = [model.ask(asked("?")) for _ in range(4)]
    assert [one.text for one in replies] == ["one", '{"score": 4}', "Look.", "never"] and replies[1].data() == {"score": 4}
    assert [one.stop for one in replies] == [Stop.END, Stop.END, Stop.CALLS, Stop.REFUSED]
    assert replies[2].calls == [Call("call-3-0", "look", {"at": 1})] and replies[0].tokens == FREE
    assert len(model.asked) == 4


@pytest.mark.parametrize("request_", [
    Request([user("?")], system="a cat here"), asked("one cat"), asked(Picture(b"", caption="cat")),
    Request([user(Result("1", [Text("cat")]))]), Request([Message("assistant", [Call("1", "look", {"at": "cat"})])]),
])
def test_words_choose_a_reply_wherever_they_stand(services: Services, request_: Request) -> None:
    model = scripted(services, {"text": "a dog", "when": "dog"}, {"text": "a cat", "when": "cat"}, "neither")
    assert [model.ask(request_).text, model.ask(request_).text] == ["a cat", "neither"]


def test_side_by_side_everybody_gets_its_own(services: Services) -> None:
    model = scripted(services, *[{"text": f"<{n}>", "when": f"[{n}]", "times": 2} for n in range(20)])
    said: list[tuple[str, str]] = []
    threads = [threading.Thread(target=lambda n=n: said.append((f"<{n}>", model.ask(asked(f"[{n}]")).text))) for n in [*range(20)] * 2]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(said) == 40 and all(wanted == got for wanted, got in said)


def test_a_script_that_has_ended_says_so(services: Services) -> None:
    model = scripted(services, "only", {"text": "x", "when": "a cat"})
    model.ask(asked("?"))
    with pytest.raises(NotRecorded, match=r"1 of 2 are used up; the others wait for 'a cat'.*it ends:\s+a dog"):
        model.ask(asked("a dog"))


def test_times(services: Services) -> None:
    model = scripted(services, {"text": "twice", "times": 2}, {"text": "ever", "times": 0})
    assert [model.ask(asked("?")).text for _ in range(5)] == ["twice", "twice", "ever", "ever", "ever"]


@pytest.mark.parametrize(("fault", "kind"), [("unavailable", ModelUnavailable), ("rejected", RequestRejected), ("too_large", TooLarge)])
def test_faults_can_be_played(services: Services, fault: str, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="scripted: gone"):
        scripted(services, {"fault": fault, "text": "gone"}).ask(asked("?"))


def test_with_a_price_it_costs(services: Services) -> None:
    model = scripted(services, "a word", price={"input": 3, "output": 15})
    request = asked("?", max_tokens=100)
    estimate, used = model.estimate(request), model.ask(request).tokens
    assert 0 < used.usd <= estimate.usd and estimate.output == 100
    assert scripted(services, "x").estimate(request) == FREE


def test_identity_is_the_script(services: Services) -> None:
    one, same, other = scripted(services, "a"), scripted(services, "a", limit=3), scripted(services, "b")
    assert one.identity == same.identity != other.identity and same.limit == 3


@pytest.mark.parametrize(("reply", "words"), [
    ({"txt": "x"}, "unknown key 'txt'"), (7, "neither a text nor a table"), ({"text": 7}, "expected str"), ({"stop": "now"}, "stop"),
    ({"calls": ["look"]}, "expected a table"), ({"times": -1}, "times"), ({"fault": "odd"}, "fault"),
])
def test_a_spoilt_script_is_refused(services: Services, reply: Any, words: str) -> None:
    with pytest.raises(TaskError, match=words):
        scripted(services, reply)
