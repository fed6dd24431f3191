"""Evidence made fit to look at: small, and free of anything that a submission could smuggle in."""

from pathlib import Path

from playproof.evidence import Record
from playproof.model import Observer
from playproof.testing import fake_grading
from playproof_webgame.exhibits import SnapshotExhibitor


def test_a_snapshot_is_shown_as_plain_text_alone(tmp_path: Path) -> None:
    record = Record(tmp_path)
    exhibitor = SnapshotExhibitor({}, fake_grading(tmp_path).services)
    seen = record.add("webgame.snapshot/1", Observer.MAIN, tick=0, value={"a": "<script>\x1b[31m\u202e", "b": list(range(100))})
    html = exhibitor.show(seen, lambda _: record.sealed().open(seen)).html
    assert "&lt;script&gt;\\u001b[31m\\u202e" in html and "more lines" in html
    assert html.count("<") == 2 and html.isascii() is False and "\x1b" not in html
    large = record.add("webgame.snapshot/1", Observer.MAIN, tick=0, value=["x" * 2_000_000])
    assert exhibitor.show(large, lambda _: record.sealed().open(large)).html == "<p>a snapshot of 2,000,004 bytes</p>"
