"""What every provider's driver makes of a talk: words, pictures, tools, schemas, thoughts, stops and counts."""

import io
import json
from typing import Any

import pytest
from PIL import Image

from playproof.dialogue import Call, Opaque, Picture, Reply, Request, Result, Stop, Text, Tokens, Tool, user
from playproof.drivers import load
from playproof.interfaces import Services
from playproof.testing import check_model
from playproof_judges.models.hosted import arguments
from playproof_judges.testing import DRIVERS, Fail, Server, Turn, Used

LOOK = Tool("look", "looks somewhere", {"type": "object", "properties": {"at": {"type": "string"}}})
SCHEMA = {"type": "object", "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 5}}, "required": ["score"]}


def png(colour: str, width: int = 8, height: int = 6) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, "PNG")
    return out.getvalue()


def test_it_keeps_the_contract(driver: str, server: Server, services: Services) -> None:
    server.script(Turn("green"), Turn(data={"answer": 42}), Turn(calls=[("look", {"at": "door"})], thought="hm"), Turn("It is green."))
    replies = check_model(load("model", driver), options=server.ref(driver, price={"input": 3, "output": 15}).options)
    assert [one.stop for one in replies] == [Stop.END, Stop.END, Stop.CALLS, Stop.END]
    assert replies[-1].text == "It is green."


def test_what_is_said_arrives(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("two cats"))
    pictures = [png("red"), png("blue")]
    shown = [Picture(pictures[0], caption="before"), Picture(pictures[1], caption="after")]
    reply = make(driver).ask(Request([user("What changed?", *shown, "Say it.")], system="You compare."))
    asked = server.asked[0]
    assert reply.text == "two cats" and reply.stop is Stop.END and reply.model == "test-model" and not reply.cached
    assert (asked.protocol, asked.model, asked.system) == (driver, "test-model", "You compare.")
    assert list(asked.texts) == ["What changed?", "before", "after", "Say it."] and list(asked.pictures) == pictures
    assert asked.tools == [] and asked.schema is None


def test_letters_of_every_script_survive_however_the_stream_is_cut(driver: str, make: Any, server: Server) -> None:
    words = "naïve 漢字 🦊 \u2028 {\"a\": 1}\ndata: x"
    server.script(Turn(words, pieces=50))
    assert make(driver).ask(Request([user(words)])).text == words
    assert server.asked[0].text == words


def test_half_a_letter_stops_nobody(driver: str, make: Any, server: Server) -> None:
    """A submission's names may hold what is no text at all."""
    server.script(Turn("ok"))
    assert make(driver).ask(Request([user("named \ud800\x00 so")])).text == "ok"
    assert server.asked[0].text == "named ?\x00 so"


def test_a_talk_with_tools_goes_round(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("Let me see.", calls=[("look", {"at": "dör"}), ("look", {})]), Turn("done"))
    model = make(driver)
    first = model.ask(Request([user("Look.")], tools=[LOOK]))
    assert first.stop is Stop.CALLS and [(one.name, one.arguments) for one in first.calls] == [("look", {"at": "dör"}), ("look", {})]
    assert len({one.id for one in first.calls}) == 2
    results = user(Result(first.calls[0].id, [Text("a door"), Picture(png("green"), caption="the door")]),
                   Result(first.calls[1].id, [Text("no such place")], error=True))
    assert model.ask(Request([user("Look."), first.message(), results], tools=[LOOK])).text == "done"
    told = [words for _, words in server.asked[1].results]
    assert len(told) == 2 and "a door" in told[0] and "no such place" in told[1]
    assert list(server.asked[1].pictures) == [png("green")] and "the door" in server.asked[1].text
    sent = json.dumps(server.asked[1].body)
    assert '"is_error": true' in sent if driver == "anthropic" else '"error": "no such' in sent if driver == "gemini" else "Error:" in sent


def test_thoughts_go_back_unchanged(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("Hm.", thought="It is a door, I think.", calls=[("look", {"at": "it"})]), Turn("done"))
    model = make(driver)
    first = model.ask(Request([user("Look.")], tools=[LOOK]))
    hidden = [one for one in first.parts if isinstance(one, Opaque)]
    assert len(hidden) == 1 and hidden[0].driver == driver and "It is a door" not in first.text
    model.ask(Request([user("Look."), first.message(), user(Result(first.calls[0].id, [Text("green")]))], tools=[LOOK]))
    sent = json.dumps(server.asked[1].body)
    mark = {"anthropic": "c2lnbmVk", "openai": "It is a door, I think.", "openai-responses": "sealed:It is a door", "gemini": "c2lnbmVk"}
    assert mark[driver] in sent and sent.count("It is a door") <= 1


def test_thoughts_that_were_cut_off_stay_out(driver: str, make: Any, server: Server) -> None:
    server.script(Turn(thought="It is a door, I", stop="length"), Turn("ok"))
    model = make(driver)
    first = model.ask(Request([user("?")]))
    assert first.stop is Stop.LENGTH
    assert model.ask(Request([user("?"), first.message(), user("Be brief.")])).text == "ok"
    assert driver == "gemini" or "door" not in json.dumps(server.asked[1].body)  # what Gemini signed, it takes back whole


