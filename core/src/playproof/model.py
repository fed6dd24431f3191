"""The nouns: frozen values that flow from a task to a score. No behaviour, no input or output."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen, validators

Options = Mapping[str, Any]

TICKS = 90_000
"""A second. 24, 25, 30, 50, 60, 72, 90, 120 and 144 Hz divide it, so frames never drift."""

SELDOM = {"seldom": True}
"""Metadata of a field that is left out while it has its default: a noun may gain one, and what was hashed before stays the same."""

INLINE = 64 * 1024
"""Evidence values up to this many bytes stand in the record itself; larger ones are blobs."""


def seconds(x: float) -> int:
    """Seconds as ticks, rounded to the nearest."""
    return round(x * TICKS)


@frozen
class Ref:
    """A driver by name, with the options that it is built with."""

    driver: str
    options: Options = Factory(dict)


# --- the task ---------------------------------------------------------------------------------------------------------


@frozen
class Budget:
    """What one agent may spend on one task. None is no limit."""

    wall_s: float = field(default=1800.0, validator=validators.gt(0))
    idle_s: float = field(default=600.0, validator=validators.gt(0))
    steps: int | None = None
    tokens: int | None = None
    usd: float | None = None


@frozen
class Replace:
    """A change of one file: `find`, which occurs in it exactly once, becomes `with`."""

    file: str
    find: str = field(validator=validators.min_len(1))
    with_: str


@frozen
class LayIn:
    """What the workspace starts with besides: pinned packages, whose `lock` is a file of the task or of a Python package (`package:path`),
    or instead a `resource`, a folder or file of such a package. `into` is where in the workspace; `files` what is taken (globs below the
    installed tree or the resource; everything when empty), `replace` what is then changed (files below `into`). What is not
    `delivered` is lent to an agent (its test runner, say) and is no part of any submission."""

    lock: str = ""
    into: str = field(default="", validator=validators.min_len(1))
    files: Sequence[str] = ()
    replace: Sequence[Replace] = field(default=(), metadata=SELDOM)
    delivered: bool = field(default=True, metadata=SELDOM)
    resource: str = field(default="", metadata=SELDOM)

    def __attrs_post_init__(self) -> None:
        if bool(self.lock) is bool(self.resource):
            raise ValueError("wants either lock or resource")


@frozen
class ExaminerRef:
    """An examiner with the files of `checks/` that it reads (globs)."""

    driver: str
    files: Sequence[str] = ()
    options: Options = Factory(dict)


@frozen
class RatingRef:
    """A scale on which a judge rates the whole submission; rated items are no checks. `scale` is `package:path/to.toml`,
    `exhibits` the evidence kinds that the judge is shown."""

    scale: str
    exhibits: Sequence[str]
    judge: Ref = Ref("rating")


@frozen
class Equivalent:
    """Mutants that nobody need tell from the reference, and why. Everything that is given must fit: the id; the file, line and kind;
    `before` (a glob over what is shown of the change); `within`, one of the places that the mutant lies in, as named from the
    outside (`house` fits `house.door`)."""

    reason: str = field(validator=validators.min_len(1))
    id: str | None = None
    file: str | None = None
    line: int | None = None
    kind: str | None = None
    before: str | None = None
    within: Sequence[str] = ()

    def __attrs_post_init__(self) -> None:
        if self.within == () and {self.id, self.file, self.line, self.kind, self.before} == {None}:
            raise ValueError("says of no mutant that it is equivalent: wanted id, file, line, kind, before or within")


@frozen
class MutatorRef:
    """What changes the reference to see whether the checks notice, and what they need not notice. It decides no verdict."""

    driver: str
    options: Options = Factory(dict)
    equivalent: Sequence[Equivalent] = ()


@frozen
class Task:
    """What an agent is asked to make, and how we shall look at it. `root` is its folder; paths are relative to it."""

    root: Path
    id: str
    version: str
    domain: str
    kind: str
    title: str
    runtime: Ref
    examiners: Sequence[ExaminerRef]
    deliver: Sequence[str]
    labels: Options = Factory(dict)
    budget: Budget = Budget()
    tools: Sequence[str] = ()
    lay_in: Sequence[LayIn] = ()
    cast: Sequence[Ref] = ()
    observe: Mapping[str, Options] = Factory(dict)
    ratings: Sequence[RatingRef] = ()
    scoring: Options = Factory(dict)
    mutants: MutatorRef | None = None


class Priority(StrEnum):
    P0 = "P0"
    P1 = "P1"
    P2 = "P2"


@frozen
class Asking:
    """A check's question to a judge. Its exhibits are what the check's own verdict cites."""

    judge: Ref
    text: str


def _texts(value: Any) -> Sequence[str]:
    """Records of before have one text, or none."""
    found = (value,) if isinstance(value, str) else tuple(value or ())
    if not all(isinstance(one, str) for one in found):
        raise TypeError("expected a text or a list of texts")
    return found


@frozen
class Check:
    """One requirement. `required` checks decide the trial; `timeout_s` is the watchdog of one case, in wall seconds.

    `source` says where the brief asks for it: texts, one for each place. With `asks`, the examiner gives at best `unjudged`, whose cites
    are the exhibits, and a judge's opinion decides. `plays` names the model that plays in it: a loop in which it looks and acts, while
    the check watches."""

    id: str
    examiner: str
    title: str
    layer: str = "L2"
    priority: Priority | None = None
    required: bool = True
    weight: float = field(default=1.0, validator=validators.ge(0))
    category: str | None = None
    optional_feature: bool = False
    source: Any = field(default=(), converter=_texts)
    timeout_s: float = field(default=60.0, validator=validators.gt(0))
    asks: Asking | None = None
    plays: str | None = None
    options: Options = Factory(dict)


@frozen
class Case:
    """One way of putting a check to a submission; `id` is sorted `key=value` pairs joined by commas, or `default`."""

    id: str = "default"
    options: Options = Factory(dict)


def case(**options: Any) -> Case:
    return Case(",".join(f"{key}={options[key]}" for key in sorted(options)) or "default", options)


# --- what an agent leaves ---------------------------------------------------------------------------------------------


class Ended(StrEnum):
    """How generation ended. Apart from the score, and from whether grading was valid. FAILED is the agent's own crash; REFUSED a model that
    would not do the task; PROVIDER and AUTH are faults of who serves the model, or of the key."""

    COMPLETED = "completed"
    STEPS = "out_of_steps"
    TOKENS = "out_of_tokens"
    WALL = "out_of_time"
    IDLE = "idle"
    BUDGET = "out_of_budget"
    REFUSED = "refused"
    FAILED = "failed"
    PROVIDER = "provider_error"
    AUTH = "auth_error"
    INFRA = "infrastructure"


NOT_THE_AGENTS = frozenset({Ended.PROVIDER, Ended.AUTH, Ended.INFRA})
"""Endings that say nothing of the agent: void, kept as a try and charged, and tried again."""


@frozen
class Usage:
    """What generation cost; None where nobody said. `input_tokens` are fresh ones, cache reads and cache writes together (the papers'
    Input, GameASG section 4.4), `output_tokens` hold those of reasoning."""

    wall_s: float | None = None
    steps: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None
    requests: int | None = field(default=None, metadata=SELDOM)
    cache_read_tokens: int | None = field(default=None, metadata=SELDOM)
    cache_write_tokens: int | None = field(default=None, metadata=SELDOM)
    reasoning_tokens: int | None = field(default=None, metadata=SELDOM)


@frozen
class Ending:
    """How a harness stopped, with what it spent. `message` is its last word, cut to a screen."""

    ended: Ended
    message: str = ""
    exit_code: int | None = None
    usage: Usage = Usage()


# --- evidence ---------------------------------------------------------------------------------------------------------


class Observer(StrEnum):
    """Who saw it, from the weakest to the strongest ground for a verdict."""

    INSIDE = "inside"
    """beside the submission, with its rights: the command examiner"""
    MAIN = "main"
    """the page's own world: what a submission says of itself, and counters that it could forge"""
    ISOLATED = "isolated"
    """a world that the submission's code cannot enter: geometry and text of the document"""
    OUTSIDE = "outside"
    """we ourselves: pictures, our input, our server, the debugger"""
    HELD = "held"
    """not seen at all: baselines and expected data of the task"""


