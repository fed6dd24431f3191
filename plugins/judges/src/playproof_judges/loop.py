"""The adaptive loop: a model looks at a session, and calls one declared tool a turn until a goal is reached or its means are spent.

It knows no domain: one gives tools, a way to look, and a place to write (see `Loop`). Every turn becomes evidence. What the model says
is a claim and proves nothing; what decides is what the session shows afterwards (GenXR-Bench, sections 3.4 and J)."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Generic, TypeVar

from attrs import Factory, field, frozen, validators

from playproof.dialogue import Picture, Text, Tokens
from playproof.errors import NoModel, PluginError
from playproof.interfaces import Bench, Clock, Session
from playproof.model import Evidence

S = TypeVar("S", bound=Session)
T = TypeVar("T")

PROMPT_VERSION = 1

BEGIN, TURN, END = "adaptive.begin/1", "adaptive.turn/1", "adaptive.end/1"
KINDS = frozenset({BEGIN, TURN, END})
"""The kinds of evidence that a loop writes down itself."""

SOURCE = "actor:adaptive"
"""The source of that evidence: judges take what comes from an actor for attempts and claims."""


class CannotDo(Exception):
    """A tool's arguments are of the right form, and yet it cannot be done. The model is told why, and has used a turn."""


@frozen
class Sight:
    """Something that the model is shown of the software, and the id of the evidence that holds it."""

    part: Text | Picture
    evidence: str


Told = str | Sequence[Sight] | None
"""What an act tells the model: words of ours, something seen, or nothing."""


@frozen
class ActorTool(Generic[S]):
    """Something that the model can do. `schema` is the JSON Schema of its arguments, an object; `act` gets them only when they fit.

    `act` does its work at once, by verbs of the session that take time (for the lead alone), or as a generator of waits in
    ticks; what it returns is told. It raises CannotDo for what cannot be done; anything else it raises ends the loop."""

    name: str
    description: str
    schema: Mapping[str, Any]
    act: Callable[[S, Mapping[str, Any]], Generator[int, None, Told] | Told]


@frozen
class Allowance:
    """What one play may use. `tokens` are those of all requests together; `reply_tokens` bound one reply; pictures are kept in the
    talk for the last `keeps` turns, or up to twice as many."""

    turns: int = field(default=30, validator=validators.ge(1))
    tokens: int = field(default=400_000, validator=validators.ge(1))
    reply_tokens: int = field(default=2000, validator=validators.ge(1))
    keeps: int = field(default=3, validator=validators.ge(1))


@frozen
class Played:
    """How a play ended: `how` is done, steps or tokens, and `claim` the model's last word on it, which proves nothing. `cites` is the
    evidence of the play, in order: what was done, said and seen."""

    how: str
    why: str
    claim: str
    reached: bool | None
    turns: int
    tokens: Tokens
    cites: Sequence[str]


@frozen
class Loop(Generic[S]):
    """What a domain lends to a play: its tools, `observe` (the session as the model sees it, fresh), and `note(session, kind,
    source, value)`, which writes evidence at the session's tick with the observer OUTSIDE. `advice` is about its kind of software."""

    tools: Sequence[ActorTool[S]]
    observe: Callable[[S], Sequence[Sight]]
    note: Callable[[S, str, str, Any], Evidence]
    advice: str = ""
    allowance: Allowance = Factory(Allowance)

    def __attrs_post_init__(self) -> None:
        names = [*OWN, *(tool.name for tool in self.tools)]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise PluginError(f"two tools are named {twice[0]!r}; {' and '.join(OWN)} are the loop's own")

    def play(self, session: S, goal: str, bench: Bench | None, model: str | None = None) -> Generator[int, None, Played]:
        """Play as a generator of waits in ticks. Without `model`, the one that plays in the check does.

        Raises NoModel where there is none, PlayerStopped when it refuses or is stuck, ModelError when it cannot be asked."""
        from playproof_judges.playing import Playing

        return Playing(self, session, goal, *_player(bench, model)).play()


OWN = ("checkpoint", "done")
"""Tools that every play has: claims, each recorded with a fresh look."""


def _player(bench: Bench | None, model: str | None) -> tuple[Bench, str]:
    names = bench.models if bench else ()
    name = model or next(iter(names), "")
    if bench is None or name not in names:
        wanted = f"the model {model!r}" if model else "a model"
        raise NoModel(f"{wanted} is to play, and there are: {', '.join(names) or 'none'}; a check names the one that plays in it (plays=), "
                      "and a run is given it (--model)")
    return bench, name


def lead(clock: Clock, play: Generator[int, None, T]) -> T:
    """Carry out a play from a check script: its waits are the clock's."""
    while True:
        try:
            pause = next(play)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return] # StopIteration does not know the generator's type
        clock.wait(pause)


@frozen
class Player(Generic[S]):
    """Implements `Actor` and `Plays` for a domain's driver: a loop with a goal. `bench` gives the session's."""

    needs: type[S]
    loop: Loop[S]
    goal: str
    bench: Callable[[S], Bench | None]
    model: str = "default"
    records = KINDS

    @property
    def models(self) -> Sequence[str]:
        return (self.model,)

    def play(self, session: S) -> Iterator[int]:
        yield from self.loop.play(session, self.goal, self.bench(session), self.model)


def prompt() -> str:
    """The rules of the loop, as the model is told them."""
    return files("playproof_judges").joinpath("prompts/loop.md").read_text("utf-8")


