"""`playproof new plugin FOLDER`: a distribution with one driver, and the contract that it must keep as its first test."""

import re
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from playproof.drivers import INTERFACES, names
from playproof.errors import UsageError

KINDS = ("judge", "model", "harness")
"""What there is a template for; docs/plugin-authors.md and its worked example show the rest."""


@click.command("plugin")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(KINDS), required=True, help="What the plugin brings.")
@click.option("--driver", help="The name that users write (default: from the folder's name).")
def plugin(folder: Path, kind: str, driver: str | None) -> None:
    """Make FOLDER a distribution that brings a judge, a model or a harness, with a driver that works and its contract test."""
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty")
    name = folder.resolve().name
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise UsageError(f"{name!r}: a distribution is named in lower-case letters, digits and single hyphens")
    driver = driver or name.removeprefix("playproof-")
    if driver in names(kind):
        raise UsageError(f"there is a {kind} named {driver!r} already; choose another with --driver")
    package = name.replace("-", "_")
    title = "".join(part.title() for part in re.split(r"\W+", driver))
    facts = {"name": name, "package": package, "driver": driver, "kind": kind, "class": title,
             "group": f"playproof.{kind}.v{INTERFACES[kind]}"}
    templates = files("playproof.author").joinpath("templates")
    for source, target in (("pyproject.toml", "pyproject.toml"), ("README.md", "README.md"), (f"{kind}.py", f"src/{package}/{kind}.py"),
                           (f"test_{kind}.py", f"tests/test_{kind}.py")):
        place = folder / target
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(Template(templates.joinpath(f"{source}.txt").read_text("utf-8")).substitute(facts), "utf-8")
    (folder / "src" / package / "__init__.py").write_text(f'"""A {kind} for Playproof."""\n', "utf-8")
    (folder / "src" / package / "py.typed").touch()
    click.echo(f"made {folder}; next: pip install -e {folder}, pytest {folder}, then write src/{package}/{kind}.py")
