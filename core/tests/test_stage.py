"""One clock: who acts when, and that a verb which takes time is the same as its steps."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from playproof.errors import ActorError
from playproof.interfaces import Grading
from playproof.model import TICKS, Case, case, seconds
from playproof.stage import StageClock, stage
from playproof.testing import FakeRuntime, FakeSession, fake_grading


class Noting:
    """An environment actor that notes its name at each turn; `pauses` are the ticks between."""

    needs = FakeSession

    def __init__(self, name: str, *pauses: int) -> None:
        self._name, self._pauses = name, pauses

    def play(self, session: FakeSession) -> Iterator[int]:
        for pause in self._pauses:
            session.note(self._name)
            yield pause
        session.note(self._name)


class Forever(Noting):
    def play(self, session: FakeSession) -> Iterator[int]:
        while True:
            session.note(self._name)
            yield self._pauses[0]


def played(folder: Path, cast: list[Any], script: Any, *, lead_from_cast: bool = False) -> list[tuple[int, str]]:
    runtime = FakeRuntime()
    grading: Grading = fake_grading(folder, runtime=runtime, cast=cast)
    with stage(grading, Case(), lead_from_cast=lead_from_cast) as running:
        script(running)
    return runtime.sessions[0].log


def test_a_drag_under_a_jitter_actor_is_the_same_drag_written_as_yields(tmp_path: Path) -> None:
    length, frame = seconds(0.13), FakeSession.frame  # no whole number of frames, and no multiple of the jitter's turns
    jitter = 977

    class Dragging:
        """The same drag, as an actor may write it: act at once, and yield."""

        needs = FakeSession

        def play(self, session: FakeSession) -> Iterator[int]:
            done = 0
            while done < length:
                session.note(f"drag {done}")
                yield min(frame, length - done)
                done += min(frame, length - done)
            session.note(f"drag {length}")

    verb = played(tmp_path / "a", [Forever("jitter", jitter)], lambda running: running.session.drag(length))
    steps = played(tmp_path / "b", [Dragging(), Forever("jitter", jitter)], lambda running: running.perform(Dragging(), length + 1),
                   lead_from_cast=True)
    steps = [one for one in steps if one[0] <= length]
    assert verb == steps
    assert [tick for tick, what in verb if what == "jitter"] == list(range(0, length + 1, jitter))


def test_order_is_due_time_then_place_in_the_cast(tmp_path: Path) -> None:
    cast = [Noting("slow", 300), Noting("fast", 100, 100, 100), Noting("late", 200, 100)]
    log = played(tmp_path, cast, lambda running: running.clock.wait(1000))
    assert log == [(0, "slow"), (0, "fast"), (0, "late"), (100, "fast"), (200, "fast"), (200, "late"),
                   (300, "slow"), (300, "fast"), (300, "late")]


def test_one_long_wait_is_many_short_ones(tmp_path: Path) -> None:
    whole = played(tmp_path / "a", [Forever("x", 7), Forever("y", 11)], lambda running: running.clock.wait(500))

    def crumbs(running: Any) -> None:
        for ticks in [1, 2, 3, 50, 100, 44, 300]:
            running.clock.wait(ticks)

    assert played(tmp_path / "b", [Forever("x", 7), Forever("y", 11)], crumbs) == whole


def test_an_actor_that_waits_during_its_turn_is_told_so(tmp_path: Path) -> None:
    class Dragger:
        needs = FakeSession

        def play(self, session: FakeSession) -> Iterator[int]:
            session.drag(100)
            yield 1

    with pytest.raises(ActorError, match=r"actor 1 of the cast took 100 ticks during its turn; only the lead may"):
        played(tmp_path, [Noting("first"), Dragger()], lambda running: None)


def test_after_a_turn_that_failed_the_lead_may_still_wait(tmp_path: Path) -> None:
    class Raises:
        needs = FakeSession

        def play(self, session: FakeSession) -> Iterator[int]:
            yield 10
            raise KeyError("mine")

    def script(running: Any) -> None:
        with pytest.raises(KeyError):
            running.clock.wait(20)
        running.clock.wait(5)
        assert running.clock.now == 15

    played(tmp_path, [Raises()], script)


@pytest.mark.parametrize("pause", [0, -5])
def test_a_turn_must_let_time_pass(tmp_path: Path, pause: int) -> None:
    with pytest.raises(ActorError, match=f"yielded {pause} ticks"):
        played(tmp_path, [Noting("still", pause)], lambda running: None)


def test_time_does_not_go_back(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not go back"):
        played(tmp_path, [], lambda running: running.clock.wait(-1))


def test_before_a_session_there_is_no_time() -> None:
    with pytest.raises(ActorError, match="before the session"):
        StageClock().wait(1)


def test_a_lead_from_the_cast_stops_at_its_limit(tmp_path: Path) -> None:
    log = played(tmp_path, [Forever("lead", 400), Forever("other", 1000)], lambda running: running.perform(running.grading.cast[0], 1000),
                 lead_from_cast=True)
    assert log == [(0, "other"), (0, "lead"), (400, "lead"), (800, "lead"), (1000, "other")]


def test_a_lead_that_takes_time_by_verbs_stops_where_it_yields_nothing(tmp_path: Path) -> None:
    class Dragger:
        needs = FakeSession

        def play(self, session: FakeSession) -> Iterator[int]:
            for _ in range(5):
                session.drag(40)
                yield 0

    with stage(fake_grading(tmp_path), Case()) as running:
        running.perform(Dragger(), 100)
        assert running.clock.now == 120, "what was begun is brought to its end"


def test_the_lead_may_take_time_within_its_own_turn(tmp_path: Path) -> None:
    class Dragger:
        needs = FakeSession

        def play(self, session: FakeSession) -> Iterator[int]:
            session.drag(2 * FakeSession.frame)
            yield 10
            session.note("end")

    log = played(tmp_path, [Dragger()], lambda running: running.perform(running.grading.cast[0], TICKS), lead_from_cast=True)
    assert log[-1] == (2 * FakeSession.frame + 10, "end")


def test_frame_rates_divide_a_second() -> None:
    assert [TICKS % rate for rate in (24, 25, 30, 50, 60, 72, 90, 120, 144)] == [0] * 9
    assert seconds(1 / 23.976) == round(TICKS / 23.976)


def test_a_case_is_named_by_its_sorted_options() -> None:
    assert case(room="office", hand="left").id == "hand=left,room=office"
    assert case().id == Case().id == "default"
