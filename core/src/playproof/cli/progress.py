"""A run as it goes: a live display on a terminal, plain lines elsewhere. A listener like any other."""

import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import click

from playproof.hookspecs import hookimpl
from playproof.model import Outcome, Score, Verdict


class Lines:
    """One line when a trial begins and ends, and one for each verdict that is no pass."""

    def __init__(self, *, verdicts: bool = False) -> None:
        self._every = verdicts
        self._lock = threading.Lock()
        self._begun: dict[str, float] = {}
        self._tally: dict[str, dict[str, int]] = {}
        self._left, self._played, self._since = 0, 0, 0.0

    @hookimpl
    def run_begins(self, run: str, trials: Sequence[str]) -> None:
        self._left, self._played, self._since = len(trials), 0, time.monotonic()
        self._say(f"{run}: {len(trials)} trial{'s' if len(trials) != 1 else ''}")

    @hookimpl
    def trial_begins(self, trial: str) -> None:
        self._begun[trial] = time.monotonic()
        self._tally[trial] = {}

    @hookimpl
    def verdict_ends(self, trial: str, verdict: Verdict) -> None:
        tally = self._tally.setdefault(trial, {})
        tally[verdict.outcome] = tally.get(verdict.outcome, 0) + 1
        if self._every:
            self._say(f"  {verdict.outcome:<15}{verdict.check}  {'' if verdict.case == 'default' else verdict.case + '  '}"
                      f"{printable(verdict.message)}".rstrip())

    @hookimpl
    def trial_ends(self, trial: str, ended: str, scores: Sequence[Score]) -> None:
        tally = ", ".join(f"{count} {outcome}" for outcome, count in sorted(self._tally.get(trial, {}).items())) or "already done"
        took = time.monotonic() - self._begun.get(trial, time.monotonic())
        marks = ", ".join(f"{one.rule} {'void' if one.value is None else format(one.value, 'g')}" for one in scores)
        self._say(f"{trial}: {tally} in {took:.0f} s; {ended}; {marks}{self._more(trial)}")

    def _more(self, trial: str) -> str:
        """How many trials are left, and about how long they take if they are like those that were really played."""
        with self._lock:
            self._left -= 1
            self._played += bool(self._tally.get(trial))
            if not self._left or not self._played:
                return ""
            minutes = (time.monotonic() - self._since) / self._played * self._left / 60
            return f"; {self._left} left, about {max(1, round(minutes))} min"

    def _say(self, line: str) -> None:
        with self._lock:
            click.echo(line, err=True)


class Live(Lines):
    """The same with a bar of trials below it that shows what is being decided."""

    def __init__(self, *, verdicts: bool = False) -> None:
        super().__init__(verdicts=verdicts)
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self._console = Console(stderr=True)
        self._progress = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                                  TimeRemainingColumn(), console=self._console, transient=True)
        self._bar: Any = None

    @hookimpl
    def run_begins(self, run: str, trials: Sequence[str]) -> None:
        super().run_begins(run, trials)
        self._bar = self._progress.add_task(run, total=len(trials))
        self._progress.start()

    @hookimpl
    def verdict_begins(self, trial: str, check: str) -> None:
        self._progress.update(self._bar, description=f"{trial}: {check}"[:70])

    @hookimpl
    def trial_ends(self, trial: str, ended: str, scores: Sequence[Score]) -> None:
        super().trial_ends(trial, ended, scores)
        self._progress.advance(self._bar)

    @hookimpl
    def run_ends(self) -> None:
        self._progress.stop()

    def _say(self, line: str) -> None:
        from rich.markup import escape

        self._console.print(escape(line), highlight=False, soft_wrap=True)


def display(*, quiet: bool, verdicts: bool = False) -> Sequence[Lines]:
    """The listener that suits standard error."""
    if quiet:
        return ()
    kind: type[Lines] = Live if sys.stderr.isatty() else Lines
    return [kind(verdicts=verdicts)]


def console() -> Any:
    """Standard output as rich takes it; wide where it is no terminal, so that nothing is folded for a screen that is not there."""
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=160, highlight=False)


def printable(text: str, limit: int = 200) -> str:
    """Foreign text for a terminal: one line, no control characters and no escapes."""
    kept = "".join(character if character.isprintable() else " " for character in text)
    return kept if len(kept) <= limit else kept[: limit - 1] + "…"


def failing(verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
    return [verdict for verdict in verdicts if verdict.outcome in (Outcome.FAIL, Outcome.VOID)]
