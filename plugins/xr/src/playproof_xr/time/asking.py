"""A statement about time, asked of a track: the samples in its window, and the finding as an expectation that held or failed."""

from collections.abc import Sequence

from attrs import frozen

from playproof.errors import ExpectationFailed, TaskError
from playproof_xr.time.operators import Finding, Samples, Temporal
from playproof_xr.time.track import Track, spelled_time
from playproof_xr.time.windows import Events, Window, whole


@frozen
class Answer:
    """What was found, in which window; `message` is a whole sentence."""

    finding: Finding
    message: str
    wanted: str
    cites: Sequence[str]


def ask(temporal: Temporal, track: Track, now: int, over: Window | None = None, events: Events = ()) -> Answer:
    """Raises TaskError where the window lies before what it asks about was watched, or where nothing was sampled in it; raises
    ExpectationFailed for a window that begins with an event that never came."""
    window = over or whole()
    start, end = window.span(now, events)
    if over is None:
        start = max([start, *(track.beginnings.get(one.key, 0) for one in temporal.targets)])
    for one in temporal.targets:
        begun = track.beginnings.get(one.key, 0)
        if begun > start + track.step:
            raise TaskError(f"{one.name} was watched from {spelled_time(begun)} on, and the window begins at {spelled_time(start)}: "
                            "find it, or xr.watch(...) it, earlier")  # fmt: skip
    indices = [index for index, row in enumerate(track.rows) if start <= row.tick <= end]
    if not indices:
        raise TaskError(f"nothing was sampled {window.label}: let time pass first")
    finding = temporal.judge(Samples(track, indices, start, end))
    wanted = f"{temporal.wanted} {window.label}"
    word = "held" if finding.holds else "did not hold"
    return Answer(finding, f"{wanted}: it {word}, {finding.seen}", wanted, track.cites)


def demand(answer: Answer) -> Answer:
    """The same; raises ExpectationFailed when it did not hold."""
    if not answer.finding.holds:
        raise ExpectationFailed(f"wanted {answer.wanted}: {answer.finding.seen}", answer.finding.seen, answer.wanted, answer.cites)
    return answer
