"""How a play ends, is played again, is led or stands in a cast, and is shown."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.bench import LiveBench
from playproof.dialogue import Opaque, Picture, Reply, Request, Result, Stop, Text, Tokens
from playproof.errors import ModelUnavailable, NoModel, NotRecorded, PluginError, SessionLost, SubmissionFault, UsageError
from playproof.evidence import read
from playproof.interfaces import Actor, Plays, Services
from playproof.model import TICKS, Case, Evidence, Observer, seconds
from playproof.stage import stage
from playproof.testing import FakeSession, fake_grading
from playproof_judges.loop import KINDS, ActorTool, Loop, Player, Sight, lead
from playproof_judges.loop_exhibits import LoopExhibitor
from playproof_judges.replay import replayed
from playproof_judges.testing.players import call, calls

Room = Any
Rooms = Any
DONE = call("done", reached=True, claim="the log says so")


# --- ends ---


def test_turns_run_out(room: Room) -> None:
    played = room.play(*[call("press", what=f"lamp {number}") for number in range(3)], turns=3)
    assert (played.how, played.claim, played.reached, played.turns) == ("steps", "", None, 3)
    assert room.end["why"] == "all 3 turns are used" and len(room.session.log) == 3


def test_tokens_run_out_before_they_are_exceeded(room: Room) -> None:
    played = room.play(*[call("press", what=f"lamp {number}") for number in range(9)], tokens=400)
    assert played.how == "tokens" and played.turns == 3 and played.tokens.input + played.tokens.output == 330
    assert "330 of 400 tokens are used, and the next turn needs 110 or more" in room.end["why"]


@pytest.mark.parametrize(("how", "fault"), [("fault", SubmissionFault), ("lost", SessionLost)])
def test_a_session_that_breaks_under_a_tool_is_let_out_and_written_down(room: Room, how: str, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        room.play(call("ruin", how=how))
    [turn] = room.of("turn")
    assert turn["tool"] == "ruin" and fault.__name__ in turn["error"] and turn["result"] is None
    assert room.end["how"] == "broken" and fault.__name__ in room.end["why"]


def test_a_bug_of_a_tool_is_no_end_of_a_play(room: Room) -> None:
    with pytest.raises(KeyError, match="ours"):
        room.play(call("ruin", how="bug"))
    assert not room.of("end")


def test_a_model_that_cannot_be_asked_is_no_failure_of_anybody(room: Room) -> None:
    with pytest.raises(ModelUnavailable):
        room.play(call("press", what="lamp"), ModelUnavailable("down"))
    assert room.end["how"] == "broken" and room.end["turns"] == 2


def test_without_a_model_nothing_begins(room: Room) -> None:
    none = LiveBench({}, lambda kind: None, room.folder, lambda blob: b"")
    for bench, name in ((None, None), (none, None), (room.bench, "other")):
        with pytest.raises(NoModel, match="is to play, and there are: "):
            lead(room.stage.clock, room.loop.play(room.session, "x", bench, name))
    assert not list(room.evidence)


# --- the same again ---


def test_a_repeated_play_is_the_same_from_the_cache(room: Room, rooms: Rooms, tmp_path: Path) -> None:
    steps = [call("press", what="switch"), call("drag", seconds=0.1), call("fly"), *[call("press", what="lamp")] * 9]
    room.play(*steps, tokens=700)
    asked = len(room.model.asked)
    again = rooms(tmp_path / "again")
    again.bench = room.bench
    assert again.play(tokens=700).how == "tokens", "what is counted is what it cost at first"
    assert [entry.id for entry in again.evidence] == [entry.id for entry in room.evidence]
    assert len(room.model.asked) == asked


def test_a_recorded_play_is_played_again_without_a_model(room: Room, rooms: Rooms, tmp_path: Path) -> None:
    thought = Reply([Opaque("anthropic", {"signed": "x"}), *call("carry").parts], Stop.CALLS, Tokens(5, 5), "script", raw="{}")
    room.play(call("press", what="switch"), Reply([], Stop.REFUSED), thought, calls(("carry", {}), ("carry", {})), DONE)
    room.play(call("press", what="second"), DONE)
    for number, name in enumerate(("first", "second")):
        again = rooms(tmp_path / name)
        played = lead(again.stage.clock, again.loop.play(again.session, "the lamp burns", replayed(read(tmp_path / "record"), number)))
        assert played.how == "done"
        if number == 0:
            assert [entry.id for entry in again.evidence] == [entry.id for entry in room.evidence][: len(again.evidence)]
            assert again.session.log == room.session.log[:-1]
        assert again.session.log[-1][1] == ("carry 2", "press second")[number]


def test_a_replay_says_what_it_has_not(room: Room) -> None:
    room.play(call("press", what="switch"), turns=1)
    with pytest.raises(UsageError, match="no play 1 in the evidence, which holds 1"):
        replayed(room.evidence, 1)
    with pytest.raises(NotRecorded, match="recorded for 1 turns"):
        lead(room.stage.clock, room.loop.play(room.session, "x", replayed(room.evidence)))


# --- as an actor ---


@pytest.mark.parametrize(("limit", "how"), [(seconds(1), "done"), (2 * FakeSession.frame, "stopped")])
def test_as_the_lead_of_a_cast_it_plays_to_its_end_or_to_the_limit(room: Room, limit: int, how: str) -> None:
    room.model.steps += [call("carry"), DONE]
    player = Player(FakeSession, room.loop, "the lamp burns", lambda session: room.bench, "player")
    actor: Actor[FakeSession] = player
    assert isinstance(player, Plays) and actor.needs is FakeSession
    assert player.models == ("player",) and player.records == KINDS
    room.stage.perform(actor, limit)
    assert room.end["how"] == how and room.stage.clock.now == min(limit, 3 * FakeSession.frame)
    first = room.of("turn")[0]
    assert first["tool"] == "carry" and first["error"] == (None if how == "done" else "its time was over")


def test_beside_a_script_it_plays_in_the_pauses(room: Room, tmp_path: Path) -> None:
    grading = fake_grading(tmp_path / "beside")

    def observe(session: FakeSession) -> Sequence[Sight]:
        return [Sight(Text(str(session.log)), "an-id")]

    def note(session: FakeSession, kind: str, source: str, value: Any) -> Evidence:
        return grading.record.add(kind, Observer.OUTSIDE, tick=0, source=source, value=value)

    room.model.steps += [call("carry"), call("carry"), DONE]
    player = Player(FakeSession, Loop(room.loop.tools, observe, note), "the lamp burns", lambda session: room.bench, "player")
    with stage(evolve(grading, cast=[player]), Case()) as running:
        running.clock.wait(TICKS)
        assert [what for _, what in running.session.log] == ["carry 0", "carry 1", "carry 2"] * 2


# --- what a domain gives ---


def test_tools_that_cannot_be_declared_are_refused(room: Room) -> None:
    with pytest.raises(PluginError, match="two tools are named 'done'"):
        evolve(room.loop, tools=[ActorTool("done", "x", {}, lambda session, given: None)])
    with pytest.raises(PluginError, match="schema of the tool 'odd' is no JSON Schema"):
        bad: ActorTool[FakeSession] = ActorTool("odd", "x", {"properties": {"a": {"type": "nothing"}}}, lambda session, given: None)
        lead(room.stage.clock, evolve(room.loop, tools=[bad]).play(room.session, "x", room.bench))


def test_old_pictures_leave_the_talk_in_batches(room: Room) -> None:
    room.play(*[call("press", what=f"lamp {number}") for number in range(8)], DONE, keeps=2)

    def shown(request: Request) -> int:
        return sum(isinstance(one, Picture) for message in request.messages for part in message.parts
                   for one in (part.content if isinstance(part, Result) else [part]))

    assert [shown(request) for request in room.model.asked] == [1, 2, 3, 4, 2, 3, 4, 2, 3]
    assert "lamp 0" in str(room.model.asked[-1].messages[-1]), "a short text of an old turn stays"
    assert "no longer" in str(room.model.asked[-1].messages[0]) and "The goal" in room.model.asked[-1].system


def test_old_long_texts_leave_the_talk_as_pictures_do(room: Room) -> None:
    def observe(session: FakeSession) -> Sequence[Sight]:
        return [Sight(Text("state " * 1000), "an-id")]

    room.loop = evolve(room.loop, observe=observe)
    room.play(*[call("press", what=f"lamp {number}") for number in range(8)], DONE, keeps=2)
    assert [str(request.messages).count("state " * 1000) for request in room.model.asked] == [1, 2, 3, 4, 2, 3, 4, 2, 3]


def test_a_report_and_a_judge_are_shown_what_was_done_and_what_was_claimed(room: Room) -> None:
    room.session.note("<b>lit</b>")
    room.play(calls(("press", {"what": "<i>"}), said="It <blinks>"), call("fly"), DONE)
    ours = [entry for entry in room.evidence if entry.kind in KINDS]
    shown = [LoopExhibitor({}, Services(room.folder)).show(entry, lambda blob: b"") for entry in ours]
    texts = [one.text for one in shown]
    assert texts[0].startswith("goal: the lamp burns\nplayed by: the model 'player', with press, ")
    assert texts[1] == 'turn 1: press({"what": "<i>"})\ntold: Done.\nclaimed by the actor: It <blinks>'
    assert texts[2].startswith("turn 2: nothing was carried out\nerror: There is no tool 'fly'")
    assert texts[-1] == "end: done after 3 turns\nclaimed by the actor: reached: the log says so"
    assert "<p><b>claimed by the actor</b> It &lt;blinks&gt;</p>" in shown[1].html and "<i>" not in "".join(one.html for one in shown)
