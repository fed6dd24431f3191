"""What a calibration is: sections of rows of figures, and the answers that differ. JSON by `playproof.canonical.plain`."""

from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import Factory, field, frozen, validators

from playproof_stats.figures import Figure, Resampling

SCHEMA = "playproof.calibration/1"

Kind = Literal["verdicts", "ratings", "preferences", "drift", "judges"]


@frozen
class Settings:
    """`close`: a pair is close whose scores lie at most so many points of 100 apart."""

    resampling: Resampling = Resampling()
    close: float = field(default=5.0, validator=validators.ge(0))


@frozen
class Row:
    """Figures of one thing: an item of a scale, a score, or `all`."""

    of: str
    figures: Sequence[Figure]

    def figure(self, id: str) -> Figure:
        """Raises KeyError."""
        for one in self.figures:
            if one.id == id:
                return one
        raise KeyError(id)


@frozen
class Section:
    """One judge (`by`) against one source of truth (`against`: people, known answers, or another set)."""

    kind: Kind
    by: str
    against: str
    rows: Sequence[Row]


@frozen
class Disagreement:
    """A judge's answer that is not what people say in the end (a rating: more than one point away). `said` has an entry for each
    time it was asked; `people` is what each person said; `cause` is why, where a label tells."""

    trial: str
    question: str
    by: str
    said: Sequence[str]
    against: str
    truth: str
    people: Mapping[str, str] = Factory(dict)
    cause: str = ""


@frozen
class Change:
    """An answer that differs between two sets of opinions on the same exhibits."""

    trial: str
    question: str
    before: str
    after: str


@frozen
class Calibration:
    sections: Sequence[Section]
    disagreements: Sequence[Disagreement] = ()
    changes: Sequence[Change] = ()
    notes: Sequence[str] = ()
    raters: Sequence[str] = ()
    facts: Mapping[str, str] = Factory(dict)
    seed: int = 0
    resamples: int = 0
    schema: str = SCHEMA

    def section(self, kind: Kind, by: str, against: str = "people") -> Section:
        """Raises KeyError."""
        for one in self.sections:
            if (one.kind, one.by, one.against) == (kind, by, against):
                return one
        raise KeyError((kind, by, against))


def spoken(said: object) -> str:
    """An answer as it is printed."""
    if said is None:
        return "no answer"
    if isinstance(said, bool):
        return "pass" if said else "fail"
    return f"{said:g}" if isinstance(said, float) else str(said)
