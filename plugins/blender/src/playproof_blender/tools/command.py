"""`blender-run SCRIPT.py [PROJECT.blend]`: the tool `execute_script` as a plain command."""

import os
from contextlib import ExitStack
from pathlib import Path

import click

from playproof import logs
from playproof.cli.options import default_cache
from playproof.errors import PlayproofError
from playproof.interfaces import Services
from playproof_blender.backend import find
from playproof_blender.tools.calls import Account, Failed, place_for
from playproof_blender.tools.offered import printed
from playproof_blender.tools.workshop import opened

FAILED, LACKING = 1, 3
"""Exit codes beside 0, and 2 for wrong use: the script failed, Blender hung or died over it, or there is no such project; there is no
Blender to run it."""


@click.command()
@click.argument("script", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.argument("project", required=False)
@click.option("--workspace", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path(),
              help="The folder with the project; the current one without it.")
@click.option("--wall-s", type=click.FloatRange(min=1), default=120.0, show_default=True, help="Seconds for the script.")
def main(script: Path, project: str | None, workspace: Path, wall_s: float) -> None:
    """Run a script with bpy in a project of the workspace, and save it. Without PROJECT: in the only .blend there, or a new project.blend.

    Exit codes: 0 it was saved; 1 the script failed, and the project is as it was; 2 wrong use; 3 there is no Blender."""
    logs.configure()
    try:
        with ExitStack() as exits:
            exits.enter_context(Account(place_for(workspace.resolve())).call("blender-run", "execution"))
            services = Services(default_cache(), exits)
            workshop = exits.enter_context(opened(workspace, find(services.cache, os.environ), services, wall_s))
            done = workshop.script(script.read_text("utf-8"), str(script.resolve()), project)
    except (Failed, UnicodeDecodeError) as fault:
        click.echo(fault, err=True)
        raise SystemExit(FAILED) from None
    except PlayproofError as fault:
        click.echo(fault, err=True)
        raise SystemExit(LACKING) from None
    click.echo(printed(done))
