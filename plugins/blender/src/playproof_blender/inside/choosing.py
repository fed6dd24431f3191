"""Of many cameras the few that together show most, and that differ: no two views that tell the same."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import degrees
from typing import Any

import numpy as np
from candidates import Candidate
from framing import Subject
from probes import SEEN, UNIT, WELL_SEEN, piece_of

APART, LEAST_APART = 35.0, 25.0
"""Degrees between two views, at first and where there are not enough."""

WALLS = 0.5
"""What a cell of a wall counts beside one of what stands in the room: it is larger, and tells less."""

WIDE_APART = 60.0
SAME = 0.6
"""Two views show the same of whose cells so many are common to both, whatever their directions."""

SPARE_APART, SPARE_SAME = 12.0, 0.9
"""The same for substitutes, which are better near to what they stand in for than not there."""

WHOLE = {"ring", "below"}
"""Kinds of views that have the whole subject in the picture."""

AGAIN = 0.3
"""What a cell is worth that is seen a second time, beside the first: one look may be from too far."""


def apart(one: Candidate, other: Candidate) -> float:
    """How far two views differ, in degrees: by where they look, or by where they stand as seen from what they look at; the larger."""
    turned = _angle(one.camera.ahead, other.camera.ahead)
    target = (one.sight.target + other.sight.target) / 2
    return max(turned, _angle(one.camera.place - target, other.camera.place - target))


def _angle(a: Any, b: Any) -> float:
    cosine = float(a @ b) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-12)
    return degrees(float(np.arccos(np.clip(cosine, -1, 1))))


def difference(one: Candidate, other: Candidate, same: float = SAME) -> float:
    """What near-duplicates are refused by, in degrees. Two views around one thing are as far apart as their directions; in a room or on
    land, views that show other things are far apart, and views that show the same are not."""
    if {one.kind, other.kind} <= WHOLE:
        return _angle(one.camera.ahead, other.camera.ahead)
    common = _common(one, other)
    return apart(one, other) * (1 - common / same / 2) if common < same else 0.0


def _common(one: Candidate, other: Candidate) -> float:
    both = len(np.intersect1d(one.sight.cells, other.sight.cells, assume_unique=True))
    return both / max(1, min(len(one.sight.cells), len(other.sight.cells)))


class Chooser:
    """Takes one after another by what it adds. All candidates are fit to be rendered. `most` bounds how many are taken of a kind; the first
    is an overview where there is one: the whole before its parts. `walls` is a mask over the pieces."""

    def __init__(self, candidates: Sequence[Candidate], most: Mapping[str, int], walls: Any) -> None:
        self.candidates, self.most, self.steps, self.same = candidates, most, (APART, LEAST_APART), SAME
        everything = [self._facts(one) for one in candidates]
        cells = np.unique(np.concatenate([np.zeros(0, np.int64), *everything]))
        self.sees = np.array([np.isin(cells, facts, assume_unique=True) for facts in everything]).reshape(len(candidates), len(cells))
        pieces = np.where(cells >= 0, piece_of(cells), piece_of(-cells))
        _, inverse, counts = np.unique(pieces * 2 + (cells < 0), return_inverse=True, return_counts=True)
        self.weights = 1 / np.sqrt(counts[inverse]) * np.where(cells < 0, 1.5, 1.0)  # by things, not by square metres of wall
        self.weights = self.weights * np.where(walls[pieces], WALLS, 1.0)
        self.counts = np.zeros(len(cells), np.int64)
        self.walls = walls
        self.has_overview = any(is_overview(one) for one in candidates)
        self.chosen = list[int]()
        self.gaps = np.full(len(candidates), WIDE_APART)

    def _facts(self, one: Candidate) -> Any:
        """Cells, and below zero how well each piece is seen: that it is there, that its form can be made out."""
        levels = [-(piece * UNIT + level) for piece, share in one.sight.pieces.items()
                  for level, least in ((1, SEEN), (2, WELL_SEEN)) if share >= least]  # fmt: skip
        return np.unique(np.concatenate([one.sight.cells, np.array(levels, np.int64)]))

    def take(self, forced: int | None = None) -> tuple[int, float] | None:
        """The next one, and the share of all that can be seen which it shows first. None when all that are left tell what is known."""
        found = forced
        for least in self.steps:
            found = self._best(least) if found is None else found
        if found is None:
            return None
        new = float(self.weights[self.sees[found] & (self.counts == 0)].sum() / max(self.weights.sum(), 1e-12))
        self.chosen.append(found)
        self._keep_away(found)
        self.counts[self.sees[found]] += 1
        return found, new

    def relax(self) -> None:
        """From now on substitutes are taken, of any kind."""
        self.most, self.steps, self.same = {}, (LEAST_APART, SPARE_APART), SPARE_SAME
        self.gaps[:] = WIDE_APART
        for one in self.chosen:
            self._keep_away(one)

    def _keep_away(self, taken: int) -> None:
        """How far each one is from the nearest that was taken."""
        other = self.candidates[taken]
        self.gaps = np.minimum(self.gaps, [difference(one, other, self.same) for one in self.candidates])

    @property
    def covered(self) -> float:
        return float(self.weights[self.counts > 0].sum() / max(self.weights.sum(), 1e-12))

    def _best(self, least: float) -> int | None:
        worth = self.weights * np.where(self.counts == 0, 1.0, np.where(self.counts == 1, AGAIN, 0.05 * AGAIN))
        best, most, taken = None, 0.0, Counter(self.candidates[index].kind for index in self.chosen)
        for index, one in enumerate(self.candidates):
            if index in self.chosen or taken[one.kind] >= self.most.get(one.kind, len(self.candidates)) or self._comes_later(one):
                continue
            gap = float(self.gaps[index])
            if gap < least:
                continue
            score = float(worth[self.sees[index]].sum()) * min(1.0, 0.15 + gap / WIDE_APART) * self._pleasing(one)
            if score > most:
                best, most = index, score
        return best


    def _comes_later(self, one: Candidate) -> bool:
        return not self.chosen and self.has_overview and not is_overview(one)

    def _pleasing(self, one: Candidate) -> float:
        """Less for a picture that one thing fills, that is mostly walls, or where the subject is small."""
        filled = max(0.0, one.sight.shows[0][1] - 0.5) if one.kind not in WHOLE else 0.0
        small = min(1.0, 0.6 + one.sight.coverage)
        things = sum(share for piece, share in one.sight.pieces.items() if not self.walls[piece])
        return (1 - filled) * small * (min(1.0, 0.3 + 2.5 * things) if one.kind == "inside" else 1.0)


def is_overview(one: Candidate) -> bool:
    """The whole from somewhere before it and a little above: what a person would look at first."""
    rise, ahead = -one.camera.ahead[2], one.camera.ahead
    return one.kind == "ring" and 0.3 < rise < 0.7 and ahead[1] > 0.3 and abs(ahead[0]) > 0.2


def refused(candidates: Sequence[Candidate], subject: Subject) -> Sequence[tuple[Candidate, str]]:
    return [(one, why) for one in candidates if (why := one.sight.fault(subject.diagonal))]
