"""The printed figures of the papers, from their counts. Ids are those of docs/scoring.md."""

from fractions import Fraction

import pytest

from playproof.model import Check, Ended, Outcome, Priority, Reason, Verdict
from playproof.scoring import Rating, TrialResult, printed
from playproof.scoring.compare import Overlap, accuracy, flakiness, label_shares, overlap, preferences, successes
from playproof.scoring.rules import Fused, PassAtK, Strict
from playproof.scoring.trials import Mark, Share, averaged, exactly, task_mean

REASONS = {Outcome.PASS: Reason.OK, Outcome.FAIL: Reason.FAIL, Outcome.NOT_APPLICABLE: Reason.OK, Outcome.VOID: Reason.INFRA}


def verdict(check, outcome=Outcome.PASS):
    return Verdict(check, "default", outcome, REASONS[outcome])


def trial(task, passed, total, stack="a", **known):
    """A trial with P0, P1 and P2 checks of which `passed` = (P0, P1, P2) of `total` pass."""
    checks, verdicts = [], {}
    for priority, good, all_ in zip(Priority, passed, total, strict=True):
        for i in range(all_):
            id_ = f"{priority}-{i}"
            checks.append(Check(id_, "python", id_, priority=priority))
            verdicts[id_] = verdict(id_, Outcome.PASS if i < good else Outcome.FAIL)
    return TrialResult(task, stack, checks=checks, verdicts=verdicts, **known)


def won(task, stack="a"):
    return trial(task, (1, 1, 0), (1, 1, 0), stack)


def missed(task, stack="a"):
    return trial(task, (1, 0, 0), (1, 1, 0), stack)


def percent(x, places=1):
    return printed(100 * Fraction(x).limit_denominator(10**6), places)


@pytest.mark.parametrize(
    ("count", "rate"),
    list(zip(
        (26, 24, 21, 19, 18, 15, 11, 10, 9, 7, 6),
        ("55.3", "51.1", "44.7", "40.4", "38.3", "31.9", "23.4", "21.3", "19.1", "14.9", "12.8"),
        strict=True,
    )),
)
def test_a1_strict_successes_of_47(count, rate):
    score = Strict().score([won(str(i)) if i < count else missed(str(i)) for i in range(47)])
    assert percent(score.value) == percent(score.as_published) == rate
    assert (score.n, score.planned, score.void, score.parts["succeeded"]) == (47, 47, 0, count)


@pytest.mark.parametrize(
    ("evaluated", "count", "overall", "conditional"), [(10, 7, "14.9", "70.0"), (32, 13, "27.7", "40.6"), (47, 18, "38.3", "38.3")]
)
def test_a1b_all_planned_and_conditional(evaluated, count, overall, conditional):
    cut = [TrialResult(str(i), "a", ended=Ended.STEPS, delivered=False, evaluated=False) for i in range(evaluated, 47)]
    score = Strict().score([won(str(i)) if i < count else missed(str(i)) for i in range(evaluated)] + cut)
    assert percent(score.value) == overall
    assert percent(score.parts["conditional"]) == conditional
    assert (score.n, score.parts["evaluated"]) == (47, evaluated)


def sets(both, only_a, only_b, neither):
    kinds = [(won, won)] * both + [(won, missed)] * only_a + [(missed, won)] * only_b + [(missed, missed)] * neither
    return [made(str(i), stack) for i, pair in enumerate(kinds) for stack, made in zip("ab", pair, strict=True)]


def test_a2_overlap_of_two_harnesses():
    trials = sets(10, 8, 8, 21)
    found = overlap(successes(Strict(), trials, "a"), successes(Strict(), trials, "b"))
    assert found == Overlap(10, 8, 8, 21)
    assert (found.p, printed(found.kappa, 4)) == (1, "0.2797")


def test_a3_a4_ratios_are_printed_as_in_the_paper():
    assert printed(Fraction(138232, 37699), 2) == "3.67"
    assert percent(Fraction(138232 - 189210, 189210)) == "-26.9"
    assert percent(Fraction(695 - 852, 852)) == "-18.4"
    assert percent(Fraction(1128 - 2036, 2036)) == "-44.6"


def test_a5_layers_and_priorities_add_up():
    whole = [trial("t", (102, 534, 249), (102, 534, 249))]
    source = [category for category, n in (("tool", 43), ("regex", 288), ("anti", 5)) for _ in range(n)]
    pools = Strict().pools(whole)
    assert len(source) == 336
    assert [pools[p].n for p in Priority] == [102, 534, 249]
    assert sum(pool.n for pool in pools.values()) == 885


