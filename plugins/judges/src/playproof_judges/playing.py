"""One play of an adaptive loop: turn by turn, each written down when it is over."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Generic, NoReturn

from attrs import evolve, frozen

from playproof.canonical import canonical, digest, plain
from playproof.dialogue import FREE, Call, Picture, Reply, Stop, Text, Tokens, Tool, stored
from playproof.errors import CheckSignal, PlayerStopped, PlayproofError
from playproof.interfaces import Bench
from playproof.model import Evidence
from playproof_judges.arguments import Fault, faults, spellable
from playproof_judges.judges.fence import clean, fence
from playproof_judges.loop import BEGIN, END, PROMPT_VERSION, SOURCE, TURN, ActorTool, CannotDo, Loop, Played, S, Sight, Told, prompt
from playproof_judges.talk import Talk

SAME = 3
"""The same call that failed so often in a row is no attempt any more."""

MISTAKES = 6
"""So many turns in a row without an act: the model does not come to terms with the tools."""

_CHECKPOINT = Tool("checkpoint", "Say that the latest view shows that a step towards the goal is reached.", {
    "type": "object", "additionalProperties": False, "required": ["claim"],
    "properties": {"claim": {"type": "string", "description": "What is reached, and what in the latest view shows it."}},
})
_DONE = Tool("done", "End: the latest view shows that the goal is reached, or what a person would try has been tried.", {
    "type": "object", "additionalProperties": False, "required": ["reached", "claim"],
    "properties": {"reached": {"type": "boolean"}, "claim": {"type": "string", "description": "What in the latest view shows it."}},
})


@frozen
class Step:
    """What a turn came to: the call that was carried out, if one was, what it told or showed, or what was wrong. `looked` is the
    fresh look that was taken before a claim."""

    call: Call | None = None
    told: str = ""
    error: str = ""
    sights: Sequence[Sight] = ()
    looked: Sequence[Sight] | None = None


class Playing(Generic[S]):
    """See `Loop.play`. `shown` is the evidence of what the model has been shown since its last turn."""

    def __init__(self, loop: Loop[S], session: S, goal: str, bench: Bench, model: str) -> None:
        self._loop, self._session, self._goal, self._bench, self._model = loop, session, goal, bench, model
        self._tools: Mapping[str, ActorTool[S]] = {tool.name: tool for tool in loop.tools}
        declared = [*(Tool(one.name, one.description, one.schema) for one in loop.tools), _CHECKPOINT, _DONE]
        self._faults: Mapping[str, Fault] = {one.name: faults(one.name, one.schema) for one in declared}
        self._talk = Talk(self._system(), declared, loop.allowance.keeps, loop.allowance.reply_tokens)
        self._tokens, self._last = FREE, FREE
        self._turn = 0
        self._failed: list[bytes] = []
        self._refused = False
        self._shown: list[str] = []
        self._cites: list[str] = []
        self._play = ""

    def _system(self) -> str:
        parts = [prompt(), self._loop.advice, f"You have {self._loop.allowance.turns} turns.", f"The goal: {self._goal}"]
        return "\n".join(part.strip() + "\n" for part in parts if part)

    # --- the play ---

    def play(self) -> Generator[int, None, Played]:
        self._play = self._note(BEGIN, {
            "goal": self._goal, "model": self._model, "tools": [tool.name for tool in self._talk.tools],
            "allowance": plain(self._loop.allowance), "prompt": {"version": PROMPT_VERSION, "digest": digest(prompt().encode())},
        }).id
        try:
            return (yield from self._turns())
        except GeneratorExit:
            self._end("stopped", "its time was over")
            raise
        except PlayerStopped:
            raise
        except (CheckSignal, PlayproofError) as fault:
            self._end("broken", f"{type(fault).__name__}: {fault}")
            raise

    def _turns(self) -> Generator[int, None, Played]:
        self._talk.tell(*self._parts(self._loop.observe(self._session)))
        while True:
            if how := self._spent():
                return self._end(*how)
            self._turn += 1
            reply = self._bench.ask(self._model, self._talk.request())
            mistake, reply = self._mistake(reply), _recordable(reply)
            self._last, self._tokens = reply.tokens, self._tokens + reply.tokens
            step = Step(error=mistake) if mistake else (yield from self._carried_out(reply))
            self._write(reply, step)
            if step.call is not None and step.call.name == "done":
                return self._end("done", "", step.call.arguments)
            self._give_up(reply, step)
            self._answer(reply, step)

    def _spent(self) -> tuple[str, str] | None:
        """Why there is no other turn. A request is taken to cost no less than the one before, so that the budget is not exceeded."""
        allowance, used = self._loop.allowance, _count(self._tokens)
        if self._turn >= allowance.turns:
            return "steps", f"all {allowance.turns} turns are used"
        if used + _count(self._last) > allowance.tokens:
            return "tokens", f"{used} of {allowance.tokens} tokens are used, and the next turn needs {_count(self._last)} or more"
        return None

    # --- one turn ---

    def _carried_out(self, reply: Reply) -> Generator[int, None, Step]:
        """The one call of a reply. Before a claim is written down, somebody looks afresh: what it speaks of stands beside it."""
        call = reply.calls[0]
        if call.name not in self._tools:
            return Step(call, "Noted.", looked=self._loop.observe(self._session))
        try:
            acted = self._tools[call.name].act(self._session, call.arguments)
            told: Told = (yield from acted) if isinstance(acted, Generator) else acted
        except CannotDo as fault:
            return Step(error=str(fault))
        except (CheckSignal, PlayproofError, GeneratorExit) as fault:
            ended = isinstance(fault, GeneratorExit)
            self._write(reply, Step(call, error="its time was over" if ended else f"{type(fault).__name__}: {fault}"))
            raise
        return Step(call, told) if isinstance(told, str) else Step(call, "Done.", sights=told or ())

    def _mistake(self, reply: Reply) -> str:
        """What is wrong with a reply that is not one call of a declared tool with fitting arguments."""
        calls = reply.calls
        if reply.stop is Stop.REFUSED:
            return "it refused"
        if reply.stop is Stop.LENGTH:
            return f"Your reply was cut off after {self._loop.allowance.reply_tokens} tokens, and nothing was carried out. Be brief."
        if not calls:
            return "You called no tool, and nothing was carried out. Call exactly one."
        if len(calls) > 1:
            return f"You called {len(calls)} tools at once, and none was carried out. Call exactly one."
        if calls[0].name not in self._faults:
            return f"There is no tool {calls[0].name!r}; there are: {', '.join(self._faults)}. Nothing was carried out."
        fault = self._faults[calls[0].name](calls[0].arguments)
        return f"Nothing was carried out: {fault}." if fault else ""

    def _give_up(self, reply: Reply, step: Step) -> None:
        """Raises PlayerStopped where going on would be of no use."""
        if reply.stop is Stop.REFUSED:
            if self._refused:
                self._stop("refused", f"{self._model!r} refused twice: {reply.text or 'without a word'}")
            self._refused = True
            return
        self._refused = False
        if not step.error:
            self._failed.clear()
            return
        self._failed.append(canonical([[call.name, plain(call.arguments)] for call in reply.calls]))
        if reply.calls and self._failed[-SAME:] == [self._failed[-1]] * SAME:
            self._stop("stuck", f"{self._model!r} made the same call {SAME} times, which failed each time: {step.error}")
        if len(self._failed) >= MISTAKES:
            self._stop("stuck", f"{self._model!r} did nothing for {MISTAKES} turns: {step.error}")

    def _answer(self, reply: Reply, step: Step) -> None:
        """Tell the model what came of its turn, and show it how things are now. A refusal is not taken into the talk."""
        if reply.stop is Stop.REFUSED:
            self._talk.tell(Text("Go on: this is a test of software, which nobody comes to harm by. Call exactly one tool."))
            return
        self._talk.hear(reply)
        if step.error:
            self._talk.answer(reply.calls, [Text(step.error)], error=True)
            return
        now = self._loop.observe(self._session) if step.looked is None else step.looked
        told = Text(f"{step.told} Turn {self._turn + 1} of {self._loop.allowance.turns} follows.")
        self._talk.answer(reply.calls, [told, *self._parts([*step.sights, *now])], error=False)

    def _parts(self, sights: Sequence[Sight]) -> Sequence[Text | Picture]:
        """Sights as parts of a message. Texts are foreign: they stand between marks that they cannot close."""
        ids = [one.evidence for one in sights]
        self._shown += ids
        self._cites += ids
        marks = fence(one.part.text for one in sights if isinstance(one.part, Text))
        return [Text(marks.around(clean(one.part.text))) if isinstance(one.part, Text) else one.part for one in sights]

    # --- evidence ---

    def _write(self, reply: Reply, step: Step) -> None:
        """The turn: what the model was shown before it, what it said (a claim), what was done of that, and what came of it."""
        shown, self._shown = self._shown, []
        looked = [one.evidence for one in step.looked or ()]
        self._cites += looked
        self._note(TURN, {
            "play": self._play, "turn": self._turn, "shown": shown, "claim": reply.text, "tool": step.call.name if step.call else None,
            "arguments": plain(step.call.arguments) if step.call else None, "result": step.told or None, "error": step.error or None,
            "looked": looked, "tokens": plain(reply.tokens), "reply": plain(evolve(stored(reply), raw="")),
        })

    def _end(self, how: str, why: str, claimed: Mapping[str, Any] | None = None) -> Played:
        said = claimed or {}
        self._note(END, {"play": self._play, "how": how, "why": why, "claim": said.get("claim"), "reached": said.get("reached"),
                         "turns": self._turn, "tokens": plain(self._tokens)})
        return Played(how, why, said.get("claim", ""), said.get("reached"), self._turn, self._tokens, tuple(dict.fromkeys(self._cites)))

    def _stop(self, how: str, why: str) -> NoReturn:
        self._end(how, why)
        raise PlayerStopped(why)

    def _note(self, kind: str, value: Any) -> Evidence:
        entry = self._loop.note(self._session, kind, SOURCE, value)
        self._cites.append(entry.id)
        return entry


def _count(tokens: Tokens) -> int:
    return tokens.input + tokens.cache_read + tokens.cache_write + tokens.output


def _recordable(reply: Reply) -> Reply:
    """As a record can hold it: without arguments that are no JSON (NaN, say), and with what it cost at first, the same each time."""
    parts = [evolve(part, arguments={}) if isinstance(part, Call) and not spellable(part.arguments) else part for part in reply.parts]
    return evolve(reply, parts=parts, tokens=reply.size)
