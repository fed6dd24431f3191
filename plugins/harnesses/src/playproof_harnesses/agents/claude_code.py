"""Claude Code (@anthropic-ai/claude-code), without a terminal: Anthropic Messages."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from playproof.interfaces import Job
from playproof.model import Ended
from playproof_harnesses.agents.agent import MADE_UP, Agent, Place, Provider, Said, Start
from playproof_harnesses.agents.chips import build_for
from playproof_harnesses.agents.lines import last_of
from playproof_harnesses.agents.settings import TurnSettings

BUILDS = {"x86_64": "x64", "aarch64": "arm64"}
TOOLS: Mapping[str, Sequence[str]] = {"none": (), "files": ("Read", "Write", "Edit", "Glob", "Grep")}
"""What each set of tools leaves; `full` leaves all that the program has."""


class ClaudeCode(Agent):
    name = "claude-code"
    version = "2.1.332"
    provider = Provider("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", "x-api-key")
    kind: ClassVar[type[TurnSettings]] = TurnSettings
    settings: TurnSettings

    def start(self, place: Place, job: Job) -> Start:
        own = self.settings
        argv = [f"{place.layer}/node_modules/@anthropic-ai/claude-code-linux-{build_for(self.name, BUILDS)}/claude", "--print", "--verbose",
                "--output-format=stream-json", "--permission-mode=bypassPermissions", f"--model={own.model}"]
        argv += [f"--max-turns={own.turns}"] if own.turns else []
        argv += [f"--effort={own.effort}"] if own.effort else []
        argv += ["--tools", ",".join(TOOLS[own.tools])] if own.tools in TOOLS else []
        env = {"ANTHROPIC_BASE_URL": place.address, "ANTHROPIC_API_KEY": MADE_UP, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
               "CLAUDE_CONFIG_DIR": f"{place.home}/claude", "CLAUDE_CODE_MAX_RETRIES": "3", "IS_SANDBOX": "1", "DISABLE_AUTOUPDATER": "1",
               "ANTHROPIC_SMALL_FAST_MODEL": own.model, "ANTHROPIC_DEFAULT_HAIKU_MODEL": own.model}
        return Start(argv, env, {})

    def said(self, stdout: bytes) -> Said:
        """The last `result`. Its subtype is "success" though the provider refused the key, so `is_error` counts as well."""
        last = last_of(stdout, "result")
        if last is None:
            return Said(Ended.FAILED, "it ended without a result")
        words, usage = str(last.get("result") or last.get("subtype") or ""), last.get("modelUsage") or last.get("usage")
        if last.get("subtype") == "error_max_turns":
            return Said(Ended.STEPS, words, usage)
        if last.get("stop_reason") == "refusal":
            return Said(Ended.REFUSED, words, usage)
        failed = bool(last.get("is_error")) or last.get("subtype") != "success"
        return Said(Ended.FAILED if failed else Ended.COMPLETED, words, usage)
