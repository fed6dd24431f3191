"""`calibrate`: what counts as an answer and as the truth, which figure is absent and why, and what is listed."""

import json

import pytest

from playproof.canonical import plain
from playproof_stats.calibration.answers import submission
from playproof_stats.calibration.calibrating import calibrate
from playproof_stats.calibration.values import Settings
from playproof_stats.figures import Resampling

FAST = Settings(Resampling(resamples=200))


def run(judged, labelled, **more):
    lines = [*judged, *labelled, *more.get("known", ()), *more.get("against", ("", "", ()))[2]]
    tasks = {submission(trial)[0]: trial.split("/")[0] for line in lines for trial in line.trials.values()}
    return calibrate(judged, labelled, tasks, with_=FAST, **more)


def row(found, kind, by, against="people", at=0):
    return found.section(kind, by, against).rows[at]


# --- verdicts ---


def test_each_kind_of_error_has_its_share(say):
    """By hand: 3 right passes, 1 strict, 2 right fails, 2 lenient."""
    cases = [(True, True)] * 3 + [(False, True)] + [(False, False)] * 2 + [(True, False)] * 2
    judged = [say("vision", f"t{i}/c", f"t{i}/m/0", said, kind="judge") for i, (said, _) in enumerate(cases)]
    people = [say("ann", f"t{i}/c", f"t{i}/m/0", truth) for i, (_, truth) in enumerate(cases)]
    found = row(run(judged, people), "verdicts", "vision")
    assert found.of == "requirements"
    assert {id: (found.figure(id).count, found.figure(id).n) for id in ("accuracy", "sensitivity", "specificity", "passed")} == {
        "accuracy": (5, 8), "sensitivity": (3, 4), "specificity": (2, 4), "passed": (5, 8)}
    assert found.figure("corrected").value == pytest.approx((5 / 8 + 1 / 2 - 1) / (3 / 4 + 1 / 2 - 1))
    assert found.figure("kappa").value == pytest.approx(0.25)
    assert found.figure("people").why == "no question has been answered by two people" and found.figure("people").value is None


def test_a_check_holds_if_it_holds_in_every_case(say):
    def judged(*said):
        return [say("vision", "t/c", "t/m/0", one, kind="judge", exhibits={"submission": [str(i)]}) for i, one in enumerate(said)]

    people = [say("ann", "t/c", "t/m/0", True)]
    assert row(run(judged(True, True), people), "verdicts", "vision").figure("accuracy").value == 1
    assert row(run(judged(True, False, None), people), "verdicts", "vision").figure("accuracy").value == 0
    answered = row(run(judged(True, None), people), "verdicts", "vision")
    assert (answered.figure("answered").count, answered.figure("answered").n) == (0, 1) and answered.figure("accuracy").value is None


def test_every_vote_and_every_repeat_is_an_answer(say):
    judged = [say("vision", "t/c", trial, said, kind="judge", vote=vote)
              for trial, vote, said in (("t/m/0", 0, True), ("t/m/0", 1, False), ("t/m/0/r1", 0, True), ("t/m/0/r1", 1, None))]
    found = row(run(judged, [say("ann", "t/c", "t/m/0", True)]), "verdicts", "vision")
    assert (found.figure("accuracy").count, found.figure("accuracy").n, found.figure("answered").n) == (2, 3, 4)
    assert (found.figure("flakiness").count, found.figure("flakiness").n) == (1, 1)


def test_split_votes_are_left_out_and_counted(say):
    judged = [say("vision", f"t/c{i}", "t/m/0", True, kind="judge") for i in range(2)]
    people = [say("ann", "t/c0", "t/m/0", True), say("bob", "t/c0", "t/m/0", False), say("ann", "t/c1", "t/m/0", True)]
    found = row(run(judged, people), "verdicts", "vision")
    assert found.figure("accuracy").n == 1 and (found.figure("split").count, found.figure("split").n) == (1, 2)


