"""How far people agree among themselves: what a judge is compared with."""

from collections.abc import Sequence
from itertools import combinations
from statistics import median

import numpy as np
from attrs import evolve, frozen

from playproof_stats.agreement.alpha import Alpha, Metric
from playproof_stats.agreement.gwet import Gwet
from playproof_stats.agreement.icc import statistic as icc
from playproof_stats.agreement.preferences import majority
from playproof_stats.agreement.table import categories, counts
from playproof_stats.calibration.answers import Key
from playproof_stats.calibration.ground import Ground
from playproof_stats.figures import Array, Figure
from playproof_stats.resample import measured, share

ALONE = "no question has been answered by two people"


@frozen
class Group:
    """People's answers to some questions."""

    ground: Ground
    keys: Sequence[Key]

    @property
    def tasks(self) -> Sequence[str]:
        return self.ground.tasks_of(self.keys)

    @property
    def ratings(self) -> Sequence[Sequence[float]]:
        return [[float(value) for value in self.ground.labels.said.get(key, {}).values()] for key in self.keys]

    @property
    def table(self) -> Array:
        """A row for each question, a column for each person."""
        said = [self.ground.labels.said.get(key, {}) for key in self.keys]
        names = sorted({name for own in said for name in own})
        return np.array([[float(own[name]) if name in own else np.nan for name in names] for own in said], float)

    def agreement(self, id: str, distance: float = 0) -> Figure:
        """Pairs of people: every pair of answers to one question counts once."""
        pairs = [[abs(a - b) <= distance for a, b in combinations(own, 2)] for own in self.ratings]
        return share(id, [sum(own) for own in pairs], [len(own) for own in pairs], self.tasks, self.ground.how, ALONE)

    def one_of_them(self, id: str, distance: float = 0) -> Figure:
        """Each person against the median of the others."""
        found = [[abs(one - median([*own[:i], *own[i + 1:]])) <= distance for i, one in enumerate(own)] if len(own) > 1 else []
                 for own in self.ratings]
        return share(id, [sum(own) for own in found], [len(own) for own in found], self.tasks, self.ground.how, ALONE)

    def alpha(self, id: str, metric: Metric) -> Figure:
        table = self.table
        values = categories(table)
        return self._told(measured(id, Alpha(counts(table, values), values, metric), self.tasks, self.ground.how))

    def ac1(self, id: str, values: Sequence[float]) -> Figure:
        known = np.array(values, float)
        return self._told(measured(id, Gwet(counts(self.table, known), known), self.tasks, self.ground.how))

    def reliability(self) -> Sequence[Figure]:
        """ICC(1,1), ICC(1,k), ICC(2,1) and ICC(2,k); the two-way ones over the questions that everybody answered."""
        table = self.table
        crossed = [task for task, row in zip(self.tasks, table, strict=True) if len(row) and not np.isnan(row).any()]
        found = []
        for id, model, mean in (("icc_1_1", 1, False), ("icc_1_k", 1, True), ("icc_2_1", 2, False), ("icc_2_k", 2, True)):
            tasks = self.tasks if model == 1 else crossed
            found.append(self._told(measured(id, icc(table, 1 if model == 1 else 2, mean), tasks, self.ground.how), crossed=model == 2))
        return found

    def _told(self, figure: Figure, crossed: bool = False) -> Figure:
        """With the number of questions that two people answered as n."""
        n = figure.n if crossed else sum(len(own) > 1 for own in self.ratings)
        return evolve(figure, n=n)


def preferring(ground: Ground, keys: Sequence[Key]) -> Sequence[Figure]:
    """Human-human agreement on preferences, each person against the majority of the others, and how many votes are split."""
    labels, tasks, how = ground.labels, ground.tasks_of(keys), ground.how
    votes = [[str(value) for value in labels.said.get(key, {}).values()] for key in keys]
    pairs = [[a == b for a, b in combinations(own, 2)] for own in votes]
    alone = [[majority([*own[:i], *own[i + 1:]]) == one for i, one in enumerate(own)] if len(own) > 1 else []  # type: ignore[list-item]
             for own in votes]
    split = [int(labels.truth(key) is None) for key in keys]
    return [
        share("people", [sum(own) for own in pairs], [len(own) for own in pairs], tasks, how, ALONE),
        share("person", [sum(own) for own in alone], [len(own) for own in alone], tasks, how, ALONE),
        share("split", split, [1] * len(keys), tasks, how, "no pair has been labelled"),
    ]
