"""One spelling for every value, and errors that name the path."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import Factory, frozen
from hypothesis import given
from hypothesis import strategies as st

from playproof.canonical import canonical, digest, plain, short, structure
from playproof.model import Budget, Case, Check, Ended, Observer, Outcome, Priority, Reason, Verdict

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12,
)


@given(JSON)
def test_what_is_spelled_reads_back_and_spells_the_same(value: Any) -> None:
    spelled = canonical(value)
    assert canonical(json.loads(spelled)) == spelled


def test_order_of_keys_and_spaces_do_not_count() -> None:
    assert canonical({"b": [1, 2], "a": "ü"}) == '{"a":"ü","b":[1,2]}'.encode()
    assert digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1}) != digest({"a": 1, "b": 2})


@pytest.mark.parametrize("value", [math.nan, math.inf, {"a": [-math.inf]}])
def test_what_is_no_json_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical(value)


def test_a_lone_surrogate_has_a_spelling() -> None:
    assert digest("\ud800") == digest("\ud800") != digest("?")


@frozen
class Inner:
    wall_s: float
    steps: int | None = None


@frozen
class Outer:
    name: str
    budget: Inner
    root: Path = Path()
    flag: bool = False
    many: Sequence[Inner] = ()
    table: Mapping[str, Inner] = Factory(dict)
    priority: Priority | None = None


GOOD: dict[str, Any] = {"name": "x", "budget": {"wall_s": 3}}

BAD: list[tuple[dict[str, Any], str]] = [
    ({**GOOD, "extra": 1}, "unknown key 'extra' @ $"),
    ({"name": "x"}, "missing key 'budget' @ $.budget"),
    ({**GOOD, "budget": {"wall_s": "3"}}, "expected float, not str @ $.budget.wall_s"),
    ({**GOOD, "budget": {"wall_s": True}}, "expected float, not bool @ $.budget.wall_s"),
    ({**GOOD, "budget": {"wall_s": 1, "steps": 1.5}}, "@ $.budget.steps"),
    ({**GOOD, "name": 3}, "expected str, not int @ $.name"),
    ({**GOOD, "flag": 1}, "expected bool, not int @ $.flag"),
    ({**GOOD, "many": [{"wall_s": 1}, {"wall_s": 2, "x": 0}]}, "unknown key 'x' @ $.many[1]"),
    ({**GOOD, "table": {"k": {}}}, "missing key 'wall_s' @ $.table['k'].wall_s"),
    ({**GOOD, "priority": "P9"}, "@ $.priority"),
    ({**GOOD, "many": 3}, "@ $.many"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_a_fault_names_its_path(data: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r"@ \$") as fault:
        structure(data, Outer)
    assert message in str(fault.value)


@pytest.mark.parametrize("data", [3, "x", None, [], [1], True])
def test_what_is_no_table_at_all(data: Any) -> None:
    with pytest.raises(ValueError, match=rf"expected a table, not {type(data).__name__} @ \$"):
        structure(data, Outer)


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(ValueError, match=r"\$\.name.*\$\.budget\.wall_s|\$\.budget\.wall_s.*\$\.name"):
        structure({"name": 1, "budget": {"wall_s": "no"}}, Outer)


def test_there_and_back() -> None:
    check = Check("a", "python", "A", priority=Priority.P1, options={"start": ["dark"], "n": 1})
    verdict = Verdict("a", Case().id, Outcome.FAIL, Reason.HANG, cites=("e",), observer=Observer.ISOLATED)
    outer = Outer("x", Inner(3.0), Path("/a/b"), many=(Inner(1.0, 2),), table={"k": Inner(2.5)}, priority=Priority.P0)
    for value in (check, verdict, outer, Budget(wall_s=3), Case("a=1", {"a": 1})):
        assert structure(plain(value), type(value)) == value
        assert structure(json.loads(canonical(plain(value))), type(value)) == value


def test_enums_are_plain_texts() -> None:
    verdict = Verdict("a", "b", Outcome.PASS, Reason.OK, observer=Observer.MAIN)
    assert [plain(verdict)[name] for name in ("outcome", "reason", "observer")] == ["pass", "OK", "main"]
    old = plain(Check("a", "rubric", "A"))
    for source, read in ((None, ()), ("brief/a.md#1", ("brief/a.md#1",)), (["x", "y"], ("x", "y"))):
        assert structure({**old, "source": source}, Check).source == read, "records of before are read"
    assert json.dumps(plain(Ended.WALL)) == '"out_of_time"'


def test_an_integer_is_a_float_where_one_is_wanted() -> None:
    assert structure({"wall_s": 3}, Inner) == Inner(3.0) and type(structure({"wall_s": 3}, Inner).wall_s) is float


@pytest.mark.parametrize(("value", "text"), [("plain", "plain"), ({"a": 1}, '{"a": 1}'), (None, "null"), ("x" * 300, "x" * 199 + "…"),
                                             (math.nan, "NaN"), (Priority.P0, "P0")])
def test_short_is_one_line(value: Any, text: str) -> None:
    assert short(value) == text


def test_a_void_verdict_needs_a_void_reason() -> None:
    for outcome, reason in ((Outcome.VOID, Reason.FAIL), (Outcome.PASS, Reason.INFRA), (Outcome.FAIL, Reason.CONTROL_FAILED)):
        with pytest.raises(ValueError, match="cannot have the reason"):
            Verdict("a", "default", outcome, reason)
