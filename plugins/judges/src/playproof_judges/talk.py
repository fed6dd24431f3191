"""The talk of an adaptive loop, as the next request carries it: everything that was said, and the latest of what was shown."""

from collections.abc import Sequence

from attrs import define, evolve, field

from playproof.dialogue import Call, Message, Part, Picture, Reply, Request, Result, Text, Tool

LONG = 1000
"""Characters from which a text is not kept for ever."""

_GONE = Text("[shown in an earlier turn, and no longer]")


@define
class Talk:
    """Grows by a reply and an answer a turn. When more than twice `keeps` messages have pictures or long texts, only the last `keeps`
    keep them: not one a turn, because each change of an old message makes the endpoint read all that follows it anew."""

    system: str
    tools: Sequence[Tool]
    keeps: int
    max_tokens: int
    messages: list[Message] = field(factory=list)

    def request(self) -> Request:
        return Request(tuple(self.messages), self.system, self.tools, must_call=True, max_tokens=self.max_tokens)

    def tell(self, *parts: Part) -> None:
        """Parts of the user's: joined to the last message where that is the user's, too, for endpoints want the two to take turns."""
        if self.messages and self.messages[-1].role == "user":
            self.messages[-1] = evolve(self.messages[-1], parts=[*self.messages[-1].parts, *parts])
        else:
            self.messages.append(Message("user", parts))
        self._thin()

    def hear(self, reply: Reply) -> None:
        """The model's turn. One without any part, as after a refusal, is no message that an endpoint takes back."""
        if reply.parts:
            self.messages.append(reply.message())

    def answer(self, calls: Sequence[Call], content: Sequence[Text | Picture], *, error: bool) -> None:
        """Every call gets its result: the first the content, the others a word, because endpoints want one for each."""
        if not calls:
            self.tell(*content)
            return
        others = [Result(call.id, [Text("Not carried out.")], error=True) for call in calls[1:]]
        self.tell(Result(calls[0].id, content, error=error), *others)

    def _thin(self) -> None:
        shown = [place for place, message in enumerate(self.messages) if message.role == "user" and any(map(_bulky, message.parts))]
        if len(shown) <= 2 * self.keeps:
            return
        for place in shown[: -self.keeps]:
            self.messages[place] = evolve(self.messages[place], parts=[_thinned(part) for part in self.messages[place].parts])


def _bulky(part: Part) -> bool:
    if isinstance(part, Result):
        return any(map(_bulky, part.content))
    return isinstance(part, Picture) or (isinstance(part, Text) and len(part.text) > LONG)


def _thinned(part: Part) -> Part:
    if isinstance(part, Result):
        return evolve(part, content=[_GONE if _bulky(one) else one for one in part.content])
    return _GONE if _bulky(part) else part
