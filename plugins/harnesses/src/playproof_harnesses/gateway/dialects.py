"""Four protocols by which agents ask models: which requests are which, what a request says, and what an answer cost.

Counts are told in one way whatever the provider calls them (`playproof.dialogue.Tokens`): fresh input, cache reads and cache writes
apart, output with its reasoning. Only Anthropic's Messages give fresh input as such; elsewhere input includes what was read from the cache.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from playproof.dialogue import Tokens

Json = Mapping[str, Any]


@frozen
class Ask:
    """One request as the gateway sees it: `tools` are the names it declares, `path` is what it is sent on to. One without tools is a side
    call (a title, a summary) and no step of the agent's loop. `elsewhere` are tools that the provider would run itself, on a network that
    the agent has not."""

    dialect: "Dialect"
    path: str
    model: str
    tools: Sequence[str]
    body: Json
    elsewhere: Sequence[str] = ()

    @property
    def is_step(self) -> bool:
        return bool(self.body.get("tools") or self.body.get("functions"))


@frozen
class Dialect:
    """`paths` fits the whole of a path that it is spoken on, without its query. `counts(value, before)` adds what one JSON value of an
    answer (an event, or the whole) says of tokens to what was known before."""

    name: str
    provider: str
    paths: re.Pattern[str]
    tools: Callable[[Json], Sequence[str]]
    counts: Callable[[Json, Tokens], Tokens]
    refusal: Callable[[str], Json]


def _number(table: Any, *path: str) -> int:
    for key in path:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table if isinstance(table, int) and not isinstance(table, bool) and table >= 0 else 0


def _named(rows: Any, *path: str) -> Sequence[str]:
    """The texts at `path` in each of some rows."""
    found = []
    for row in rows if isinstance(rows, list) else ():
        for key in path:
            row = row.get(key) if isinstance(row, Mapping) else None
        found += [row] if isinstance(row, str) else []
    return found


# --- Anthropic: Messages ----------------------------------------------------------------------------------------------


def _messages_counts(value: Json, before: Tokens) -> Tokens:
    """Input comes with `message_start` (or the whole message), output, which grows, with each `message_delta`."""
    inner = value.get("message")
    used = inner.get("usage") if isinstance(inner, Mapping) else value.get("usage")
    if not isinstance(used, Mapping):
        return before
    counted = Tokens(_number(used, "input_tokens"), _number(used, "output_tokens"), _number(used, "cache_read_input_tokens"),
                     _number(used, "cache_creation_input_tokens"), _number(used, "output_tokens_details", "thinking_tokens"))
    return Tokens(max(before.input, counted.input), max(before.output, counted.output), max(before.cache_read, counted.cache_read),
                  max(before.cache_write, counted.cache_write), max(before.reasoning, counted.reasoning))


# --- OpenAI: Chat Completions and Responses ---------------------------------------------------------------------------


def _openai_counts(used: Any, asked: str, answered: str, before: Tokens) -> Tokens:
    if not isinstance(used, Mapping):
        return before
    read, written = (_number(used, f"{asked}_tokens_details", f"{what}_tokens") for what in ("cached", "cache_write"))
    return Tokens(max(0, _number(used, f"{asked}_tokens") - read - written), _number(used, f"{answered}_tokens"), read, written,
                  _number(used, f"{answered}_tokens_details", "reasoning_tokens"))


def _responses_counts(value: Json, before: Tokens) -> Tokens:
    whole = value.get("response", value)
    return _openai_counts(whole.get("usage") if isinstance(whole, Mapping) else None, "input", "output", before)


# --- Gemini -----------------------------------------------------------------------------------------------------------


def _gemini_counts(value: Json, before: Tokens) -> Tokens:
    """Thoughts are no candidates: both are output. Every event says all so far."""
    used = value.get("usageMetadata")
    if not isinstance(used, Mapping):
        return before
    read, thought = _number(used, "cachedContentTokenCount"), _number(used, "thoughtsTokenCount")
    given = _number(used, "promptTokenCount") + _number(used, "toolUsePromptTokenCount")
    return Tokens(max(0, given - read), _number(used, "candidatesTokenCount") + thought, read, 0, thought)


def _gemini_tools(body: Json) -> Sequence[str]:
    rows = body.get("tools")
    return [name for row in (rows if isinstance(rows, list) else ()) if isinstance(row, Mapping)
            for name in _named(row.get("functionDeclarations"), "name")]


def _openai_refusal(words: str) -> Json:
    return {"error": {"message": words, "type": "invalid_request_error", "code": "budget_reached", "param": None}}


DIALECTS: Sequence[Dialect] = (
    Dialect("anthropic", "anthropic", re.compile(r"/v1/messages"), lambda body: _named(body.get("tools"), "name"), _messages_counts,
            lambda words: {"type": "error", "error": {"type": "invalid_request_error", "message": words}}),
    Dialect("openai", "openai", re.compile(r"/v1/chat/completions"), lambda body: _named(body.get("tools"), "function", "name"),
            lambda value, before: _openai_counts(value.get("usage"), "prompt", "completion", before), _openai_refusal),
    Dialect("openai-responses", "openai", re.compile(r"/v1/responses"), lambda body: _named(body.get("tools"), "name"), _responses_counts,
            _openai_refusal),
    Dialect("gemini", "gemini", re.compile(r"/v1(?:alpha|beta)?/models/([\w.-]+):(stream)?[gG]enerateContent"), _gemini_tools,
            _gemini_counts,
            lambda words: {"error": {"code": 400, "message": words, "status": "FAILED_PRECONDITION"}}),
)  # fmt: skip


CLIENT_SIDE = re.compile(r"function|custom|local_shell|shell|apply_patch|(bash|text_editor|memory)_\d+")
"""Types of tools that the agent runs, in its box. Tools without a type are its own as well."""


GOOGLES = {"googleSearch", "google_search", "googleSearchRetrieval", "googleMaps", "urlContext", "url_context", "codeExecution",
           "code_execution", "fileSearch", "mcpServers", "computerUse"}
"""Tools of Gemini's that are named by a key of their own."""


