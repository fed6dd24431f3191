"""Logging with structlog: JSON lines in the run's folder, and readable lines on the terminal when asked for."""

import json
import logging
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, TextIO

import structlog


def configure(place: Path | None = None, *, verbose: bool = False) -> None:
    """Log to `place` as JSON lines; `verbose` also writes warnings and more to standard error, else errors alone."""
    file = place.open("a", encoding="utf-8") if place else None
    level = logging.INFO if verbose else logging.ERROR

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
