"""`playproof new`: a task to begin with, which says in its own files what is still to be written, or a plugin."""

from pathlib import Path

import click

from playproof.author.plugin import plugin
from playproof.drivers import names
from playproof.errors import UsageError

_TASK = """schema = 1
id = "{id}"
version = "0.1.0"
domain = "{domain}"
kind = "generation"
title = "{title}"
deliver = ["{deliver}"]

[labels]
difficulty = "medium"

[budget]
wall_s = 3600
idle_s = 600

[runtime]
driver = "{runtime}"

[[examiners]]
driver = "python"
files = ["*.py"]
"""

_INSTRUCTION = """# {title}

Say what is to be made, in which file it is delivered (`{deliver}`), and which documents beside this one bind it.
An agent reads this folder and nothing else.
"""

_CHECK = '''"""Held out: an agent never sees this file."""

from playproof.checks import check, seconds


@check("p0-runs", priority="P0", title="it runs for a second", source="instruction.md")
def runs(session):
    session.wait(seconds(1))
'''

_EXPECTED = """# What this variant must fail, and what may fail as a consequence (each with a reason).
must_fail = ["p0-runs"]
"""


@click.group()
def new() -> None:
    """Begin something new."""


@new.command("task")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--runtime", help="The runtime driver (default: the only one installed).")
@click.option("--title", help="The task's title (default: from the folder's name).")
@click.option("--deliver", default="index.html", show_default=True, help="The file that an agent must deliver.")
def task(folder: Path, runtime: str | None, title: str | None, deliver: str) -> None:
    """Make FOLDER a task: brief, starter, checks, reference, an accepted and a broken variant to fill in."""
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty")
    known = names("runtime")
    if runtime is None:
        if len(known) != 1:
            raise UsageError(f"--runtime is needed; installed: {', '.join(known) or 'none'}")
        runtime = known[0]
    if runtime not in known:
        raise UsageError(f"no runtime named {runtime!r}; installed: {', '.join(known) or 'none'}")
    id = folder.resolve().name
    facts = {"id": id, "domain": runtime.split(".")[0], "title": title or id.replace("-", " ").capitalize(), "deliver": deliver,
             "runtime": runtime}
    for name, text in {
        "task.toml": _TASK, "brief/instruction.md": _INSTRUCTION, "checks/first.py": _CHECK, "broken/first/expected.toml": _EXPECTED,
    }.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text.format(**facts) if name != "checks/first.py" else text, "utf-8")
    for name in ("starter", "reference", "accepted/first"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    click.echo(f"made {folder}; next: write the brief, a reference that delivers {deliver}, then `playproof check {folder}`")


new.add_command(plugin)