@pytest.mark.parametrize(
    ("passed", "rate"),
    list(zip(
        (102, 101, 100, 99, 98, 95, 93, 89, 88, 87, 85),
        ("100.0", "99.0", "98.0", "97.1", "96.1", "93.1", "91.2", "87.3", "86.3", "85.3", "83.3"),
        strict=True,
    )),
)
def test_c1_p0_pooled_over_102(passed, rate):
    halves = [trial("x", (min(passed, 60), 1, 0), (60, 1, 0)), trial("y", (max(passed - 60, 0), 1, 0), (42, 1, 0))]
    assert percent(Strict().score(halves).parts["P0"]) == rate


@pytest.mark.parametrize(
    ("priority", "passed", "total", "rate"),
    [("P1", 495, 534, "92.7"), ("P2", 230, 249, "92.4"), ("P1", 463, 534, "86.7"), ("P1", 465, 534, "87.1")],
)
def test_c2_c3_pooled(priority, passed, total, rate):
    at = (1, passed, 0) if priority == "P1" else (1, 0, passed), (1, total, 0) if priority == "P1" else (1, 0, total)
    assert percent(Strict().score([trial("t", *at)]).parts[priority]) == rate


def test_c4_not_applicable_was_taken_out_of_required_checks():
    cannot = ["78.2", "64.5", "65.3", "66.2", "63.4", "82.7"]
    assert not {percent(Fraction(i, 534)) for i in range(535)} & set(cannot)
    one = trial("t", (1, 417, 0), (1, 534, 0))
    one.verdicts["P1-533"] = verdict("P1-533", Outcome.NOT_APPLICABLE)
    assert percent(Strict(not_applicable="anywhere").score([one]).parts["P1"]) == "78.2"
    assert percent(Strict().score([one]).parts["P1"]) == "78.1"


FUSED = Fused(scale="dimensions", items=8, top=10)


def artifact(task="t", met=1, of=1, ratings=(10,) * 8, stack="a"):
    checks = [Check(f"c{i}", "rubric", "") for i in range(of)]
    return TrialResult(
        task, stack, checks=checks, verdicts={f"c{i}": verdict(f"c{i}", Outcome.PASS if i < met else Outcome.FAIL) for i in range(of)},
        ratings=[Rating("dimensions", str(i), value) for i, value in enumerate(ratings)],
    )


