"""What a server is told to answer, and what it was asked: the same words for every protocol."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, frozen


@frozen
class Used:
    """What a turn says that it cost, counted as our `Tokens` are; each protocol spells it in its own way."""

    input: int = 11
    output: int = 20
    cache_read: int = 5
    cache_write: int = 0
    reasoning: int = 3


@frozen
class Turn:
    """A reply that begins well. `data` is JSON given as text; `calls` are (tool, arguments); `thought` makes a signed thought or a
    reasoning item before the rest; `stop` is end, calls, length or refused (guessed from the rest).

    It is streamed as events. After `cut` of them the connection breaks (`gently`: it is closed in order, but the end is missing);
    after `silent` of them nothing comes any more; after `fault` (events, kind, message) comes the protocol's own error event;
    `junk` is a line in the middle that is no JSON; `gap_s` passes between events. `{key}` in texts becomes the key that came
    with the request."""

    text: str = ""
    data: Any = None
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()
    thought: str = ""
    stop: str = ""
    used: Used = Used()
    pieces: int = 3
    cut: int | None = None
    gently: bool = False
    silent: int | None = None
    fault: tuple[int, str, str] | None = None
    junk: bool = False
    gap_s: float = 0.0
    headers: Mapping[str, str] = Factory(dict)

    @property
    def ends(self) -> str:
        return self.stop or ("calls" if self.calls else "end")


@frozen
class Fail:
    """An answer with a status. `kind` is the protocol's word for the error; `body` stands in the place of its JSON, as it is;
    with `hang` nothing is answered at all, with `drop` the connection is closed without a byte."""

    status: int = 500
    message: str = "a fault on purpose"
    kind: str = ""
    headers: Mapping[str, str] = Factory(dict)
    body: str | None = None
    hang: bool = False
    drop: bool = False


@frozen
class Asked:
    """A request as it arrived. `texts` are all texts of its messages in order, captions and results included; `results` are
    (call id, text); `schema` is the JSON Schema asked for by the protocol's own means."""

    protocol: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    key: str = ""
    model: str = ""
    system: str = ""
    texts: Sequence[str] = ()
    pictures: Sequence[bytes] = ()
    results: Sequence[tuple[str, str]] = ()
    tools: Sequence[str] = ()
    schema: Mapping[str, Any] | None = None

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


Step = Turn | Fail