def test_what_people_settled_is_the_truth_and_nobody_s_own(say):
    people = [say("ann", "t/c", "t/m/0", True), say("bob", "t/c", "t/m/0", True),
              say("consensus", "t/c", "t/m/0", False, settings={"cause": "narrow"}, message="see the note")]
    found = run([say("vision", "t/c", "t/m/0", False, kind="judge"), say("verifier", "t/c", "t/m/0", True, kind="assertion")], people)
    assert found.raters == ["ann", "bob"] and row(found, "verdicts", "vision").figure("accuracy").value == 1
    assert row(found, "verdicts", "vision").figure("people").value == 1
    (one,) = found.disagreements
    assert (one.by, one.said, one.truth, one.people, one.cause) == ("verifier", ["pass"], "fail", {"ann": "pass", "bob": "pass"},
                                                                    "narrow: see the note")


def test_known_answers_are_not_of_those_whose_share_is_wanted(say):
    known = [say("known", f"t{i}/c", f"t{i}/reference/0", True, kind="assertion") for i in range(4)]
    known += [say("known", f"t{i}/c", f"t{i}/broken:x/0", False, kind="assertion") for i in range(4)]
    judged = [say("vision", line.opinion.question.id, line.trial, bool(line.opinion.value.verdict), kind="judge") for line in known]
    judged += [say("vision", f"t{i}/c", f"t{i}/model/0", i < 1, kind="judge") for i in range(4)]
    found = row(run(judged, [], known=known), "verdicts", "vision", "known answers")
    assert (found.figure("accuracy").count, found.figure("accuracy").n) == (8, 8)
    assert (found.figure("passed").count, found.figure("passed").n) == (1, 4)
    assert found.figure("corrected").value == 0.25 and found.figure("corrected").interval.startswith("Lang-Reiczigel")
    assert found.figure("corrected").low < 0.25 < found.figure("corrected").high
    alone = row(run(judged[:8], [], known=known), "verdicts", "vision", "known answers")
    assert alone.figure("corrected").why == alone.figure("passed").why == "every answer is about a known case"


def test_labels_that_show_no_error_leave_the_corrected_share_open_none_the_less(say):
    """A bootstrap would draw labels that are always right, and take the judge for perfect."""
    cases = [(i, i % 3 > 0) for i in range(9)]
    judged = [say("vision", f"t{i}/c", f"t{i}/m/0", truth, kind="judge") for i, truth in cases]
    people = [say("ann", f"t{i}/c", f"t{i}/m/0", truth) for i, truth in cases]
    right = row(run(judged, people), "verdicts", "vision").figure("corrected")
    assert right.interval == "Lang-Reiczigel, answers taken as independent" and right.low < 6 / 9 < right.high
    judged[0] = say("vision", "t0/c", "t0/m/0", True, kind="judge")
    assert row(run(judged, people), "verdicts", "vision").figure("corrected").interval == "bootstrap over 9 tasks"


def test_two_models_under_one_name_are_two_judges(say):
    judged = [say("vision", "t/c", "t/m/0", said, kind="judge", settings={"models": {"eye": {"model": model}}}, id=model)
              for model, said in (("x", True), ("y", False))]
    found = run(judged, [say("ann", "t/c", "t/m/0", True)])
    assert sorted(row(found, "verdicts", one.by).figure("accuracy").value for one in found.sections) == [0, 1]
    assert all(one.by.startswith("vision #") for one in found.sections)


# --- ratings ---


def rated(say, by, values, kind="judge", item="colour", **more):
    return [say(by, f"t{i}/looks/{item}", f"t{i}/m/0", value, kind=kind, **more) for i, value in enumerate(values)]


def test_ratings_against_each_person_and_against_the_median(say):
    judged = rated(say, "rating", [3, 1, 5])
    people = rated(say, "ann", [3, 2, 2], "person") + rated(say, "bob", [4, 2, 5], "person") + rated(say, "cy", [3, 5, 3], "person")
    found = row(run(judged, people), "ratings", "rating")
    # t0: 3 against 3 4 3, median 3; t1: 1 against 2 2 5, median 2; t2: 5 against 2 5 3, median 3
    assert {id: (found.figure(id).count, found.figure(id).n) for id in (
        "exact", "within_1", "consensus_exact", "consensus_within_1", "people_exact", "people_within_1")} == {
        "exact": (3, 9), "within_1": (6, 9), "consensus_exact": (1, 3), "consensus_within_1": (2, 3),
        "people_exact": (2, 9), "people_within_1": (5, 9)}
    assert found.figure("shift").value == pytest.approx((0 - 1 + 2) / 3)
    assert found.figure("var_within").why == "no question was answered twice (--votes)"


