"""Scores from stored verdicts and ratings: `load` the rules that a task names, then `scores`."""

import tomllib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from itertools import product

from playproof.canonical import structure
from playproof.errors import TaskError
from playproof.model import Options, Score
from playproof.scoring.rules import Fused, PassAtK, Rule, Strict
from playproof.scoring.trials import Rating, TrialResult, conjunction

RULES: Mapping[str, type[Rule]] = {"strict": Strict, "pass_at_k": PassAtK, "fused": Fused}
DEFAULT: Sequence[Options] = ({"rule": "pass_at_k"},)

__all__ = ["DEFAULT", "RULES", "Rating", "Rule", "TrialResult", "conjunction", "load", "make", "printed", "scores"]


def load(scoring: Options) -> Sequence[Options]:
    """The rule tables of a task's [scoring]: those of `preset = "package:path/to.toml"`, then its own `rules`. Every table
    has been tried. Raises TaskError."""
    if unknown := set(scoring) - {"preset", "rules"}:
        raise TaskError(f"[scoring] has preset and rules, not {', '.join(sorted(unknown))}")
    own = scoring.get("rules", [])
    if not isinstance(own, Sequence) or not all(isinstance(table, Mapping) for table in own):
        raise TaskError("[scoring] rules is an array of tables, each with the name of a rule")
    tables = [*(_preset(str(scoring["preset"])) if "preset" in scoring else ()), *own]
    for table in tables:
        make(table)
    return tables or DEFAULT


def _preset(name: str) -> Sequence[Options]:
    package, _, path = name.partition(":")
    try:
        found = tomllib.loads(files(package).joinpath(path).read_text("utf-8"))
    except (ModuleNotFoundError, OSError, ValueError) as problem:
        raise TaskError(f"[scoring] preset {name!r} (package:path/to.toml): {problem}") from problem
    return list(found.get("rules", ()))


def make(table: Options) -> Rule:
    """One rule from its table: `rule` is its name, all else its parameters. Raises TaskError."""
    name = str(table.get("rule"))
    if name not in RULES:
        raise TaskError(f"no scoring rule named {name!r}; there are: {', '.join(RULES)}")
    try:
        return structure({key: value for key, value in table.items() if key != "rule"}, RULES[name])
    except ValueError as problem:
        raise TaskError(f"[scoring] {name}: {problem}") from problem


def scores(trials: Sequence[TrialResult], tables: Mapping[str, Sequence[Options]]) -> Mapping[str, Sequence[Score]]:
    """Stack -> one Score for each distinct rule table, over that stack's trials of the tasks that name the table.
    `tables`: task -> its rule tables."""
    made: list[tuple[Options, Rule, set[str]]] = []
    for task, table in ((task, table) for task, own in tables.items() for table in own):
        known = next((tasks for other, _, tasks in made if other == table), None)
        if known is None:
            made.append((table, make(table), known := set()))
        known.add(task)
    found: dict[str, list[Score]] = {t.stack: [] for t in trials}
    for stack, (_, rule, tasks) in product(found, made):
        if own := [t for t in trials if t.stack == stack and t.task in tasks]:
            found[stack].append(rule.score(own))
    return found


def printed(value: Fraction | float, places: int = 1) -> str:
    """The figure as printed: rounded half to even, exactly for a Fraction."""
    return f"{float(round(Fraction(value), places)):.{places}f}"
