"""Stand-ins for what core gives to a driver, honest enough to write a plugin's tests with."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playproof.evidence import Record
from playproof.interfaces import Actor, Clock, Grading, Runtime, Services
from playproof.model import TICKS, Ask, Case, Check, Ended, Ending, Evidence, ExaminerRef, Observer, Options, Problem, Ref, Submission, Task
from playproof.submission import freeze
from playproof.taskfile import read_task


class FakeClock:
    """A clock that goes by itself: `wait` lets the time pass at once and keeps what was asked in `waits`."""

    def __init__(self) -> None:
        self.now = 0
        self.waits: list[int] = []

    def wait(self, ticks: int) -> None:
        self.now += ticks
        self.waits.append(ticks)


class FakeSession:
    """A session of nothing but time. `log` has everything that happened, as (tick, what); `note` adds to it, `drag` is a
    verb that takes time, as a domain would write it: in steps of at most one frame."""

    frame = TICKS // 60

    def __init__(self, record: Record, clock: Clock) -> None:
        self.log: list[tuple[int, str]] = []
        self._record, self._clock, self._now = record, clock, 0

    def advance(self, ticks: int) -> None:
        self._now += ticks

    def note(self, what: str) -> None:
        self.log.append((self._now, what))

    def wait(self, ticks: int) -> None:
        self._clock.wait(ticks)

    def drag(self, ticks: int) -> None:
        done = 0
        while done < ticks:
            self.note(f"drag {done}")
            self._clock.wait(min(self.frame, ticks - done))
            done += min(self.frame, ticks - done)
        self.note(f"drag {ticks}")

    def observe(self, ask: Ask) -> Sequence[Evidence]:
        return [self._record.add(ask.kind, Observer.OUTSIDE, tick=self._now, source="fake", value=[list(one) for one in self.log])]

    def witness(self) -> Sequence[Evidence]:
        return []


class FakeRuntime:
    """Opens FakeSessions and observes `fake.log/1`; `sessions` keeps them. `open` runs a submission's nothing."""

    session = FakeSession
    observes = frozenset({"fake.log/1"})
    grading_version = 1
    engine = "fake 1"

    def __init__(self, options: Options | None = None, services: Services | None = None) -> None:
        self.sessions: list[FakeSession] = []

    def cases(self, check: Check) -> Sequence[Case]:
        return [Case()]

    def preflight(self, grading: Grading) -> Sequence[Problem]:
        return []

    @contextmanager
    def open(self, grading: Grading, case: Case, clock: Clock) -> Iterator[FakeSession]:
        self.sessions.append(FakeSession(grading.record, clock))
        yield self.sessions[-1]


def fake_task(folder: Path, **changes: Any) -> Task:
    """A task that lies on no disk but has a folder with a brief and a `checks/`; `changes` are fields of Task."""
    for name in ("brief", "checks"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "brief" / "instruction.md").write_text("# Do something\n")
    made: dict[str, Any] = {
        "root": folder, "id": "fake", "version": "1", "domain": "fake", "kind": "generation", "title": "A fake task",
        "runtime": Ref("fake"), "examiners": [ExaminerRef("python")], "deliver": ["*"],
    }
    return Task(**{**made, **changes})


def fake_submission(folder: Path, files: Mapping[str, str | bytes] | None = None) -> Submission:
    """A frozen submission with these files (path -> content)."""
    workspace = folder / "workspace"
    workspace.mkdir(parents=True, exist_ok=True)
    for name, content in (files or {}).items():
        place = workspace / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return freeze(workspace, folder / "frozen", [], Ending(Ended.COMPLETED), "fake")


def fake_grading(
    folder: Path, *, runtime: Runtime[Any] | None = None, task: Task | Path | None = None, submission: Submission | Path | None = None,
    cast: Sequence[Actor[Any]] = (), seed: int = 0,
) -> Grading:
    """A Grading as a worker would build it, below `folder`: of FakeRuntime, a fake task and an empty submission unless told.

    `task` and `submission` may be folders."""
    found = read_task(task) if isinstance(task, Path) else task or fake_task(folder / "task")
    if isinstance(submission, Path):
        submission = freeze(submission, folder / "fake" / "frozen", found.deliver, Ending(Ended.COMPLETED), "fake")
    return Grading(
        found, submission or fake_submission(folder / "fake"), found.root / "checks", Record(folder / "record"), folder / "scratch",
        Services(folder / "cache"), runtime or FakeRuntime(), cast, seed,
    )