def test_a_median_between_two_ratings_is_nobody_s_exactly(say):
    found = row(run(rated(say, "rating", [3]), rated(say, "ann", [3], "person") + rated(say, "bob", [4], "person")), "ratings", "rating")
    assert (found.figure("consensus_exact").value, found.figure("consensus_within_1").value, found.figure("exact").value) == (0, 1, 0.5)


def test_each_item_has_a_row(say):
    judged = rated(say, "rating", [3, 4]) + rated(say, "rating", [1, 1], item="shape")
    people = rated(say, "ann", [3, 4], "person") + rated(say, "ann", [5, 5], "person", item="shape")
    found = run(judged, people).section("ratings", "rating").rows
    assert [(one.of, one.figure("exact").value) for one in found] == [("all", 0.5), ("looks/colour", 1), ("looks/shape", 0)]


def test_votes_tell_how_a_judge_varies_and_judges_how_they_differ(say):
    first = rated(say, "one", [1, 3, 5]) + rated(say, "one", [3, 3, 5], vote=1)
    found = run(first + rated(say, "two", [2, 4, 5]), rated(say, "ann", [1, 3, 5], "person"))
    assert row(found, "ratings", "one").figure("var_within").value == pytest.approx(2 / 3)
    met = row(found, "judges", "one, two", "each other")
    assert met.figure("var_within").value == pytest.approx(2 / 3) and met.figure("var_judges").n == 3
    assert met.figure("var_subjects").value > met.figure("var_judges").value


def test_ratings_off_the_scale_are_left_out_and_told(say):
    people = rated(say, "ann", [3, 9, 0], "person") + rated(say, "bob", [3, 2, 1], "person", scale=None)
    found = run(rated(say, "rating", [3, 2, 1]), people)
    assert row(found, "ratings", "rating").figure("exact").n == 4
    assert found.notes == ["people: 2 answers are outside the scale looks (1 to 5) and left out"]
    unscaled = run(rated(say, "rating", [3, 2, 1]), rated(say, "bob", [3, 7, 1], "person", scale=None))
    assert row(unscaled, "ratings", "rating").figure("exact").n == 2  # the scale is the judge's


def test_far_ratings_are_listed_the_farthest_first(say):
    found = run(rated(say, "rating", [2, 5, 3]), rated(say, "ann", [4, 1, 3], "person"))
    assert [(one.trial, one.said, one.truth) for one in found.disagreements] == [("t1/m/0", ["5"], "1"), ("t0/m/0", ["2"], "4")]


# --- preferences ---


def test_a_pair_is_the_same_from_either_side(say):
    pair, turned = {"a": "t/x/0", "b": "t/y/0"}, {"a": "t/y/0", "b": "t/x/0"}
    people = [say("ann", "t", pair, "a"), say("bob", "t", turned, "b"), say("cy", "t", turned, "tie")]
    found = run([say("pairwise", "t", turned, "b", kind="judge")], people)
    assert row(found, "preferences", "pairwise").figure("agreement").value == 1
    assert row(found, "preferences", "people", "each other").figure("people").count == 1
    assert row(found, "preferences", "pairwise").figure("agreement_close").why == "the trials have no scores"
    wrong = run([say("pairwise", "t", pair, "b", kind="judge")], people)
    (one,) = wrong.disagreements
    assert (one.trial, one.said, one.truth, one.people) == ("t/x/0 | t/y/0", ["b"], "a", {"ann": "a", "bob": "a", "cy": "tie"})


