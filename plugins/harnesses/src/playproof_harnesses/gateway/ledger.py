"""What an agent has spent, and what it may still spend: counted at the gateway, the same way for every agent."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from attrs import Factory, define, evolve, field, frozen

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

    @property
    def requests(self) -> int | None:
        """Side calls are no steps, but a loop of one's own without tools is no way around the bound either."""
        return None if self.steps is None else 4 * self.steps + 16


@frozen
class Spent:
    """`requests` are all that were sent on, `steps` those of the agent's own loop, `answered` those that came to something. `uncounted` are
    answers that told nothing of their tokens: their cost is not known. `foreign` were refused, since they name another model."""

    requests: int = 0
    steps: int = 0
    answered: int = 0
    uncounted: int = 0
    failed: int = 0
    refused: int = 0
    foreign: int = 0
    tokens: Tokens = FREE

    @property
    def input(self) -> int:
        """The papers' Input: fresh, read from and written to the provider's cache (GameASG, section 4.4)."""
        return self.tokens.input + self.tokens.cache_read + self.tokens.cache_write


@define
class Ledger:
    """Counts and refuses; any thread may call. The bound that was reached first stays the reason: `reached` is steps, tokens or usd.
    `statuses` are those of the provider's answers, 502 where one did not come or broke off; `waiting` for how many the provider was
    still awaited when the agent ended."""

    bounds: Bounds = Bounds()
    price: Price = no_price
    reached: str | None = None
    last_status: int = 0
    waiting: int = 0
    statuses: dict[int, int] = Factory(dict)
    _spent: Spent = Spent()
    _open: int = 0
    _unread: int = 0
    _closed: bool = False
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
                self._spent = evolve(self._spent, refused=self._spent.refused + 1)
                return f"{WORDS[self.reached]} of this task is reached; no further request is answered"
            self._open += 1
            self._spent = evolve(self._spent, requests=self._spent.requests + 1, steps=self._spent.steps + step)
            return None

    def _bound(self, step: bool) -> str | None:
        if self.reached:
            return self.reached
        bounds, spent = self.bounds, self._spent
        if bounds.steps is not None and step and spent.steps >= bounds.steps:
            return "steps"
        if bounds.requests is not None and spent.requests >= bounds.requests:
            return "steps"
        if bounds.tokens is not None and spent.input + spent.tokens.output >= bounds.tokens:
            return "tokens"
        if bounds.usd is not None and (spent.tokens.usd or 0.0) >= bounds.usd:
            return "usd"
        return None

    def end(self, provider: str, model: str, status: int, tokens: Tokens | None, *, answered: bool) -> None:
        """`tokens` is None where the answer told nothing of them. What ends after the agent did is not counted twice."""
        with self._lock:
            if self._closed:
                return
            self._open -= 1
            self.last_status = status
            self.statuses[status] = self.statuses.get(status, 0) + 1
            spent = self._spent
            if tokens is not None:
                spent = evolve(spent, tokens=spent.tokens + evolve(tokens, usd=self.price(provider, model, tokens)))
            self._spent = evolve(spent, failed=spent.failed + (status >= 400), answered=spent.answered + (answered and status < 400),
                                 uncounted=spent.uncounted + (tokens is None and (status < 400 or status == 502)))

    def refuse(self, *, foreign: bool = False) -> None:
        """Something else was asked for than a request to a model of the stack."""
        with self._lock:
            self._spent = evolve(self._spent, refused=self._spent.refused + 1, foreign=self._spent.foreign + foreign)

    def unread(self, change: int) -> None:
        """The gateway begins (1) or ends (-1) to wait for the agent to read what it has been answered."""
        with self._lock:
            self._unread += change

    def close(self) -> Spent:
        """The agent has ended: what is still on its way is let go, uncounted, and an answer that the agent does not read is no silence of
        the provider."""
        with self._lock:
            self._closed = True
            self.waiting = max(0, self._open - self._unread)
            self._spent = evolve(self._spent, uncounted=self._spent.uncounted + self._open)
            return self._spent


WORDS: Mapping[str, str] = {"steps": "the bound on steps", "tokens": "the bound on tokens", "usd": "the bound on cost"}
