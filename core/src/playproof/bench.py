"""A judge's bench: models by name behind a cache, a budget and each endpoint's limit, and evidence made fit to be shown."""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from playproof.canonical import canonical, digest, plain, structure
from playproof.dialogue import FREE, Reply, Request, Stored, Tokens, from_cache, replied, stored
from playproof.errors import BudgetReached, InfrastructureError, UsageError
from playproof.exhibits import Exhibitors
from playproof.interfaces import Bench, Exhibit, Model, Queried, Query
from playproof.model import Evidence
from playproof.store import put_json, read_json

Read = Callable[[str], bytes]

STRIPES = 64
"""Locks shared by requests, so that two threads that ask the same thing at once send it once."""


@frozen
class Budget:
    """What may be spent at most, over all requests of one command; None is no limit."""

    usd: float | None = None
    requests: int | None = None


@define
class Purse:
    """What has been spent and what is promised to requests in flight. Thread-safe."""

    budget: Budget = Budget()
    spent: Tokens = FREE
    requests: int = 0
    cached: int = 0
    _promised: float = 0.0
    _lock: threading.Lock = field(factory=threading.Lock)

    def reserve(self, estimate: Tokens) -> float:
        """Set aside what a request may cost. Raises BudgetReached before the budget could be exceeded, UsageError where there is
        a budget in money and no price."""
        with self._lock:
            if self.budget.requests is not None and self.requests >= self.budget.requests:
                raise BudgetReached(f"{self.requests} requests were sent, the budget")
            if self.budget.usd is not None:
                if estimate.usd is None:
                    raise UsageError("there is a budget in USD, and no price is known for this model: give `price` in its options")
                if (self.spent.usd or 0.0) + self._promised + estimate.usd > self.budget.usd:
                    raise BudgetReached(f"{self.spent.usd or 0.0:.4f} USD of {self.budget.usd:g} are spent, and the next request could "
                                        f"cost {estimate.usd:.4f}")
                self._promised += estimate.usd
            self.requests += 1
            return estimate.usd or 0.0

    def settle(self, promised: float, tokens: Tokens | None) -> None:
        with self._lock:
            if self.budget.usd is not None:
                self._promised -= promised
            if tokens is not None:
                self.spent = self.spent + tokens

    def read_again(self) -> None:
        with self._lock:
            self.cached += 1


@frozen
class LiveBench:
    """Implements `Bench` over real models. `read` gives a blob by its digest. With `fresh` no cached reply is taken, and each
    new one is kept."""

    endpoints: Mapping[str, Model]
    exhibitors: Exhibitors
    cache: Path
    read: Read
    purse: Purse = field(factory=Purse)
    vote: int = 0
    fresh: bool = False
    _limits: Mapping[str, threading.Semaphore] = field(init=False)
    _stripes: Sequence[threading.Lock] = field(init=False)

    @_limits.default
    def _make_limits(self) -> Mapping[str, threading.Semaphore]:
        return {name: threading.Semaphore(one.limit) for name, one in self.endpoints.items()}

    @_stripes.default
    def _make_stripes(self) -> Sequence[threading.Lock]:
        return [threading.Lock() for _ in range(STRIPES)]

    @property
    def models(self) -> Sequence[str]:
        return tuple(self.endpoints)

    def reading(self, read: Read) -> "LiveBench":
        """The same bench over another trial's blobs; limits, purse and cache are shared."""
        return self._with(read=read)

    def revote(self, vote: int) -> Bench:
        return self._with(vote=vote)

    def for_vote(self, vote: int, *, fresh: bool | None = None) -> "LiveBench":
        return self._with(vote=vote, fresh=self.fresh if fresh is None else fresh)

    def _with(self, **changes: Any) -> "LiveBench":
        made = evolve(self, **changes)
        object.__setattr__(made, "_limits", self._limits)
        object.__setattr__(made, "_stripes", self._stripes)
        return made

    def ask(self, model: str, request: Request) -> Reply:
        key = self.key(model, request)
        place = self._place(key)
        with self._stripes[int(key[:8], 16) % STRIPES]:
            if not self.fresh and (kept := read_json(place)) is not None:
                self.purse.read_again()
                return from_cache(replied(structure(kept, Stored)))
            reply = self._send(self.endpoints[model], model, request)
            self._keep(place, reply)
            return reply

    def key(self, model: str, request: Request) -> str:
        """What a reply is kept under: the model's identity, what is asked, and the vote. Raises UsageError for an unknown model."""
        if model not in self.endpoints:
            raise UsageError(f"no model named {model!r}; there are: {', '.join(self.endpoints) or 'none'}")
        return digest({"model": plain(self.endpoints[model].identity), "request": request.digest, "vote": self.vote})

    def kept(self, key: str) -> bool:
        return self._place(key).is_file()

    def _place(self, key: str) -> Path:
        return self.cache / "replies" / key[:2] / f"{key}.json"

    def _send(self, endpoint: Model, name: str, request: Request) -> Reply:
        with self._limits[name]:
            promised = self.purse.reserve(endpoint.estimate(request))
            tokens: Tokens | None = None
            try:
                reply = endpoint.ask(request)
                tokens = reply.tokens
                return reply
            finally:
                self.purse.settle(promised, tokens)

    def _keep(self, place: Path, reply: Reply) -> None:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if self.fresh:
                place.unlink(missing_ok=True)
        except OSError as fault:
            raise InfrastructureError(f"cannot write {place.parent}: {fault}") from fault
        put_json(place, plain(stored(reply)))

    def open(self, evidence: Evidence) -> bytes:
        return canonical(evidence.value) if evidence.blob is None else self.read(evidence.blob)

    def show(self, evidence: Evidence) -> Exhibit:
        known = self.exhibitors(evidence.kind)
        return known.show(evidence, self.read) if known else Exhibit("")

    def queries(self, evidence: Evidence) -> Sequence[Query]:
        known = self.exhibitors(evidence.kind)
        return known.queries(evidence, self.read) if isinstance(known, Queried) else ()