def test_scores_go_with_how_far_people_lean(say):
    gaps = [30, 20, 10, -10, -20]
    votes = [("a", "a"), ("a", "tie"), ("tie", "tie"), ("b", "tie"), ("b", "b")]
    people = [say(name, f"t{i}", {"a": f"t{i}/x/0", "b": f"t{i}/y/0"}, vote)
              for i, both in enumerate(votes) for name, vote in zip(("ann", "bob"), both, strict=True)]
    scores = {f"t{i}/{name}/0": {"pass@1": value} for i, gap in enumerate(gaps) for name, value in (("x", 50 + gap), ("y", 50))}
    found = next(one for one in run([], people, scores=scores).section("preferences", "scores").rows)
    # split: t1 and t3 (a and tie, b and tie have no majority)
    assert (found.of, found.figure("agreement").n, found.figure("agreement").count) == ("pass@1", 3, 2)
    assert found.figure("spearman").value == 1 and 0.9 < found.figure("pearson").value < 1
    assert found.figure("agreement_close").why == "no pair lies within 5 points"


def test_parts_of_a_score_are_looked_at_on_the_pairs_whose_whole_scores_lie_close(say):
    """Gaps of the whole 5, 6 and 1, of the part -40, 0 and 40: the first and the last are close, whatever the part."""
    wholes, parts = [5, 6, 1], [-40, 0, 40]
    people = [say("ann", f"t{i}", {"a": f"t{i}/x/0", "b": f"t{i}/y/0"}, "a") for i in range(3)]
    scores = {f"t{i}/{name}/0": {"fused": 50.0 + (name == "x") * wholes[i], "fused: rubric": 50.0 + (name == "x") * parts[i]}
              for i in range(3) for name in ("x", "y")}
    whole, part = run([], people, scores=scores).section("preferences", "scores").rows
    assert [(one.figure("agreement_close").count, one.figure("agreement_close").n) for one in (whole, part)] == [(2, 2), (1, 2)]
    assert [(one.figure("agreement").count, one.figure("agreement").n) for one in (whole, part)] == [(3, 3), (1, 3)]


# --- drift ---


def test_drift_is_what_changed_on_the_same_exhibits(say):
    same, other = {"submission": ["e1"]}, {"submission": ["e2"]}

    def said(values, shown=same):
        return [say("vision", f"t{i}/c", f"t{i}/m/0", value, kind="judge", exhibits=shown) for i, value in enumerate(values)]

    before = [*said([True] * 6 + [False] * 2), say("vision", "t0/x", "t0/m/0", True, kind="judge", exhibits=same),
              say("vision", "t0/old", "t0/m/0", True, kind="judge", exhibits=same), *rated(say, "rating", [1, 2, 3, 4], exhibits=same)]
    after = [*said([True] * 2 + [False] * 4 + [False, True]), say("vision", "t0/x", "t0/m/0", False, kind="judge", exhibits=other),
             say("verifier", "t0/c", "t0/m/0", False, kind="assertion"), *rated(say, "rating", [2, 2, 5, 5], exhibits=same)]
    found = run(after, [], against=("old", "new", before))
    verdicts, ratings = found.section("drift", "new", "old").rows
    counts = {id: verdicts.figure(id).count for id in ("same", "passed_before", "passed_after", "to_pass", "to_fail")}
    assert counts == {"same": 3, "passed_before": 6, "passed_after": 3, "to_pass": 1, "to_fail": 4} and verdicts.figure("same").n == 8
    assert verdicts.figure("mcnemar_p").value == 0.375  # 1 and 4 of 5, both sides
    shift = ratings.figure("shift")
    assert shift.value == 1 and shift.low < 1 < shift.high and shift.interval == "t over 4 tasks"
    assert [(one.question, one.before, one.after) for one in found.changes if one.question.endswith("/c")] == [
        *((f"t{i}/c", "pass", "fail") for i in range(2, 6)), ("t7/c", "fail", "pass")]
    assert found.notes == ["drift: 1 questions were asked on other exhibits in the other set, and are left out",
                           "drift: 1 questions were asked in one of the sets alone, and are left out"]


