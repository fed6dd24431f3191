"""A calibration as tables: on a terminal, or in Markdown. Foreign text is shown as text, never as markup."""

from collections.abc import Iterator, Sequence
from typing import Any

from playproof.cli.progress import printable
from playproof_stats.calibration.values import Calibration, Section
from playproof_stats.figures import Figure

TITLES = {
    "answered": "answered", "accuracy": "accuracy", "sensitivity": "sensitivity", "specificity": "specificity", "ac1": "Gwet's AC1",
    "alpha": "Krippendorff's alpha", "kappa": "Cohen's kappa", "flakiness": "flakiness", "passed": "passed, as judged",
    "corrected": "holds, corrected", "people": "people among themselves", "person": "one person, the others",
    "people_ac1": "people: AC1", "people_alpha": "people: alpha", "split": "split votes",
    "exact": "exact, judge and person", "within_1": "within one, judge and person", "consensus_exact": "exact, judge and consensus",
    "consensus_within_1": "within one, judge and consensus", "shift": "mean shift", "var_subjects": "variance between subjects",
    "var_judges": "variance between judges", "var_interaction": "variance, judge x subject", "var_within": "variance within a judge",
    "people_exact": "exact, two people", "people_within_1": "within one, two people", "person_exact": "exact, person and the others",
    "person_within_1": "within one, person and the others", "icc_1_1": "ICC(1,1)", "icc_1_k": "ICC(1,k)", "icc_2_1": "ICC(2,1)",
    "icc_2_k": "ICC(2,k)", "agreement": "agreement", "agreement_close": "agreement, close pairs", "pearson": "Pearson",
    "spearman": "Spearman", "same": "the same answer", "within_1_point": "within one point",
    "passed_before": "passed before", "passed_after": "passed after",
    "to_pass": "fail, then pass", "to_fail": "pass, then fail", "mcnemar_p": "exact McNemar p",
}
"""Figure -> how it is headed."""

PLAIN = frozenset({
    "ac1", "alpha", "kappa", "people_ac1", "people_alpha", "shift", "var_subjects", "var_judges", "var_interaction", "var_within",
    "icc_1_1", "icc_1_k", "icc_2_1", "icc_2_k", "pearson", "spearman", "mcnemar_p"})
"""Figures that are no shares of 100."""

ITEMS = (("exact", "within_1", "consensus_exact", "consensus_within_1", "people_exact", "people_within_1"),
         ("icc_1_1", "icc_1_k", "icc_2_1", "icc_2_k", "people_alpha", "alpha", "shift", "var_within"))
"""What is shown of each item of a scale."""

LISTED = 40
"""Disagreements and changes on a terminal; --json has all."""

Cells = Sequence[str]


def title(section: Section) -> str:
    who = section.by or "people alone"
    if section.kind == "drift":
        return f"drift: {section.against} to {section.by}"
    return f"{section.kind}: {who}" + (f" against {section.against}" if section.by else "")


def spelled(figure: Figure, value: float | None) -> str:
    if value is None:
        return ""
    if figure.id == "mcnemar_p":
        return f"{value:.3g}"
    return f"{value:.3f}" if figure.id in PLAIN else f"{100 * value:.1f} %"


def tables(section: Section) -> Iterator[tuple[str, Cells, Sequence[Cells]]]:
    """(title, heads, rows): each row's figures on a line each; of ratings those over all, then the items side by side."""
    by_item = section.kind in ("ratings", "judges")
    for row in section.rows[:1] if by_item else section.rows:
        name = title(section) + ("" if row.of == "all" else f", {row.of}")
        yield name, ("figure", "value", "95 % interval", "n", ""), [_line(one) for one in row.figures]
    if by_item and len(section.rows) > 2:
        yield from _by_item(section)


def _by_item(section: Section) -> Iterator[tuple[str, Cells, Sequence[Cells]]]:
    there = {one.id for one in section.rows[0].figures}
    for own in ITEMS:
        if ids := [id for id in own if id in there]:
            yield f"{title(section)}, by item", ["item", *(TITLES[id] for id in ids)], [
                [row.of, *(spelled(one, one.value) or "–" for one in map(row.figure, ids))] for row in section.rows]
    lacks: dict[tuple[str, str], list[str]] = {}
    for row in section.rows[1:]:
        for one in row.figures:
            if one.why:
                lacks.setdefault((TITLES[one.id], one.why), []).append(row.of)
    if lacks:
        yield f"{title(section)}, why some are absent", ("figure", "reason", "items"), [
            (name, why, ", ".join(items)) for (name, why), items in lacks.items()]


def _line(one: Figure) -> Cells:
    limits = f"{spelled(one, one.low)} to {spelled(one, one.high)}" if one.low is not None else ""
    number = f"{one.count} of {one.n}" if one.count is not None else str(one.n)
    return TITLES[one.id], spelled(one, one.value) or "–", limits, number, one.why or one.interval


def lists(found: Calibration) -> Iterator[tuple[str, Cells, Sequence[Cells]]]:
    """Disagreements and changes, as tables."""
    if found.disagreements:
        rows = [(one.trial, one.question, one.by, ", ".join(one.said), _people(one.truth, one.against, one.people), one.cause)
                for one in found.disagreements]
        yield f"disagreements: {len(rows)}", ("trial", "question", "judge", "it said", "against it", "cause"), rows
    if found.changes:
        yield f"changed answers: {len(found.changes)}", ("trial", "question", "before", "after"), [
            (one.trial, one.question, one.before, one.after) for one in found.changes]


def heading(found: Calibration) -> str:
    facts = [f"{name} {value}" for name, value in found.facts.items() if value]
    return ", ".join([*facts, f"raters: {', '.join(found.raters) or 'none'}", f"seed {found.seed}, {found.resamples} resamples"])


def _people(truth: str, source: str, people: Any) -> str:
    told = ", ".join(f"{name}: {said}" for name, said in people.items())
    return f"{truth} ({told or source})"


def print_tables(found: Calibration, console: Any) -> None:
    """On a terminal, through rich."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    console.print(Text(printable(heading(found), 600), "bold"), soft_wrap=True)
    for name, heads, rows in [*(one for section in found.sections for one in tables(section)), *lists(found)]:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=Text(printable(name)), title_justify="left")
        for head in heads:
            table.add_column(Text(head), overflow="fold")
        for row in rows[:LISTED]:
            table.add_row(*(Text(printable(cell)) for cell in row))
        console.print(table)
        if len(rows) > LISTED:
            console.print(Text(f"and {len(rows) - LISTED} more; --json has all", "dim"))
    for note in found.notes:
        console.print(Text(printable(note, 600), "yellow"), soft_wrap=True)


def markdown(found: Calibration) -> str:
    """As Markdown, whole."""
    parts = ["# Calibration", _cell(heading(found))]
    for name, heads, rows in [*(one for section in found.sections for one in tables(section)), *lists(found)]:
        lines = [heads, ["---"] * len(heads), *rows]
        parts += [f"## {_cell(name)}", "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)]
    if found.notes:
        parts += ["## Notes", "\n".join(f"- {_cell(note)}" for note in found.notes)]
    return "\n\n".join(parts)


def _cell(text: str) -> str:
    """Foreign text in a table of Markdown: one line, nothing of it is markup."""
    kept = printable(text, 600)
    return "".join(f"\\{one}" if one in "\\`*_[]<>|#!~" else one for one in kept) if set(kept) - {"-"} else kept
