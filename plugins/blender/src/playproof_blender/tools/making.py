"""`playproof-blender-assets FOLDER`: makes a small library of assets of our own, by a script, with the Blender that is found."""

import io
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from playproof import logs
from playproof.cli.options import default_cache
from playproof.errors import PlayproofError, UsageError
from playproof.interfaces import Services
from playproof_blender.backend import Blender, find
from playproof_blender.sealed import Seal
from playproof_blender.stages import Stages
from playproof_blender.tools.library import MANIFEST, SCHEMA, Library, read_library
from playproof_blender.tools.pictures import as_png, read_picture

VERSION = "1"
"""Of what is made: raised by hand whenever a thing of it changes."""

LICENCE = "Apache-2.0"
THUMBNAIL, MOST_SIDE = 144, 4096
WALL_S = 600.0


def make(folder: Path, blender: Blender, services: Services, only: Sequence[str] = ()) -> Library:
    """The library in a folder that is new or empty: the same Blender on the same machine makes the same bytes. Raises UsageError where
    the folder holds something, SessionError where Blender does not come to an end."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: wanted a folder that is new, or empty")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="playproof-assets-") as scratch:
        (root := Path(scratch) / "empty").mkdir()
        staged = Stages(blender, services, Path(scratch) / "stages").run("make_assets", root, None, {"only": [*only]}, WALL_S)
        staged.named("end")
        thumbnails = {one.value["id"]: one for one in staged.seals if one.name == "thumbnail"}
        entries = [_entry(folder, one, thumbnails) for one in staged.seals if one.name == "asset"]
    told = {"schema": SCHEMA, "version": f"{VERSION}, by Blender {blender.release}", "entries": entries}
    (folder / MANIFEST).write_text(json.dumps(told, indent=1) + "\n")
    return read_library(folder)


def _entry(folder: Path, asset: Seal, thumbnails: Mapping[str, Seal]) -> Mapping[str, Any]:
    """Writes an asset and its thumbnail, and says what the manifest has to say of them."""
    assert asset.place is not None
    id, suffix, content = asset.value["id"], asset.place.suffix, asset.read()
    if suffix == ".png":
        content = _again(content, MOST_SIDE)
    small = _again(thumbnails[id].read() if id in thumbnails else content, THUMBNAIL)
    return {**asset.value, "licence": LICENCE, **_written(folder, f"{id}{suffix}", content),
            "thumbnail": _written(folder, f"thumbnails/{id}.png", small)}  # fmt: skip


def _written(folder: Path, file: str, content: bytes) -> Mapping[str, str]:
    place = folder / file
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(content)
    return {"file": file, "sha256": sha256(content).hexdigest()}


def _again(content: bytes, most: int) -> bytes:
    """A picture without what Blender writes beside it: the time at which it was rendered, for one."""
    return as_png(read_picture(io.BytesIO(content), most).picture)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--only", multiple=True, metavar="ID", help="This asset alone; may be given more than once.")
def main(folder: Path, only: Sequence[str]) -> None:
    """Make a library of assets in FOLDER, to be offered by `playproof-blender-mcp --assets FOLDER`."""
    logs.configure()
    with ExitStack() as exits:
        try:
            services = Services(default_cache(), exits)
            made = make(folder, find(services.cache, os.environ), services, only)
        except PlayproofError as fault:
            raise click.ClickException(str(fault)) from None
    click.echo(f"{len(made.manifest.entries)} assets in {folder}; the library's digest is {made.digest}")
