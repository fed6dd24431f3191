"""What all agents have in common: a program out of a pinned layer, in a sandbox, behind a gateway of its own; one record for all."""

import json
import socket
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, ClassVar

from attrs import asdict, frozen

from playproof.drivers import settings
from playproof.errors import NotAllowed, UsageError
from playproof.interfaces import Box, Exit, Job, Limits, Services
from playproof.model import Ended, Ending, Options, Usage
from playproof.packages import lay_in
from playproof_harnesses.agents.settings import NOT_IDENTITY, AgentSettings
from playproof_harnesses.gateway.exchanges import Exchanges
from playproof_harnesses.gateway.ledger import Bounds, Ledger, Price, Spent, no_price
from playproof_harnesses.gateway.server import Gateway, Upstream
from playproof_harnesses.trajectory import exchanges, trajectory

PROGRAMS = Path(__file__).parents[1] / "programs"
RELAY = Path(__file__).parents[1] / "inside" / "relay.py"
PORT = 8642
"""Where an agent finds its model, in a network that is its own."""
LAST_WORDS = 2000
MOST_OUT = 16 << 20
"""Bytes of what an agent prints that are looked at, the last ones."""
RULES = 1
"""Raised when command lines, settings or the rules of the gateway change what agents do: generations of before are not those of now."""
MADE_UP = "sk-playproof-made-up-key-of-no-worth"
"""What an agent takes for its key. The gateway never passes it on."""


@frozen
class Provider:
    """Who serves a model: the address, the environment variable of the key, the header that bears it. `strip` is what the agent's paths
    begin with where the address ends with it, too."""

    name: str
    address: str
    variable: str
    header: str
    prefix: str = ""
    strip: str = ""


@frozen
class Place:
    """An agent's surroundings, as it sees them: `home` is a folder of its own outside the workspace, `layer` its program's, `address` where
    its model is."""

    workspace: str
    home: str
    layer: str
    address: str


@frozen
class Start:
    """What an agent is started with: files below its home, and the command line that reads the instruction from standard input."""

    argv: Sequence[str]
    env: Mapping[str, str]
    files: Mapping[str, str]


@frozen
class Said:
    """What an agent says of its own ending: `trouble` where it says that something went wrong, and its own count, kept beside ours."""

    ended: Ended | None = None
    words: str = ""
    usage: Mapping[str, Any] | None = None


class Agent(ABC):
    """Implements `Harness` for one program."""

    name: ClassVar[str]
    version: ClassVar[str]
    provider: ClassVar[Provider]
    kind: ClassVar[type[AgentSettings]] = AgentSettings

    def __init__(self, options: Options, services: Services) -> None:
        self.settings = settings(self.kind, options, self.name)
        self._services = services

    @property
    def stack(self) -> Options:
        """Its program's version and what was chosen; that no program of its own lies about its version is the lock's affair."""
        chosen = asdict(self.settings, filter=lambda one, value: one.name not in NOT_IDENTITY and value is not None)
        return {"agent": self.name, "version": self.version, "rules": RULES, **chosen}

    # --- one program ---

    @abstractmethod
    def start(self, place: Place, job: Job) -> Start: ...
    @abstractmethod
    def said(self, stdout: bytes) -> Said: ...

    # --- all of them ---

    def generate(self, job: Job) -> Ending:
        """Raises InfrastructureError where the sandbox does not start, NotAllowed where there is no key, UsageError for a bound in USD
        without a price."""
        ledger = Ledger(Bounds(job.budget.steps, job.budget.tokens, job.budget.usd), self._price(job))
        upstream, layer = self._upstream(), lay_in(PROGRAMS / self.name / "package-lock.json", self._services.cache)
        with ExitStack() as exits:
            scratch = Path(exits.enter_context(_scratch()))
            keep = job.keep or scratch
            log = Exchanges(keep / "exchanges.jsonl", upstream.hide)
            exits.enter_context(Gateway(scratch / "gateway" / "socket", upstream, ledger, log, [self.settings.model]))
            end, out, words = self._run(job, scratch, layer)
            spent = ledger.close()
            said = self.said(out)
            self._keep(keep, job, spent, said)
        ended, why = _ended(end, said, ledger, spent)
        return Ending(ended, upstream.hide(why or said.words or words)[-LAST_WORDS:], end.code, usage(end.wall_s, spent))

    def _keep(self, keep: Path, job: Job, spent: Spent, said: Said) -> None:
        """For readers: that a trajectory cannot be made of what a model said changes nothing of how the agent ended."""
        (keep / "usage.json").write_text(json.dumps({"gateway": asdict(spent), "own": said.usage}, indent=1))
        try:
            done = trajectory(list(exchanges(keep / "exchanges.jsonl")), session=job.task_id, agent=self.name, version=self.version,
                              model=self.settings.model, instruction=job.instruction)
        except Exception as fault:  # noqa: BLE001 - whatever a model may have said
            done = {"trouble": f"no trajectory can be made of exchanges.jsonl: {type(fault).__name__}: {fault}"}
        (keep / "trajectory.json").write_text(json.dumps(done, indent=1), "utf-8")

    def _run(self, job: Job, scratch: Path, layer: Path) -> tuple[Exit, bytes, str]:
        moved = job.sandbox.promises["files"]
        home, way = scratch / "home", scratch / "gateway"
        port = PORT if job.sandbox.promises["network"] else _free_port()
        place = Place("/workspace" if moved else str(job.workspace), "/agent" if moved else str(home), str(layer), f"http://127.0.0.1:{port}")
        start = self.start(place, job)
        for name, text in start.files.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text)
        python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
        mounts = {str(one): one for one in (layer, RELAY, *_python(python))}
        seen = "/gateway" if moved else str(way)
        out, words = bytearray(), bytearray()

        def hear(stream: str, chunk: bytes) -> None:
            job.log(stream, chunk)
            (out if stream == "stdout" else words).extend(chunk)
            del words[:-LAST_WORDS], out[:-MOST_OUT]

        box = Box(job.workspace, {**mounts, seen: way}, {place.home: home},
                  Limits(wall_s=job.budget.wall_s, idle_s=job.budget.idle_s), hidden=job.hidden)
        with job.sandbox.open(box) as shell:
            argv = [str(python), "-I", "-S", str(RELAY), f"{seen}/socket", str(port), "--", *start.argv]
            end = shell.run(argv, stdin=job.instruction.encode(), env={"HOME": place.home, **start.env}, output=hear)
        return end, bytes(out), words.decode("utf-8", "replace").strip()

    def _upstream(self) -> Upstream:
        own, provider = self.settings, self.provider
        variable = own.key if own.key is not None else provider.variable if own.base_url is None else ""
        secret = (self._services.secret(variable) or "").strip() if variable else ""
        if variable and not secret:
            raise NotAllowed(f"{self.name} {own.model!r}: no key; set the environment variable {variable}")
        if not (secret.isascii() and secret.isprintable()):
            raise NotAllowed(f"{self.name}: what {variable} holds is no key: it has characters that no key has")
        headers = {provider.header: provider.prefix + secret} if secret else {}
        return Upstream(own.base_url or provider.address, headers, provider.strip, secret)

    def _price(self, job: Job) -> Price:
        price = self.settings.price.price if self.settings.price else no_price
        if job.budget.usd is not None and self.settings.price is None:
            raise UsageError(f"{self.name}: the task has a budget in USD, and no price is known for {self.settings.model!r}: give `price`")
        return price