def _elsewhere(body: Json) -> Sequence[str]:
    rows = body.get("tools")
    found = [str(row["type"]) for row in (rows if isinstance(rows, list) else ())
             if isinstance(row, Mapping) and "type" in row and not CLIENT_SIDE.fullmatch(str(row["type"]))]
    named = {key for row in (rows if isinstance(rows, list) else ()) if isinstance(row, Mapping) for key in row}
    found += sorted(named & GOOGLES)
    return [*found, *(key for key in ("mcp_servers", "web_search_options") if body.get(key))]


def read(path: str, content: bytes) -> Ask | None:
    """What a POST asks; None where it is no request to a model that we know. Raises ValueError where its body is no JSON object."""
    bare, _, query = path.partition("?")
    found = next(((one, fits) for one in DIALECTS if (fits := one.paths.fullmatch(bare))), None)
    if found is None:
        return None
    dialect, fits = found
    body = json.loads(content)
    if not isinstance(body, Mapping):
        raise ValueError("the body of a request is no JSON object")
    onward = bare + ("?beta=true" if dialect.name == "anthropic" and "beta=true" in query else "")
    if dialect.name != "gemini":
        return Ask(dialect, onward, str(body.get("model") or ""), dialect.tools(body), body, _elsewhere(body))
    return Ask(dialect, bare + ("?alt=sse" if fits[2] else ""), fits[1], dialect.tools(body), body, _elsewhere(body))


def countable(ask: Ask) -> Json:
    """The body to be sent on. Chat Completions tell no counts of a stream unless asked to: they are asked."""
    if ask.dialect.name != "openai" or ask.body.get("stream") is not True:
        return ask.body
    options = ask.body.get("stream_options")
    return {**ask.body, "stream_options": {**(options if isinstance(options, Mapping) else {}), "include_usage": True}}


def is_error(value: Json) -> bool:
    """Whether a value of an answer is the provider's own word for its failure, in the middle of a stream."""
    return value.get("type") in ("error", "response.failed") or isinstance(value.get("error"), Mapping)
