"""The seams: what a plugin may be. A plugin author reads this page, `model` and `errors`, and nothing else of core.

A driver is found by name in the entry-point group `playproof.<interface>.v1` and is built by calling
`factory(options, services)`; it validates its options itself, at once, and refuses unknown keys.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from attrs import Factory, field, frozen

from playproof.dialogue import Picture, Reply, Request, Tokens
from playproof.evidence import Evidences, Record
from playproof.model import Ask, Budget, Case, Check, Ending, Evidence, Options, Problem, Submission, Task, Verdict
from playproof.mutation import Mutant
from playproof.opinion import Opinion, Question


@frozen
class Services:
    """What core lends to a driver: a place for caches that outlive a run, a stack closed when the driver's process is done
    with it, and `secret(NAME)`: a key of the user's, from the environment and never written down."""

    cache: Path
    exits: ExitStack = Factory(ExitStack)
    secret: Callable[[str], str | None] = os.environ.get


class Clock(Protocol):
    """The only way that time passes. `now` is in ticks since the session was opened."""

    @property
    def now(self) -> int: ...
    def wait(self, ticks: int) -> None: ...


@runtime_checkable
class Session(Protocol):
    """A running submission. Domains add verbs; a verb that takes time calls `Clock.wait`, in steps of at most `frame`."""

    @property
    def frame(self) -> int: ...
    def advance(self, ticks: int) -> None:
        """Let `ticks` pass in the submission's world. Called by the stage alone."""

    def observe(self, ask: Ask) -> Sequence[Evidence]: ...
    def witness(self) -> Sequence[Evidence]:
        """What a person would want to look at when a check has ended, passed or failed: a picture, say. May be empty."""


S = TypeVar("S", bound=Session)
S_co = TypeVar("S_co", bound=Session, covariant=True)
S_contra = TypeVar("S_contra", bound=Session, contravariant=True)


class Runtime(Protocol[S_co]):
    """A domain's way of running a submission. It may keep costly things (an engine) between calls: see `Services`.

    `engine` names what else decides verdicts, with its major version ("engine 156"); it is part of a grading's identity."""

    @property
    def session(self) -> type[S_co]: ...
    @property
    def observes(self) -> frozenset[str]: ...
    @property
    def grading_version(self) -> int: ...
    @property
    def engine(self) -> str: ...
    def cases(self, check: Check) -> Sequence[Case]:
        """The cases of one check; raises TaskError on check options that it does not know."""

    def preflight(self, grading: "Grading") -> Sequence[Problem]: ...
    def open(self, grading: "Grading", case: Case, clock: Clock) -> AbstractContextManager[S_co]: ...


@runtime_checkable
class HoldsStarter(Protocol):
    """A runtime that shows what a task's starter holds as evidence of these kinds: where a check reads one, it decides verdicts."""

    @property
    def from_starter(self) -> frozenset[str]: ...


@frozen
class Replayed:
    """A session that was played again from its record, for `ticks`: `compared` observations were held against the recorded ones, and
    `differs` says when (ticks) and how they were not the same, the first ones first. `digest` is that of all that was seen now."""

    ticks: int
    compared: int
    digest: str
    differs: Sequence[tuple[int, str]] = ()


@runtime_checkable
class Replays(Protocol):
    """A runtime that can play a session again from the evidence of the kind `played_from`, in which everything that was done to
    the submission is written down by tick. `recorded` is all that the session left; nothing of the check is run."""

    @property
    def played_from(self) -> str: ...
    def replay(self, grading: "Grading", case: Case, recorded: Evidences) -> Replayed: ...


@runtime_checkable
class Builds(Protocol):
    """A runtime whose submissions may be made by a script of the task's author. `build` runs one over a workspace, in place; scripts
    of its folder can be imported by it. Raises TaskError with what the script said where it fails."""

    def build(self, script: Path, workspace: Path) -> None: ...


class Actor(Protocol[S_contra]):
    """Somebody who acts on a session: acts at once, yields the ticks until the next turn, returns when done."""

    @property
    def needs(self) -> type[Session]: ...
    def play(self, session: S_contra) -> Iterator[int]: ...


@runtime_checkable
class Plays(Protocol):
    """An actor whose acts a model decides: the names, in the bench, of the models that it asks, and the kinds of evidence that it
    writes down itself."""

    @property
    def models(self) -> Sequence[str]: ...
    @property
    def records(self) -> frozenset[str]: ...


