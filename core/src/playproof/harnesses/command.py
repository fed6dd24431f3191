"""The `command` harness: any command line, in a sandbox, with the instruction on its standard input."""

from collections.abc import Mapping, Sequence

from attrs import Factory, field, frozen, validators

from playproof.drivers import settings
from playproof.errors import InfrastructureError, TaskError
from playproof.interfaces import Box, Exit, Job, Limits, Services, Shell
from playproof.model import Ended, Ending, Options, Usage
from playproof.proctree import Tree

INSTRUCTION = "brief/instruction.md"
VERSION_S = 30.0
LAST_WORDS = 2000


@frozen
class Settings:
    """`argv` runs in the workspace. `env` is recorded with the stack, so it is no place for secrets. `version_argv`, run outside
    the sandbox, says which version of the program is under test. `network` opens the sandbox to it."""

    argv: Sequence[str] = field(validator=validators.min_len(1))
    env: Mapping[str, str] = Factory(dict)
    version_argv: Sequence[str] = ()
    network: bool = False


class CommandHarness:
    """The instruction stands on standard input and in the file that PLAYPROOF_INSTRUCTION names, relative to the workspace."""

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(Settings, options, "command")

    @property
    def stack(self) -> Options:
        """Raises TaskError when the version cannot be had: runs of unknown versions would count as the same."""
        wanted = self._settings
        version = _version(wanted.version_argv) if wanted.version_argv else None
        return {"argv": list(wanted.argv), "env": dict(wanted.env), "version": version, "network": wanted.network}

    def generate(self, job: Job) -> Ending:
        """Raises InfrastructureError where the sandbox does not start or lacks the program; what the command does is an ending."""
        limits = Limits(wall_s=job.budget.wall_s, idle_s=job.budget.idle_s)
        words = bytearray()

        def hear(name: str, chunk: bytes) -> None:
            words[:] = (words + chunk)[-LAST_WORDS:]
            job.log(name, chunk)

        env = {"PLAYPROOF_INSTRUCTION": INSTRUCTION, "PLAYPROOF_TASK": job.task_id, "PLAYPROOF_SEED": str(job.seed), **self._settings.env}
        with job.sandbox.open(Box(job.workspace, limits=limits, network=self._settings.network, hidden=job.hidden)) as shell:
            _find(shell, self._settings.argv[0])
            end = shell.run(self._settings.argv, stdin=job.instruction.encode(), env=env, output=hear)
        return _ending(end, words.decode("utf-8", "replace").strip())


def _ending(end: Exit, words: str) -> Ending:
    used = Usage(wall_s=round(end.wall_s, 3))
    if end.ended == "exited":
        return Ending(Ended.FAILED if end.code else Ended.COMPLETED, words, end.code, used)
    return Ending({"wall": Ended.WALL, "idle": Ended.IDLE}.get(end.ended, Ended.FAILED), words, None, used)


def _find(shell: Shell, program: str) -> None:
    """Raises InfrastructureError where the sandbox has no such program: a slip in one's own command is no agent's failure."""
    if shell.run(["sh", "-c", 'command -v -- "$1" >/dev/null', "sh", program], wall_s=VERSION_S).code != 0:
        raise InfrastructureError(f"the sandbox has no program {program!r}; name one that it can see (a path below /usr, or in the "
                                  "workspace), or choose --sandbox process, which protects nothing")


def _version(argv: Sequence[str]) -> str:
    said = bytearray()
    with Tree(["env", *argv], output=lambda _, chunk: said.extend(chunk)) as tree:
        end = tree.wait(VERSION_S)
    if end.code != 0 or not (text := said.decode("utf-8", "replace").strip()):
        raise TaskError(f"options of 'command': {' '.join(argv)} @ $.version_argv gives no version ({end.ended}, code {end.code})")
    return text[:200]
