"""What a check script imports: `from playproof.checks import check, seconds, frames`."""

from collections.abc import Callable
from typing import Any

from attrs import fields, frozen

from playproof.model import TICKS, Asking, Check, Priority, Ref, seconds

__all__ = ["ScriptCheck", "check", "frames", "seconds"]

Script = Callable[[Any], None]

_FIELDS = frozenset(one.name for one in fields(Check)) - {"id", "examiner", "options", "priority", "required", "asks"}


@frozen
class ScriptCheck:
    """A check with the function that carries it out; what `@check` leaves in the script's module."""

    check: Check
    script: Script


def frames(count: int, rate: int = 60) -> int:
    """`count` frames at `rate` hertz, as ticks."""
    return round(count * TICKS / rate)


def check(
    id: str, *, title: str, priority: str | None = None, required: bool | None = None, asks: str | None = None,
    judge: Ref | str = "vision", **keywords: Any
) -> Callable[[Script], ScriptCheck]:
    """Declare a function `script(session)` as a check. Keywords that are no fields of Check go to its options, which the
    task's runtime validates. Without `required`, P0, P1 and checks without a priority are required, P2 is not.

    With `asks`, a question, the script fails as any other; where it does not fail, `judge` (a name, or a Ref with options) decides
    on the evidence that the script rested on."""
    known = {name: value for name, value in keywords.items() if name in _FIELDS}
    level = Priority(priority) if priority is not None else None
    made = Check(
        id=id, examiner="python", title=title, priority=level,
        required=level is not Priority.P2 if required is None else required,
        asks=None if asks is None else Asking(judge if isinstance(judge, Ref) else Ref(judge), asks),
        options={name: value for name, value in keywords.items() if name not in _FIELDS}, **known,
    )
    return lambda script: ScriptCheck(made, script)
