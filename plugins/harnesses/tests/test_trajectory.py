"""What an agent did, out of its exchanges: the same document whatever protocol it spoke."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof_harnesses.trajectory import exchanges, trajectory
from playproof_judges.testing import Server, Turn

from .conftest import BODIES, Agent

Make = Callable[..., Agent]
RESULT: Mapping[str, Callable[[str], Mapping[str, Any]]] = {
    "anthropic": lambda id: {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "ok"}]}]},
    "openai": lambda id: {"messages": [{"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": id, "content": "ok"}]},
    "openai-responses": lambda id: {"input": [{"type": "function_call_output", "call_id": id, "output": "ok"}]},
    "gemini": lambda id: {"contents": [{"parts": [{"functionResponse": {"id": "own", "name": "write", "response": {"output": "ok"}}}]}]},
}
"""A request that tells what the call came to."""


def called(agent: Agent, dialect: str) -> str:
    """The id of the one call so far, as the protocol gave it."""
    found = trajectory(list(exchanges(agent.log)), session="s", agent="a", version="1", model="m", instruction="i")
    name: str = found["steps"][1]["tool_calls"][0]["tool_call_id"]
    return name


@pytest.mark.parametrize("dialect", BODIES)
def test_a_call_its_result_and_the_end(agent: Make, provider: Server, dialect: str) -> None:
    one = agent()
    provider.script(Turn("I write.", calls=[("write", {"path": "a", "n": 1})], thought="hm"), Turn("A title"), Turn("Done."))
    one.ask(dialect)
    one.ask(dialect, tools=[])
    one.ask(dialect, **RESULT[dialect](called(one, dialect)))
    told = trajectory(list(exchanges(one.log)), session="run", agent="codex", version="0.171.0", model="m", instruction="Make it.")
    user, writes, ends = told["steps"]
    assert user == {"step_id": 1, "source": "user", "message": "Make it."}
    assert (writes["message"], writes["step_id"], ends["message"], ends["step_id"]) == ("I write.", 2, "Done.", 3)
    [call] = writes["tool_calls"]
    assert (call["function_name"], call["arguments"]) == ("write", {"path": "a", "n": 1})
    assert writes["observation"]["results"] == [{"source_call_id": call["tool_call_id"], "content": "ok"}]
    assert writes["metrics"] == {"prompt_tokens": 16, "completion_tokens": 20, "cached_tokens": 5}
    assert told["final_metrics"] == {"total_prompt_tokens": 48, "total_completion_tokens": 60, "total_cached_tokens": 15, "total_steps": 3}
    assert told["extra"] == {"tools": {"write": 1}, "side_calls": 1}
    assert "hm" in writes.get("reasoning_content", "hm" if dialect == "openai-responses" else "")


def test_a_line_that_a_kill_cut_is_left_out(tmp_path: Path) -> None:
    whole = {"kind": "exchange", "at": 1.0, "dialect": "openai", "model": "m", "step": True, "request": {}, "status": 200, "tokens": None,
             "answer": [{"choices": [{"message": {"content": "hi"}}]}]}  # fmt: skip
    (tmp_path / "x.jsonl").write_text(json.dumps(whole) + "\n" + json.dumps({"kind": "refused"}) + '\n{"kind": "exch')
    assert list(exchanges(tmp_path / "x.jsonl")) == [whole]
    told = trajectory([whole], session="s", agent="a", version="1", model="m", instruction="i")
    assert "metrics" not in told["steps"][1] and told["steps"][1]["timestamp"] == "1970-01-01T00:00:01+00:00"
