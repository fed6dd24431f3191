"""The options that all agents share. Whatever decides what an agent does is part of its stack; addresses and keys are not."""

from attrs import field, frozen, validators

from playproof_harnesses.gateway.ledger import Price

_money = validators.optional(validators.ge(0))


@frozen(kw_only=True)
class PriceOf:
    """USD for a million tokens; what the provider's cache is read from or written to costs as input where nothing else is said."""

    input: float = field(validator=validators.ge(0))
    output: float = field(validator=validators.ge(0))
    cache_read: float | None = field(default=None, validator=_money)
    cache_write: float | None = field(default=None, validator=_money)

    @property
    def price(self) -> Price:
        read, write = (self.input if one is None else one for one in (self.cache_read, self.cache_write))
        return lambda provider, model, t: (
            t.input * self.input + t.cache_read * read + t.cache_write * write + t.output * self.output) / 1e6


@frozen(kw_only=True)
class AgentSettings:
    """`model` as the provider names it. `base_url` is the provider's address (its own, unless told), `key` the environment variable that
    holds the key; "" for a server that wants none. `price` is wanted where a task has a budget in USD."""

    model: str = field(validator=validators.min_len(1))
    effort: str | None = None
    base_url: str | None = None
    key: str | None = None
    price: PriceOf | None = None


@frozen(kw_only=True)
class ToolSettings(AgentSettings):
    """`tools` are none, files or full: what the program itself leaves of its own."""

    tools: str = field(default="full", validator=validators.in_(("none", "files", "full")))


@frozen(kw_only=True)
class TurnSettings(ToolSettings):
    """`turns` is the program's own bound, beside that of the task, which the gateway keeps."""

    turns: int | None = field(default=None, validator=validators.optional(validators.ge(1)))


NOT_IDENTITY = frozenset({"base_url", "key", "price"})
"""Options that decide nothing of what an agent does."""
