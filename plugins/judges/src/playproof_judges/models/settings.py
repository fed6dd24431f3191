"""The options that endpoints share."""

import ipaddress
from typing import Literal

from attrs import field, frozen, validators
from httpx import URL, InvalidURL

from playproof.errors import TaskError
from playproof_judges.models.prices import Price

EFFORTS = ("", "none", "minimal", "low", "medium", "high", "xhigh", "max")


def _positive(default: float) -> float:
    made: float = field(default=default, validator=validators.gt(0))
    return made


@frozen(kw_only=True)
class Settings:
    """`model` as the provider names it. `base_url`: another server of the same protocol (a gateway, vLLM, llama.cpp, Ollama). `key`:
    the *name* of the environment variable that holds the key; by default the provider's own, and none with a `base_url`.

    `max_tokens` outranks the request's; `temperature` holds where the request leaves it open; `effort` is how much the model
    reasons, in the provider's words; `schema = "prompt"` puts a JSON Schema into the prompt, for servers that cannot bind a reply
    to one. `idle_s` is the longest silence, `wall_s` the longest time of one try, `retries` and `patience_s` bound all tries with
    the waits between; `limit` is how many requests go side by side. `price` stands in the place of the table's."""

    model: str = field(validator=validators.min_len(1))
    base_url: str = ""
    key: str | None = None
    max_tokens: int | None = field(default=None, validator=validators.optional(validators.ge(1)))
    temperature: float | None = field(default=None, validator=validators.optional(validators.ge(0)))
    effort: str = field(default="", validator=validators.in_(EFFORTS))
    schema: Literal["native", "prompt"] = "native"
    idle_s: float = _positive(180.0)
    wall_s: float = _positive(900.0)
    retries: int = field(default=6, validator=validators.ge(0))
    patience_s: float = _positive(1800.0)
    limit: int = field(default=4, validator=validators.ge(1))
    price: Price | None = None


NOT_IDENTITY = frozenset({"key", "idle_s", "wall_s", "retries", "patience_s", "limit", "price"})
"""Settings that change when, how often or for how much an answer comes, and not what it says."""


def address(base_url: str, driver: str) -> URL:
    """The address of an endpoint. Raises TaskError on what is none, and on one that carries a secret."""
    try:
        url = URL(base_url.rstrip("/"))
    except InvalidURL as fault:
        raise TaskError(f"options of {driver!r}: base_url is no address: {fault}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise TaskError(f"options of {driver!r}: base_url {url.copy_with(userinfo=b'')} wants http:// or https:// and a host")
    if url.userinfo or url.query or url.fragment:
        raise TaskError(f"options of {driver!r}: base_url is scheme, host and path; a key stands in the environment, named by `key`")
    return url


def is_local(url: URL) -> bool:
    try:
        return url.host == "localhost" or ipaddress.ip_address(url.host).is_loopback
    except ValueError:
        return False
