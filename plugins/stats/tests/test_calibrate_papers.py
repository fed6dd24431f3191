"""The papers' figures from answers, one by one. Ids are those of docs/scoring.md."""

import pytest

from playproof.scoring import printed
from playproof_stats.calibration.calibrating import calibrate
from playproof_stats.calibration.values import Settings
from playproof_stats.figures import Resampling

FAST = Settings(Resampling(resamples=200))


def percent(figure, places=1):
    return printed(100 * figure.value, places)


def test_x2_x3_the_verifier_against_blinded_experts(say):
    """124 submissions of 62 tasks, verified three times each: 359 of 372 verdicts are the experts', 5 submissions flip."""
    wrong = [1, 1, 1, 2, 2, 3, 3] + [0] * 117
    trials = {f"t{at // 2}/model-{at % 2}/0": f"t{at // 2}" for at in range(124)}
    verdicts, experts = [], []
    for (trial, task), misses in zip(trials.items(), wrong, strict=True):
        experts += [say(name, task, trial, True) for name in ("ann", "bob", "cy")]
        for repeat in range(3):
            again = f"{trial}/r{repeat}" if repeat else trial
            verdicts.append(say("verifier", task, again, repeat >= misses, kind="assertion"))
    found = calibrate(verdicts, experts, trials, with_=FAST).section("verdicts", "verifier").rows
    assert [row.of for row in found] == ["submissions"]
    accuracy, flakiness = found[0].figure("accuracy"), found[0].figure("flakiness")
    assert (accuracy.count, accuracy.n, percent(accuracy)) == (359, 372, "96.5")
    assert (flakiness.count, flakiness.n, percent(flakiness)) == (5, 124, "4.0")
    assert accuracy.low < accuracy.value < accuracy.high and accuracy.interval == "bootstrap over 62 tasks"


@pytest.mark.parametrize(("score", "full", "close", "printed_full", "printed_close"), [
    ("fused", 122, 48, "82.99", "68.57"), ("fused: rubric", 114, 41, "77.55", "58.57"), ("fused: dimension", 113, 39, "76.87", "55.71")])
def test_j1_j2_scores_against_three_reviewers(say, score, full, close, printed_full, printed_close):
    """150 pairs less 3 split votes; the close pairs are those whose whole scores lie close, for the parts, too."""
    trials, scores, votes = {}, {}, []
    for at in range(150):
        a, b, task = f"t{at}/x/0", f"t{at}/y/0", f"t{at}"
        trials |= {a: task, b: task}
        near = at < 70
        prefers_a = at < close or 70 <= at < 70 + full - close
        scores[a] = {"fused": 52.0 if near else 80.0, score: 52.0 if near else 80.0}
        scores[b] = {"fused": 50.0 if near else 30.0, score: 50.0 if near else 30.0}
        said = ["a", "b", "tie"] if at >= 147 else ["a", "a", "b"] if prefers_a else ["b", "b", "a"]
        votes += [say(name, task, {"a": a, "b": b}, one) for name, one in zip(("ann", "bob", "cy"), said, strict=True)]
    found = calibrate([], votes, trials, scores=scores, with_=FAST)
    row = next(row for row in found.section("preferences", "scores").rows if row.of == score)
    assert (row.figure("agreement").count, row.figure("agreement").n, percent(row.figure("agreement"), 2)) == (full, 147, printed_full)
    assert (row.figure("agreement_close").n, percent(row.figure("agreement_close"), 2)) == (70, printed_close)
    people = found.section("preferences", "people", "each other").rows[0]
    assert (people.figure("split").count, people.figure("split").n) == (3, 150)


def test_the_shape_of_the_design_judges_table(say):
    """Eight raters, three for each application: the two-way figures are absent, as the paper found; the one-way ones are there."""
    names = [f"expert-{i}" for i in range(8)]
    trials = {f"t{at}/m/0": f"t{at}" for at in range(24)}
    people = [say(names[(at + turn) % 8], f"t{at}/looks/colour", f"t{at}/m/0", 1 + (at + turn * (at % 3)) % 5)
              for at in range(24) for turn in range(3)]
    judge = [say("rating", f"t{at}/looks/colour", f"t{at}/m/0", 1 + at % 5, kind="judge") for at in range(24)]
    row = calibrate(judge, people, trials, with_=FAST).section("ratings", "rating").rows[0]
    assert row.figure("icc_2_k").value is None and row.figure("icc_2_k").why == "no two subjects have been rated by all 8 raters"
    assert row.figure("icc_1_k").value > row.figure("icc_1_1").value and row.figure("icc_1_k").n == 24
    assert row.figure("people_exact").n == 72 and row.figure("exact").n == 72 and row.figure("consensus_exact").n == 24
