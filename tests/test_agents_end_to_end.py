"""Real agents on a real task: a game written in the sandbox by each program, played by the checks; and a provider that takes no key."""

import base64
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof.cli.run import execute
from playproof.model import Ended, Outcome
from playproof.run import Request, plan
from playproof.store import Store
from playproof.trial import Done
from playproof_judges.testing import Asked, Fail, Server, Turn, Used

pytestmark = pytest.mark.heavy

GAME = Path(__file__).parents[1] / "tasks" / "webgame" / "tea-house"
WRITTEN = (GAME / "reference" / "index.html").read_text("utf-8")
SPELLED = base64.b64encode(WRITTEN.encode()).decode()
CALLS: Mapping[str, Mapping[str, Any]] = {
    "Write": {"file_path": "/workspace/index.html", "content": WRITTEN},
    "exec_command": {"cmd": f"echo {SPELLED} | base64 -d > index.html"},
}
CHECK = "p0-start"


def author(asked: Asked) -> Turn:
    tool = next((one for one in CALLS if one in asked.tools), None)
    if tool is None or asked.results:
        return Turn("Done.", used=Used(input=1000, output=100, cache_read=0, reasoning=0))
    return Turn("", calls=[(tool, CALLS[tool])], used=Used(input=1000, output=100, cache_read=0, reasoning=0))


@pytest.fixture(scope="module")
def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof"


@pytest.fixture
def run(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Done]]:
    def carried(agent: str, answer: Callable[[Asked], Any]) -> Done:
        with Server(answer) as provider:
            monkeypatch.setenv("SCRIPTED_KEY", "sk-the-real-one-0123456789")
            base = provider.url + ("" if agent == "claude-code" else "/v1")
            options = {"model": "test-model", "base_url": base, "key": "SCRIPTED_KEY"}
            [done] = execute(plan(Request([GAME], [agent], cache, options=options, only=[CHECK], workers=1)), tmp_path / "run", 1,
                             quiet=True, verbose=False)
            return done

    yield carried


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_an_agent_writes_a_game_that_is_played(run: Callable[..., Done], tmp_path: Path, agent: str) -> None:
    done = run(agent, author)
    assert done.ending.ended is Ended.COMPLETED, done.ending
    assert [(one.check, one.outcome) for one in done.verdicts] == [(CHECK, Outcome.PASS)]
    usage = done.ending.usage
    assert usage.requests is not None and usage.input_tokens == 1000 * usage.requests and usage.output_tokens == 100 * usage.requests
    record = Store(tmp_path / "run", reading=True).record("generation", done.trial.generation_id)
    assert record is not None and record["inputs"]["stack"]["agent"] == agent
    assert b"sk-the-real-one" not in b"".join(place.read_bytes() for place in (tmp_path / "run").rglob("*") if place.is_file())


def test_a_key_that_is_not_taken_is_void_and_every_try_is_kept(run: Callable[..., Done], tmp_path: Path) -> None:
    done = run("claude-code", lambda asked: Fail(401, "invalid x-api-key"))
    assert done.generation is None and done.result().void and "auth_error" in done.trouble
    tries = Store(tmp_path / "run", reading=True).tries(done.trial.generation_id)
    assert len(tries) >= 2 and all(one["usage"]["requests"] >= 1 for one in tries)
