"""`inspector`: turns with read-only tools, and a verdict that cites what was read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playproof.interfaces import Exhibit, Query
from playproof.model import Observer
from playproof.opinion import Opinion, Question, Trouble
from playproof.testing import FakeBench
from playproof_judges.judges.exhibits import views
from playproof_judges.judges.inspection import Inspection, pointed
from playproof_judges.testing import DRIVERS, Fail, Turn

Court = Any
SCENE = {"objects": [{"name": f"Leg.{n}", "height_mm": 150 if n else 102} for n in range(4)], "notes": "x" * 9000}


def reading(evidence: str = "E1", pointer: str = "/objects", **more: Any) -> tuple[str, dict[str, Any]]:
    return "read_json", {"evidence": evidence, "pointer": pointer, **more}


def concluding(verdict: bool, *cites: str, **changes: Any) -> tuple[str, dict[str, Any]]:
    return "conclude", {"reasoning": "Read.", "verdict": verdict, "cites": list(cites), "issues": [], "tampering": [], **changes}


@pytest.fixture
def scene(court: Court) -> Any:
    return court.see("fake.scene/1", SCENE, source="summary")


@pytest.mark.parametrize("driver", DRIVERS)
def test_it_reads_and_then_concludes(driver: str, court: Court, scene: Any) -> None:
    court.server.script(Turn(calls=[reading()]), Turn(calls=[concluding(False, "E1", issues=["Leg.0 measures 102 mm"])]))
    opinion = court.verdict("inspector", scene, driver=driver, text="Every leg is 150 mm high.")
    assert opinion.value.verdict is False and list(opinion.cites) == [scene.id] and list(opinion.issues) == ["Leg.0 measures 102 mm"]
    first, second = court.server.asked
    assert "102" not in first.text and '"height_mm": 102' in second.results[0][1] and "<data-" in second.results[0][1]
    assert list(first.tools) == ["list_evidence", "read_json", "conclude"]
    assert len(opinion.raw) == 2 and opinion.tokens.output == 40


def test_several_calls_in_one_turn(court: Court, scene: Any) -> None:
    calls = [reading(pointer=f"/objects/{n}/height_mm") for n in range(9)]
    court.server.script(Turn(calls=calls), Turn(calls=[concluding(True, "E1")]))
    assert court.verdict("inspector", scene).value.verdict is True
    told = [text for _, text in court.server.asked[1].results]
    assert "102" in told[0] and "there is nothing at '/objects/4'" in told[4] and "only 8 calls" in told[8]


@pytest.mark.parametrize("driver", ["openai", "anthropic"])
def test_the_last_turn_can_only_conclude(driver: str, court: Court, scene: Any) -> None:
    court.server.script(*[Turn(calls=[reading()])] * 2, Turn(calls=[concluding(True, "E1")]))
    assert court.verdict("inspector", scene, driver=driver, turns=3).value.verdict is True
    asked = court.server.asked
    assert [list(one.tools) for one in asked][1:] == [["list_evidence", "read_json", "conclude"], ["conclude"]]
    assert "Your turns are used up" in asked[2].text and "You have 3 turns" in asked[0].text
    assert "tool_choice" in asked[2].body and asked[2].body["tool_choice"] != asked[1].body.get("tool_choice")


def test_what_is_spent_of_the_characters_ends_it(court: Court, scene: Any) -> None:
    court.server.script(*[Turn(calls=[reading(pointer="/notes")])] * 2, Turn(calls=[concluding(False)]))
    assert court.verdict("inspector", scene, answer=400, characters=700).value.verdict is False
    assert list(court.server.asked[2].tools) == ["conclude"] and "(the first 400 of" in court.server.asked[1].results[0][1]


@pytest.mark.parametrize(("conclusion", "problem"), [
    (concluding(True, "E2"), "it cites E2, which was not read"), (concluding(True), "cites no exhibit that is more"),
    (concluding(True, "E9"), "is no exhibit"), (concluding("yes", "E1"), "$.verdict is a text"),
    (("conclude", {}), "$.reasoning is missing"), (concluding(True, "E3"), "cites no exhibit that is more"),
])
def test_a_verdict_on_what_was_not_read_is_repaired_once(conclusion: Any, problem: str, court: Court, scene: Any) -> None:
    other = court.see("fake.scene/1", {"other": 1}, tick=9)
    claim = court.see("fake.says/1", {"legs": "fine"}, observer=Observer.MAIN)
    court.server.script(Turn(calls=[reading(), reading("E3", "")]), Turn(calls=[conclusion]), Turn(calls=[concluding(True, "E1")]))
    assert court.verdict("inspector", scene, other, claim).value.verdict is True
    assert problem in court.server.asked[2].text and list(court.server.asked[2].tools) == ["conclude"]
    court.server.script(Turn(calls=[reading(), reading("E3", "")]), Turn(calls=[conclusion]), Turn(calls=[conclusion]))
    opinion = court.verdict("inspector", scene, other, claim, text="Again?")
    assert opinion.trouble is Trouble.MALFORMED and problem in opinion.message and len(opinion.raw) == 3


def test_a_call_that_failed_reads_nothing(court: Court, scene: Any) -> None:
    court.server.script(Turn(calls=[reading(pointer="/nowhere"), ("list_evidence", {})]), Turn(calls=[concluding(True, "E1")]),
                        Turn(calls=[concluding(False)]))
    assert court.verdict("inspector", scene).value.verdict is False
    assert "E1, which was not read" in court.server.asked[2].text
    assert "E1: probe of the verifier; kind fake.scene/1" in court.server.asked[1].results[1][1]


def test_words_instead_of_a_call(court: Court, scene: Any) -> None:
    court.server.script(Turn("The legs look fine."), Turn(calls=[reading()]), Turn(calls=[concluding(True, "E1")]))
    assert court.verdict("inspector", scene).value.verdict is True and "Call `conclude` with your answer" in court.server.asked[1].text
    court.server.script(*[Turn("The legs look fine.")] * 4)
    opinion = court.verdict("inspector", scene, turns=3)
    assert opinion.trouble is Trouble.MALFORMED and "does not call `conclude`" in opinion.message and len(opinion.raw) == 4


def test_refused_and_cut_off_turns_are_repaired_once_in_all(court: Court, scene: Any) -> None:
    court.server.script(Turn("No.", stop="refused"), Turn(calls=[reading()]), Turn(calls=[concluding(True, "E1")]))
    assert court.verdict("inspector", scene).value.verdict is True
    assert "program under test" in court.server.asked[1].text and "read_json" in court.server.asked[1].tools
    court.server.script(Turn("thinking", stop="length"), Turn(calls=[reading()]), Turn("No.", stop="refused"))
    opinion = court.verdict("inspector", scene, text="Again?")
    assert opinion.trouble is Trouble.REFUSED and len(opinion.raw) == 3


def test_too_large_begins_again_with_less(court: Court, scene: Any) -> None:
    shots = [court.picture(court.drawn("red", (900, 500 + n)), tick=n) for n in range(4)]
    court.server.script(Fail(413), Turn(calls=[concluding(True, "E2")]))
    opinion = court.verdict("inspector", scene, *shots)
    assert opinion.value.verdict is True and [len(asked.pictures) for asked in court.server.asked] == [4, 2]
    assert list(opinion.cites) == [shots[0].id]
    court.server.script(*[Fail(413)] * 4)
    assert court.verdict("inspector", scene, *shots, text="Again?").trouble is Trouble.UNAVAILABLE


def test_a_picture_that_is_not_shown_cannot_be_cited(court: Court) -> None:
    shots = [court.picture(court.drawn("red", (90, 50 + n)), tick=n) for n in range(4)]
    court.server.script(Turn(calls=[concluding(True, "E2")]), Turn(calls=[concluding(True, "E4")]))
    assert list(court.verdict("inspector", *shots, pictures=2).cites) == [shots[3].id]
    assert "E2, which was not read" in court.server.asked[1].text


# --- queries of exhibitors ---


class Legs:
    """An exhibitor whose evidence can be asked."""

    def show(self, evidence: Any, read: Any) -> Exhibit:
        return Exhibit("", text=f"a scene of {len(evidence.value['objects'])} objects")

    def queries(self, evidence: Any, read: Any) -> list[Query]:
        schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

        def height(arguments: Any) -> Any:
            if arguments["name"] == "Ghost":
                raise ZeroDivisionError
            found = [one["height_mm"] for one in evidence.value["objects"] if one["name"] == arguments["name"]]
            if not found:
                raise ValueError("there is no such object")
            return {"height_mm": found[0]}

        return [Query("scene.height", "The height of an object.", schema, height)]


def test_evidence_can_be_asked(court: Court, scene: Any) -> None:
    court.exhibitors["fake.scene/1"] = Legs()
    court.server.script(
        Turn(calls=[("scene_height", {"name": "Leg.0"}), ("scene_height", {"name": "Arm"}), ("scene_height", {"name": "Ghost"}),
                    ("no_such", {})]),
        Turn(calls=[concluding(False, "E1")]))
    assert court.verdict("inspector", scene).value.verdict is False
    told = [text for _, text in court.server.asked[1].results]
    assert '{"height_mm":102}' in told[0] and "no such object" in told[1] and "the query failed (ZeroDivisionError)" in told[2]
    assert "there is no tool 'no_such'" in told[3]


def test_one_tool_asks_all_evidence_of_a_kind(court: Court, scene: Any) -> None:
    court.exhibitors["fake.scene/1"] = Legs()
    other = court.see("fake.scene/1", {"objects": [{"name": "Leg.0", "height_mm": 7}]}, tick=9)
    court.server.script(Turn(calls=[("scene_height", {"exhibit": "E2", "name": "Leg.0"}), ("scene_height", {"name": "Leg.0"})]),
                        Turn(calls=[concluding(False, "E2")]))
    assert list(court.verdict("inspector", scene, other).cites) == [other.id]
    told = [text for _, text in court.server.asked[1].results]
    assert '{"height_mm":7}' in told[0] and "there is no evidence" in told[1]


# --- reading JSON ---


def inspection(bench: FakeBench, *values: Any, characters: int = 4000) -> Inspection:
    entries = [bench.see("fake.scene/1", value, seq=at) for at, value in enumerate(values)]
    return Inspection({f"E{at}": view for at, view in enumerate(views(entries, bench), 1)}, bench, characters)


def read(made: Inspection, **arguments: Any) -> str:
    from playproof.dialogue import Call

    return made.answer(Call("1", "read_json", arguments))[1]


def test_slices_of_a_list_and_of_an_object() -> None:
    made = inspection(FakeBench(), {"list": list(range(100)), "b/c~": {"x": None}, "text": "abcdefgh"})
    assert read(made, evidence="E1", pointer="/list", start=98) == "[\n98,\n99\n]\n(entries 98 to 99 of 100)"
    assert read(made, evidence="E1", pointer="/list", limit=2) == "[\n0,\n1\n]\n(entries 0 to 1 of 100)"
    assert read(made, evidence="E1", pointer="/list", start=200) == "[\n\n]\n(there are 100 entries, and none from 200 on)"
    assert read(made, evidence="E1", pointer="/b~1c~0/x") == "null" and read(made, evidence="E1", pointer="/list/7") == "7"
    assert read(made, evidence="E1", pointer="/text", start=2, limit=3) == '"cde"\n(characters 2 to 4 of 8)'


def test_what_is_too_long_is_shortened_and_can_be_read_further() -> None:
    made = inspection(FakeBench(), {"big": {"a": "x" * 5000, "b": 2}, "rows": [[1] * 3000]}, characters=1000)
    whole = read(made, evidence="E1", pointer="")
    assert "2 keys: a, b" in whole and "[... 1 entries ...]" in whole and len(whole) < 1000
    assert read(made, evidence="E1", pointer="/big/b") == "2"


@pytest.mark.parametrize(("arguments", "problem"), [
    ({"evidence": "E9", "pointer": ""}, "there is no evidence 'E9'"), ({"evidence": 3, "pointer": ""}, "there is no evidence '3'"),
    ({"evidence": "E1", "pointer": "objects"}, "is no JSON Pointer"), ({"evidence": "E1", "pointer": "/a/b"}, "at '/a' is a value"),
    ({"evidence": "E1", "pointer": "/x"}, "an object with the keys a"), ({"evidence": "E1", "pointer": "", "start": -1}, "start is -1"),
    ({"evidence": "E1", "pointer": "", "limit": "all"}, "limit is all"), ({}, "there is no evidence"),
])
def test_a_reading_that_makes_no_sense(arguments: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read(inspection(FakeBench(), {"a": 1}), **arguments)


def test_a_blob_of_json_and_one_of_words() -> None:
    bench = FakeBench()
    big = bench.see("fake.scene/1", blob=json.dumps({"rows": [1, 2]}).encode())
    words = bench.see("fake.log/1", blob=b"line one\nline two", media_type="text/plain")
    made = Inspection({f"E{at}": view for at, view in enumerate(views([big, words], bench), 1)}, bench, 4000)
    assert read(made, evidence="E1", pointer="/rows/1") == "2" and read(made, evidence="E2", pointer="") == '"line one\\nline two"'


def test_a_long_list_of_evidence_has_pages() -> None:
    made = inspection(FakeBench(), *[{"n": n} for n in range(130)])
    assert made.listing().count("\n") == 60 and "70 more: list_evidence with start 60" in made.listing()
    assert "E130" in made.listing(120) and made.listing(500) == ""


@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)), st.text())
def test_any_pointer_into_any_data(data: Any, pointer: str) -> None:
    try:
        pointed(data, pointer)
    except ValueError as fault:
        assert str(fault)


def test_the_plan_is_turns_times_the_first_request(court: Court, scene: Any) -> None:
    court.server.script(Turn(calls=[concluding(False)]))
    judge, bench, shown = court.judge("inspector", turns=5), court.bench(), {"submission": [scene]}
    (planned,) = judge.planned(Question("t/c", "?"), shown, bench)
    opinion: Opinion = judge.judge(Question("t/c", "?"), shown, bench)
    assert planned.turns == 5 and bench.kept(bench.key("default", planned.request)) and opinion.value is not None
