"""Rules by name: a task's [scoring] table, presets, and what is said of a wrong one."""

from fractions import Fraction
from importlib.resources import files
from types import SimpleNamespace

import pytest
from attrs import evolve

from playproof.canonical import plain
from playproof.errors import TaskError
from playproof.model import Check, Ended, Ending, Outcome, Priority, Reason, Verdict
from playproof.scoring import DEFAULT, Rating, TrialResult, load, make, printed
from playproof.scoring.rules import Fused, PassAtK, Strict
from playproof.trial import Done


def test_rules_come_from_the_task_or_from_a_preset(tmp_path, monkeypatch):
    preset = tmp_path / "some_plugin" / "presets" / "p.toml"
    preset.parent.mkdir(parents=True)
    preset.write_text('[[rules]]\nrule = "strict"\npriorities = ["P0"]\nendings = ["completed", "idle"]\n')
    monkeypatch.syspath_prepend(tmp_path)
    assert load({}) == DEFAULT
    tables = load({"preset": "some_plugin:presets/p.toml", "rules": [{"rule": "pass_at_k", "k": 2}]})
    assert [type(make(t)) for t in tables] == [Strict, PassAtK]
    assert make(tables[0]) == Strict(priorities=(Priority.P0,), endings=(Ended.COMPLETED, Ended.IDLE))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"rules": [{"rule": "strct"}]}, "no scoring rule named 'strct'; there are: strict, pass_at_k, fused"),
        ({"rules": [{"rule": "strict", "prioritys": []}]}, "prioritys"),
        ({"rules": [{"rule": "strict", "priorities": ["P7"]}]}, "P7"),
        ({"rules": [{"rule": "pass_at_k", "k": 0}]}, "must be >= 1"),
        ({"rules": [{"rule": "pass_at_k", "k": "2"}]}, "$.k"),
        ({"rules": [{"rule": "fused"}]}, "scale"),
        ({"rules": ["strict"]}, "table"),
        ({"rules": 3}, "table"),
        ({"preset": "no_such_package:x.toml"}, "no_such_package"),
        ({"preset": "playproof:no.toml"}, "no.toml"),
        ({"preset": "playproof"}, "package:path/to.toml"),
        ({"preset": ":x.toml"}, "package:path/to.toml"),
        ({"rule": []}, "preset and rules, not rule"),
    ],
)
def test_a_wrong_scoring_table_is_named(table, said):
    with pytest.raises(TaskError) as told:
        load(table)
    assert said in str(told.value)


def test_figures_are_printed_half_to_even():
    assert [printed(Fraction(x), 2) for x in ("83.125", "83.135", "100")] == ["83.12", "83.14", "100.00"]
    assert printed(0.25) == "0.2"


def test_core_ships_no_preset():
    assert not [f for f in files("playproof").joinpath("scoring").iterdir() if f.name.endswith(".toml")]


def test_what_the_runtime_refuses_before_it_is_graded_is_undelivered_and_leaves_the_means():
    check = Check("a", "python", "", priority=Priority.P1)
    trial = SimpleNamespace(
        task=SimpleNamespace(id="t", ratings=()), subject=SimpleNamespace(label="s"), sample=0,
        survey=SimpleNamespace(checks=[check]), only=(),
        narrowed=False
    )
    refused = Verdict("a", "default", Outcome.FAIL, Reason.UNDELIVERED, "it does not end")
    generation = {"ending": plain(Ending(Ended.COMPLETED)), "submission": {"problems": []}}
    result = Done(trial, generation, {"verdicts": plain([refused])}).result()
    score = Strict().score([result])
    assert (result.delivered, score.value, score.parts["evaluated"], score.parts["conditional"]) == (False, 0, 0, None)


def test_what_does_not_come_up_is_zero_whatever_it_was_rated():
    check = Check("a", "rubric", "", weight=3)
    failed = Verdict("a", "default", Outcome.FAIL, Reason.LOAD_FAIL)
    lowest = [Rating("dims", item, 1) for item in ("x", "y")]
    rule = Fused("dims", items=2, top=10)
    dead = TrialResult("t", "s", checks=[check], verdicts={"a": failed}, ratings=lowest, comes_up=False)
    assert rule.score([dead]).value == 0 and rule.score([evolve(dead, ratings=())]).value == 0
    assert rule.score([evolve(dead, comes_up=True)]).value == 5