class Examiner(Protocol):
    """Finds a task's checks and gives their verdicts. `together`: all checks of one case go to one call of `examine`.
    `opens`: it opens sessions, so a submission that does not load fails its checks."""

    @property
    def together(self) -> bool: ...
    @property
    def opens(self) -> bool: ...
    @property
    def grading_version(self) -> int: ...
    def checks(self, task: Task) -> Sequence[Check]: ...
    def examine(self, checks: Sequence[Check], case: Case, grading: "Grading") -> Iterator[Verdict]: ...


class Assertion(Protocol):
    """A truth about evidence: pure and offline. `check` leaves `Verdict.check` and `.case` to the rubric examiner."""

    @property
    def reads(self) -> frozenset[str]: ...
    @property
    def grading_version(self) -> int: ...
    def check(self, evidence: Evidences) -> Verdict: ...


@runtime_checkable
class AsksAssertions(Protocol):
    """An examiner whose verdicts come from assertions: what they read, and the version of each, by driver name."""

    def reads(self, checks: Sequence[Check]) -> frozenset[str]: ...
    def versions(self, checks: Sequence[Check]) -> Mapping[str, int]: ...


@frozen
class Exit:
    """How a command in a sandbox ended: `ended` is exited, wall, idle or killed."""

    ended: str
    code: int | None
    wall_s: float


@frozen
class Limits:
    """Bounds of one command. Memory and file sizes in bytes; None is no limit."""

    wall_s: float = 600.0
    idle_s: float | None = None
    memory: int | None = 8 << 30
    processes: int | None = 1024
    file_size: int | None = 2 << 30


@frozen
class Box:
    """What a sandbox shows: `workspace` writable at /workspace, `mounts` (place inside -> folder outside) read-only,
    `outputs` (the same) writable. `hidden` folders are not there, even where a system folder that is shown holds them."""

    workspace: Path
    mounts: Mapping[str, Path] = Factory(dict)
    outputs: Mapping[str, Path] = Factory(dict)
    limits: Limits = Limits()
    network: bool = False
    hidden: Sequence[Path] = ()


class Shell(Protocol):
    def run(
        self, argv: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str] | None = None,
        wall_s: float | None = None, idle_s: float | None = None, output: Callable[[str, bytes], None] | None = None,
    ) -> Exit:
        """Run one command to its end; `output("stdout" | "stderr", chunk)` hears it live. The whole tree is gone on return."""


class Sandbox(Protocol):
    @property
    def promises(self) -> Mapping[str, bool]:
        """What it protects, by name: processes, network, files, identity, memory."""

    def open(self, box: Box) -> AbstractContextManager[Shell]: ...


@frozen
class Job:
    """One generation: what the agent is told, where it works, and what it may spend. `hidden` is for the box: the task's own
    folder, where the checks are. What a harness leaves in `keep` (a trajectory, say) is stored with the submission."""

    task_id: str
    instruction: str
    workspace: Path
    sandbox: Sandbox
    budget: Budget
    seed: int
    log: Callable[[str, bytes], None]
    tools: Sequence[str] = ()
    hidden: Sequence[Path] = ()
    keep: Path | None = None


class Harness(Protocol):
    """A coding agent under test. Core freezes the workspace after every ending."""

    @property
    def stack(self) -> Options:
        """What identifies the agent: its program's own version, model and settings."""

    def generate(self, job: Job) -> Ending: ...


@frozen
class Grading:
    """One look at one submission. `submission.root` is a read-only copy; `scratch` is private to this process."""

    task: Task
    submission: Submission
    held_out: Path
    record: Record
    scratch: Path
    services: Services
    runtime: Runtime[Any]
    cast: Sequence[Actor[Any]] = ()
    seed: int = 0
    repeat: int = 0
    headed: bool = False
    limits: Limits = field(factory=Limits)
    bench: "Bench | None" = None
    """The models that play in this grading, as far as the run was given them; a session lends them to its actors."""

    def stage(self, case: Case) -> AbstractContextManager[Any]:
        """The only way to a session: opens the runtime, builds clock and cast; see `playproof.stage.Stage`."""
        from playproof.stage import stage

        return stage(self, case)


@frozen
class Lack:
    """Something this machine cannot do, and the remedy: `command` is what `doctor --fix` runs after saying so, for
    `patience_s` at most. With a `licence`, what it brings is under that, and it is run only for who agrees: who names the
    diagnosis and says --yes."""

    what: str
    why: str
    remedy: str
    command: Sequence[str] = ()
    patience_s: float = 900.0
    licence: str = ""


class Diagnosis(Protocol):
    def lacks(self) -> Sequence[Lack]: ...


