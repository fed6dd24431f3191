"""What an agent has spent, and what it may still spend: counted at the gateway, the same way for every agent."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from attrs import Factory, define, field, frozen

from playproof.dialogue import FREE, Tokens

Price = Callable[[str, str, Tokens], float | None]
"""What tokens of a provider's model cost in USD; None where no price is known."""


def no_price(provider: str, model: str, tokens: Tokens) -> float | None:
    return None


@frozen
class Bounds:
    """What an agent may spend. `steps` are requests that declare tools, `tokens` all input and output together. None is no bound."""

    steps: int | None = None
    tokens: int | None = None
    usd: float | None = None


@frozen
class Spent:
    """`requests` are all that were sent on, `steps` those of the agent's own loop. `uncounted` are those whose answer said nothing of its
    tokens (it broke off, or failed); their cost is not known."""

    requests: int = 0
    steps: int = 0
    uncounted: int = 0
    failed: int = 0
    refused: int = 0
    tokens: Tokens = FREE

    @property
    def input(self) -> int:
        """The papers' Input: fresh, read from and written to the provider's cache (GameASG, section 4.4)."""
        return self.tokens.input + self.tokens.cache_read + self.tokens.cache_write


@define
class Ledger:
    """Counts and refuses; any thread may call. The bound that was reached first stays the reason: `reached` is steps, tokens or usd.
    `statuses` are those of the provider's answers, 502 where there was none; `waiting` how many requests had no whole answer when the
    agent ended."""

    bounds: Bounds = Bounds()
    price: Price = no_price
    reached: str | None = None
    last_status: int = 0
    waiting: int = 0
    statuses: dict[int, int] = Factory(dict)
    _spent: Spent = Spent()
    _begun_steps: int = 0
    _lock: Any = field(factory=threading.Lock)

    @property
    def spent(self) -> Spent:
        with self._lock:
            return self._spent

    def begin(self, *, step: bool) -> str | None:
        """Take a request on; or the words of its refusal, where a bound is reached. A step counts from when it begins, so that requests
        side by side do not pass it together."""
        with self._lock:
            if (why := self._bound(step)) is not None:
                self.reached = self.reached or why
                self._spent = _more(self._spent, refused=1)
                return f"{WORDS[self.reached]} of this task is reached; no further request is answered"
            self._begun_steps += step
            self._spent = _more(self._spent, requests=1, steps=int(step))
            return None

    def _bound(self, step: bool) -> str | None:
        if self.reached:
            return self.reached
        bounds, spent = self.bounds, self._spent
        if step and bounds.steps is not None and self._begun_steps >= bounds.steps:
            return "steps"
        if bounds.tokens is not None and spent.input + spent.tokens.output >= bounds.tokens:
            return "tokens"
        if bounds.usd is not None and (spent.tokens.usd or 0.0) >= bounds.usd:
            return "usd"
        return None

    def close(self) -> None:
        """The agent has ended: what is still on its way is let go."""
        with self._lock:
            self.waiting = self._spent.requests - sum(self.statuses.values())

    def end(self, provider: str, model: str, status: int, tokens: Tokens | None) -> None:
        """`tokens` is None where the answer told nothing of them."""
        with self._lock:
            self.last_status = status
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if tokens is None:
                self._spent = _more(self._spent, uncounted=int(status < 400), failed=int(status >= 400))
                return
            usd = self.price(provider, model, tokens)
            self._spent = _more(self._spent, tokens=Tokens(tokens.input, tokens.output, tokens.cache_read, tokens.cache_write,
                                                           tokens.reasoning, usd))  # fmt: skip

    def refuse(self) -> None:
        """Something else than a request to a model was asked for."""
        with self._lock:
            self._spent = _more(self._spent, refused=1)


WORDS: Mapping[str, str] = {"steps": "the bound on steps", "tokens": "the bound on tokens", "usd": "the bound on cost"}


def _more(spent: Spent, *, requests: int = 0, steps: int = 0, uncounted: int = 0, failed: int = 0, refused: int = 0,
          tokens: Tokens = FREE) -> Spent:
    return Spent(spent.requests + requests, spent.steps + steps, spent.uncounted + uncounted, spent.failed + failed,
                 spent.refused + refused, spent.tokens + tokens)
