"""Files of labels: torn, foreign, shared, and about trials that showed the same."""

from pathlib import Path

import pytest

from playproof.errors import UsageError
from playproof.opinions import read_lines
from playproof_judges.people.labels import Labels

from .runs import CHECKS, Visitor, made_run, picture, rating


def test_a_torn_last_line_spoils_nothing(run: Path) -> None:
    with rating(run) as door:
        visitor = Visitor(door)
        visitor.enter()
        visitor.label("pass")
        with (run / "labels.jsonl").open("a") as file:
            file.write('{"schema": "opinion/1", "id": "to')
        assert "<b>2</b> of 4" in visitor.label("fail").text
    assert len(read_lines(run / "labels.jsonl")) == 2


@pytest.mark.parametrize("content", [
    b"not JSON\n{}\n", b'{"schema": "opinion/2"}\n', b'{"schema": "opinion/1", "id": "x"}\n', b"\xff\xfe\n", b"[]\n",
])
def test_a_file_that_is_no_file_of_labels_is_refused(run: Path, content: bytes) -> None:
    (run / "labels.jsonl").write_bytes(content)
    with pytest.raises(UsageError, match=r"labels\.jsonl"), rating(run):
        pass
    assert (run / "labels.jsonl").read_bytes() == content


def test_several_raters_write_one_file_at_once(run: Path, tmp_path: Path) -> None:
    with rating(run, "ann") as one, rating(run, "bob") as other:
        for door in (one, other, one, other):
            visitor = Visitor(door)
            visitor.enter()
            visitor.label("pass")
        assert Labels(run / "labels.jsonl").names == ["ann", "bob"]
    assert len(read_lines(run / "labels.jsonl")) == 4


def test_labels_of_alike_trials_stay_apart(tmp_path: Path) -> None:
    """Two trials may have shown exactly the same; a person still labels each."""
    same = [picture(5)]
    run = made_run(tmp_path, stacks=["one", "two"], checks=CHECKS[:1], seen={"one": same, "two": same})
    with rating(run) as door:
        visitor = Visitor(door)
        visitor.enter()
        visitor.label("pass")
        assert "All 2 are labelled." in visitor.label("fail").text
    assert {line.opinion.value.verdict for line in read_lines(run / "labels.jsonl")} == {True, False}