def test_sets_that_share_nothing_say_so(say):
    found = run([say("vision", "t/c", "t/m/0", True, kind="judge")], [], against=("old", "new", []))
    (figure,) = row(found, "drift", "new", "old").figures
    assert figure.value is None and figure.why == "no question was answered in both sets on the same exhibits"


def test_votes_amount_to_a_majority_of_all_that_were_asked(say):
    def said(*values):
        return [say("vision", "t/c", "t/m/0", value, kind="judge", vote=vote) for vote, value in enumerate(values)]

    assert row(run(said(True, True, False), [], against=("a", "b", said(True))), "drift", "b", "a").figure("same").value == 1
    assert row(run(said(True, None, None), [], against=("a", "b", said(True))), "drift", "b", "a").figure("same").n == 0
    assert row(run(said(True, False), [], against=("a", "b", said(True))), "drift", "b", "a").figure("same").value is None
    once = [*rated(say, "rating", [3]), *rated(say, "rating", [None], vote=1)]
    assert row(run(once, [], against=("a", "b", rated(say, "rating", [3]))), "drift", "b", "a").figure("same").value is None


# --- everything ---


def figures(found):
    return [figure for section in found.sections for one in section.rows for figure in one.figures]


@pytest.mark.parametrize("tasks", [1, 3, 8])
def test_what_is_absent_says_why_and_nothing_is_nan(say, tasks):
    judged = [say("vision", f"t{i}/c", f"t{i}/m/0", True, kind="judge") for i in range(tasks)] + rated(say, "rating", [2] * tasks)
    people = [say("ann", f"t{i}/c", f"t{i}/m/0", True) for i in range(tasks)] + rated(say, "ann", [2] * tasks, "person")
    people += [say("ann", "t0", {"a": "t0/m/0", "b": "t0/n/0"}, "a"), say("bob", "t0/looks/colour", "t0/m/0", True)]
    found = run(judged, people, against=("old", "new", judged), scores={"t0/m/0": {"x": 1.0}, "t0/n/0": {"x": 1.0}})
    json.dumps(plain(found), allow_nan=False)
    assert found.notes == ["people: 1 answer is of another form than the question"]
    assert len(figures(found)) > 40
    for one in figures(found):
        assert (one.value is None) == bool(one.why), one
        assert (one.low is None) == (one.high is None), one
        assert one.value is not None or (one.low is None and one.count in (None, 0)), one


def test_labels_alone_give_what_people_are_among_themselves(say):
    people = rated(say, "ann", [1, 2, 3], "person") + rated(say, "bob", [1, 3, 3], "person")
    people += [say(name, "t0/c", "t0/m/0", True) for name in ("ann", "bob")]
    found = run([], people)
    assert row(found, "ratings", "").figure("people_exact").count == 2 and row(found, "verdicts", "").figure("people").value == 1
    assert not found.disagreements


def test_unsure_is_no_answer(say):
    found = run([say("vision", "t/c", "t/m/0", True, kind="judge")], [say("ann", "t/c", "t/m/0", None), say("bob", "t/c", "t/m/0", False)])
    assert row(found, "verdicts", "vision").figure("people").n == 0 and found.notes == ["people: 1 answer is unsure"]


def test_a_rater_who_answers_again_is_counted_once(say):
    found = run([say("vision", "t/c", "t/m/0", True, kind="judge")],
                [say("ann", "t/c", "t/m/0", True, id="1"), say("ann", "t/c", "t/m/0", False, id="2")])
    assert row(found, "verdicts", "vision").figure("accuracy").value == 0
    assert found.notes == ["people: 1 answer is given again by the same rater, so that the last counts"]


def test_the_same_answers_in_another_order_are_the_same_calibration(say):
    judged = rated(say, "rating", [3, 1, 5, 2, 4, 4])
    people = rated(say, "ann", [3, 2, 2, 2, 5, 4], "person") + rated(say, "bob", [4, 2, 5, 1, 4, 4], "person")
    assert plain(run(judged, people)) == plain(run(judged[::-1], people[::-1]))
