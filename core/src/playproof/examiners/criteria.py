"""A rubric as it stands in its file: criteria, and what of the brief none of them asks for.

    [[criteria]]
    asks = { driver = "garden.height", object = "Oak", ... }                          an assertion with its options
    asks = { judge = "eye", question = "...", exhibits = ["garden.photo/1"], ... }    a judge with its options

    [[criteria.parts]]                                                                or instead several assertions
    title = "the oak has leaves"
    asks = { driver = "garden.count", ... }

    [[unchecked]]
    source = "brief/instruction.md#Have fun"
    reason = "asks for nothing that could be seen"
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import Factory, evolve, field, frozen, validators

from playproof.canonical import plain, structure
from playproof.errors import TaskError
from playproof.model import Asking, Check, Ref

DRIVER = "rubric"

IMPORTANCE = {"major": 3.0, "secondary": 2.0, "detail": 1.0}
"""Weights of the fused rule (design, section 6)."""


@frozen
class CriterionPart:
    """An assertion of a criterion that asks several; `weight` is its share in the graded value."""

    title: str
    asks: Mapping[str, Any]
    weight: float = field(default=1.0, validator=validators.gt(0))


@frozen
class Criterion:
    """`asks` names a driver or a judge, with its options beside it; or `parts` ask a driver each. `weight` overrides the importance.
    `source` is a text or a list of texts."""

    id: str
    asks: Mapping[str, Any] = Factory(dict)
    parts: Sequence[CriterionPart] = ()
    title: str | None = None
    layer: str = "L2"
    category: str | None = None
    source: Any = ()
    importance: str | None = None
    weight: float | None = None
    required: bool = True


@frozen
class Unchecked:
    """A place of the brief that no criterion asks for, and why."""

    source: str
    reason: str = field(validator=validators.min_len(1))


@frozen
class Rubric:
    criteria: Sequence[Criterion]
    unchecked: Sequence[Unchecked] = ()


def read_rubric(path: Path) -> Rubric:
    """Raises TaskError, which names the file and the place in it."""
    try:
        return structure(tomllib.loads(path.read_text("utf-8")), Rubric)
    except (ValueError, OSError) as fault:
        raise TaskError(f"{path}: {fault}") from None


def checks_of(path: Path, timeout_s: float) -> Iterator[Check]:
    """The criteria of a file as checks. An assertion's options stand under `asks` in the check's, those of several under `parts`; what
    a judge is shown under `exhibits`. Raises TaskError."""
    for one in read_rubric(path).criteria:
        if one.importance not in (None, *IMPORTANCE):
            raise TaskError(f"{path}: {one.id}: importance {one.importance!r}; known: {', '.join(IMPORTANCE)}")
        weight = one.weight if one.weight is not None else IMPORTANCE.get(one.importance or "", 1.0)
        try:
            made = Check(one.id, DRIVER, one.title or one.id, one.layer, None, one.required, weight, one.category, source=one.source,
                         timeout_s=timeout_s)
        except TypeError as fault:
            raise TaskError(f"{path}: {one.id}: source: {fault}") from None
        if one.asks and one.parts:
            raise TaskError(f"{path}: {one.id}: wanted either asks or parts")
        yield _judged(made, one, path) if "judge" in one.asks else _asserted(made, one, path)


def _asserted(made: Check, criterion: Criterion, path: Path) -> Check:
    if criterion.parts:
        for part in criterion.parts:
            if "driver" not in part.asks:
                raise TaskError(f"{path}: {criterion.id}: the part {part.title!r} names no driver; a judge has a criterion of its own")
        return evolve(made, options={"parts": [plain(part) for part in criterion.parts]})
    if "driver" not in criterion.asks:
        raise TaskError(f"{path}: {criterion.id}: asks names neither a driver nor a judge")
    return evolve(made, options={"asks": dict(criterion.asks)})


def _judged(made: Check, criterion: Criterion, path: Path) -> Check:
    own = dict(criterion.asks)
    judge, question, exhibits = str(own.pop("judge")), own.pop("question", criterion.title), own.pop("exhibits", None)
    if not isinstance(question, str) or not question.strip():
        raise TaskError(f"{path}: {criterion.id}: asks has no question, and the criterion no title that could be one")
    if not isinstance(exhibits, list) or not exhibits or not all(isinstance(kind, str) for kind in exhibits):
        raise TaskError(f"{path}: {criterion.id}: asks.exhibits lists the evidence kinds that the judge is shown")
    return evolve(made, asks=Asking(Ref(judge, own), question), options={"exhibits": exhibits})
