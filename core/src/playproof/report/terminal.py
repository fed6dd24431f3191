"""A run on a terminal: one row for each trial, then the scores. Foreign text is shown as text, never as markup."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from playproof.model import Outcome, Score
from playproof.report.run import ReportRun, ReportTrial, clean, figure, judged, parts

SIGNS = {Outcome.PASS: ("✓ pass", "green"), Outcome.FAIL: ("✗ fail", "red"), Outcome.VOID: ("○ void", "yellow")}


def show(run: ReportRun, console: Console) -> None:
    """Print the table of trials and the line of each score."""
    wide = console.width >= 100
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=wide, title=Text(clean(run.title)), title_justify="left")
    for name in ("task", "stack", "result", "checks", "ended") if wide else ("task", "stack", "result", "checks"):
        table.add_column(name, overflow="fold" if name in ("task", "stack") else "ellipsis", no_wrap=name not in ("task", "stack"))
    if wide:
        table.add_column("first that failed", overflow="ellipsis", no_wrap=True, ratio=1)
    for trial in run.trials:
        table.add_row(*_row(run, trial)[: len(table.columns)])
    console.print(table)
    for stack, own in run.scores.items():
        for score in own:
            console.print(_line(stack, score), soft_wrap=True)
    if ratings := run.facts.get("ratings"):
        console.print(Text(f"ratings: {clean(ratings)}", "yellow"), soft_wrap=True)
    for a, b, met in run.comparisons:
        console.print(Text(f"{clean(a)} and {clean(b)}: both {met.both}, only the first {met.only_a}, only the second {met.only_b}, "
                           f"neither {met.neither}, exact McNemar p {float(met.p):.3g}", "dim"), soft_wrap=True)


def _row(run: ReportRun, trial: ReportTrial) -> list[Text]:
    mark, outcome = run.mark(trial)
    sign, colour = SIGNS[outcome]
    if mark.value is not None and mark.high not in (0, 1):
        sign = f"{sign.split()[0]} {figure(float(mark.value), 100)}"
    found = judged(trial)
    passed, counted = sum(j.outcome is Outcome.PASS for j in found), sum(j.outcome is not Outcome.NOT_APPLICABLE for j in found)
    worst = next((j for j in found if j.outcome in (Outcome.FAIL, Outcome.VOID)), None)
    why = trial.trouble or ("" if worst is None else f"{worst.check.id}: {worst.note or worst.cases[0].message}")
    stack = f"{trial.result.stack} #{trial.result.sample}" if trial.result.sample else trial.result.stack
    return [
        Text(clean(trial.result.task)), Text(clean(stack)), Text(sign, colour), Text(f"{passed}/{counted}"),
        Text(trial.result.ended.value.replace("_", " ")), Text(" ".join(clean(why, 300).split()), "dim"),
    ]


def _line(stack: str, score: Score) -> Text:
    line = Text(f"{clean(stack)}  {score.rule} ", "bold")
    line.append(figure(score.value, score.top), "bold cyan")
    line.append(f"  n {score.n} of {score.planned}, coverage {figure(score.coverage)}")
    if score.void:
        line.append(f", bounds {figure(score.low, score.top)} to {figure(score.high, score.top)}", "yellow")
    line.append(f", as published {figure(score.as_published, score.top)}" if score.as_published != score.value else "")
    return line.append("".join(f"  {name} {text}" for name, text in parts(score)), "dim")
