"""Opinion sets as files: what is torn is dropped, what is none is named, and nothing that was written is lost."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from attrs import evolve

from playproof.errors import UsageError
from playproof.opinion import By, Opinion, Question, Trouble, Value
from playproof.opinions import Line, append, read_lines
from playproof.store import Store


def line(id: str, *, verdict: bool = True, grading: str = "g", text: str = "it is") -> Line:
    opinion = Opinion(Question("task/lit", "Is it lit?"), {"submission": ["e1"]}, By("person", "ann"), Value(verdict=verdict), message=text)
    return Line(id, opinion, {"submission": "task/reference/0"}, grading)


def test_lines_come_back_as_they_were(tmp_path: Path) -> None:
    odd = line("1", text="a lone \ud800, a \u2028 separator and a\nbreak")
    void = evolve(line("2"), opinion=Opinion(Question("q", "?"), {"a": ["x"], "b": []}, By("judge", "eye"), None, Trouble.REFUSED, "no"))
    append(tmp_path / "deep" / "set.jsonl", [odd, void])
    found = read_lines(tmp_path / "deep" / "set.jsonl")
    assert [one.opinion.message for one in found] == [odd.opinion.message, "no"]
    assert found[0].trial == "task/reference/0" and found[1].opinion.trouble is Trouble.REFUSED


def test_the_last_word_counts_for_each_grading(tmp_path: Path) -> None:
    place = tmp_path / "set.jsonl"
    append(place, [line("1"), line("1", grading="other"), line("1", verdict=False)])
    assert [(one.grading, one.opinion.value and one.opinion.value.verdict) for one in read_lines(place)] == [("g", False), ("other", True)]


@pytest.mark.parametrize("torn", ['{"schema": "opin', '{"schema": "opinion/1", "id"' + "x" * 200_000])
def test_a_torn_line_spoils_nothing_but_itself(tmp_path: Path, torn: str) -> None:
    place = tmp_path / "set.jsonl"
    append(place, [line("1"), line("2")])
    whole = read_lines(place)
    with place.open("a") as file:
        file.write(torn)
    assert read_lines(place) == whole
    append(place, [line("3")])
    assert [one.id for one in read_lines(place)] == ["1", "2", "3"]


def test_a_file_of_one_torn_line_is_begun_again(tmp_path: Path) -> None:
    place = tmp_path / "set.jsonl"
    place.write_text("torn")
    append(place, [line("1")])
    assert [one.id for one in read_lines(place)] == ["1"]


def test_writers_take_turns(tmp_path: Path) -> None:
    place = tmp_path / "set.jsonl"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: append(place, [line(f"{n}-a"), line(f"{n}-b", text="x" * 5000)]), range(40)))
    assert len(read_lines(place)) == 80


@pytest.mark.parametrize(("text", "problem"), [
    ('{"schema": "opinion/1", "id": "x"}\n', "labels.jsonl:1: not an opinion: .*missing key"),
    ('\n{"schema": "opinion/9"}\n', "labels.jsonl:2: not an opinion: schema is not"),
    ("[]\n", "labels.jsonl:1: not an opinion"), ("so\n\n", "labels.jsonl:1: not JSON"), ("\xff\n", "cannot be read"),
])
def test_a_line_that_is_no_opinion_is_named(tmp_path: Path, text: str, problem: str) -> None:
    place = tmp_path / "labels.jsonl"
    place.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=problem):
        read_lines(place)


@pytest.mark.parametrize("name", ["", "../out", "Judges", "a b", ".hidden"])
def test_a_set_has_a_plain_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="an opinion set is named"):
        Store(tmp_path).opinions(name)
