"""A key that shows itself nowhere: not in errors, records, logs, nor where an endpoint says it back."""

import logging
from typing import Any

HIDDEN = "***"

SHORTEST = 8
"""Below this many characters a key is a placeholder of a local server ("x", "EMPTY"), and hiding it would spoil words."""


class Secret:
    """A key by the name of its environment variable. Without a value, no key is sent."""

    __slots__ = ("_value", "variable")

    def __init__(self, variable: str, value: str) -> None:
        self.variable = variable
        self._value = value

    def __repr__(self) -> str:
        return f"Secret({self.variable!r})"

    def __bool__(self) -> bool:
        return bool(self._value)

    @property
    def usable(self) -> bool:
        """Whether it can stand in a header at all."""
        return self._value.isascii() and self._value.isprintable()

    def header(self, prefix: str) -> str:
        return prefix + self._value

    def hide(self, text: str) -> str:
        return text.replace(self._value, HIDDEN) if len(self._value) >= SHORTEST else text

    def hide_in(self, value: Any) -> Any:
        """JSON data with the key hidden in every text, keys of tables included."""
        match value:
            case str():
                return self.hide(value)
            case dict():
                return {self.hide(name): self.hide_in(one) for name, one in value.items()}
            case list():
                return [self.hide_in(one) for one in value]
        return value


class Hiding(logging.Filter):
    """Keeps a key out of httpx's and httpcore's own logs, where an endpoint that says it back in a header would bring it."""

    LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.proxy")

    def __init__(self, secret: Secret) -> None:
        super().__init__()
        self._secret = secret

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if (clean := self._secret.hide(said)) != said:
            record.msg, record.args = clean, ()
        return True
