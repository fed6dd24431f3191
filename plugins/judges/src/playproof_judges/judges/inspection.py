"""The read-only tools with which an inspector looks at evidence: a list, a reader of JSON, and the queries of each kind's exhibitor."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from playproof.canonical import canonical
from playproof.dialogue import Call, Tool
from playproof.interfaces import Bench, Query
from playproof.model import TICKS
from playproof_judges.judges.exhibits import Lost, View, structured
from playproof_judges.judges.fence import clean
from playproof_judges.judges.precedence import IN_WORDS

LISTED = 60
"""Pieces of evidence in one listing; the tool gives the rest."""
TOOLS = 40
ENTRIES = 50
"""Entries of a list or an object that one reading gives unless more are asked for."""

_HANDLE = {"type": "string", "description": "the handle of a piece of evidence, such as E2"}
_START = {"type": "integer", "description": "where to begin, from 0"}

LIST = Tool("list_evidence", "List the pieces of evidence with handle, rank, kind, time and size.",
            {"type": "object", "properties": {"start": _START}, "required": [], "additionalProperties": False})
READ = Tool(
    "read_json", "Read structured evidence at a JSON Pointer (RFC 6901): '' is the whole, '/objects/3/name' a part. Of a long list, object "
    "or text it gives a slice; `start` and `limit` choose it. What is too long is shortened, and can be read at its own pointer.",
    {"type": "object", "properties": {"evidence": _HANDLE, "pointer": {"type": "string"}, "start": _START, "limit": {"type": "integer"}},
     "required": ["evidence", "pointer"], "additionalProperties": False})


@frozen
class Asked:
    """A query as a tool: `by` gives the query of each piece of evidence that answers it."""

    tool: Tool
    by: Mapping[str, Query]


@define
class Inspection:
    """The evidence of one judging. `read` are the handles that were really read."""

    views: Mapping[str, View]
    bench: Bench
    characters: int
    read: set[str] = field(factory=set)
    _queries: Mapping[str, Asked] = field(init=False)
    _parsed: dict[str, Any] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._queries = _tools(self.views, self.bench)

    @property
    def tools(self) -> Sequence[Tool]:
        return [LIST, READ, *(one.tool for one in self._queries.values())]

    def listing(self, start: int = 0) -> str:
        rows = [self._row(handle, view) for handle, view in self.views.items()]
        shown, more = rows[start : start + LISTED], len(rows) - start - LISTED
        return "\n".join([*shown, f"... {more} more: list_evidence with start {start + LISTED}"] if more > 0 else shown)

    def _row(self, handle: str, view: View) -> str:
        entry = view.evidence
        size = "picture" if view.pictures else f"{len(view.text):,} characters"
        source = f"; source {clean(entry.source)[:120]!r}" if entry.source else ""
        return f"{handle}: {IN_WORDS[view.rank]}; kind {clean(entry.kind)[:60]}; at {entry.tick / TICKS:.2f} s; {size}{source}"

    def answer(self, call: Call) -> tuple[str, str]:
        """What a call gives: a heading of ours, and foreign text. Raises ValueError on a call that makes no sense, Lost."""
        if call.name == LIST.name:
            return "The list:", self.listing(_whole(call.arguments, "start", 0))
        if call.name == READ.name:
            handle = self._handle(call.arguments.get("evidence"))
            told = self._slice(handle, call.arguments)
        elif (asked := self._queries.get(call.name)) is not None:
            handle, told = self._queried(asked, call.arguments)
        else:
            raise ValueError(f"there is no tool {call.name!r}")
        self.read.add(handle)
        cut = told[: self.characters]
        note = f" (the first {len(cut):,} of {len(told):,} characters; ask for less)" if len(told) > len(cut) else ""
        return f"From {handle}{note}.", cut

    def _handle(self, told: Any) -> str:
        match = re.match(r"\W*(E\d+)\b", told, re.IGNORECASE) if isinstance(told, str) else None
        if match is None or match[1].upper() not in self.views:
            raise ValueError(f"there is no evidence {clean(str(told)[:40])!r}; list_evidence gives the handles")
        return match[1].upper()

    def _slice(self, handle: str, arguments: Mapping[str, Any]) -> str:
        view = self.views[handle]
        start, limit = _whole(arguments, "start", 0), max(1, _whole(arguments, "limit", ENTRIES))
        if view.pictures:
            raise ValueError(f"{handle} is a picture, and no structured evidence")
        if handle not in self._parsed:
            try:
                self._parsed[handle] = structured(view.evidence, self.bench)
            except ValueError:
                self._parsed[handle] = view.text
        found = pointed(self._parsed[handle], str(arguments.get("pointer", "")))
        if isinstance(found, str):
            most = limit if "limit" in arguments else self.characters
            return clean(json.dumps(found[start : start + most], ensure_ascii=False)) + _more(len(found), start, most, "characters")
        return clean(_spelled(found, start, limit, self.characters))

    def _queried(self, asked: Asked, arguments: Mapping[str, Any]) -> tuple[str, str]:
        handle = self._handle(arguments.get("exhibit")) if len(asked.by) > 1 or "exhibit" in arguments else next(iter(asked.by))
        if handle not in asked.by:
            raise ValueError(f"{handle} cannot be asked this; {', '.join(asked.by)} can")
        given = {key: value for key, value in arguments.items() if key != "exhibit"}
        answer: Callable[[Mapping[str, Any]], Any] = asked.by[handle].answer
        try:
            return handle, clean(canonical(answer(given)).decode("utf-8", "surrogatepass"))
        except (ValueError, Lost):
            raise
        except Exception as fault:  # a plugin's query on hostile evidence
            raise ValueError(f"the query failed ({type(fault).__name__})") from fault


def _tools(views: Mapping[str, View], bench: Bench) -> Mapping[str, Asked]:
    """A tool for each query, one for all pieces of evidence that take the same question."""
    found: dict[str, Asked] = {}
    for handle, view in views.items():
        for query in _queries(view, bench):
            name = _named(query, handle, found)
            same = found.get(name)
            if same is None and len(found) >= TOOLS:
                continue
            by = {**(same.by if same else {}), handle: query}
            found[name] = Asked(Tool(name, query.description[:1000], _with_exhibit(query.schema, list(by))), by)
    return found


def _queries(view: View, bench: Bench) -> Sequence[Query]:
    try:
        return bench.queries(view.evidence)
    except Exception:  # noqa: BLE001 - an exhibitor may choke on hostile evidence, which can still be read as it is
        return []


def _named(query: Query, handle: str, found: Mapping[str, Asked]) -> str:
    """A name that every provider takes; evidence whose query of that name asks for something else gets one of its own."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", query.name)[:56] or "query"
    if name in (LIST.name, READ.name, "conclude"):
        return f"{name}_{handle}"
    same = found.get(name)
    return name if same is None or next(iter(same.by.values())).schema == query.schema else f"{name}_{handle}"


