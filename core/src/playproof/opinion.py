"""What is asked of a judge or a person, on which scale, and what they said: one form for judging, rating and calibrating."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal

from attrs import Factory, field, frozen, validators

from playproof.canonical import digest, plain
from playproof.dialogue import FREE, Tokens
from playproof.model import Evidence, Options

SCHEMA = "opinion/1"


@frozen
class Item:
    """One thing that a scale rates. `text` says what to look at; `ours` marks an item that no paper names."""

    id: str
    title: str
    text: str
    ours: bool = False


@frozen
class Scale:
    """A declared scale, versioned data: whole values from `low` to `high`, some with anchors (value -> what it means).
    Below `advise_below`, a rating says what concrete change would raise it. `notes` bind every item."""

    name: str
    version: int
    low: int
    high: int
    items: Sequence[Item]
    anchors: Mapping[str, str] = Factory(dict)
    advise_below: int | None = None
    notes: Sequence[str] = ()
    source: str = ""

    def __attrs_post_init__(self) -> None:
        if self.low >= self.high:
            raise ValueError(f"scale {self.name!r}: low {self.low} is not below high {self.high}")
        if len({one.id for one in self.items}) != len(self.items) or not self.items:
            raise ValueError(f"scale {self.name!r}: it needs items, each with an id of its own")

    def item(self, id: str) -> Item:
        return next(one for one in self.items if one.id == id)


def check_question(task: str, check: str) -> str:
    """The id of the question that a check asks."""
    return f"{task}/{check}"


def rating_question(task: str, scale: str, item: str) -> str:
    """The id of the question how a submission rates on one item of a scale."""
    return f"{task}/{scale}/{item}"


Form = Literal["verdict", "rating", "preference"]


@frozen
class Question:
    """`id` is `task/check` for a verdict, `task/scale/item` for a rating, `task` for a preference. `brief` is what the agent
    was asked for, where that helps to judge; `scale` with `item` belongs to a rating."""

    id: str
    text: str
    form: Form = "verdict"
    scale: Scale | None = None
    item: str | None = None
    brief: str = ""
    prompt_version: int = 1


@frozen
class By:
    """Whose opinion: a judge's (with its models and settings), a person's, an assertion's."""

    kind: Literal["judge", "person", "assertion"]
    name: str
    settings: Options = Factory(dict)


class Trouble(StrEnum):
    """Why there is no value. `refused` and `malformed` stand after a repair has been tried."""

    NONE = ""
    REFUSED = "refused"
    MALFORMED = "malformed"
    UNDECIDED = "undecided"
    NO_EVIDENCE = "no_evidence"
    UNAVAILABLE = "unavailable"


@frozen
class Value:
    """Exactly one of: `verdict`, `rating` (a whole number on the question's scale), `preference`."""

    verdict: bool | None = None
    rating: int | None = None
    preference: Literal["a", "b", "tie"] | None = None

    def __attrs_post_init__(self) -> None:
        if sum(one is not None for one in (self.verdict, self.rating, self.preference)) != 1:
            raise ValueError("a value is one of verdict, rating and preference")


@frozen
class Opinion:
    """`exhibits`: key ("submission", or "a" and "b") -> evidence ids, in the order in which they were shown. `cites`: those of
    them that decided. `issues`: what is wrong with what was seen; `tampering`: what in it speaks to the judge. `raw`: the replies
    as they came. Without a value, `trouble` says why, and `message` in words; `control` then says whether the same question on
    the reference's exhibits was answered, where that was tried."""

    question: Question
    exhibits: Mapping[str, Sequence[str]]
    by: By
    value: Value | None
    trouble: Trouble = Trouble.NONE
    message: str = ""
    issues: Sequence[str] = ()
    cites: Sequence[str] = ()
    tampering: Sequence[str] = ()
    vote: int = field(default=0, validator=validators.ge(0))
    tokens: Tokens = FREE
    raw: Sequence[str] = ()
    control: bool | None = None
    at: float = 0.0

    def __attrs_post_init__(self) -> None:
        if (self.value is None) != (self.trouble is not Trouble.NONE):
            raise ValueError("an opinion has a value, or a trouble that says why there is none")


def opinion_id(question: Question, exhibits: Mapping[str, Sequence[Evidence]], by: Mapping[str, Any], vote: int) -> str:
    """Identifies an opinion before it is given (design, decision 8): the question, what was shown, who is asked, and how."""
    shown = {key: [entry.id for entry in entries] for key, entries in exhibits.items()}
    return digest({"question": plain(question), "exhibits": shown, "by": by, "vote": vote})[:32]
