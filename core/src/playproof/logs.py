"""Logging with structlog: JSON lines in the run's folder, and readable lines on the terminal when asked for."""

import json
import logging
import sys
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import structlog

from playproof.hookspecs import hookimpl
from playproof.model import Score, Verdict


class Journal:
    """A listener that writes the run down, a line for each moment; verdicts with their outcome and reason alone."""

    _log = structlog.get_logger("playproof.run")

    @hookimpl
    def run_begins(self, run: str, trials: Sequence[str]) -> None:
        self._log.info("run begins", run=run, trials=len(trials))

    @hookimpl
    def run_ends(self, run: str) -> None:
        self._log.info("run ends", run=run)

    @hookimpl
    def trial_begins(self, trial: str) -> None:
        self._log.info("trial begins", trial=trial)

    @hookimpl
    def trial_ends(self, trial: str, ended: str, scores: Sequence[Score]) -> None:
        self._log.info("trial ends", trial=trial, ended=ended, scores={one.rule: one.value for one in scores})

    @hookimpl
    def verdict_ends(self, trial: str, verdict: Verdict) -> None:
        self._log.info("verdict", trial=trial, check=verdict.check, case=verdict.case, outcome=verdict.outcome, reason=verdict.reason)


def configure(place: Path | None = None, *, verbose: bool = False) -> None:
    """Log to `place` as JSON lines; `verbose` also writes warnings and more to standard error, else errors alone."""
    file = place.open("a", encoding="utf-8") if place else None
    level = logging.WARNING if verbose else logging.ERROR

    def write(_: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if file is not None:
            file.write(json.dumps(dict(event), ensure_ascii=False, default=str) + "\n")
            file.flush()
        if logging.getLevelNamesMapping()[event["level"].upper()] < level:
            raise structlog.DropEvent
        return event

    structlog.configure(
        processors=[
            structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso"), structlog.processors.format_exc_info,
            write, structlog.dev.ConsoleRenderer(colors=_colours(sys.stderr)),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def _colours(stream: TextIO) -> bool:
    return stream.isatty()
