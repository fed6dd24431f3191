"""The bench between judges and models: one request for one question, within limits and budgets, however many ask at once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from attrs import define, field

from playproof.bench import Budget, LiveBench, Purse
from playproof.dialogue import FREE, Call, Opaque, Picture, Reply, Request, Result, Stop, Text, Tokens, user
from playproof.errors import BudgetReached, ModelUnavailable, UsageError
from playproof.model import Options


@define
class Echo:
    """Answers with what it was asked; `most` is how many requests it ever had at once."""

    limit: int = 2
    usd: float | None = 0.5
    asked: int = 0
    most: int = 0
    fails: bool = False
    meet: threading.Barrier | None = None
    _now: int = 0
    _lock: threading.Lock = field(factory=threading.Lock)

    @property
    def identity(self) -> Options:
        return {"driver": "echo"}

    def estimate(self, request: Request) -> Tokens:
        return Tokens(10, 10, usd=self.usd)

    def ask(self, request: Request) -> Reply:
        with self._lock:
            self.asked += 1
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            if self.meet:
                self.meet.wait(10)
            if self.fails:
                raise ModelUnavailable("down")
            parts = [Text("heard"), Call("c1", "look", {"at": 1}), Opaque("echo", {"signed": "x"})]
            return Reply(parts, Stop.CALLS, Tokens(5, 5, usd=0.25), "echo-1", "raw")
        finally:
            with self._lock:
                self._now -= 1


def bench(model: Echo, folder: Path, budget: Budget | None = None) -> LiveBench:
    return LiveBench({"default": model}, lambda kind: None, folder, lambda blob: b"", Purse(budget or Budget()))


def test_a_reply_from_the_cache_is_the_reply_and_costs_nothing(tmp_path: Path) -> None:
    model, request = Echo(), Request([user("hello")])
    first = bench(model, tmp_path).ask("default", request)
    later = bench(model, tmp_path)
    again = later.ask("default", request)
    assert model.asked == 1 and again.parts == first.parts and (again.stop, again.model, again.raw) == (Stop.CALLS, "echo-1", "raw")
    assert again.cached and again.tokens == FREE and later.purse.spent == FREE and later.purse.cached == 1


def test_the_same_question_asked_at_once_is_sent_once(tmp_path: Path) -> None:
    model = Echo(limit=8)
    shared = bench(model, tmp_path)
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: shared.ask("default", Request([user("hello")])), range(8)))
    assert model.asked == 1 and sum(not one.cached for one in replies) == 1


def test_no_more_requests_at_once_than_the_endpoint_takes_and_as_many(tmp_path: Path) -> None:
    model = Echo(limit=2, meet=threading.Barrier(2))  # each request waits for another: fewer at once would break the barrier
    shared = bench(model, tmp_path)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: shared.for_vote(n).reading(lambda blob: b"").ask("default", Request([user("hello")])), range(6)))
    assert model.asked == 6 and model.most == 2


@pytest.mark.parametrize("other", [
    Request([user("hello!")]), Request([user("hello")], system="be brief"), Request([user("hello")], schema={"type": "object"}),
    Request([user("hello")], max_tokens=9), Request([user("hello")], temperature=0.0), Request([user("hello")], seed=1),
    Request([user("hello", Picture(b"png"))]), Request([user("hello", Result("1", [Text("x")]))]), Request([user("hello")], must_call=True),
])
def test_another_question_is_another_request(tmp_path: Path, other: Request) -> None:
    shared = bench(Echo(), tmp_path)
    assert shared.key("default", other) != shared.key("default", Request([user("hello")]))
    assert shared.for_vote(1).key("default", other) != shared.key("default", other)


def test_what_failed_is_not_kept_and_gives_back_what_was_promised(tmp_path: Path) -> None:
    model = Echo(fails=True)
    shared = bench(model, tmp_path, Budget(usd=0.6))
    for _ in range(3):
        with pytest.raises(ModelUnavailable):
            shared.ask("default", Request([user("hello")]))
    model.fails = False
    assert not shared.ask("default", Request([user("hello")])).cached


def test_a_budget_counts_what_is_in_flight(tmp_path: Path) -> None:
    purse = Purse(Budget(usd=1.0))
    promised = [purse.reserve(Tokens(usd=0.5)), purse.reserve(Tokens(usd=0.5))]
    with pytest.raises(BudgetReached, match=r"could cost 0\.5"):
        purse.reserve(Tokens(usd=0.5))
    purse.settle(promised[0], Tokens(usd=0.1))
    purse.settle(promised[1], Tokens(usd=0.1))
    purse.reserve(Tokens(usd=0.5))
    with pytest.raises(UsageError, match="no price is known"):
        purse.reserve(Tokens())


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no model named 'wise'; there are: default"):
        bench(Echo(), tmp_path).ask("wise", Request([user("hello")]))