@frozen
class Evidence:
    """One thing that was seen. `id` is the SHA-256 of its canonical JSON without the id; a value over 64 KiB is a blob."""

    id: str
    tick: int
    seq: int
    kind: str
    observer: Observer
    source: str
    media_type: str = "application/json"
    value: Any = None
    blob: str | None = None


@frozen
class Ask:
    """Something to observe: an evidence kind, with the options that its runtime defines."""

    kind: str
    options: Options = Factory(dict)


# --- verdicts ---------------------------------------------------------------------------------------------------------


class Outcome(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    NOT_APPLICABLE = "not_applicable"
    VOID = "void"


class Reason(StrEnum):
    OK = "OK"
    FAIL = "FAIL"
    SUBMISSION_FAULT = "SUBMISSION_FAULT"
    UNDELIVERED = "UNDELIVERED"
    LOAD_FAIL = "LOAD_FAIL"
    HANG = "HANG"
    CRASH = "CRASH"
    CHECK_ERROR_ON_SUBMISSION = "CHECK_ERROR_ON_SUBMISSION"
    STOPPED_EARLY = "STOPPED_EARLY"
    MISSING_RESULT = "MISSING_RESULT"
    TAMPERED = "TAMPERED"
    JUDGE_REFUSED_ON_SUBMISSION = "JUDGE_REFUSED_ON_SUBMISSION"
    INFRA = "INFRA"
    CONTROL_FAILED = "CONTROL_FAILED"
    NO_MODEL = "NO_MODEL"
    JUDGE_ERROR = "JUDGE_ERROR"


VOID_REASONS = frozenset({Reason.INFRA, Reason.CONTROL_FAILED, Reason.NO_MODEL, Reason.JUDGE_ERROR})


@frozen
class Problem:
    """Why a submission cannot be graded further. A fault of the submission, not of ours.

    UNDELIVERED fails every check; LOAD_FAIL, HANG and CRASH fail the checks whose examiner opens a session."""

    reason: Reason
    message: str
    cites: Sequence[str] = ()


@frozen
class Submission:
    """The frozen workspace. `problems` are refusals met while freezing (a link that leaves it, a device, too large)."""

    root: Path
    digest: str
    files: int
    bytes: int
    source: str
    ending: Ending
    problems: Sequence[Problem] = ()


@frozen
class Part:
    """One part of what a check asks, with its own outcome."""

    title: str
    outcome: Outcome
    weight: float = 1.0
    message: str = ""


@frozen
class Verdict:
    """The answer to one check in one case, with the evidence it rests on; `seen` and `wanted` are short texts, and `by` says
    whose opinion it is, where it is one. `waits`: nothing failed, and a judge decides on what it cites (see `unjudged`).
    `parts`: what a check of several parts found of each."""

    check: str
    case: str
    outcome: Outcome
    reason: Reason
    message: str = ""
    seen: str | None = None
    wanted: str | None = None
    cites: Sequence[str] = ()
    tick: int = 0
    wall_ms: int = 0
    observer: Observer | None = None
    flaky: bool = False
    by: str | None = None
    waits: bool = False
    parts: Sequence[Part] = field(default=(), metadata=SELDOM)

    @property
    def graded(self) -> float | None:
        """The weight of the parts that hold over that of all, from 0 to 1; None without parts, or where one is void."""
        weights = {outcome: sum(part.weight for part in self.parts if part.outcome is outcome) for outcome in Outcome}
        counted = weights[Outcome.PASS] + weights[Outcome.FAIL]
        return weights[Outcome.PASS] / counted if counted and not any(part.outcome is Outcome.VOID for part in self.parts) else None

    def __attrs_post_init__(self) -> None:
        if (self.outcome is Outcome.VOID) != (self.reason in VOID_REASONS):
            raise ValueError(f"a {self.outcome} verdict cannot have the reason {self.reason}")


def unjudged(check: Check, case: Case, cites: Sequence[str]) -> Verdict:
    """What an examiner gives on a check that asks a judge, when nothing has failed before: no answer yet, and the exhibits."""
    name = check.asks.judge.driver if check.asks else "none"
    return Verdict(check.id, case.id, Outcome.VOID, Reason.NO_MODEL, f"the judge {name!r} has not been asked", cites=cites, waits=True)


# --- scores -----------------------------------------------------------------------------------------------------------


@frozen
class Score:
    """What a scoring rule says. `value` is absent when nothing valid stands behind it; `low` and `high` are the bounds
    with every void counted as 0 and as 1; `as_published` is the paper's own arithmetic, where it has one; full marks are `top`."""

    rule: str
    value: float | None
    n: int
    planned: int
    void: int
    low: float | None = None
    high: float | None = None
    as_published: float | None = None
    parts: Mapping[str, float | None] = Factory(dict)
    top: float = 1.0

    @property
    def coverage(self) -> float:
        return self.n / self.planned if self.planned else 1.0
