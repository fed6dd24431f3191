"""A run made readable: a terminal table, one HTML page, JSON and JUnit. `playproof.report.run` says what goes in."""

from playproof.report.machine import as_json, as_junit
from playproof.report.page import page
from playproof.report.run import ReportRun, ReportTrial, clean
from playproof.report.terminal import show

__all__ = ["ReportRun", "ReportTrial", "as_json", "as_junit", "clean", "page", "show"]
