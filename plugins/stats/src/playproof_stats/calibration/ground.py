"""What judges are held against."""

from collections.abc import Mapping, Sequence

from attrs import Factory, frozen

from playproof_stats.calibration.answers import Key, Labels
from playproof_stats.calibration.values import Settings
from playproof_stats.figures import Resampling

Scores = Mapping[str, Mapping[str, float]]
"""Trial -> name of a score -> its value in points of 100; a part of a score is named `score: part`."""


@frozen
class Ground:
    """Labels, with the task of each trial (the clusters of every interval) and the scores of trials."""

    labels: Labels
    tasks: Mapping[str, str]
    made: Settings = Settings()
    scores: Scores = Factory(dict)

    @property
    def how(self) -> Resampling:
        return self.made.resampling

    def task(self, key: Key) -> str:
        return self.tasks[key.trials[0]]

    def tasks_of(self, keys: Sequence[Key]) -> Sequence[str]:
        return [self.task(key) for key in keys]
