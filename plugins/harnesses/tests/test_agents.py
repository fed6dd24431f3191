"""Real agent programs in a real sandbox, before a scripted provider: what they deliver, how they end, what they cost."""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from playproof.drivers import build
from playproof.interfaces import Harness, Job, Services
from playproof.model import Budget, Ended, Ending, Ref
from playproof_judges.testing import Asked, Fail, Server, Turn, Used

pytestmark = pytest.mark.heavy

AGENTS = ("claude-code", "codex", "gemini-cli", "opencode", "qwen-code")
PAGE = "<!doctype html><title>hi</title><h1>hello</h1>"
CALLS: Mapping[str, Callable[[str], tuple[str, Mapping[str, Any]]]] = {
    "Write": lambda place: ("Write", {"file_path": f"{place}/index.html", "content": PAGE}),
    "write_file": lambda place: ("write_file", {"file_path": f"{place}/index.html", "content": PAGE}),
    "write": lambda place: ("write", {"filePath": f"{place}/index.html", "content": PAGE}),
    "exec_command": lambda place: ("exec_command", {"cmd": f"printf '%s' '{PAGE}' > index.html"}),
}
"""A call of each program's own tool that delivers a page."""
USED = Used(input=11, output=23, cache_read=5, cache_write=0, reasoning=3)


def delivering(asked: Asked) -> Turn:
    """What delivers a page, and then says so; a side call, which declares no tools, gets a title."""
    tool = next((one for one in CALLS if one in asked.tools), None)
    if tool is None or asked.results:
        return Turn("Done.", used=USED)
    return Turn("", calls=[CALLS[tool]("/workspace")], used=USED)


@frozen
class Generated:
    ending: Ending
    workspace: Path
    kept: Path
    provider: Server
    log: bytes

    @property
    def own_steps(self) -> int:
        return sum(bool(one.tools) for one in self.provider.asked)


@pytest.fixture
def generate(tmp_path: Path) -> Callable[..., Generated]:
    """`generate("codex", answer, steps=2)`: one generation in bubblewrap, with a provider that answers so."""
    def run(agent: str, answer: Callable[[Asked], Any] = delivering, sandbox: str = "bubblewrap", options: Mapping[str, Any] | None = None,
            **budget: Any) -> Generated:
        workspace, kept, heard = tmp_path / "workspace", tmp_path / "kept", bytearray()
        (workspace / "brief").mkdir(parents=True)
        kept.mkdir()
        users = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof"
        with Server(answer) as provider, ExitStack() as exits:
            services = Services(users, exits, secret=lambda name: "sk-the-real-one-0123456789")
            base = provider.url + ("" if agent in ("claude-code", "gemini-cli") else "/v1")
            given = {"model": "test-model", "base_url": base, "key": "ANY", **(options or {})}
            harness: Harness = build("harness", Ref(agent, given), services)
            job = Job("tiny", "Make a page.", workspace, build("sandbox", Ref(sandbox), services), Budget(**{"wall_s": 120.0, **budget}), 0,
                      lambda _, chunk: heard.extend(chunk), keep=kept)
            return Generated(harness.generate(job), workspace, kept, provider, bytes(heard))

    return run


Generate = Callable[..., Generated]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_page_is_delivered_and_counted_to_the_token(generate: Generate, agent: str) -> None:
    done = generate(agent)
    assert done.ending.ended is Ended.COMPLETED, (done.ending, done.log[-2000:])
    assert (done.workspace / "index.html").read_text().strip() == PAGE
    usage, asked = done.ending.usage, len(done.provider.asked)
    assert (usage.requests, usage.steps) == (asked, done.own_steps) and usage.steps >= 2
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.reasoning_tokens) == (
        16 * asked, 23 * asked, 5 * asked, 3 * asked)
    assert {one.key for one in done.provider.asked} == {"sk-the-real-one-0123456789"}
    everything = b"".join(place.read_bytes() for folder in (done.kept, done.workspace) for place in folder.rglob("*") if place.is_file())
    assert b"sk-the-real-one" not in everything + done.log
    lines = [json.loads(line) for line in (done.kept / "exchanges.jsonl").read_text().splitlines()]
    assert [one["kind"] for one in lines if one["kind"] == "exchange"] == ["exchange"] * asked
    assert json.loads((done.kept / "usage.json").read_text())["own"]
    told = json.loads((done.kept / "trajectory.json").read_text())
    assert (told["schema_version"], told["steps"][0]["message"]) == ("ATIF-v1.8", "Make a page.")
    calls = [call for step in told["steps"] for call in step.get("tool_calls", ())]
    [tool] = {call["function_name"] for call in calls}
    assert tool in CALLS and PAGE in json.dumps(calls[0]["arguments"]).replace("\\", "") and told["extra"]["tools"] == {tool: 1}
    writing = next(step for step in told["steps"] if "tool_calls" in step)
    assert writing["observation"]["results"][0]["source_call_id"] == calls[0]["tool_call_id"]
    assert told["final_metrics"]["total_prompt_tokens"] == usage.input_tokens


def forever(asked: Asked) -> Turn:
    tool = next((one for one in CALLS if one in asked.tools), None)
    return Turn("", calls=[CALLS[tool]("/workspace")], used=USED) if tool else Turn("A title.", used=USED)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(("budget", "ended"), [({"steps": 3}, Ended.STEPS), ({"tokens": 90}, Ended.TOKENS), ({"usd": 0.003}, Ended.BUDGET)],
                         ids=["steps", "tokens", "usd"])
def test_a_bound_ends_it_whether_or_not_the_program_has_one(generate: Generate, agent: str, budget: Mapping[str, float],
                                                            ended: Ended) -> None:
    done = generate(agent, forever, options={"price": {"input": 10, "output": 50}}, **budget)
    assert done.ending.ended is ended, (done.ending, done.log[-2000:])
    assert done.own_steps <= 3 and done.ending.usage.steps == done.own_steps
    assert (done.workspace / "index.html").is_file(), "what was delivered before stays"


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(("fail", "ended"), [(Fail(401, "invalid key"), Ended.AUTH), (Fail(500, "no"), Ended.PROVIDER)], ids=["401", "500"])
def test_a_providers_fault_is_no_agents_failure(generate: Generate, agent: str, fail: Fail, ended: Ended) -> None:
    done = generate(agent, lambda asked: fail, wall_s=60.0)
    assert done.ending.ended is ended, (done.ending, done.log[-2000:])


def test_a_provider_that_falls_silent_is_no_idle_agent(generate: Generate) -> None:
    done = generate("codex", lambda asked: Turn("a b", silent=1), idle_s=4.0)
    assert done.ending.ended is Ended.PROVIDER, (done.ending, done.log[-2000:])
