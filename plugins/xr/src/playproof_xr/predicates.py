"""What can be true of a moment: comparisons of quantities, and how they are combined.

A predicate is true, false, or neither where something that it speaks of is not there (or has no finite numbers). What is neither
is not true, and its negation is not true either: of what is not there, nothing can be said but by `there(...)`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NoReturn

from attrs import field, frozen

from playproof_xr.targets import Target
from playproof_xr.time.track import Nothing, Track

Truth = bool | None


class Predicate(ABC):
    """`label` is how messages spell it."""

    label: str
    targets: frozenset[Target]

    @abstractmethod
    def over(self, track: Track) -> Sequence[Truth]:
        """What it is in each row."""

    def margins(self, track: Track) -> Sequence[float | None]:
        """How far from its limit, in its own unit: positive where it holds. None where that cannot be said."""
        return [None] * len(track.rows)

    def tell(self, track: Track, index: int) -> str:
        """What was seen in one row."""
        truth = self.over(track)[index]
        return f"{self.label} is {'unknown' if truth is None else str(truth).lower()}"

    def __and__(self, other: "Predicate") -> "Predicate":
        return Both(self, other)

    def __or__(self, other: "Predicate") -> "Predicate":
        return Either(self, other)

    def __invert__(self) -> "Predicate":
        return Not(self)

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{self.label} is true or false of a moment, and not by itself: put it into always(...), eventually(...) and so "
                        "on; combine with & | ~, not with `and`, `or`, `not` or chained comparisons")  # fmt: skip


@frozen(eq=False)
class Both(Predicate):
    one: Predicate
    other: Predicate
    label: str = field(init=False)
    targets: frozenset[Target] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "label", f"{_inner(self.one)} and {_inner(self.other)}")
        object.__setattr__(self, "targets", self.one.targets | self.other.targets)

    def over(self, track: Track) -> Sequence[Truth]:
        pairs = zip(self.one.over(track), self.other.over(track), strict=True)
        return [False if a is False or b is False else None if a is None or b is None else True for a, b in pairs]

    def margins(self, track: Track) -> Sequence[float | None]:
        pairs = zip(self.one.margins(track), self.other.margins(track), strict=True)
        return [None if a is None or b is None else min(a, b) for a, b in pairs]

    def tell(self, track: Track, index: int) -> str:
        guilty = [one for one in (self.one, self.other) if one.over(track)[index] is not True] or [self.one, self.other]
        return " and ".join(one.tell(track, index) for one in guilty)


@frozen(eq=False)
class Either(Predicate):
    one: Predicate
    other: Predicate
    label: str = field(init=False)
    targets: frozenset[Target] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "label", f"{_inner(self.one)} or {_inner(self.other)}")
        object.__setattr__(self, "targets", self.one.targets | self.other.targets)

    def over(self, track: Track) -> Sequence[Truth]:
        pairs = zip(self.one.over(track), self.other.over(track), strict=True)
        return [True if a or b else None if a is None or b is None else False for a, b in pairs]

    def margins(self, track: Track) -> Sequence[float | None]:
        pairs = zip(self.one.margins(track), self.other.margins(track), strict=True)
        return [None if a is None or b is None else max(a, b) for a, b in pairs]

    def tell(self, track: Track, index: int) -> str:
        return " and ".join(one.tell(track, index) for one in (self.one, self.other))


@frozen(eq=False)
class Not(Predicate):
    one: Predicate
    label: str = field(init=False)
    targets: frozenset[Target] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "label", f"not {_inner(self.one)}")
        object.__setattr__(self, "targets", self.one.targets)

    def over(self, track: Track) -> Sequence[Truth]:
        return [None if one is None else not one for one in self.one.over(track)]

    def margins(self, track: Track) -> Sequence[float | None]:
        return [None if one is None else -one for one in self.one.margins(track)]

    def tell(self, track: Track, index: int) -> str:
        return self.one.tell(track, index)


def _inner(one: Predicate) -> str:
    return f"({one.label})" if isinstance(one, Both | Either) else one.label


Asked = Callable[[Track], Sequence[bool | Nothing]]


@frozen(eq=False)
class Stated(Predicate):
    """A predicate by a function of the whole track: one truth for each row, or why there is none. `said` tells what was seen."""

    label: str
    targets: frozenset[Target]
    asked: Asked
    said: Callable[[Track, int], str] | None = None
    measured: Callable[[Track], Sequence[float | None]] | None = None

    def over(self, track: Track) -> Sequence[Truth]:
        return [None if isinstance(one, Nothing) else one for one in self.asked(track)]

    def margins(self, track: Track) -> Sequence[float | None]:
        return self.measured(track) if self.measured else [None] * len(track.rows)

    def tell(self, track: Track, index: int) -> str:
        found = self.asked(track)[index]
        if isinstance(found, Nothing):
            return f"{self.label}: {found.why}"
        return self.said(track, index) if self.said else f"{self.label} is {str(found).lower()}"
