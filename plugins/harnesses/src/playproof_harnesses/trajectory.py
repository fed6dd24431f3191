"""What an agent did, in one normal form: ATIF 1.8 (Harbor's RFC 0001), made of the exchanges at its gateway.

A step is a turn of the model in the agent's own loop, with its calls, and what they came to as the next request tells it. Side calls are
no steps; they are counted. Counters of tools are those that the papers' tables use.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playproof_harnesses.gateway.turns import RESULTS, TURNS, ToolResult, Turn

SCHEMA = "ATIF-v1.8"
Exchange = Mapping[str, Any]


def exchanges(place: Path) -> Iterator[Exchange]:
    """The lines of an `exchanges.jsonl` that were answered. A last line that a kill cut is left out."""
    for line in place.read_text("utf-8").split("\n"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("kind") == "exchange":
            yield entry


def trajectory(found: Sequence[Exchange], *, session: str, agent: str, version: str, model: str, instruction: str) -> Mapping[str, Any]:
    """The document. Its first step is the task as the user gave it; `final_metrics` sums steps and side calls alike."""
    loop = [one for one in found if one["step"] and one["answer"]]
    steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": instruction}]
    for number, one in enumerate(loop):
        turn = TURNS[one["dialect"]](one["answer"])
        known = _ids(turn, number)
        told = _told(known, list(RESULTS[one["dialect"]](loop[number + 1]["request"])) if number + 1 < len(loop) else [], turn)
        steps.append(_step(len(steps) + 1, one, turn, known, told))
    return {"schema_version": SCHEMA, "session_id": session, "agent": {"name": agent, "version": version, "model_name": model},
            "steps": steps, "final_metrics": _final(found, len(steps)),
            "extra": {"tools": _counted(steps), "side_calls": sum(not one["step"] for one in found)}}  # fmt: skip


def _ids(turn: Turn, number: int) -> Sequence[str]:
    return [call.id or f"call-{number + 1}-{at}" for at, call in enumerate(turn.calls)]


def _told(known: Sequence[str], results: Sequence[ToolResult], turn: Turn) -> Mapping[str, str]:
    """By id; where the protocol gave none (an agent may then make up its own), the last results of the next request are those of this turn,
    in order."""
    named = {one.id: one.text for one in results}
    if not turn.calls or all(call.id for call in turn.calls):
        return {id: named[id] for id in known if id in named}
    return dict(zip(known, [one.text for one in results[-len(known) :]], strict=False))


def _step(number: int, one: Exchange, turn: Turn, known: Sequence[str], told: Mapping[str, str]) -> dict[str, Any]:
    step: dict[str, Any] = {
        "step_id": number, "timestamp": datetime.fromtimestamp(one["at"], UTC).isoformat(), "source": "agent", "message": turn.words,
        "model_name": one["model"],
    }  # fmt: skip
    if turn.thought:
        step["reasoning_content"] = turn.thought
    if turn.calls:
        step["tool_calls"] = [{"tool_call_id": id, "function_name": call.name, "arguments": dict(call.arguments)}
                              for id, call in zip(known, turn.calls, strict=True)]  # fmt: skip
    if told:
        step["observation"] = {"results": [{"source_call_id": id, "content": text} for id, text in told.items()]}
    if one["tokens"]:
        step["metrics"] = _metrics([one])
    return step


def _metrics(found: Sequence[Exchange], prefix: str = "") -> dict[str, int]:
    tokens = [one["tokens"] for one in found if one["tokens"]]
    given = sum(one["input"] + one["cache_read"] + one["cache_write"] for one in tokens)
    return {f"{prefix}prompt_tokens": given, f"{prefix}completion_tokens": sum(one["output"] for one in tokens),
            f"{prefix}cached_tokens": sum(one["cache_read"] for one in tokens)}  # fmt: skip


def _final(found: Sequence[Exchange], steps: int) -> Mapping[str, int]:
    return {**_metrics(found, "total_"), "total_steps": steps}


def _counted(steps: Sequence[Mapping[str, Any]]) -> Mapping[str, int]:
    return dict(Counter(call["function_name"] for step in steps for call in step.get("tool_calls", ())))