def test_thoughts_of_another_driver_stay_out(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("ok"))
    other = Reply([Opaque("another", {"parts": [{"secret": "thought"}]}), Text("Hello."), Call("1", "look", {})])
    make(driver).ask(Request([user("Hi."), other.message(), user(Result("1", [Text("a door")]), "And?")]))
    assert "thought" not in json.dumps(server.asked[0].body) and "Hello." in server.asked[0].text


def test_it_can_be_made_to_call(driver: str, make: Any, server: Server) -> None:
    server.script(Turn(calls=[("look", {})]), Turn("free"))
    model = make(driver)
    model.ask(Request([user("Look.")], tools=[LOOK], must_call=True))
    model.ask(Request([user("Look.")], tools=[LOOK]))
    forced, free = (json.dumps(one.body) for one in server.asked)
    word = {"anthropic": '"any"', "openai": '"required"', "openai-responses": '"required"', "gemini": '"ANY"'}[driver]
    assert word in forced and word not in free


def test_a_schema_binds_the_reply(driver: str, make: Any, server: Server) -> None:
    server.script(Turn(data={"score": 4}))
    reply = make(driver).ask(Request([user("Rate it.")], schema=SCHEMA))
    assert reply.data() == {"score": 4}
    bound = server.asked[0].schema
    assert bound is not None and bound["additionalProperties"] is False and bound["required"] == ["score"]
    inner = bound["properties"]["score"]
    assert inner["type"] == "integer" and "minimum" not in inner and "minimum 1" in inner["description"]
    assert server.asked[0].system == ""


def test_a_schema_can_stand_in_the_prompt(driver: str, make: Any, server: Server) -> None:
    server.script(Turn('```json\n{"score": 4}\n```'))
    reply = make(driver, schema="prompt").ask(Request([user("Rate it.")], system="You rate.", schema=SCHEMA))
    asked = server.asked[0]
    assert reply.data() == {"score": 4} and asked.schema is None
    assert asked.system.startswith("You rate.") and '"maximum": 5' in asked.system


@pytest.mark.parametrize(("told", "stop"), [("end", Stop.END), ("length", Stop.LENGTH), ("refused", Stop.REFUSED)])
def test_stops_are_told_apart(driver: str, make: Any, server: Server, told: str, stop: Stop) -> None:
    server.script(Turn("I cannot", stop=told))
    reply = make(driver).ask(Request([user("?")]))
    assert (reply.stop, reply.text) == (stop, "I cannot")


def test_a_refusal_without_a_word_is_a_reply(driver: str, make: Any, server: Server) -> None:
    server.script(Turn(stop="refused"), Turn("ok"))
    model = make(driver)
    reply = model.ask(Request([user("?")]))
    assert (reply.stop, reply.text) == (Stop.REFUSED, "")
    assert model.ask(Request([user("?"), reply.message(), user("Please.")])).text == "ok"
    assert driver == "openai-responses" or "(no words)" in server.asked[1].text


def test_gemini_refuses_a_prompt_before_it_answers(make: Any, server: Server) -> None:
    server.script(Turn("blocked", stop="refused"))
    reply = make("gemini").ask(Request([user("?")]))
    assert (reply.stop, reply.text) == (Stop.REFUSED, "") and "PROHIBITED_CONTENT" in reply.raw


def test_tokens_are_counted_alike(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("ok", used=Used(input=1000, output=200, cache_read=400, cache_write=0, reasoning=50)))
    reply = make(driver, price={"input": 10, "output": 50, "cache_read": 1}).ask(Request([user("?")]))
    assert reply.tokens == Tokens(1000, 200, 400, 0, 50, usd=pytest.approx((1000 * 10 + 200 * 50 + 400 * 1) / 1e6))


@pytest.mark.parametrize("driver", [one for one in DRIVERS if one != "gemini"])
def test_what_is_written_to_a_cache_is_counted_apart(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("ok", used=Used(input=1000, output=200, cache_read=400, cache_write=300)))
    assert make(driver).ask(Request([user("?")])).tokens == Tokens(1000, 200, 400, 300, 3, usd=None)


def test_the_whole_reply_is_kept_as_it_came(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("kept", thought="why", calls=[("look", {"at": "x"})]))
    raw = make(driver).ask(Request([user("?")], tools=[LOOK])).raw
    assert "kept" in json.dumps(json.loads(raw)) and "look" in raw and ("sealed" in raw or "why" in raw)


def test_arguments_that_are_no_json_are_handed_on() -> None:
    assert arguments('{"a": 1') == {"not_json": '{"a": 1'} and arguments("[1]") == {"not_an_object": [1]} and arguments(" ") == {}


# --- settings ---


def test_settings_reach_the_request(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("a"), Turn("b"))
    model = make(driver, temperature=0.5, max_tokens=777, effort="high")
    model.ask(Request([user("?")]))
    model.ask(Request([user("?")], temperature=0.0))
    first, second = (json.dumps(one.body) for one in server.asked)
    assert '"temperature": 0.5' in first and '"temperature": 0.0' in second and "777" in first and '"high"' in first