@contextmanager
def _scratch() -> Iterator[str]:
    """A folder in which an agent, who is another user, may find what is its own; its socket's path must be short."""
    with tempfile.TemporaryDirectory(prefix="pp-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        own = Path(folder, token_hex(8))  # a name that nobody else on this machine can find: whoever reaches the socket uses the key
        for name in (".", "home", "gateway"):
            (own / name).mkdir(mode=0o755)
        yield str(own)


def _python(program: Path) -> Sequence[Path]:
    """The interpreter's own folders, where they are none that every box shows."""
    base = Path(sys.base_prefix).resolve()
    return [] if base.is_relative_to("/usr") else [base / part for part in ("bin", "lib") if (base / part).is_dir()]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


PROVIDERS = frozenset({401, 403, 408, 425, 429, *range(500, 600)})
"""Statuses that are the provider's affair, or the key's. Any other says that the agent asked for something that cannot be."""


def _ended(end: Exit, said: Said, ledger: Ledger, spent: Spent) -> tuple[Ended, str]:
    """With why, where it is not what the agent says. Never from an exit code alone: several agents exit with 0 whatever happened. A bound
    that was reached comes first, since what an agent says then is about the refusal of its next request; then a provider that answered
    nothing, which some agents ask until our clocks end them; then our clocks, of which the one for silence is no agent's fault while it
    waits for an answer."""
    if ledger.reached:
        return {"steps": Ended.STEPS, "tokens": Ended.TOKENS, "usd": Ended.BUDGET}[ledger.reached], ""
    if spent.foreign and not spent.requests:
        return Ended.AUTH, "the program asked for other models than `model` alone: name it as the program asks for it (see exchanges.jsonl)"
    if not spent.answered and (ledger.statuses or ledger.waiting):
        theirs = PROVIDERS & set(ledger.statuses)
        if theirs or ledger.waiting:
            return (Ended.AUTH if theirs and theirs <= {401, 403} else Ended.PROVIDER), ""
    if end.ended in ("idle", "wall"):
        return (Ended.WALL if end.ended == "wall" else Ended.PROVIDER if ledger.waiting else Ended.IDLE), ""
    clean = end.ended == "exited" and end.code == 0 and spent.answered
    own = said.ended if said.ended is not None else Ended.COMPLETED if clean else Ended.FAILED
    return (Ended.PROVIDER if own is Ended.FAILED and ledger.last_status in PROVIDERS else own), ""


def usage(wall_s: float, spent: Spent) -> Usage:
    t = spent.tokens
    return Usage(round(wall_s, 3), spent.steps, spent.input, t.output, t.usd, spent.requests, t.cache_read, t.cache_write, t.reasoning)
