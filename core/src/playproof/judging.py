"""Stored evidence -> questions -> judges -> opinions. Nothing of a submission runs here, but for a control: when a judge refuses a
submission's exhibits, the same question is asked on the reference's."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from attrs import evolve, field, frozen

from playproof import trial as trials
from playproof.bench import LiveBench
from playproof.bundle import GradingBundle
from playproof.canonical import plain, structure
from playproof.drivers import build
from playproof.errors import BudgetReached, Interrupted, ModelError, NotAllowed, RequestRejected, TaskError
from playproof.interfaces import Judge, Planned, Services
from playproof.model import Case, Check, Evidence, Ref
from playproof.opinion import By, Opinion, Question, Trouble, check_question, opinion_id, rating_question
from playproof.opinions import DEFAULT_SET, Line, append
from playproof.ruling import RECUR, comes_up
from playproof.scales import scale
from playproof.store import Store
from playproof.subjects import source
from playproof.trial import Done

SIDE_BY_SIDE = 8
"""Questions of one trial that are in the air at a time; each endpoint's own limit stands before it."""


@frozen
class Asked:
    """One question on one trial's exhibits, and who is to answer it. `check` and `case` are absent for a rating."""

    question: Question
    exhibits: Mapping[str, Sequence[Evidence]]
    judge: Ref
    check: str | None = None
    case: Case | None = None


@frozen
class Panel:
    """Who judges, and how: `judge` replaces the judge that each verdict question names, `votes` asks each question so often;
    `only` narrows to questions whose id holds one of these texts. `opinions` is the set that is written."""

    bench: LiveBench
    services: Services
    opinions: str = DEFAULT_SET
    votes: int = 1
    judge: Ref | None = None
    only: Sequence[str] = ()
    reached: list[str] = field(factory=list)
    """What budget was reached, when one was: what is left was not asked."""
    reference: threading.Lock = field(factory=threading.Lock)
    """One reference at a time is graded for a control."""
    _before: dict[str, dict[str, Opinion]] = field(factory=dict)

    def before(self, store: Store, grading: str) -> dict[str, Opinion]:
        """What the set says of a grading: id -> opinion. Read once, and kept up by who adds to it."""
        with self.reference:
            if not self._before:
                self._before[""] = {}
                for line in store.opinion_lines(self.opinions):
                    self._before.setdefault(line.grading, {})[line.id] = line.opinion
            return self._before.setdefault(grading, {})

    def wants(self, one: "Asked") -> bool:
        return not self.only or any(part in one.question.id for part in self.only)

    def judge_of(self, one: "Asked") -> tuple[Judge, By]:
        """The judge of a question, and how its opinions are signed. Raises TaskError for a judge that is not installed, and for a
        model that is not given."""
        ref = self.judge if self.judge and one.question.form == "verdict" else one.judge
        judge: Judge = build("judge", ref, self.services)
        known = self.bench.endpoints
        if missing := [name for name in judge.models if name not in known]:
            raise TaskError(f"the judge {ref.driver!r} asks the model {missing[0]!r}; given are: {', '.join(known) or 'none'}")
        models = {name: plain(known[name].identity) for name in judge.models}
        return judge, By("judge", ref.driver, {"settings": plain(judge.settings), "models": models, "version": judge.grading_version})

    def can_ask(self, one: "Asked") -> bool:
        """Whether the judge and its models are there. In a run, what cannot be asked stays open; it costs no trial."""
        try:
            self.judge_of(one)
        except TaskError:
            return False
        return True

    def close(self) -> None:
        """Let go of every endpoint: what is being asked ends with an error."""
        self.services.exits.close()


def asked(done: Done, bundle: GradingBundle) -> Iterator[Asked]:
    """Every question that a graded trial has for judges: checks that wait for one, then the items of its scales."""
    task = done.trial.task
    checks: Mapping[str, Check] = {check.id: check for check in done.trial.survey.checks}
    cases = {case.id: case for cases in done.trial.survey.cases.values() for case in cases}
    for verdict in done.graded:
        asks = checks[verdict.check].asks
        if asks and verdict.waits:
            shown = [bundle.entries[cite] for cite in verdict.cites if cite in bundle.entries]
            yield Asked(Question(check_question(task.id, verdict.check), asks.text), {"submission": shown}, asks.judge, verdict.check,
                        cases.get(verdict.case, Case()))
    if not task.ratings or not comes_up(done.graded) or done.trial.narrowed:
        return
    for ref in task.ratings:
        known, shown = scale(ref.scale), [entry for entry in bundle.entries.values() if entry.kind in ref.exhibits]
        for item in known.items:
            question = Question(rating_question(task.id, known.name, item.id), item.text, "rating", known, item.id, done.trial.brief)
            yield Asked(question, {"submission": shown}, ref.judge)


