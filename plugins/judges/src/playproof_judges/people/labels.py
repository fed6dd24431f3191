"""Labels: what people said, in the same plain file form as a judge's opinions. Lines are only added; a person's last one counts."""

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from attrs import Factory, define, field, frozen

from playproof.canonical import digest
from playproof.errors import UsageError
from playproof.opinion import By, Opinion, Question, Trouble, Value
from playproof.opinions import Line, append, read_lines, spelled
from playproof_judges.people.items import Item

CONSENSUS = "consensus"
"""The name that settled labels bear; no rater may have it."""

CAUSES: Mapping[str, str] = {
    "narrow": "the verifier does not accommodate a valid way of doing it",
    "blind": "the verifier does not see what is wrong",
    "evidence": "the evidence does not show what happened",
    "requirement": "the requirement can be read in two ways",
    "flaky": "it behaves differently from time to time",
    "device": "it behaves differently on a real device",
    "slip": "a slip of a person",
    "other": "something else, see the note",
}
"""Why opinions differ: stands in a label as `by.settings.cause`."""

VERDICTS: Mapping[str, bool] = {"pass": True, "fail": False}
UNDECIDED = "unsure"


@frozen
class Said:
    """A label as a form gives it: `value` is pass or fail, a number, a, b or tie, or unsure."""

    value: str
    note: str = ""
    cause: str = ""
    cites: Sequence[str] = ()


def value_of(question: Question, said: str) -> Value | None:
    """None for unsure. Raises ValueError for what is no answer to the question."""
    if said == UNDECIDED:
        return None
    if question.form == "verdict" and said in VERDICTS:
        return Value(verdict=VERDICTS[said])
    if question.form == "preference" and said in ("a", "b", "tie"):
        return Value(preference=said)  # type: ignore[arg-type]  # one of the three
    scale = question.scale
    if scale and said.isascii() and said.isdecimal() and scale.low <= int(said[:4]) <= scale.high:
        return Value(rating=int(said))
    raise ValueError(f"{said[:40]!r} is no answer to a question about a {question.form}")


def spoken(opinion: Opinion) -> str:
    """The inverse of `value_of`."""
    value = opinion.value
    if value is None:
        return UNDECIDED
    if value.verdict is not None:
        return "pass" if value.verdict else "fail"
    return value.preference or str(value.rating)


def label_id(question: Question, trials: Iterable[str], name: str) -> str:
    """The same for every label of one person on one question about the same trials, so that of these the last counts,
    whatever the order, the side or the device. Identical evidence in two trials makes two labels: people label trials."""
    scale = [question.scale.name, question.scale.version] if question.scale else None
    return digest({"question": question.id, "form": question.form, "scale": scale, "trials": sorted(trials), "person": name})[:32]


def label(item: Item, question: Question, exhibits: Mapping[str, Sequence[str]], by: By, said: Said) -> Line:
    """Raises ValueError for what is no answer."""
    value = value_of(question, said.value)
    signed = By(by.kind, by.name, {**by.settings, **({"cause": said.cause} if said.cause else {})})
    opinion = Opinion(question, exhibits, signed, value, Trouble.NONE if value else Trouble.UNDECIDED, said.note, cites=said.cites,
                      at=time.time())
    gradings = sorted({str(side.done.grading["id"]) for side in item.sides.values() if side.done.grading})
    return Line(label_id(question, item.trials.values(), by.name), opinion, dict(item.trials), ",".join(gradings))


@define
class Labels:
    """A file of labels that several raters may be writing at once. Raises UsageError where it holds what is no label."""

    place: Path
    _seen: tuple[int, int] | None = None
    _lines: Mapping[str, Line] = Factory(dict)
    _names: Sequence[str] = ()
    _lock: threading.Lock = field(factory=threading.Lock)

    def lines(self) -> Mapping[str, Line]:
        """Id -> the line that counts, with whatever others have added."""
        with self._lock:
            state = self._state()
            if self._seen != state:
                self._know({one.id: one for one in read_lines(self.place)} if state else {}, state)
            return self._lines

    def add(self, lines: Sequence[Line]) -> None:
        """Write lines down. The file is not read again for them, unless somebody else wrote meanwhile."""
        with self._lock:
            before = self._seen
            append(self.place, lines)
            state, own = self._state(), sum(len(spelled(one)) for one in lines)
            if state and state[0] == (before[0] if before else 0) + own:
                self._know({**self._lines, **{one.id: one for one in lines}}, state)

    def _state(self) -> tuple[int, int] | None:
        try:
            now = self.place.stat()
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise UsageError(f"{self.place}: cannot be read: {fault}") from None
        return now.st_size, now.st_mtime_ns

    def _know(self, lines: Mapping[str, Line], state: tuple[int, int] | None) -> None:
        self._lines, self._seen = lines, state
        self._names = sorted({one.opinion.by.name for one in lines.values() if one.opinion.by.kind == "person"} - {CONSENSUS})

    def of(self, item: Item, name: str) -> Mapping[str, Line]:
        """Question id -> what one person said of it."""
        known = self.lines()
        found = {question.id: known.get(label_id(question, item.trials.values(), name)) for question in item.questions}
        return {id: line for id, line in found.items() if line}

    @property
    def names(self) -> Sequence[str]:
        """The raters in the file; the consensus is none."""
        self.lines()
        return self._names

    def raters(self, item: Item) -> Mapping[str, Mapping[str, Line]]:
        """Rater -> question id -> what they said of an item; the consensus is no rater."""
        found = {name: self.of(item, name) for name in self.names}
        return {name: lines for name, lines in found.items() if lines}
