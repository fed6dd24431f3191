"""What tokens cost: a dated table kept as data. An unknown model has no price, never a price of nothing."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import evolve, field, frozen, validators

from playproof.canonical import structure
from playproof.dialogue import Tokens

_money = validators.optional(validators.ge(0))


@frozen(kw_only=True)
class Price:
    """USD for a million tokens. Reads and writes of the provider's cache cost as input where they have no price of their own.

    Where a request's whole input is more than `above` tokens, all of its input costs `input_times`, and its output `output_times`
    as much."""

    input: float = field(validator=validators.ge(0))
    output: float = field(validator=validators.ge(0))
    cache_read: float | None = field(default=None, validator=_money)
    cache_write: float | None = field(default=None, validator=_money)
    above: int | None = None
    input_times: float = 1.0
    output_times: float = 1.0

    def of(self, tokens: Tokens) -> Tokens:
        """The same tokens with what they cost."""
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        long = self.above is not None and tokens.input + tokens.cache_read + tokens.cache_write > self.above
        given = tokens.input * self.input + tokens.cache_read * read + tokens.cache_write * write
        told = tokens.output * self.output
        return evolve(tokens, usd=(given * (self.input_times if long else 1) + told * (self.output_times if long else 1)) / 1e6)

    def at_most(self, tokens: Tokens) -> Tokens:
        """The greatest cost: as if all input were written to the provider's cache, where that is dearer."""
        dearest = evolve(self, input=max(self.input, self.cache_write or 0.0))
        return dearest.of(tokens)


@frozen(kw_only=True)
class PriceTable:
    """`as_of` is the day on which `sources` were read; `providers` holds prices by provider and model."""

    as_of: str
    sources: Mapping[str, str]
    providers: Mapping[str, Mapping[str, Price]]


@cache
def table() -> PriceTable:
    read: dict[str, Any] = tomllib.loads((files(__package__) / "prices.toml").read_text(encoding="utf-8"))
    return structure(read, PriceTable)


DATED = re.compile(r"(-\d{8}|-\d{4}-\d{2}-\d{2}|-latest|@\d{8})$")
"""How a snapshot of a model is named: it costs what the model costs."""


def known(provider: str, model: str) -> Price | None:
    """The price of a model at its provider's own address."""
    prices = table().providers.get(provider, {})
    name = model.removeprefix("models/")
    return prices.get(name) or prices.get(DATED.sub("", name))