def eight(total):
    return [total // 8 + (i < total % 8) for i in range(8)]


@pytest.mark.parametrize(("total", "dimension", "fused"), [(68, "85.00", "92.50"), (66, "82.50", "91.25"), (53, "66.25", "83.12")])
def test_b1_b2_b3_rubric_100(total, dimension, fused):
    one = artifact(ratings=eight(total))
    assert FUSED.rubric(one).value == 100
    assert printed(FUSED.dimension(one).value, 2) == dimension
    assert printed(FUSED.mark(one).value, 2) == fused
    assert FUSED.score([one]).parts["perfect"] == 1


def test_b3_is_exact_before_it_is_printed():
    assert FUSED.mark(artifact(ratings=eight(53))).value == Fraction("83.125")
    assert FUSED.score([artifact(ratings=eight(53))]).value == 83.125


@pytest.mark.parametrize(("total", "dimension"), [(30, "37.50"), (43, "53.75")])
def test_b4_dimension_is_of_80_and_not_of_72(total, dimension):
    assert printed(FUSED.dimension(artifact(ratings=eight(total))).value, 2) == dimension
    assert printed(Fraction(100 * (total - 8), 72), 2) != dimension


def test_b5_category_means_fuse():
    marks = [("t", exactly((Fraction("70.6") + Fraction("71.6")) / 2))]
    assert printed(averaged("fused", marks, None, {}, top=100).value) == "71.1"


def test_b6_b7_means_over_text_and_multimodal_tasks():
    means = [Fraction("74.8")] * 78 + [Fraction("72.1")] * 145
    assert printed(task_mean((str(i), m) for i, m in enumerate(means)), 2) == "73.04"
    low, high = (Fraction("78.55"), Fraction("80.65")), (Fraction("78.65"), Fraction("80.75"))
    marks = [(str(i), Mark(None, low[i >= 78], high[i >= 78])) for i in range(223)]
    score = averaged("fused", marks, None, {}, top=100)
    assert (printed(score.low, 2), printed(score.high, 2)) == ("79.92", "80.02")
    assert score.value is None and score.n == 0


def test_b8_perfect_sets():
    kinds = [(1, 1)] * 40 + [(1, 0)] * 54 + [(0, 1)] * 17 + [(0, 0)] * 112
    trials = [artifact(str(i), met, 1, stack=stack) for i, pair in enumerate(kinds) for stack, met in zip("ab", pair, strict=True)]
    found = overlap(successes(FUSED, trials, "a"), successes(FUSED, trials, "b"))
    assert found == Overlap(40, 54, 17, 112)
    assert f"{float(found.p):.3g}" == "1.25e-05"
    assert printed(found.chi_squared, 2) == "18.25"
    assert printed(found.kappa, 3) == "0.310"
    assert [percent(FUSED.score([t for t in trials if t.stack == s]).parts["perfect"]) for s in "ab"] == ["42.2", "25.6"]


@pytest.mark.parametrize(("count", "rate"), [(143, "64.1"), (85, "38.1")])
def test_b9_rubric_of_at_least_90(count, rate):
    trials = [artifact(str(i), 9 if i < count else 8, 10) for i in range(223)]
    assert percent(Share(sum(FUSED.rubric(t).value >= 90 for t in trials), 223).rate) == rate


@pytest.mark.parametrize(("perfect", "one_unmet", "total"), [(94, 64, 158), (57, 51, 108)])
def test_b10_at_most_one_unmet(perfect, one_unmet, total):
    trials = [artifact(str(i), 10 if i < perfect else 9 if i < perfect + one_unmet else 8, 10) for i in range(223)]
    assert FUSED.score(trials).parts["perfect"] == pytest.approx(perfect / 223)
    assert sum(FUSED.rubric(t).value >= 90 for t in trials) == total


def test_b11_b12_b13_counts():
    assert percent(Share(1544, 1107 + 1544).rate) == "58.2"
    inputs = {"none": 56, "specification": 22, "image": 93, "image+specification": 37, "video": 15}
    trials = [artifact(f"{kind}-{i}", stack=str(s)) for s in range(13) for kind, n in inputs.items() for i in range(n)]
    assert len(trials) == 2899
    assert FUSED.score([t for t in trials if t.stack == "0"]).planned == 223
    assert sum(n for kind, n in inputs.items() if kind in ("none", "specification")) == 78
    assert sum(n for kind, n in inputs.items() if "specification" in kind) == 59


@pytest.mark.parametrize(
    ("agreed", "rate", "close_agreed", "close_rate"),
    [(122, "82.99", 48, "68.57"), (114, "77.55", 41, "58.57"), (113, "76.87", 39, "55.71")],
)
def test_j1_j2_pairwise_preference(agreed, rate, close_agreed, close_rate):
    pairs = [(51.0, 50.0, "a" if i < close_agreed else "b") for i in range(70)]
    pairs += [(80.0, 50.0, "a" if i < agreed - close_agreed else "b") for i in range(77)]
    pairs += [(70.0, 50.0, None)] * 3
    assert len(pairs) == 150
    assert preferences(pairs) == Share(agreed, 147)
    assert percent(preferences(pairs).rate, 2) == rate
    assert percent(preferences(pairs, close=1.0).rate, 2) == close_rate


@pytest.mark.parametrize(("passed", "total", "rate"), [(57, 112, "50.9"), (32, 67, "47.8")])
def test_x1_pass_at_1(passed, total, rate):
    score = PassAtK().score([won(str(i)) if i < passed else missed(str(i)) for i in range(total)])
    assert (score.rule, percent(score.value), score.n) == ("pass@1", rate, total)


def test_x2_x3_reliability_of_the_verifier():
    wrong = [1, 1, 1, 2, 2, 3, 3] + [0] * 117
    repeats = {str(i): [j >= n for j in range(3)] for i, n in enumerate(wrong)}
    experts = dict.fromkeys(repeats, True)
    assert flakiness(repeats) == Share(5, 124)
    assert percent(flakiness(repeats).rate) == "4.0"
    assert accuracy(repeats, experts) == Share(359, 372)
    assert percent(accuracy(repeats, experts).rate) == "96.5"
    assert "96.5" not in {percent(Fraction(i, 124)) for i in range(125)}


def test_x5_labels_overlap():
    labels = [{"coordinates"}] * 644 + [set()] * 356
    labels = [own | ({"startup"} if i < 449 else set()) | ({"hands"} if i >= 655 else set()) for i, own in enumerate(labels)]
    shares = label_shares(labels)
    assert {name: percent(s.rate) for name, s in shares.items()} == {"coordinates": "64.4", "startup": "44.9", "hands": "34.5"}
    assert sum(s.rate for s in shares.values()) > 1


def test_x6_kinds_and_difficulties_cover_the_same_tasks():
    kinds = ["feature"] * 24 + ["repair"] * 21 + ["application"] * 67
    levels = ["easy"] * 28 + ["medium"] * 38 + ["hard"] * 46
    assert len(kinds) == len(levels) == PassAtK().score([won(str(i)) for i in range(len(kinds))]).planned == 112
