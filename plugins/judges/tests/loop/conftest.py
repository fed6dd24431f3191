"""A room with lamps in the fake domain, and a loop on it whose model follows a script."""

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field

from playproof.bench import LiveBench
from playproof.dialogue import Picture, Reply, Request, Result, Text, Tokens
from playproof.errors import SessionLost, SubmissionFault
from playproof.evidence import Evidences
from playproof.interfaces import Bench
from playproof.model import Ask, Case, Evidence, Observer, seconds
from playproof.stage import Stage, stage
from playproof.testing import FakeSession, fake_grading
from playproof_judges.loop import ActorTool, Allowance, CannotDo, Loop, Played, Sight, lead

Step = Reply | Exception
PIXEL = b"\x89PNG, or so"


@define
class Script:
    """A model that says what stands in its script; `asked` has every request."""

    steps: list[Step]
    asked: list[Request] = field(factory=list)
    identity: Mapping[str, Any] = {"driver": "script"}
    limit: int = 1

    def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    def estimate(self, request: Request) -> Tokens:
        return Tokens(100, 10, usd=0.01)


def press(session: FakeSession, given: Mapping[str, Any]) -> str | None:
    if given["what"] == "ceiling":
        raise CannotDo("the ceiling is out of reach")
    session.note(f"press {given['what']}")
    return "It clicked." if given["what"] == "switch" else None


def drag(session: FakeSession, given: Mapping[str, Any]) -> None:
    session.drag(seconds(given["seconds"]))


def carry(session: FakeSession, given: Mapping[str, Any]) -> Generator[int, None, str]:
    for step in range(3):
        session.note(f"carry {step}")
        yield session.frame
    return "Carried."


def peer(session: FakeSession, given: Mapping[str, Any]) -> Sequence[Sight]:
    entry = session.observe(Ask("fake.log/1"))[0]
    return [Sight(Picture(PIXEL, caption="closer"), entry.id)]


def ruin(session: FakeSession, given: Mapping[str, Any]) -> None:
    raise {"fault": SubmissionFault("state.lamp", "missing"), "lost": SessionLost("it died"), "bug": KeyError("ours")}[given["how"]]


NUMBER = {"properties": {"seconds": {"type": "number", "minimum": 0, "maximum": 5}}, "required": ["seconds"]}
WORD = {"properties": {"what": {"type": "string"}}, "required": ["what"]}
TOOLS: Sequence[ActorTool[FakeSession]] = [
    ActorTool("press", "Press something.", WORD, press), ActorTool("drag", "Drag for a while.", NUMBER, drag),
    ActorTool("carry", "Carry for three frames.", {}, carry), ActorTool("peer", "Look closely.", {}, peer),
    ActorTool("ruin", "Break it.", {"properties": {"how": {"enum": ["fault", "lost", "bug"]}}, "required": ["how"]}, ruin),
]


class Room:
    """A stage of the fake domain, with a loop on it whose model follows a script."""

    def __init__(self, folder: Path, exits: ExitStack, cast: Sequence[Any] = ()) -> None:
        self.folder = folder
        self.grading = fake_grading(folder, cast=cast)
        self.stage: Stage = exits.enter_context(stage(self.grading, Case()))
        self.session = self.stage.session
        self.model = Script([])
        self.bench: Bench = LiveBench({"player": self.model}, lambda kind: None, folder / "replies", lambda blob: b"")
        self.loop: Loop[FakeSession] = Loop(TOOLS, self.observe, self.note, "Lamps are pressed.")

    def observe(self, session: FakeSession) -> Sequence[Sight]:
        entry = session.observe(Ask("fake.log/1"))[0]
        return [Sight(Text(json.dumps(entry.value)), entry.id), Sight(Picture(PIXEL), entry.id)]

    def note(self, session: FakeSession, kind: str, source: str, value: Any) -> Evidence:
        return self.grading.record.add(kind, Observer.OUTSIDE, tick=self.stage.clock.now, source=source, value=value)

    def play(self, *steps: Step, **allowed: Any) -> Played:
        self.model.steps += steps
        loop = evolve(self.loop, allowance=Allowance(**allowed)) if allowed else self.loop
        return lead(self.stage.clock, loop.play(self.session, "the lamp burns", self.bench))

    def of(self, kind: str) -> list[Any]:
        return [entry.value for entry in self.evidence.of(f"adaptive.{kind}/1")]

    @property
    def evidence(self) -> Evidences:
        return self.stage.evidence

    @property
    def end(self) -> Any:
        [end] = self.of("end")
        return end

    def told(self, request: int = -1) -> str:
        """What the last message of a request says, results included."""
        parts = self.model.asked[request].messages[-1].parts
        inner = [one for part in parts for one in (part.content if isinstance(part, Result) else [part])]
        return "\n".join(one.text for one in inner if isinstance(one, Text))


@pytest.fixture
def rooms() -> Iterator[Any]:
    """`rooms(folder)`: one more room."""
    with ExitStack() as exits:
        yield lambda folder: Room(folder, exits)


@pytest.fixture
def room(rooms: Any, tmp_path: Path) -> Any:
    return rooms(tmp_path)
