"""Models that play while a grading goes on. Their replies come from the cache where they can, so that a grading can be repeated."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from attrs import define, evolve, frozen

from playproof.bench import LiveBench, Read
from playproof.dialogue import FREE, Reply, Request, Tokens
from playproof.errors import ModelError, NoModel, PluginError, UsageError
from playproof.interfaces import Bench, Exhibit, Query, Services
from playproof.model import Evidence, Ref

Tell = Callable[[Tokens | None], None]
"""Hears that a model is asked (None), and what it cost when it has answered."""


@define(slots=False)
class Players:
    """The models of one worker, by name: built when the first is asked, for most checks have no use for them."""

    refs: Mapping[str, Ref]
    services: Services
    vote: int = 0

    @cached_property
    def bench(self) -> LiveBench:
        from playproof.judging import bench_of

        return bench_of(self.refs, self.services, vote=self.vote)

    def seat(self, names: Sequence[str], read: Read, tell: Tell) -> Bench:
        """The bench for one unit: only the models that its checks name."""
        return Seat(self, tuple(name for name in names if name in self.refs), read, tell)


@frozen
class Seat:
    """Implements `Bench`. What keeps a model from being asked is never the submission's fault: it is always a ModelError."""

    players: Players
    models: Sequence[str]
    read: Read
    tell: Tell
    vote: int = 0

    def ask(self, model: str, request: Request) -> Reply:
        if model not in self.models:
            raise NoModel(f"the model {model!r} is to play, and there are: {', '.join(self.models) or 'none'}; a check names the one "
                          "that plays in it (plays=), and a run is given it")
        spent = FREE
        self.tell(None)
        try:
            reply = self._bench.ask(model, request)
            spent = reply.tokens
            return reply
        except (UsageError, PluginError) as fault:
            raise ModelError(f"the model {model!r} cannot be asked: {fault}") from fault
        finally:
            self.tell(spent)

    @property
    def _bench(self) -> LiveBench:
        whole = self.players.bench
        return whole.reading(self.read).for_vote(whole.vote + self.vote)

    def open(self, evidence: Evidence) -> bytes:
        return self._bench.open(evidence)

    def show(self, evidence: Evidence) -> Exhibit:
        return self._bench.show(evidence)

    def queries(self, evidence: Evidence) -> Sequence[Query]:
        return self._bench.queries(evidence)

    def revote(self, vote: int) -> Bench:
        return evolve(self, vote=vote)
