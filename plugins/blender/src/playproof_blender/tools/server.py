"""`playproof-blender-mcp`: the tools over the Model Context Protocol, by standard input and output, in one workspace."""

import base64
import os
import sys
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from playproof import logs
from playproof.cli.options import default_cache
from playproof.errors import PlayproofError
from playproof.interfaces import Services
from playproof_blender.backend import find
from playproof_blender.tools.calls import Account, Failed, place_for
from playproof_blender.tools.library import read_library
from playproof_blender.tools.offered import Tools
from playproof_blender.tools.tool import Answer
from playproof_blender.tools.workshop import opened

try:
    import anyio
    from mcp import types
    from mcp.server import Server
    from mcp.server.stdio import stdio_server
except ImportError:  # the extra `tools` was not asked for
    sys.exit("playproof-blender-mcp needs the package mcp: pip install 'playproof-blender[tools]'")


@click.command()
@click.option("--workspace", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path(),
              help="The folder with the project; the current one without it.")
@click.option("--wall-s", type=click.FloatRange(min=1), default=120.0, show_default=True, help="Seconds for a script, and for other work.")
@click.option("--assets", type=click.Path(path_type=Path, file_okay=False, exists=True),
              help="A folder with a library of assets to offer; none is offered without it.")
def main(workspace: Path, wall_s: float, assets: Path | None) -> None:
    """Tools for Blender over the Model Context Protocol (standard input and output)."""
    logs.configure()  # standard output is the protocol's alone
    with ExitStack() as exits:
        try:
            library = read_library(assets) if assets else None
            services = Services(default_cache(), exits)
            workshop = exits.enter_context(opened(workspace, find(services.cache, os.environ), services, wall_s))
            account = Account(place_for(workshop.root))
            tools = Tools(workshop, account, library)
            account.offer([*tools.tools], library.told if library else None)
        except PlayproofError as fault:
            raise click.ClickException(str(fault)) from None
        anyio.run(serve, tools)


async def serve(tools: Tools) -> None:
    """Answers one call after another, since all work on one project, until standard input ends."""
    one_at_a_time = anyio.Lock()

    async def offered(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name=one.name, description=one.words, input_schema=dict(one.schema))
                                            for one in tools.tools.values()])  # fmt: skip

    async def called(_: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        async with one_at_a_time:
            try:
                return _result(await anyio.to_thread.run_sync(tools.call, asked.name, asked.arguments or {}))
            except Failed as fault:
                return types.CallToolResult(content=[types.TextContent(type="text", text=str(fault))], is_error=True)

    server = Server("playproof-blender", version=version("playproof-blender"), on_list_tools=offered, on_call_tool=called)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _result(answer: Answer) -> types.CallToolResult:
    pictures = [types.ImageContent(type="image", data=base64.b64encode(one).decode(), mime_type="image/png") for one in answer.pictures]
    return types.CallToolResult(content=[types.TextContent(type="text", text=answer.text), *pictures])
