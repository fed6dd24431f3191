"""For authors of judges: a bench with models that are functions, and one call that says where a judge breaks its contract."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import evolve, field, frozen

from playproof.canonical import canonical, digest, plain
from playproof.dialogue import Reply, Request, Stop, Text
from playproof.errors import InfrastructureError, ModelUnavailable, UsageError
from playproof.interfaces import Bench, Exhibit, Exhibits, Judge, Planned, Query, Services
from playproof.model import Evidence, Observer, Options
from playproof.opinion import Item, Opinion, Question, Scale, Trouble
from playproof.testing.contracts import ContractBroken, Factory, _need, _refuses_unknown, _version

Speaker = Callable[[Request], Reply | str | Mapping[str, Any]]
"""A model as a function: gives a reply, its text, or data that the text spells as JSON."""


def spoken(said: Reply | str | Mapping[str, Any]) -> Reply:
    return said if isinstance(said, Reply) else Reply([Text(said if isinstance(said, str) else canonical(said).decode())])


@frozen
class FakeBench:
    """Implements `Bench` in memory, without a cache. `asked` keeps what was asked, as (model, request, vote); `see` makes evidence.

    `exhibits` and `kinds` give the exhibit and the queries of an evidence kind."""

    speakers: Mapping[str, Speaker] = field(factory=dict)
    vote: int = 0
    exhibits: Mapping[str, Callable[[Evidence], Exhibit]] = field(factory=dict)
    kinds: Mapping[str, Callable[[Evidence], Sequence[Query]]] = field(factory=dict)
    asked: list[tuple[str, Request, int]] = field(factory=list)
    blobs: dict[str, bytes] = field(factory=dict)

    @property
    def models(self) -> Sequence[str]:
        return tuple(self.speakers)

    def see(self, kind: str, value: Any = None, *, blob: bytes | None = None, tick: int = 0, seq: int = 0,
            observer: Observer = Observer.OUTSIDE, source: str = "", media_type: str = "application/json") -> Evidence:
        """A piece of evidence, identified as a record would; its blob is kept here."""
        address = None if blob is None else digest(blob)
        if address is not None and blob is not None:
            self.blobs[address] = blob
        entry = Evidence("", tick, seq, kind, observer, source, media_type, value, address)
        return evolve(entry, id=digest({name: held for name, held in plain(entry).items() if name != "id"}))

    def ask(self, model: str, request: Request) -> Reply:
        if model not in self.speakers:
            raise UsageError(f"no model named {model!r}; there are: {', '.join(self.speakers) or 'none'}")
        self.asked.append((model, request, self.vote))
        return spoken(self.speakers[model](request))

    def open(self, evidence: Evidence) -> bytes:
        if evidence.blob is None:
            return canonical(evidence.value)
        if evidence.blob not in self.blobs:
            raise InfrastructureError(f"blob {evidence.blob} is lost")
        return self.blobs[evidence.blob]

    def show(self, evidence: Evidence) -> Exhibit:
        return self.exhibits[evidence.kind](evidence) if evidence.kind in self.exhibits else Exhibit("")

    def queries(self, evidence: Evidence) -> Sequence[Query]:
        return self.kinds[evidence.kind](evidence) if evidence.kind in self.kinds else ()

    def revote(self, vote: int) -> Bench:
        return evolve(self, vote=vote)


FAKE_SCALE = Scale("fake", 1, 1, 5, [Item("clear", "Clear", "Is it clear?"), Item("quick", "Quick", "Is it quick?")],
                   {"1": "not at all", "5": "wholly"}, advise_below=4)


def fake_question(form: str) -> Question:
    if form == "rating":
        return Question("fake/fake/clear", "Is it clear?", "rating", FAKE_SCALE, "clear")
    if form == "preference":
        return Question("fake", "Which is better?", "preference", brief="Make a light that can be switched on.")
    return Question("fake/light-on", "The light is on.")


def fake_exhibits(bench: FakeBench, form: str) -> Exhibits:
    """Something structured that was seen from outside; for a preference, of two submissions."""
    if form == "preference":
        return {key: [bench.see("fake.state/1", {"light": key == "a"}, tick=900)] for key in ("a", "b")}
    return {"submission": [bench.see("fake.state/1", {"light": False}), bench.see("fake.state/1", {"light": True}, tick=900, seq=1)]}


def check_judge(factory: Factory, answers: Mapping[str, Speaker] | None = None, *, options: Options | None = None,
                bench: FakeBench | None = None, exhibits: Mapping[str, Exhibits] | None = None) -> Mapping[str, Opinion]:
    """One call that says in a sentence what a judge does wrong. `answers`: form -> a model that gives a usable reply to whatever this
    judge asks about `fake_question` and `fake_exhibits`; without it, only unusable replies are tried. Returns its opinion for each form.

    A judge that needs other evidence gets its own `exhibits` (form -> exhibits), made with its own `bench`.
    Raises ContractBroken: options, attributes, what is planned, opinions, and what becomes of refusals, rubbish, silence and nothing."""
    with TemporaryDirectory() as folder, ExitStack() as exits:
        services = Services(Path(folder), exits)
        _refuses_unknown(factory, options or {}, services)
        judge: Judge = factory(options or {}, services)
        _attributes(judge, factory(options or {}, services))
        forms = judge.forms
        _need(answers is None or set(answers) == forms, f"forms is {sorted(forms)}, and `answers` is for {sorted(answers or ())}")
        given = {}
        for form in sorted(forms):
            table = bench or FakeBench()
            trial = _Trial(judge, fake_question(form), (exhibits or {}).get(form) or fake_exhibits(table, form), table)
            trial.planned()
            trial.troubled()
            if answers is not None:
                given[form] = trial.answered(answers[form])
    return given


def _attributes(judge: Judge, again: Judge) -> None:
    forms = judge.forms
    _need(isinstance(forms, frozenset) and forms, "forms is a frozenset of verdict, rating and preference, one at least")
    _need(forms <= {"verdict", "rating", "preference"}, f"forms has {sorted(forms)}; known are verdict, rating and preference")
    _version(judge)
    _need(judge.models and all(isinstance(one, str) for one in judge.models), "models names the models that it asks, one at least")
    try:
        spelled = canonical(plain(judge.settings))
    except (TypeError, ValueError) as fault:
        raise ContractBroken(f"settings is no JSON, so it cannot identify anything: {fault}") from fault
    _need(spelled == canonical(plain(again.settings)), "built twice with the same options, settings differs")
    prompted = re.search(rb"[0-9a-f]{16}", spelled)
    _need(prompted, "settings holds no digest of the prompt, so that a change of words would go unseen")


UNUSABLE: Mapping[str, Reply] = {
    "a refusal": Reply([Text("I cannot help with that.")], Stop.REFUSED),
    "a refusal without a word": Reply([], Stop.REFUSED),
    "a reply that is no JSON": Reply([Text("It is fine, I think.")]),
    "JSON of another form": Reply([Text('{"colour": [1, 2, {"x": null}]}')]),
    "a reply that is cut off": Reply([Text('{"verdict": tr')], Stop.LENGTH),
    "an empty reply": Reply([]),
}


@frozen
class _Trial:
    """One judge before one question."""

    judge: Judge
    question: Question
    exhibits: Exhibits
    bench: FakeBench

    def asked(self, speaker: Speaker, exhibits: Exhibits | None = None) -> tuple[Opinion, FakeBench]:
        bench = evolve(self.bench, speakers=dict.fromkeys(self.judge.models, speaker), asked=[])
        shown = self.exhibits if exhibits is None else exhibits
        opinion = self.judge.judge(self.question, shown, bench)
        _need(isinstance(opinion, Opinion), f"judge gives {opinion!r}, wanted an Opinion")
        self._signed(opinion, shown)
        return opinion, bench

    def _signed(self, opinion: Opinion, shown: Exhibits) -> None:
        _need(opinion.question == self.question, "the opinion is on another question than was asked")
        given = {key: {entry.id for entry in entries} for key, entries in shown.items()}
        told = {key: set(ids) for key, ids in opinion.exhibits.items()}
        _need(set(told) <= set(given) and all(told[key] <= given[key] for key in told), "the opinion has exhibits that were not given")
        _need(set(opinion.cites) <= set().union(*given.values()), "the opinion cites evidence that is not among the exhibits")
        _need(opinion.by.kind == "judge" and opinion.by.name, "the opinion's `by` is a judge, with its name")

    def answered(self, speaker: Speaker) -> Opinion:
        form = self.question.form
        opinion, bench = self.asked(speaker)
        _need(opinion.value is not None, f"a usable reply gives no {form}: {opinion.trouble}: {opinion.message}")
        _need(plain(opinion.value)[form] is not None, f"asked for a {form}, it gives {plain(opinion.value)}")
        scale, value = self.question.scale, opinion.value
        if scale is not None and value is not None and value.rating is not None:
            _need(scale.low <= value.rating <= scale.high, f"it rates {value.rating} on a scale from {scale.low} to {scale.high}")
        _need(opinion.cites, "an opinion with a value cites the evidence that decides")
        _need(opinion.raw, "the replies are kept in raw")
        _need({model for model, _, _ in bench.asked} <= set(self.judge.models), "it asks a model that `models` does not name")
        return opinion

    def planned(self) -> None:
        bench = evolve(self.bench, speakers=dict.fromkeys(self.judge.models, _rubbish), asked=[])
        planned = self.judge.planned(self.question, self.exhibits, bench)
        _need(planned and all(isinstance(one, Planned) for one in planned), f"planned gives {planned!r}, wanted one Planned at least")
        _need(not bench.asked, "planned sends something; it only says what would be sent")
        self.judge.judge(self.question, self.exhibits, bench)
        sent = {(model, request.digest) for model, request, _ in bench.asked}
        _need((planned[0].model, planned[0].request.digest) in sent, "the first request that is planned is not sent")

    def troubled(self) -> None:
        """Everything that a model or nobody can say becomes a trouble; only a model that is down leaves."""
        for what, said in UNUSABLE.items():
            opinion, bench = self._survived(what, said)
            wanted = Trouble.REFUSED if said.stop is Stop.REFUSED else Trouble.MALFORMED
            _need(opinion.trouble is wanted, f"{what} gives {opinion.value or opinion.trouble}, wanted {wanted}")
            _need(opinion.message, f"{what}: the message does not say what happened")
            _need(len(bench.asked) >= 2, f"{what} is not asked again, with what was wrong")
        nothing, bench = self.asked(_rubbish, {key: [] for key in self.exhibits})
        _need(not bench.asked, "it asks a model though there are no exhibits")
        _need(nothing.trouble is Trouble.NO_EVIDENCE, f"no exhibits give {nothing.value or nothing.trouble}, wanted no_evidence")
        try:
            self.asked(_down)
        except ModelUnavailable:
            return
        raise ContractBroken("a model that is down gives an opinion; wanted that ModelUnavailable leaves `judge`")

    def _survived(self, what: str, said: Reply) -> tuple[Opinion, FakeBench]:
        try:
            return self.asked(lambda request: said)
        except ContractBroken:
            raise
        except Exception as fault:
            raise ContractBroken(f"{what} raises {type(fault).__name__}: {fault}; wanted an Opinion with a trouble") from fault


def _rubbish(request: Request) -> Reply:
    return Reply([Text("It is fine, I think.")])


def _down(request: Request) -> Reply:
    raise ModelUnavailable("the endpoint is down")