@frozen
class Live:
    """What readers of a report can turn and look into. `script` is the driver's own, never a submission's: it stands in the page once and
    finds each element `[data-live=NAME]`, whose first child holds `content` in base64. `words` say what it is and what a reader can do."""

    name: str
    script: str
    content: bytes
    words: str


@frozen
class Exhibit:
    """Evidence made fit to look at: `html` is a safe fragment (already escaped), `thumbnail` a PNG. `pictures` and `text` are
    what a judge is shown of it; without either it is shown as canonical JSON, or as the picture that it is. `moments` are what
    happened when (ticks, a few words): they stand on the time line of a video that is cited beside it. `live` is for evidence of a media
    type `model/...` alone."""

    html: str
    thumbnail: bytes | None = None
    pictures: Sequence[Picture] = ()
    text: str = ""
    moments: Sequence[tuple[int, str]] = ()
    live: Live | None = None


class Exhibitor(Protocol):
    """Shows one kind of evidence, named by the entry point (`image.png/1`)."""

    def show(self, evidence: Evidence, read: Callable[[str], bytes]) -> Exhibit: ...


@frozen
class Query:
    """A read-only question that structured evidence can answer: `answer(arguments)` gives JSON data, and raises ValueError on
    arguments that `schema` (JSON Schema, an object) does not describe."""

    name: str
    description: str
    schema: Mapping[str, Any]
    answer: Callable[[Mapping[str, Any]], Any]


@runtime_checkable
class Queried(Protocol):
    """An exhibitor whose evidence is too large to show whole, and can be asked."""

    def queries(self, evidence: Evidence, read: Callable[[str], bytes]) -> Sequence[Query]: ...


class Mutator(Protocol):
    """Changes a submission in small ways, each of which a check ought to notice.

    `submission` holds what the task's own reference holds, and nothing of what was laid in or given. The mutants come in the
    order of `playproof.mutation.drawn`, at most `limit`; each can be loaded (it parses, say), and no two are the same change.
    Raises TaskError for a reference that cannot be read."""

    def mutants(self, submission: Submission, seed: int, limit: int) -> Iterator[Mutant]: ...


# --- models and judges ------------------------------------------------------------------------------------------------


class Model(Protocol):
    """One multimodal endpoint. `identity` is what decides its answers (driver, model, settings), without secrets; `limit` how
    many requests it takes side by side.

    `ask` raises ModelUnavailable when it stays down, RequestRejected (TooLarge) for what will not pass however often it is
    sent. `estimate` is the greatest cost of a request, before it is sent; its `usd` is absent where no price is known."""

    @property
    def identity(self) -> Options: ...
    @property
    def limit(self) -> int: ...
    def ask(self, request: Request) -> Reply: ...
    def estimate(self, request: Request) -> Tokens: ...


class Bench(Protocol):
    """What a judge works with. `ask` is its only way to a model: through the cache, the budget and the endpoint's limit. `vote`
    tells apart repeated questions that must not share a cached reply."""

    @property
    def models(self) -> Sequence[str]: ...
    @property
    def vote(self) -> int: ...
    def ask(self, model: str, request: Request) -> Reply: ...
    def open(self, evidence: Evidence) -> bytes:
        """Its blob, or its value as canonical JSON. Raises InfrastructureError where the blob is lost."""

    def show(self, evidence: Evidence) -> Exhibit: ...
    def queries(self, evidence: Evidence) -> Sequence[Query]: ...
    def revote(self, vote: int) -> "Bench":
        """The same bench for another vote."""


@frozen
class Planned:
    """A request that a judge would send, at most `turns` times as the talk goes on."""

    model: str
    request: Request
    turns: int = 1


Exhibits = Mapping[str, Sequence[Evidence]]


class Judge(Protocol):
    """Answers a question on given exhibits (key "submission", or "a" and "b"), offline: it never meets the submission.

    `forms` are the forms of questions that it answers; `settings` what decides its answers besides the models, prompt digests
    included. `judge` gives every trouble of the talk as an Opinion without a value; only ModelError leaves it. `planned` lists what
    it would send, as far as that is known beforehand."""

    @property
    def forms(self) -> frozenset[str]: ...
    @property
    def grading_version(self) -> int: ...
    @property
    def settings(self) -> Options: ...
    @property
    def models(self) -> Sequence[str]:
        """The names, in the bench, of the models that it asks."""

    def judge(self, question: Question, exhibits: Exhibits, bench: Bench) -> Opinion: ...
    def planned(self, question: Question, exhibits: Exhibits, bench: Bench) -> Sequence[Planned]: ...
