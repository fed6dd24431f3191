"""opencode (opencode-ai), without a terminal: OpenAI Chat Completions."""

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from playproof.interfaces import Job
from playproof.model import Ended
from playproof_harnesses.agents.agent import MADE_UP, Agent, Place, Provider, Said, Start
from playproof_harnesses.agents.chips import X64_ALONE, build_for
from playproof_harnesses.agents.lines import values
from playproof_harnesses.agents.settings import ToolSettings

OFF: Mapping[str, Sequence[str]] = {"none": ("*",), "files": ("bash", "webfetch", "task", "skill")}
"""The tools that each set takes away."""
LIMITS = {"context": 200_000, "output": 32_000}


class OpenCode(Agent):
    """Its own bound on steps is a plea to the model (measured), so only the gateway's is offered."""

    name = "opencode"
    version = "1.18.33"
    provider = Provider("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "authorization", "Bearer ", "/v1")
    kind: ClassVar[type[ToolSettings]] = ToolSettings
    settings: ToolSettings

    def start(self, place: Place, job: Job) -> Start:
        """A title keeps it from asking for one; it looks for packages of its own on the network, which is not there."""
        build_for(self.name, X64_ALONE)
        program = f"{place.layer}/node_modules/opencode-linux-x64/bin/opencode"
        env = {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1", "XDG_CONFIG_HOME": f"{place.home}/config",
               "XDG_DATA_HOME": f"{place.home}/data", "XDG_STATE_HOME": f"{place.home}/state", "XDG_CACHE_HOME": f"{place.home}/cache"}
        config = json.dumps(self._config(place.address))
        return Start([program, "run", "--format", "json", "--title", "task"], env, {"config/opencode/opencode.json": config})

    def _config(self, address: str) -> Mapping[str, object]:
        own = self.settings
        model: dict[str, object] = {"tool_call": True, "limit": LIMITS}
        if own.effort:
            model["options"] = {"reasoningEffort": own.effort}
        name = f"gateway/{own.model}"
        off = {"agent": {"build": {"tools": dict.fromkeys(OFF[own.tools], False)}}} if own.tools in OFF else {}
        return {"autoupdate": False, "share": "disabled", "model": name, "small_model": name, "permission": "allow", **off,
                "provider": {"gateway": {"npm": "@ai-sdk/openai-compatible", "models": {own.model: model},
                                         "options": {"baseURL": f"{address}/v1", "apiKey": MADE_UP}}}}  # fmt: skip

    def said(self, stdout: bytes) -> Said:
        """It prints no result: the last step's reason tells, and an `error` event that things went wrong."""
        told = list(values(stdout))
        parts = [(one.get("type"), one["part"]) for one in told if isinstance(one.get("part"), Mapping)]
        words = "".join(str(part.get("text", "")) for kind, part in parts if kind == "text")
        steps = [part for kind, part in parts if kind == "step_finish"]
        fault = next((one for one in reversed(told) if one.get("type") == "error"), None)
        if fault is not None:
            return Said(Ended.FAILED, json.dumps(fault.get("error")))
        usage = {"steps": [one.get("tokens") for one in steps]} if steps else None
        done = bool(steps) and steps[-1].get("reason") != "tool-calls"
        return Said(Ended.COMPLETED if done else Ended.FAILED, words or "it ended without a last step", usage)