def judge_trial(done: Done, store: Store, panel: Panel, stop: Callable[[], bool] = lambda: False) -> Done:
    """Ask what has not been answered yet, write it down, and give the trial with all opinions of the set. Raises Interrupted
    once `stop()` is true; what was answered by then is kept.

    An opinion is committed when it has a value, or when a refusal's control was answered; every other trouble is written into
    the set, and asked again by the same command."""
    if done.grading is None:
        return done
    bundle = GradingBundle(store.bundle(done.grading["bundle"]))
    before = panel.before(store, done.grading["id"])
    sitting = _Sitting(done, done.grading["id"], store, panel, panel.bench.reading(bundle.read), before, stop)
    jobs = [(one, vote) for one in asked(done, bundle) if panel.wants(one) and panel.can_ask(one) for vote in range(panel.votes)]
    pool = ThreadPoolExecutor(SIDE_BY_SIDE)
    try:
        given = list(pool.map(lambda job: sitting.opinion(*job), jobs))
    except BaseException:
        panel.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    lines = [line for line in given if line is not None]
    append(store.opinions(panel.opinions), [line for line in lines if before.get(line.id) != line.opinion])
    before.update({line.id: line.opinion for line in lines})
    return evolve(done, opinions=list(before.values()))


@frozen
class _Sitting:
    """One trial before a panel. `before` is what the set said of it earlier: id -> opinion."""

    done: Done
    grading: str
    store: Store
    panel: Panel
    bench: LiveBench
    before: Mapping[str, Opinion]
    stop: Callable[[], bool]

    def opinion(self, one: Asked, vote: int) -> Line | None:
        """One opinion, from the store or asked now. None when a budget left it unasked."""
        if self.stop():
            raise Interrupted("stopped by the user")
        judge, by = self.panel.judge_of(one)
        id = asked_id(one, by, vote)
        line = Line(id, _blank(one, by, vote), {"submission": self.done.trial.id}, self.grading)
        if not self.bench.fresh and (kept := self.store.record("opinion", id)) is not None:
            return evolve(line, opinion=structure(kept["opinion"], Opinion))
        known = self.before.get(id)
        if known is not None and known.value is not None:
            return evolve(line, opinion=known)
        bench = self.bench.for_vote(vote, fresh=self.bench.fresh or known is not None)  # the reply in the cache led to no value
        try:
            given = self._ask(one, judge, bench)
            opinion = evolve(given, question=one.question, exhibits=line.opinion.exhibits, by=by, vote=vote, at=time.time())
            if opinion.trouble in RECUR:
                opinion = evolve(opinion, control=self._control(one, judge, bench))
        except BudgetReached as fault:
            self.panel.reached.append(str(fault))
            return None
        if opinion.value is not None or opinion.control:
            self.store.commit("opinion", id, {"opinion": plain(opinion)})
        return evolve(line, opinion=opinion)

    def _ask(self, one: Asked, judge: Judge, bench: LiveBench) -> Opinion:
        """What the judge says. A model that did not answer is a trouble of ours; a request that it will not take for what is in it is
        a refusal, and has a control. Raises BudgetReached."""
        try:
            return judge.judge(one.question, one.exhibits, bench)
        except BudgetReached:
            raise
        except ModelError as fault:
            refused = isinstance(fault, RequestRejected) and not isinstance(fault, NotAllowed)
            return evolve(_blank(one, By("judge", one.judge.driver), 0), trouble=Trouble.REFUSED if refused else Trouble.UNAVAILABLE,
                          message=str(fault))

    def _control(self, one: Asked, judge: Judge, bench: LiveBench) -> bool:
        """Whether the same question is answered on the reference's exhibits. Raises BudgetReached."""
        if self.done.trial.subject.source == "reference":
            return False
        with self.panel.reference:
            shown, read = self._reference(one)
        if not shown:
            return False
        return self._ask(evolve(one, exhibits={"submission": shown}), judge, bench.reading(read)).value is not None

    def _reference(self, one: Asked) -> tuple[Sequence[Evidence], Callable[[str], bytes]]:
        """What the reference shows to the same question: in this run, else graded now, for this check alone."""
        whole = evolve(self.done.trial, subject=source(self.done.trial.task, "reference"), sample=0, repeat=0)
        graded = trials.known(whole, self.store)
        if graded.grading is None:
            narrow = evolve(whole, only=[one.check] if one.check else whole.only)
            graded = trials.run(narrow, self.store, lambda moment, facts: None, self.stop)
        if graded.grading is None:
            return (), lambda blob: b""
        bundle = GradingBundle(self.store.bundle(graded.grading["bundle"]))
        same = next((a for a in asked(graded, bundle) if a.question.id == one.question.id and a.case == one.case), None)
        return (same.exhibits["submission"] if same else ()), bundle.read


