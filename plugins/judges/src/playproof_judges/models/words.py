"""The words of a request, for whoever looks for some in it."""

import json
from collections.abc import Iterator

from playproof.dialogue import Call, Part, Picture, Request, Result, Text


def said(request: Request) -> Iterator[str]:
    """Every word of a request, in its order: system prompt, texts, captions, calls and results."""
    yield request.system
    for message in request.messages:
        for part in message.parts:
            yield from _words(part)


def _words(part: Part) -> Iterator[str]:
    match part:
        case Text():
            yield part.text
        case Picture():
            yield part.caption
        case Call():
            yield f"{part.name} {json.dumps(dict(part.arguments), ensure_ascii=False)}"
        case Result():
            for one in part.content:
                yield from _words(one)