def _with_exhibit(schema: Mapping[str, Any], handles: Sequence[str]) -> Mapping[str, Any]:
    """The schema of a query's arguments, with the exhibit that is asked where there are several."""
    whole = {"type": "object", **schema}
    if len(handles) == 1:
        return whole
    asked = {"type": "string", "enum": list(handles), "description": "which piece of evidence to ask"}
    return {**whole, "properties": {"exhibit": asked, **whole.get("properties", {})}, "required": ["exhibit", *whole.get("required", ())]}


# --- reading JSON piece by piece ---


def pointed(data: Any, pointer: str) -> Any:
    """The part of JSON data at a pointer (RFC 6901). Raises ValueError that says how far the way goes."""
    if pointer in ("", "/"):
        return data
    if not pointer.startswith("/"):
        raise ValueError(f"{pointer[:80]!r} is no JSON Pointer: it begins with '/'")
    gone = ""
    for step in pointer[1:].split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(data, Mapping) and key in data:
            data = data[key]
        elif isinstance(data, list | tuple) and key.isdecimal() and len(key) < 10 and int(key) < len(data):
            data = data[int(key)]
        else:
            raise ValueError(f"there is nothing at {gone + '/' + step[:80]!r}; at {gone!r} is {_kind(data)}")
        gone += f"/{step}"
    return data


def _kind(data: Any) -> str:
    if isinstance(data, Mapping):
        return f"an object with the keys {', '.join(clean(str(key)[:40]) for key in list(data)[:20])}"
    return f"a list of {len(data)}" if isinstance(data, list | tuple) else "a value without parts"


def _spelled(data: Any, start: int, limit: int, characters: int) -> str:
    """A slice of a list or an object, each entry shortened until the whole has room; a plain value as it is."""
    if isinstance(data, Mapping):
        keys = sorted(data)[start : start + limit]
        entries, closing = [(f"{json.dumps(key, ensure_ascii=False)}: ", data[key]) for key in keys], "{}"
    elif isinstance(data, list | tuple):
        entries, closing = [("", one) for one in data[start : start + limit]], "[]"
    else:
        return json.dumps(data, ensure_ascii=False)
    share = max(60, (characters - 200) // max(1, len(entries)))
    body = ",\n".join(key + _shortened(one, share) for key, one in entries)
    return f"{closing[0]}\n{body}\n{closing[1]}" + _more(len(data), start, limit, "entries")


def _shortened(data: Any, most: int) -> str:
    whole = json.dumps(data, ensure_ascii=False)
    if len(whole) <= most:
        return whole
    if isinstance(data, Mapping):
        return f"{{... {len(data)} keys: {', '.join(str(key)[:30] for key in sorted(data)[:12])[:most]} ...}}"
    return f"[... {len(data)} entries ...]" if isinstance(data, list | tuple) else f"{whole[:most]}..."


def _more(total: int, start: int, limit: int, what: str) -> str:
    if start >= total > 0:
        return f"\n(there are {total} {what}, and none from {start} on)"
    return f"\n({what} {start} to {min(start + limit, total) - 1} of {total})" if start or start + limit < total else ""


def _whole(arguments: Mapping[str, Any], name: str, otherwise: int) -> int:
    value = arguments.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{name} is {clean(str(value)[:40])}, not a whole number from 0")
    return value