def _blank(one: Asked, by: By, vote: int) -> Opinion:
    shown = {key: [entry.id for entry in entries] for key, entries in one.exhibits.items()}
    return Opinion(one.question, shown, by, None, Trouble.UNAVAILABLE, vote=vote)


def asked_id(one: Asked, by: By, vote: int) -> str:
    return opinion_id(one.question, one.exhibits, plain(by), vote)


# --- before anything is sent ---


@frozen
class Forecast:
    """What asking would send at most. `usd` is absent where a price is not known; `cached` requests cost nothing."""

    questions: int = 0
    answered: int = 0
    requests: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0


def forecast(done: Sequence[Done], store: Store, panel: Panel) -> Forecast:
    """The greatest cost of `judge_trial` over these trials; sends nothing."""
    total, seen = Forecast(), set[str]()
    for trial in (one for one in done if one.grading):
        assert trial.grading is not None
        bundle = GradingBundle(store.bundle(trial.grading["bundle"]))
        bench = panel.bench.reading(bundle.read)
        for one in asked(trial, bundle):
            if panel.wants(one) and panel.can_ask(one):
                total = _with(total, one, store, panel, bench, seen)
    return total


def _with(total: Forecast, one: Asked, store: Store, panel: Panel, bench: LiveBench, seen: set[str]) -> Forecast:
    judge, by = panel.judge_of(one)
    for vote in range(panel.votes):
        known = store.record("opinion", asked_id(one, by, vote)) is not None
        total = evolve(total, questions=total.questions + 1, answered=total.answered + known)
        voting = bench.for_vote(vote)
        for planned in () if known else judge.planned(one.question, one.exhibits, voting):
            total = _counted(total, planned, voting, seen)
    return total


def _counted(total: Forecast, planned: Planned, bench: LiveBench, seen: set[str]) -> Forecast:
    key = bench.key(planned.model, planned.request)
    if key in seen:
        return total
    seen.add(key)
    if not bench.fresh and bench.kept(key):
        return evolve(total, cached=total.cached + 1)
    cost = bench.endpoints[planned.model].estimate(planned.request)
    usd = None if total.usd is None or cost.usd is None else total.usd + planned.turns * cost.usd
    return evolve(total, requests=total.requests + planned.turns, input_tokens=total.input_tokens + planned.turns * cost.input,
                  output_tokens=total.output_tokens + planned.turns * cost.output, usd=usd)


# --- reading a set ---


def with_opinions(done: Sequence[Done], store: Store, name: str = DEFAULT_SET) -> Sequence[Done]:
    """The trials with what a stored set says of their gradings; as they are where there is no such set."""
    by_grading: dict[str, list[Opinion]] = {}
    for line in store.opinion_lines(name):
        by_grading.setdefault(line.grading, []).append(line.opinion)
    return [evolve(one, opinions=by_grading.get(one.grading.get("id", ""), ())) if one.grading else one for one in done]


def bench_of(models: Mapping[str, Ref], services: Services, **settings: Any) -> LiveBench:
    """A bench with these models, each built once. Raises TaskError or PluginError for one that cannot be."""
    from playproof.exhibits import installed_exhibitors

    endpoints = {name: build("model", ref, services) for name, ref in models.items()}
    return LiveBench(endpoints, installed_exhibitors(services), services.cache, lambda blob: b"", **settings)

