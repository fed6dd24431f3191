"""Codex (@openai/codex), without a terminal: OpenAI Responses."""

import json
from typing import ClassVar

from attrs import field, frozen, validators

from playproof.interfaces import Job
from playproof.model import Ended
from playproof_harnesses.agents.agent import MADE_UP, Agent, Place, Provider, Said, Start
from playproof_harnesses.agents.chips import build_for
from playproof_harnesses.agents.lines import values
from playproof_harnesses.agents.settings import AgentSettings

BUILDS = {"x86_64": ("x64", "x86_64"), "aarch64": ("arm64", "aarch64")}

CONFIG = """check_for_update_on_startup = false
model = {model}
model_provider = "gateway"
web_search = "disabled"
[model_providers.gateway]
name = "gateway"
base_url = "{address}/v1"
wire_api = "responses"
env_key = "GATEWAY_KEY"
request_max_retries = 3
stream_max_retries = 3
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
metrics_exporter = "none"
[features]
plugins = false
apps = false
goals = false
multi_agent = false
"""
"""It asks hosts of its maker otherwise, and where there is no network its end is delayed by six seconds (measured)."""


@frozen(kw_only=True)
class Settings(AgentSettings):
    """It has no bound on steps of its own: the gateway keeps that of the task."""

    effort: str | None = field(default=None, validator=validators.optional(validators.in_(("minimal", "low", "medium", "high", "xhigh"))))


class Codex(Agent):
    name = "codex"
    version = "0.171.0"
    provider = Provider("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "authorization", "Bearer ", "/v1")
    kind: ClassVar[type[Settings]] = Settings
    settings: Settings

    def start(self, place: Place, job: Job) -> Start:
        short, long = build_for(self.name, BUILDS)
        program = f"{place.layer}/node_modules/@openai/codex-linux-{short}/vendor/{long}-unknown-linux-musl/bin/codex"
        argv = [program, "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-C", place.workspace]
        argv += ["-c", f"model_reasoning_effort={self.settings.effort}"] if self.settings.effort else []
        config = CONFIG.format(model=_quoted(self.settings.model), address=place.address)
        return Start([*argv, "-"], {"CODEX_HOME": f"{place.home}/codex", "GATEWAY_KEY": MADE_UP}, {"codex/config.toml": config})

    def said(self, stdout: bytes) -> Said:
        """A turn that completed is the end; `turn.failed` says why there is none."""
        told = list(values(stdout))
        words = [one["item"].get("text", "") for one in told
                 if one.get("type") == "item.completed" and one.get("item", {}).get("type") == "agent_message"]
        failed = next((one for one in reversed(told) if one.get("type") in ("turn.failed", "turn.completed")), None)
        if failed is None or failed["type"] == "turn.failed":
            return Said(Ended.FAILED, str((failed or {}).get("error", {}).get("message") or "it ended without a completed turn"))
        return Said(Ended.COMPLETED, words[-1] if words else "", failed.get("usage"))


def _quoted(text: str) -> str:
    """As a TOML string, of which a JSON string is one."""
    return json.dumps(text)
