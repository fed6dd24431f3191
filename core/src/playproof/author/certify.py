"""`playproof certify TASK`: prove that the checks tell good from bad, and how steadily.

In tiers, each cached by grading identity: the reference over all cases; accepted alternatives, the empty submission and
the broken variants in one pinned case; when all that holds, mutants of the reference in the same case, each until a required check
fails. The reference and the accepted are repeated for flip rates."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from playproof.author.certificate import (
    MUTANTS,
    SCHEMA,
    Certificate,
    FlipRate,
    MutantTier,
    fingerprints,
    read_certificate,
    standing,
    versions,
    write_certificate,
)
from playproof.author.expected import read_expected, surprises, variants
from playproof.author.mutants import draw, refuse_early, summary, weigh
from playproof.author.order import Order
from playproof.author.reliability import reliability, told
from playproof.author.requirements import mapped
from playproof.cli.models import given_models, player_options
from playproof.cli.options import grading_options
from playproof.cli.progress import printable
from playproof.cli.run import execute
from playproof.errors import TaskError
from playproof.examiners.criteria import DRIVER
from playproof.model import Outcome, Priority, Reason, Task
from playproof.plan import Survey, survey_all
from playproof.run import Request, Run, plan
from playproof.scoring.trials import wilson
from playproof.taskfile import find_tasks
from playproof.trial import Done, Trial

UNDECIDED = "undecided"


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--repeats", type=click.IntRange(1), default=3, show_default=True, help="Gradings of the reference, for flip rates.")
@click.option("--verify", is_flag=True, help="Only say whether the certificates that are there still stand; run nothing.")
@click.option("--quick", is_flag=True,
              help="Each broken variant against the checks that it must fail alone, everything once; writes nothing.")
@click.option("--mutants", type=click.IntRange(0), default=40, show_default=True,
              help="How many small changes to the reference are tried, drawn by --seed; 0 for none.")
@click.option("--study", is_flag=True, help="Grade the broken variants in every case and as often as the reference, too, and print how "
                                             "reliable verdicts are by case.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Trials at a time.")
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="Where results are kept (default: in the cache).")
@player_options
@grading_options
@click.pass_context
def certify(ctx: click.Context, /, paths: Sequence[Path], repeats: int, verify: bool, quick: bool, jobs: int, out: Path | None,
            **asked: Any) -> None:
    """Certify the tasks at or below PATHS, and write a certificate beside each. Exits with 1 if one does not hold,
    with 3 if our own failures left one undecided."""
    codes = []
    for task in find_tasks(paths):
        if verify:
            state = standing(task, survey_all([task], asked["cache"])[task.id])
        else:
            place = (out or asked["cache"] / "certify") / task.id
            state = _quickly(task, place, jobs, asked) if quick else _state(task, place, repeats, jobs, asked)
        click.echo(f"{task.id}: {state}")
        codes.append({"certified": 0, UNDECIDED: 3}.get(state, 1))
    ctx.exit(max(codes))


def _state(task: Task, place: Path, repeats: int, jobs: int, asked: Mapping[str, Any]) -> str:
    """Certify one task. Where our own failures left something undecided, nothing is proved and nothing is written."""
    certificate, undecided = _certify(task, place, repeats, jobs, asked)
    if undecided:
        for line in undecided:
            click.echo(f"  ? {printable(line, 300)}")
        return UNDECIDED
    _tell(certificate, whole=asked["study"])
    click.echo(f"  written to {write_certificate(task, certificate)}")
    return "certified" if certificate.holds else "refused"


def _quickly(task: Task, place: Path, jobs: int, asked: Mapping[str, Any]) -> str:
    """What a continuous integration can afford: the same promises, with each variant held to its must_fail alone, and no mutants."""
    shipped = _shipped(task, asked)
    done: list[Done] = []
    for trial in shipped.trials:
        kind, _, name = (trial.subject.source or "").partition(":")
        only = _in_order_of(trial, read_expected(task, name, trial.survey.checks).must_fail) if kind == "broken" else trial.only
        done += _carried(evolve(shipped, trials=[evolve(trial, only=only)]), place, jobs, asked)
    undecided = [f"{one.trial.id}: {line}" for one in done for line in _undecided(one)]
    wrong = [f"{one.trial.id}: {line}" for one in done for line in surprises(one)]
    brief = mapped(task, shipped.trials[0].survey.checks)
    wrong += [f"brief: {line}" for line in brief.faults] if brief else []
    for line in (*undecided, *wrong):
        click.echo(f"  ! {printable(line, 300)}")
    return UNDECIDED if undecided else "refused" if wrong else "certified"


def _shipped(task: Task, asked: Mapping[str, Any]) -> Run:
    """A trial of everything that the task ships, in one pinned case; each tier takes its own and changes what it must. Planned once,
    because every plan lists the checks in a process of its own."""
    subjects = ("reference", *variants(task, "accepted"), "nothing", *variants(task, "broken"))
    planned = plan(Request([task.root], subjects, asked["cache"], seed=asked["seed"], workers=asked["workers"], pin_case=True,
                           models=given_models(asked)))
    return evolve(planned, trials=[evolve(trial, only=_certified(trial.survey)) for trial in planned.trials])


def _certified(survey: Survey) -> Sequence[str]:
    """The checks that certification asks, empty for all. What a judge alone decides is left out, and with it what only a judge looks at,
    which may take as long to make (pictures, films) as all else."""
    own = [check.id for check in survey.checks if not (check.asks and check.examiner == DRIVER)]
    return own if len(own) < len(survey.checks) else ()


def _in_order_of(trial: Trial, only: Collection[str]) -> Sequence[str]:
    return [check.id for check in trial.survey.checks if check.id in only]


def _carried(planned: Run, place: Path, jobs: int, asked: Mapping[str, Any], **more: Any) -> Sequence[Done]:
    if not planned.trials:
        return []
    return execute(planned, place, jobs, quiet=asked["quiet"], verbose=asked["verbose"], **more)


def _certify(task: Task, place: Path, repeats: int, jobs: int, asked: Mapping[str, Any]
             ) -> tuple[Certificate, Sequence[str]]:
    """The certificate, and what could not be decided for reasons of our own."""
    shipped = _shipped(task, asked)
    survey = shipped.trials[0].survey
    brief = mapped(task, survey.checks)
    for name in variants(task, "broken"):
        read_expected(task, name.partition(":")[2], survey.checks)
    if task.mutants and asked["mutants"]:
        refuse_early(task.mutants, asked["cache"])

    def tier(*kinds: str, repeats: int = 1, pin_case: bool = True) -> Sequence[Done]:
        trials = [evolve(trial, repeat=repeat, pin_case=pin_case) for trial in shipped.trials
                  if (trial.subject.source or "").partition(":")[0] in kinds for repeat in range(repeats)]
        return _carried(evolve(shipped, trials=trials), place, jobs, asked)

    whole = tier("reference", repeats=repeats, pin_case=False)
    accepted = tier("accepted", repeats=repeats)
    pinned = tier("nothing", "broken", repeats=repeats if asked["study"] else 1, pin_case=not asked["study"])
    found = _surprises([*whole, *accepted, *pinned])
    if brief and brief.faults:
        found["brief"] = brief.faults
    if not variants(task, "accepted"):
        found["accepted"] = ["the task ships no accepted alternative, so nothing shows that its checks are not too narrow"]
    undecided = [f"{one.trial.id}: {line}" for one in (*whole, *accepted, *pinned) for line in _undecided(one)]
    why_none = _no_mutants(task, asked["mutants"], holds=not found and not undecided)
    tried, mutation = ([], None) if why_none else _mutate(shipped, place, jobs, asked, Order(survey.checks, whole, pinned, _killers(task)))
    killed = _killed([*pinned, *tried])
    required = [check.id for check in survey.checks if check.required and not check.asks]  # a judge is calibrated, not certified
    unkilled = [id for id in required if id not in killed]
    repeated: dict[str, list[Done]] = {one.trial.subject.label: [] for one in (*whole, *accepted)}
    for one in (*whole, *accepted):
        repeated[one.trial.subject.label].append(one)
    proved = {name: value for name, value in fingerprints(task).items() if name != MUTANTS or mutation}
    return Certificate(
        task.id, task.version, proved, versions(survey), not found and not unkilled, survey.engine, found, killed, unkilled,
        [_flips(gradings) for gradings in repeated.values()], summary(mutation) if mutation else why_none, mutation, SCHEMA,
        reliability([*whole, *accepted, *pinned]), brief,
    ), undecided


def _surprises(done: Sequence[Done]) -> dict[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for one in done:
        lines = found.setdefault(one.trial.subject.label, [])
        lines += [said for said in surprises(one) if said not in lines]
    return {label: lines for label, lines in found.items() if lines}


def _no_mutants(task: Task, wanted: int, *, holds: bool) -> str:
    """Why no mutants are tried, if so."""
    if task.mutants is None:
        return "the task names no mutator"
    if not wanted:
        return "not asked for"
    return "" if holds else "not tried, because the rest does not hold"


def _killers(task: Task) -> Mapping[str, int]:
    """What killed mutants when the task was certified before."""
    try:
        before = read_certificate(task)
    except TaskError:
        return {}
    return before.mutation.killers if before and before.mutation else {}


def _mutate(shipped: Run, place: Path, jobs: int, asked: Mapping[str, Any], order: Order) -> tuple[Sequence[Done], MutantTier]:
    """The mutant tier. Each is graded by one process, so that nothing is played beside the check that kills; as many are tried
    side by side as the other tiers have processes."""
    task, only = shipped.trials[0].task, shipped.trials[0].only
    assert task.mutants is not None
    sample = draw(task, task.mutants, asked["mutants"], asked["seed"], asked["cache"])
    if not sample.mutants:
        return [], weigh(sample, [])
    side_by_side = jobs * asked["workers"]
    if not asked["quiet"]:
        minutes = order.estimate_s(len(sample.mutants), side_by_side) / 60
        click.echo(f"{task.id}: {len(sample.mutants)} mutants, about {max(1, round(minutes))} min where none is known yet", err=True)
    planned = plan(Request([task.root], [f"mutant:{one.id}" for one in sample.mutants], asked["cache"], 1, 1, asked["seed"], 1,
                           only=only, pin_case=True, first_fail=True, models=given_models(asked)))
    done = _carried(planned, place, side_by_side, asked, listeners=[order], ready=order.apply)
    return done, weigh(sample, done)


def _undecided(done: Done) -> Sequence[str]:
    """What is void for our own reasons. A failed control is none of these: it says something of the task."""
    if done.grading is None:
        return [done.trouble]
    ours = (Reason.INFRA, Reason.NO_MODEL)
    return [f"{verdict.check}: {verdict.message}" for verdict in done.verdicts if verdict.reason in ours and not verdict.waits]


def _killed(done: Sequence[Done]) -> Mapping[str, str]:
    """Check -> the first broken variant or mutant that fails it. A submission that was never played (its preflight found a problem, or
    it hung until checks were passed over) shows nothing of what a playing check looks at, except of the prerequisites (P0)
    whose whole point is that it can be played. Checks that open no session look at what was delivered, played or not."""
    killed: dict[str, str] = {}
    for one in (one for one in done if one.grading is not None):
        if not (one.trial.subject.source or "").startswith(("broken:", "mutant:")):
            continue
        still = {check.id for part in one.trial.survey.examiners if not part.opens for check in part.checks}
        prerequisites = {check.id for check in one.trial.survey.checks if check.priority is Priority.P0}
        for id, verdict in one.result().verdicts.items():
            played = not (one.grading or {})["problems"] and verdict.reason is not Reason.STOPPED_EARLY
            if verdict.outcome is Outcome.FAIL and (played or id in prerequisites or id in still):
                killed.setdefault(id, one.trial.subject.label)
    return killed


def _flips(repeated: Sequence[Done]) -> FlipRate:
    tables = [{id: verdict.outcome for id, verdict in one.result().verdicts.items()} for one in repeated]
    differing = [table for table in tables[1:] if table != tables[0]]
    checks = sorted({id for table in differing for id in table if table[id] != tables[0].get(id)})
    low, high = wilson(len(differing), max(1, len(tables) - 1))
    return FlipRate(repeated[0].trial.subject.label, len(tables), len(differing), low, high, checks)


def _tell(certificate: Certificate, *, whole: bool) -> None:
    for label, lines in certificate.surprises.items():
        for line in lines:
            click.echo(f"  ! {label}: {printable(line, 300)}")
    for id in certificate.unkilled:
        click.echo(f"  ! required check {id} is failed by no broken variant and no mutant: nothing shows that it can fail")
    for one in (one for one in certificate.flips if one.n > 1):
        click.echo(f"  {one.subject}: {one.flips} of {one.n - 1} repeats differ (95 % interval {one.low:.2f} to {one.high:.2f})"
                   + (f": {', '.join(one.checks)}" if one.checks else ""))
    for line in told(certificate.reliability, whole=whole):
        click.echo(f"  {line}")
    if certificate.brief:
        asked, left = certificate.brief.asked, certificate.brief.unchecked
        click.echo(f"  brief: checks ask for {asked} of its requirements, {left} are left unchecked with a reason")
    click.echo(f"  mutants: {certificate.mutants}")
    for mutant in certificate.mutation.survived if certificate.mutation else ():
        click.echo(f"  ~ mutant:{mutant.id} survives: {mutant.file}:{mutant.line}: {mutant.kind}: "
                   f"{printable(mutant.before)}  ->  {printable(mutant.after) or '(nothing)'}")
