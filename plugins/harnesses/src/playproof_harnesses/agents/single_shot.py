"""No agent at all: the task's documents in one request to a model, and the files that its reply holds. The floor that agents stand on."""

import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from attrs import Factory, field, frozen, validators

from playproof.canonical import plain
from playproof.dialogue import Message, Part, Picture, Reply, Request, Stop, Text
from playproof.drivers import build, settings
from playproof.errors import ModelUnavailable, NotAllowed, RequestRejected
from playproof.interfaces import Job, Model, Services
from playproof.model import Ended, Ending, Options, Ref
from playproof_harnesses.agents.agent import usage
from playproof_harnesses.gateway.ledger import Spent

SYSTEM = """You are given a task and the files that belong to it. Reply with the complete contents of every file that is to be delivered:
<file path="PATH">
CONTENTS
</file>
with a path relative to the workspace. Nothing outside of these is kept, and nobody answers questions."""

FILE = re.compile(r'<file path="([^"\n]+)">\r?\n(.*?)\r?\n?</file>', re.DOTALL)
PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
RULES = 1
"""Raised when what is asked, or how a reply is read, changes."""
MOST_BYTES = 400_000
"""Of one document. What is larger, or no text and no picture, is named and not shown."""


@frozen(kw_only=True)
class Settings:
    """`model` as its provider names it, asked through the model driver `driver` with its `options`. `max_tokens` bounds the reply."""

    model: str = field(validator=validators.min_len(1))
    driver: str = "anthropic"
    options: Mapping[str, Any] = Factory(dict)
    max_tokens: int = field(default=32_000, validator=validators.ge(1))
    temperature: float | None = None


class SingleShot:
    """Implements `Harness`. It needs a plugin that brings models (playproof-judges)."""

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(Settings, options, "single-shot")
        own = self._settings
        self._model: Model = build("model", Ref(own.driver, {"model": own.model, **own.options}), services)

    @property
    def stack(self) -> Options:
        own = self._settings
        return {"agent": "single-shot", "rules": RULES, "model": plain(self._model.identity), "max_tokens": own.max_tokens,
                "temperature": own.temperature}

    def generate(self, job: Job) -> Ending:
        """Every trouble of the model is an ending: of the provider, of the key, of what it will not do."""
        own, begun = self._settings, time.monotonic()
        bound = min(own.max_tokens, job.budget.tokens or own.max_tokens)
        asked = [Message("user", list(_documents(job)))]
        request = Request(asked, SYSTEM, max_tokens=bound, temperature=own.temperature, seed=job.seed)
        try:
            reply = self._model.ask(request)
        except ModelUnavailable as fault:
            return Ending(Ended.PROVIDER, str(fault))
        except NotAllowed as fault:
            return Ending(Ended.AUTH, str(fault))
        except RequestRejected as fault:
            return Ending(Ended.FAILED, str(fault))
        job.log("stdout", reply.text.encode())
        return Ending(*_delivered(reply, job.workspace), None,
                      usage(time.monotonic() - begun, Spent(requests=1, steps=1, answered=1, tokens=reply.tokens)))


def _documents(job: Job) -> Iterator[Part]:
    """The instruction, then everything else that an agent would find, by path."""
    yield Text(job.instruction)
    for path in sorted(one for one in job.workspace.rglob("*") if one.is_file() and not one.is_symlink()):
        name, content = path.relative_to(job.workspace).as_posix(), path.read_bytes()[: MOST_BYTES + 1]
        if name == "brief/instruction.md":
            continue
        if path.suffix.lower() in PICTURES and len(content) <= MOST_BYTES:
            yield Picture(content, PICTURES[path.suffix.lower()], name)
            continue
        try:
            text = content.decode("utf-8") if len(content) <= MOST_BYTES and b"\0" not in content else None
        except UnicodeDecodeError:
            text = None
        yield Text(f'<file path="{name}">\n{text}\n</file>' if text is not None else f"{name}: {path.stat().st_size} bytes, not shown")


def _delivered(reply: Reply, workspace: Path) -> tuple[Ended, str]:
    """Writes the files of a reply; one that lies outside of the workspace is told, and not written."""
    text, found = reply.text, FILE.findall(reply.text)
    wrong = [told for name, content in found if (told := _written(name, content, workspace))]
    if reply.stop is Stop.REFUSED:
        return Ended.REFUSED, text[-2000:]
    if reply.stop is Stop.LENGTH:
        return Ended.TOKENS, f"the reply was cut at its bound; {len(found)} whole files were in it"
    told = "; ".join([f"{len(found) - len(wrong)} files", *wrong])
    return (Ended.COMPLETED if found and not wrong else Ended.FAILED), told if found else f"no file is in the reply: {text[-500:]}"


def _written(name: str, content: str, workspace: Path) -> str:
    """Why a file cannot be written, if so; whatever a model calls it, it is told and never ours."""
    path = PurePosixPath(name)
    try:
        if path.is_absolute() or ".." in path.parts or not (workspace / name).resolve().is_relative_to(workspace.resolve()):
            return f"outside of the workspace: {name}"
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(content + "\n", "utf-8")
    except (OSError, ValueError) as fault:
        return f"{name[:200]!r} cannot be written: {type(fault).__name__}"
    return ""
