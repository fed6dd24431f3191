"""How a report, and a judge, are shown the evidence of an adaptive loop: what was done, and what was only claimed."""

import json
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from playproof.canonical import short
from playproof.interfaces import Exhibit, Services
from playproof.model import Evidence, Options
from playproof_judges.loop import BEGIN, TURN


class LoopExhibitor:
    def __init__(self, options: Options, services: Services) -> None:
        pass

    def show(self, evidence: Evidence, read: Callable[[str], bytes]) -> Exhibit:
        value = evidence.value if evidence.blob is None else json.loads(read(evidence.blob))
        lines = list({BEGIN: _begin, TURN: _turn}.get(evidence.kind, _end)(value))
        return Exhibit("".join(f"<p><b>{escape(name)}</b> {escape(text)}</p>" for name, text in lines),
                       text="\n".join(f"{name}: {text}" for name, text in lines))


def _begin(value: Any) -> Iterator[tuple[str, str]]:
    yield "goal", value["goal"]
    yield "played by", f"the model {value['model']!r}, with {', '.join(value['tools'])}"


def _turn(value: Any) -> Iterator[tuple[str, str]]:
    yield f"turn {value['turn']}", f"{value['tool']}({short(value['arguments'])})" if value["tool"] else "nothing was carried out"
    for name, text in (("told", value["result"]), ("error", value["error"]), ("claimed by the actor", value["claim"])):
        if text:
            yield name, text


def _end(value: Any) -> Iterator[tuple[str, str]]:
    yield "end", f"{value['how']} after {value['turns']} turns" + (f": {value['why']}" if value["why"] else "")
    if value["claim"] is not None:
        yield "claimed by the actor", f"{'reached' if value['reached'] else 'not reached'}: {value['claim']}"