def test_nothing_is_sent_that_was_not_chosen(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("a"))
    make(driver).ask(Request([user("?")]))
    sent = json.dumps(server.asked[0].body)
    assert not [word for word in ("temperature", "seed", "effort", "thinking", "top_p", "tools", "tool_choice") if word in sent]


@pytest.mark.parametrize("driver", ["openai", "gemini"])
def test_seeds_reach_the_request(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("a"), Turn("b"))
    model = make(driver, seed=7)
    model.ask(Request([user("?")]))
    model.ask(Request([user("?")], seed=8))
    assert ['"seed": 7' in json.dumps(server.asked[0].body), '"seed": 8' in json.dumps(server.asked[1].body)] == [True, True]


def test_anthropic_that_cannot_be_forced_is_asked_in_words(make: Any, server: Server) -> None:
    called = Turn(calls=[("look", {})])
    server.script(Fail(400, "tool_choice: this model does not support forced tool use"), called, called)
    model = make("anthropic")
    request = Request([user("Look.")], tools=[LOOK], must_call=True)
    assert [model.ask(request).stop, model.ask(request).stop] == [Stop.CALLS, Stop.CALLS]
    assert [one.body["tool_choice"]["type"] for one in server.asked] == ["any", "auto", "auto"]
    assert "Call one of the tools" in server.asked[1].system and not server.asked[0].system


def test_anthropic_thinks_as_told(make: Any, server: Server) -> None:
    server.script(Turn("a"), Turn("b"))
    make("anthropic", thinking="adaptive", effort="low").ask(Request([user("?")]))
    make("anthropic", thinking_tokens=2000).ask(Request([user("?")], tools=[LOOK], must_call=True))
    first, second = (one.body for one in server.asked)
    assert first["thinking"] == {"type": "adaptive"} and first["output_config"] == {"effort": "low"}
    assert second["thinking"] == {"type": "enabled", "budget_tokens": 2000} and second["tool_choice"] == {"type": "auto"}


def test_openai_binds_strictly_where_it_can(make: Any, server: Server) -> None:
    server.script(Turn(data={}), Turn(data={}))
    model = make("openai")
    model.ask(Request([user("?")], schema=SCHEMA))
    model.ask(Request([user("?")], schema={**SCHEMA, "required": []}))
    assert [one.body["response_format"]["json_schema"]["strict"] for one in server.asked] == [True, False]


def test_openai_asks_for_room_as_its_server_understands(make: Any, server: Server) -> None:
    server.script(Turn("a"), Turn("b"))
    make("openai").ask(Request([user("?")], max_tokens=55))
    make("openai", room="max_completion_tokens", detail="low").ask(Request([user("?", Picture(png("red")))], max_tokens=55))
    assert server.asked[0].body["max_tokens"] == 55 and server.asked[1].body["max_completion_tokens"] == 55
    assert '"detail": "low"' in json.dumps(server.asked[1].body)


def test_sealed_thoughts_are_asked_for_only_of_models_that_have_some(make: Any, server: Server) -> None:
    server.script(*[Turn("a")] * 4)
    for options in ({"model": "gpt-4.1"}, {"model": "gpt-6-sol"}, {"model": "gpt-5-chat-latest"}, {"effort": "low"}):
        make("openai-responses", **options).ask(Request([user("?")]))
    assert ["include" in one.body for one in server.asked] == [False, True, False, True]
    assert all(one.body["store"] is False for one in server.asked)


def test_items_of_a_server_that_does_not_repeat_them_are_kept(make: Any, server: Server) -> None:
    item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "once"}]}
    told = [{"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"status": "completed", "output": [], "usage": None, "model": "m"}}]
    body = "".join(f"data: {json.dumps(one)}\n\n" for one in told)
    server.script(Fail(200, body=body, headers={"content-type": "text/event-stream"}))
    model, asked = make("openai-responses"), Request([user("?")])
    reply = model.ask(asked)
    assert (reply.text, reply.stop) == ("once", Stop.END) and "once" in reply.raw
    assert reply.tokens == model.estimate(asked), "it counts nothing, so the greatest cost counts"


def test_gemini_with_tools_is_told_the_schema(make: Any, server: Server) -> None:
    server.script(Turn(data={"score": 1}))
    make("gemini").ask(Request([user("?")], schema=SCHEMA, tools=[LOOK]))
    assert server.asked[0].schema is None and "score" in server.asked[0].system


def test_gemini_numbers_calls_that_came_without_ids(make: Any, server: Server) -> None:
    server.script(Turn(calls=[("look", {})]), Turn("ok"))
    model = make("gemini")
    first = model.ask(Request([user("?")], tools=[LOOK]))
    model.ask(Request([user("?"), first.message(), user(Result(first.calls[0].id, [Text("x")]))], tools=[LOOK]))
    given = [part for content in server.asked[1].body["contents"] for part in content["parts"]]
    assert [list(part) for part in given] == [["text"], ["functionCall"], ["functionResponse"]]
    assert given[2]["functionResponse"]["name"] == "look" and first.calls[0].id not in json.dumps(given)
