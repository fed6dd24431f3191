"""`playproof calibrate` on a run that was graded and judged: see conftest for its submissions and its judges."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from playproof.opinions import Line, append, read_lines

from .conftest import Run, Said


@pytest.fixture
def rated(playproof: Run, say: Callable[..., Line]) -> Sequence[Line]:
    """What two people said, each of the questions that the judges were asked, with the evidence of the run."""
    lines = []
    for line in read_lines(Path("out/opinions/judges.jsonl")):
        if line.opinion.vote == 0 and line.opinion.value is not None:
            question, truth = line.opinion.question, line.opinion.value
            for name in ("ann", "bob"):
                said = truth.verdict if truth.verdict is not None else truth.rating + (name == "bob")
                lines.append(say(name, question.id, line.trial, said, exhibits=line.opinion.exhibits, grading=line.grading,
                                 scale=question.scale))
    pair = {"a": "judged/reference/0", "b": "judged/broken:dead/0"}
    lines += [say(name, "judged", pair, "a") for name in ("ann", "bob")]
    append(Path("labels.jsonl"), lines)
    return lines


def calibrated(playproof: Run, *more: str | Path) -> Said:
    said = playproof("calibrate", "out", "--resamples", "200", "--json", *more)
    assert said.code == 0, said.err
    return said


def test_people_judges_and_the_run_itself(playproof: Run, rated: Sequence[Line]) -> None:
    found = calibrated(playproof, "--labels", "labels.jsonl").figures

    def counted(*key: str) -> tuple[int, int]:
        return found[key]["count"], found[key]["n"]

    assert counted("verdicts", "toy.eye", "people", "requirements", "accuracy") == (14, 14)  # 4 calm starts and 3 lamps, 2 votes each
    assert counted("verdicts", "toy.eye", "people", "requirements", "specificity") == (2, 2)  # the glare
    assert counted("verdicts", "verifier", "people", "requirements", "accuracy") == (7, 7)
    assert counted("ratings", "toy.eye", "people", "all", "exact") == (16, 32)  # ann says what the judge says, bob one more
    assert counted("ratings", "toy.eye", "people", "manners/calm", "within_1") == (16, 16)
    assert found["ratings", "toy.eye", "people", "all", "shift"]["value"] == -0.5
    assert counted("ratings", "toy.eye", "people", "all", "people_exact") == (0, 8)
    assert found["ratings", "toy.eye", "people", "all", "var_within"]["value"] == 0
    assert counted("preferences", "scores", "people", "fused", "agreement") == (1, 1)  # the dead lamp has less of the rubric
    assert counted("preferences", "scores", "people", "pass@1", "agreement") == (1, 1)
    assert found["preferences", "scores", "people", "pass@1", "agreement_close"]["n"] == 0  # 100 points apart
    assert "fused: rubric" in {key[3] for key in found}
    assert found["verdicts", "toy.eye", "people", "requirements", "accuracy"]["interval"] == "Wilson, n = 1 task"


def test_known_answers_come_for_free(playproof: Run) -> None:
    said = calibrated(playproof, "--known", "--opinions", "stern")
    found = said.figures
    verifier = found["verdicts", "verifier", "known answers", "requirements", "accuracy"]
    # reference and accepted hold lights, pleasant and calm-start (a bell does not apply), glare fails pleasant, dead two, garbled four
    assert verifier["n"] == 13 and verifier["count"] == 11  # the stern judge dislikes the two good lamps
    sharp = found["verdicts", "toy.eye", "known answers", "requirements", "sensitivity"]
    assert (sharp["count"], sharp["n"]) == (2, 4)
    differing = [(one["trial"], one["question"], one["by"], one["said"], one["truth"]) for one in json.loads(said.out)["disagreements"]]
    assert differing == [(f"judged/{stack}/0", "judged/pleasant", by, ["fail"], "pass")
                         for by in ("toy.eye", "verifier") for stack in ("accepted:dim", "reference")]


def test_drift_between_two_judges(playproof: Run) -> None:
    said = calibrated(playproof, "--opinions", "stern", "--against", "judges")
    found = said.figures
    verdicts = ("drift", "stern", "judges", "verdicts")
    assert (found[*verdicts, "to_fail"]["count"], found[*verdicts, "same"]["n"]) == (2, 7)
    assert found["drift", "stern", "judges", "ratings", "shift"]["value"] == -1  # calm falls from 4 to 2, clear stays
    assert [(one["question"], one["before"], one["after"]) for one in json.loads(said.out)["changes"]][:2] == [
        ("judged/manners/calm", "4", "2")] * 2


def test_the_same_seed_gives_the_same_bytes(playproof: Run, rated: Sequence[Line]) -> None:
    first, second = (calibrated(playproof, "--labels", "labels.jsonl", "--seed", "7").out for _ in range(2))
    assert first == second and json.loads(first)["seed"] == 7


def test_tables_and_markdown_show_the_same_and_no_markup_of_others(playproof: Run, rated: Sequence[Line], say: Callable[..., Line]) -> None:
    nasty = say("[bold]*eve*|", "judged/pleasant", "judged/reference/0", False, settings={"cause": "\x1b[31mred"}, message="a | b\n# no")
    append(Path("more.jsonl"), [nasty, *(say(name, "judged/pleasant", "judged/reference/0", False) for name in ("cy", "dee"))])
    labels = ("--labels", "labels.jsonl", "--labels", "more.jsonl", "--labels", "more.jsonl")
    shown = playproof("calibrate", "out", *labels)
    assert shown.code == 0 and "[bold]*eve*|: fail" in shown.out and "\x1b" not in shown.out
    for word in ("verdicts: toy.eye against people", "accuracy", "ICC(1,k)", "manners/calm", "split votes"):
        assert word in shown.out, word
    written = playproof("calibrate", "out", *labels, "--markdown").out
    assert "\\[bold\\]\\*eve\\*\\|: fail" in written and "## Notes" in written
    for table in written.split("\n\n"):
        if table.startswith("|"):
            assert len({row.replace("\\|", "").count("|") for row in table.splitlines()}) == 1, table
    assert not any(line.startswith("# no") for line in written.splitlines())


# --- bad input ---


def refused(playproof: Run, *arguments: str | Path) -> str:
    said = playproof("calibrate", "out", *arguments)
    assert (said.code, said.out) == (2, ""), said
    return said.err


def test_what_cannot_be_calibrated_is_refused(playproof: Run) -> None:
    assert "give --labels FILE, --known or --against SET" in refused(playproof)
    assert "missing.jsonl: cannot be read" in refused(playproof, "--labels", "missing.jsonl")
    Path("bad.jsonl").write_text('{"schema": "opinion/1"}\nnot JSON\n{}\n')
    assert "bad.jsonl:1: not an opinion: missing key" in refused(playproof, "--labels", "bad.jsonl")
    Path("bad.jsonl").write_text("\nnot JSON\n{}\n")
    assert "bad.jsonl:2: not JSON" in refused(playproof, "--labels", "bad.jsonl")
    Path("empty.jsonl").write_text("")
    assert "empty.jsonl: there are no labels in it" in refused(playproof, "--labels", "empty.jsonl")
    assert "no set of opinions named 'none'; there are: judges, stern" in refused(playproof, "--known", "--opinions", "none")
    assert "is the set 'stern' itself" in refused(playproof, "--opinions", "stern", "--against", "stern")
    Path("out/run.json").unlink()
    assert "not a run" in refused(playproof, "--known")


def test_labels_of_another_run_are_refused_and_counted(playproof: Run, rated: Sequence[Line], say: Callable[..., Line]) -> None:
    strange, dead = {"submission": ["0" * 64]}, next(line.grading for line in rated if "dead" in line.trial)
    other = [say("ann", "judged/pleasant", "judged/reference/0", True, exhibits=strange, grading="f" * 32),
             say("ann", "judged/lights", "judged/reference/0", True, exhibits=strange, grading=dead),
             say("ann", "judged/pleasant", "elsewhere/model/0", True), say("ann", "judged/pleasant", {}, True)]
    append(Path("other.jsonl"), other)
    told = refused(playproof, "--labels", "other.jsonl")
    assert "nothing in common with out" in told
    assert "2 of 4 labels are on evidence that this run does not have" in told and "1 of 4 labels are on trials that this run" in told
    append(Path("other.jsonl"), rated)
    notes = json.loads(calibrated(playproof, "--labels", "other.jsonl").out)["notes"]
    assert [note for note in notes if "on evidence that this run does not have" in note and note.endswith("left out")]


def test_labels_stay_good_when_their_grading_is_done_again(playproof: Run, rated: Sequence[Line]) -> None:
    """A mended check makes a new grading of the same submission; what people said of it still holds. What judges said does not."""
    record = next(one for one in Path("out/records/grading").glob("*.json") if json.loads(one.read_text())["trial"] == "judged/reference/0")
    kept = json.loads(record.read_text())
    (record.parent / f"{'e' * 32}.json").write_text(json.dumps({**kept, "id": "e" * 32}))
    old = [line for line in rated if line.trial == "judged/reference/0"]
    moved = [Line(line.id, line.opinion, line.trials, "e" * 32) for line in old]
    append(Path("old.jsonl"), moved)
    judges = Path("out/opinions/judges.jsonl")
    judges.write_text(judges.read_text().replace(kept["id"], "e" * 32))
    said = calibrated(playproof, "--labels", "old.jsonl")
    assert said.figures["ratings", "", "people", "all", "people_exact"]["n"] == 2
    assert json.loads(said.out)["notes"] == ["judges.jsonl: 8 opinions are on gradings that no longer stand, and left out"]


def test_what_a_device_showed_needs_no_evidence(playproof: Run, say: Callable[..., Line]) -> None:
    by = {"device": "a headset", "cause": "device"}
    append(Path("device.jsonl"), [say("ann", "judged/lights", "judged/reference/0", False, settings=by),
                                  say("ann", "judged/pleasant", "judged/broken:dead/0", False, settings=by)])
    said = calibrated(playproof, "--labels", "device.jsonl")
    assert said.figures["verdicts", "verifier", "people", "requirements", "accuracy"]["count"] == 1
    (one,) = json.loads(said.out)["disagreements"]
    assert (one["question"], one["said"], one["people"], one["cause"]) == ("judged/lights", ["pass"], {"ann": "fail"}, "device")


def test_a_run_without_judges_calibrates_its_own_verdicts(playproof: Run) -> None:
    shutil.rmtree("out/opinions")
    said = calibrated(playproof, "--known")
    assert {key[1] for key in said.figures} == {"verifier"}
    answered = said.figures["verdicts", "verifier", "known answers", "requirements", "answered"]
    assert (answered["count"], answered["n"]) == (8, 13)  # the good lamps light, dead fails two, garbled four; the rest waits for a judge
    assert "this run has no opinions of judges" in json.loads(said.out)["notes"][0]


def test_answers_given_again_are_told(playproof: Run, rated: Sequence[Line]) -> None:
    append(Path("labels.jsonl"), rated[:3])
    with Path("labels.jsonl").open("a") as file:
        file.write('{"schema": "opinion/1", "id": "torn')
    notes = json.loads(calibrated(playproof, "--labels", "labels.jsonl").out)["notes"]
    assert notes == ["labels.jsonl: 3 answers were given again; of each the last counts"]


def test_a_variant_without_expectations_has_no_known_answer(playproof: Run, judged: Path) -> None:
    place = judged.parent / "judged" / "broken" / "glare" / "expected.toml"
    kept = place.read_text()
    place.unlink()
    try:
        notes = json.loads(calibrated(playproof, "--known").out)["notes"]
    finally:
        place.write_text(kept)
    assert len(notes) == 1 and "judged/broken:glare/0 has none" in notes[0] and "expected.toml: missing" in notes[0]
