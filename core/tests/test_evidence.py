"""What was seen: in order, never changed, and read back after a kill."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from playproof.canonical import digest, plain
from playproof.errors import InfrastructureError
from playproof.evidence import Evidences, Record, read
from playproof.model import INLINE, Evidence, Observer


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path)


def add(record: Record, tick: int, value: Any = None, kind: str = "toy.state/1", observer: Observer = Observer.OUTSIDE) -> Evidence:
    return record.add(kind, observer, tick=tick, value=value)


def test_the_id_is_the_digest_of_everything_but_the_id(record: Record) -> None:
    entry = add(record, 5, {"a": [1, None]})
    assert entry.id == digest({name: value for name, value in plain(entry).items() if name != "id"})


def test_order_is_tick_then_arrival(record: Record) -> None:
    for tick, value in ((9, "c"), (3, "a"), (9, "d"), (4, "b")):
        add(record, tick, value)
    assert [one.value for one in record.sealed()] == ["a", "b", "c", "d"]


def test_questions_about_evidence(record: Record) -> None:
    for tick in range(5):
        add(record, tick, tick, "x.a/1" if tick % 2 else "x.b/1")
    seen = record.sealed()
    assert [one.value for one in seen.of("x.b/1")] == [0, 2, 4]
    assert [one.value for one in seen.between(1, 3)] == [1, 2, 3]
    assert (last := seen.last("x.a/1")) is not None and last.value == 3 and seen.last("x.c/1") is None
    assert isinstance(seen.of("x.a/1").between(2, 4), Evidences) and len(seen) == 5 and seen[-1].value == 4


def test_the_weakest_observer_decides(record: Record) -> None:
    ids = {observer: add(record, 0, observer.value, observer=observer).id for observer in Observer}
    assert record.weakest([ids[Observer.OUTSIDE], ids[Observer.MAIN], ids[Observer.ISOLATED]]) is Observer.MAIN
    assert record.weakest([ids[Observer.HELD]]) is Observer.HELD and record.weakest(["unknown"]) is None
    assert record.weakest(list(ids.values())) is Observer.INSIDE


def test_what_expectations_held_on_is_kept_in_order_and_once(record: Record) -> None:
    record.rest_on(["b", "a"])
    record.rest_on(["a", "c"])
    assert list(record.grounds) == ["b", "a", "c"]


def test_a_large_value_is_a_blob_and_reads_the_same(record: Record, tmp_path: Path) -> None:
    value = {"text": "x" * INLINE}
    entry = add(record, 0, value)
    assert entry.value is None and entry.blob
    assert json.loads(record.sealed().open(entry)) == value
    small = add(record, 1, {"text": "x"})
    assert small.blob is None and json.loads(record.sealed().open(small)) == {"text": "x"}
    assert len((tmp_path / "evidence.jsonl").read_text()) < INLINE


def test_the_same_bytes_are_kept_once(record: Record, tmp_path: Path) -> None:
    first = record.add("image.png/1", Observer.OUTSIDE, tick=0, blob=b"pixels", media_type="image/png")
    second = record.add("image.png/1", Observer.OUTSIDE, tick=9, blob=b"pixels", media_type="image/png")
    assert first.blob == second.blob and first.id != second.id
    assert [place.name for place in (tmp_path / "blobs").iterdir()] == [first.blob]


def test_what_was_written_stays(tmp_path: Path) -> None:
    record = Record(tmp_path)
    add(record, 1, "first")
    before = (tmp_path / "evidence.jsonl").read_bytes()
    for tick in range(3):
        add(record, tick, "later")
    assert (tmp_path / "evidence.jsonl").read_bytes().startswith(before)
    held = record.sealed()
    add(record, 9, "after the sealing")
    assert len(held) == 4 and len(record.sealed()) == 5
    with pytest.raises(AttributeError):
        held[0].value = "changed"
    with pytest.raises(TypeError):
        held[0] = held[1]  # type: ignore[index]


@pytest.mark.parametrize("torn", range(2, 60, 7))
def test_a_torn_last_line_is_dropped_and_the_rest_kept(tmp_path: Path, torn: int) -> None:
    record = Record(tmp_path)
    kept = [add(record, tick, tick) for tick in range(3)]
    add(record, 3, "torn")
    record.close()
    place = tmp_path / "evidence.jsonl"
    os.truncate(place, place.stat().st_size - torn)
    assert list(read(tmp_path)) == kept


def test_a_folder_without_evidence_is_empty(tmp_path: Path) -> None:
    assert len(read(tmp_path)) == 0


def test_line_separators_in_a_value_do_not_tear_a_line(tmp_path: Path) -> None:
    record = Record(tmp_path)
    kept = [add(record, 0, "a\u2028b\x85c\x0bd\r\ne"), add(record, 1, "next")]
    record.close()
    assert list(read(tmp_path)) == kept


def test_a_lone_surrogate_is_evidence_too(tmp_path: Path) -> None:
    record = Record(tmp_path)
    kept = add(record, 0, {"name": "\ud800"})
    record.close()
    assert list(read(tmp_path)) == [kept]


def test_no_room_is_nobodys_fault(tmp_path: Path) -> None:
    record = Record(tmp_path)
    (tmp_path / "blobs").rmdir()
    (tmp_path / "blobs").write_text("in the way")
    with pytest.raises(InfrastructureError, match="cannot write evidence"):
        record.add("image.png/1", Observer.OUTSIDE, tick=0, blob=b"x")
    assert len(record.sealed()) == 0
