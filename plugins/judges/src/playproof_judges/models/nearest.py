"""What a recorded request has that the one asked has not: said part by part, for whoever must record again or mend a prompt."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from playproof.canonical import short
from playproof_judges.models.tape import Take

AROUND = 30
"""Characters shown on either side of the place where two texts part."""

SHOWN = 3

Json = Mapping[str, Any]


def told(identity: Json, request: Json, takes: Iterable[Take]) -> str:
    """The nearest of the takes, and where it differs."""
    best: tuple[int, int, list[str]] | None = None
    for one in takes:
        found = [*_options("the model's", identity, one.identity), *differences(request, one.request)]
        far = (len(found), -_common(request, one.request))
        if best is None or far < best[:2]:
            best = (*far, found)
    if best is None:
        return "the cassette is empty"
    found = best[2]
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return f"the nearest one recorded differs in {'; '.join(found[:SHOWN])}{more}"


def differences(asked: Json, recorded: Json) -> Iterator[str]:
    if asked["system"] != recorded["system"]:
        yield _texts("the system prompt", asked["system"], recorded["system"])
    yield from _messages(asked["messages"], recorded["messages"])
    yield from _tools(asked["tools"], recorded["tools"])
    if asked["schema"] != recorded["schema"]:
        yield f"the schema of the reply, at {_path(asked['schema'], recorded['schema'], '$')}"
    rest = ("must_call", "max_tokens", "temperature", "seed")
    yield from _options("its", {name: asked[name] for name in rest}, {name: recorded[name] for name in rest})


def _options(whose: str, asked: Json, recorded: Json) -> Iterator[str]:
    for name in sorted({*asked, *recorded}):
        if asked.get(name) != recorded.get(name):
            yield f"{whose} {name}: {short(asked.get(name), 60)} is asked, {short(recorded.get(name), 60)} recorded"


def _messages(asked: Sequence[Json], recorded: Sequence[Json]) -> Iterator[str]:
    if len(asked) != len(recorded):
        yield f"the number of messages: {len(asked)} are asked, {len(recorded)} recorded"
    for number, (ours, theirs) in enumerate(zip(asked, recorded, strict=False), 1):
        if ours["role"] != theirs["role"]:
            yield f"message {number}: it is the {ours['role']}'s, recorded the {theirs['role']}'s"
        for place, (one, other) in enumerate(zip_longest(ours["parts"], theirs["parts"]), 1):
            if one != other:
                yield f"message {number}, part {place}: {_part(one, other)}"


def _part(asked: Json | None, recorded: Json | None) -> str:
    if asked is None or recorded is None:
        return f"{_kind(asked or recorded or {})} is {'not asked' if asked is None else 'not recorded'}"
    if _kind(asked) != _kind(recorded):
        return f"{_kind(asked)} is asked, {_kind(recorded)} recorded"
    if "text" in asked:
        return _texts("the text", asked["text"], recorded["text"])
    if "picture" in asked:
        if asked["picture"] != recorded["picture"]:
            return f"another picture ({asked['picture'][:12]} is asked, {recorded['picture'][:12]} recorded)"
        return _texts("the picture's caption", asked["caption"], recorded["caption"])
    return f"{_kind(asked)}, at {_path(asked, recorded, '$')}"


def _kind(part: Json) -> str:
    names = {"text": "a text", "picture": "a picture", "call": "a call", "result": "a call's result", "opaque": "a provider's own part"}
    return next((told for name, told in names.items() if name in part), "a part")


def _tools(asked: Sequence[Any], recorded: Sequence[Any]) -> Iterator[str]:
    ours, theirs = ({one[0]: one for one in tools} for tools in (asked, recorded))
    for name in sorted({*ours, *theirs}):
        if name not in theirs or name not in ours:
            yield f"the tool {name!r}, which is {'not recorded' if name in ours else 'not asked'}"
        elif ours[name] != theirs[name]:
            yield f"the tool {name!r}, at {_path(ours[name], theirs[name], '$')}"


def _texts(what: str, asked: str, recorded: str) -> str:
    at = next((place for place, (one, other) in enumerate(zip(asked, recorded, strict=False)) if one != other),
              min(len(asked), len(recorded)))
    ours, theirs = (json.dumps(text[max(0, at - AROUND // 3) : at + AROUND], ensure_ascii=False) for text in (asked, recorded))
    return f"{what}, from character {at + 1}: {ours} is asked, {theirs} recorded"


def _path(asked: Any, recorded: Any, path: str) -> str:
    """Where two JSON values part first."""
    if isinstance(asked, Mapping) and isinstance(recorded, Mapping):
        name = next((one for one in sorted({*asked, *recorded}) if asked.get(one) != recorded.get(one)), None)
        return path if name is None else _path(asked.get(name), recorded.get(name), f"{path}.{name}")
    if isinstance(asked, list) and isinstance(recorded, list) and len(asked) == len(recorded):
        at = next((one for one, (ours, theirs) in enumerate(zip(asked, recorded, strict=True)) if ours != theirs), None)
        return path if at is None else _path(asked[at], recorded[at], f"{path}[{at}]")
    return path


def _common(asked: Json, recorded: Json) -> int:
    """How many characters two requests begin with in common: among equally many differences, the later one is nearer."""
    ours, theirs = (json.dumps([one["system"], one["messages"]], sort_keys=True) for one in (asked, recorded))
    return next((place for place, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), len(ours))
