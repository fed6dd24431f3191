"""The `playproof` command. Only click is imported before a subcommand is chosen."""

import errno
import signal
import sys
import traceback
from importlib import import_module
from typing import Any

import click

COMMANDS = {
    "run": ("playproof.cli.run:run", "Let agents, or stored submissions, do tasks, and grade what they leave."),
    "evaluate": ("playproof.cli.run:evaluate", "Grade one folder or file against one task."),
    "check": ("playproof.author.check:check", "The task author's loop: the checks against the reference or a folder."),
    "score": ("playproof.cli.look:score", "Apply the scoring rules again to what is stored."),
    "judge": ("playproof.cli.judge:judge", "Ask judges about the stored evidence of a run."),
    "show": ("playproof.cli.look:show", "One trial, or one check of it, with its evidence."),
    "replay": ("playproof.cli.replay:replay", "Play a trial's recorded sessions again, and compare."),
    "report": ("playproof.cli.look:report", "A run as a page, a table, JSON or JUnit."),
    "certify": ("playproof.author.certify:certify", "Prove that a task's checks tell good from bad."),
    "tasks": ("playproof.cli.machine:tasks", "The tasks below a folder, with their certificates."),
    "plugins": ("playproof.cli.machine:plugins", "What is installed, what clashes and what does not load."),
    "doctor": ("playproof.cli.machine:doctor", "What this machine can run, and how to mend what it cannot."),
    "new": ("playproof.author.new:new", "Begin a new task, or a plugin."),
}
"""Name -> where it is, and its line in --help. A plugin adds its own in the group `playproof.command.v1`."""


UNWRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM)
"""A place that is not ours to write to: nobody's bug."""


class Lazy(click.Group):
    """Commands found by name and imported on use, so that --help costs next to nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(name for name in self._offered() if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            module, _, name = COMMANDS[cmd_name][0].partition(":")
            found: click.Command = getattr(import_module(module), name)
            return found
        if cmd_name in self._offered():
            from playproof.drivers import load

            loaded: click.Command = load("command", cmd_name)
            return loaded
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, line) for name, (_, line) in COMMANDS.items()]
        rows += [(name, f"(from {home})") for name, home in self._offered().items() if name not in COMMANDS]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    @staticmethod
    def _offered() -> dict[str, str]:
        from importlib.metadata import entry_points

        return {point.name: point.dist.name if point.dist else "" for point in entry_points(group="playproof.command.v1")}


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="playproof-core", prog_name="playproof")
def cli() -> None:
    """Measures whether coding agents can build interactive and 3D software: plays what they delivered as a person would
    use it, and says, requirement by requirement, what holds, with the evidence.

    Exit codes: 0 done, 1 a required check failed (evaluate, check) or a certificate does not hold, 2 usage, task or
    configuration, 3 done but coverage is below --min-coverage, 4 a
    budget is reached (the same command goes on), 70 internal, 130 interrupted (the same command goes on).
    """


def main() -> None:
    """The console entry point: every error of ours becomes one line and an exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what stops a machine's jobs is an interruption like Ctrl-C
    sys.exit(_guarded())


def _guarded() -> Any:
    try:
        return cli.main(standalone_mode=False) or 0
    except click.ClickException as fault:
        fault.show()
        return fault.exit_code
    except (KeyboardInterrupt, click.exceptions.Abort):  # click makes the one into the other
        click.echo("\ninterrupted: what is finished is kept; the same command goes on from there", err=True)
        return 130
    except Exception as fault:  # noqa: BLE001 - the outermost edge: ours become a line, the rest is told whole
        return _explain(fault)


def _explain(fault: Exception) -> int:
    from playproof.cli.progress import printable
    from playproof.errors import InfrastructureError, Interrupted, PluginError, UsageError

    if isinstance(fault, OSError) and fault.errno in UNWRITABLE:
        click.echo(f"playproof: cannot write {fault.filename}: {fault.strerror}; copy what is there to a place of your own", err=True)
        return 2
    if not isinstance(fault, UsageError | PluginError | Interrupted | InfrastructureError):
        traceback.print_exception(fault)
        return 70
    interrupted = isinstance(fault, Interrupted)
    for line in f"playproof: {fault}{'; the same command goes on from there' if interrupted else ''}".split("\n"):
        click.echo(printable(line, 2000), err=True)
    return 130 if interrupted else 70 if isinstance(fault, InfrastructureError) else 2
