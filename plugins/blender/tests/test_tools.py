"""The agent's tools with the real Blender: over MCP as a client has them, and as a plain command."""

import asyncio
import base64
import io
import json
import os
import sysconfig
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcp import ClientSession, types
from mcp.client.stdio import StdioServerParameters, stdio_client
from PIL import Image

from playproof_blender.backend import Blender
from playproof_blender.tools.calls import counts

pytestmark = pytest.mark.heavy

COMMANDS = Path(sysconfig.get_path("scripts"))
CUBE = """
import bpy
bpy.ops.mesh.primitive_cube_add(size=2, location=(0, 0, 1))
bpy.context.object.name = "Crate"
print("there are", len(bpy.data.objects))
"""
HALF = """
bpy.data.objects["Crate"].location.x = 5
bpy.ops.wm.save_mainfile()
open("aside.txt", "w").close()
def deep():
    return bpy.data.objects["Nothing"]
deep()
"""

Call = Callable[..., Awaitable[types.CallToolResult]]
Talk = Callable[[Call], Awaitable[None]]


@pytest.fixture(scope="session")
def environ(blender: Blender) -> Mapping[str, str]:
    return {**os.environ, "PLAYPROOF_BLENDER": str(blender.program)}


@pytest.fixture
def talk(environ: Mapping[str, str], tmp_path: Path) -> Callable[..., Any]:
    """`talk(conversation, *options)`: a client of the official SDK with a server of its own, in the workspace `tmp_path`."""

    def run(conversation: Any, *options: str, **more: str) -> Any:
        async def whole() -> Any:
            command = StdioServerParameters(command=str(COMMANDS / "playproof-blender-mcp"), args=["--workspace", str(tmp_path), *options],
                                            env={**environ, **more})  # fmt: skip
            async with stdio_client(command) as (read, write), ClientSession(read, write) as session:
                await session.initialize()
                return await conversation(session)

        return asyncio.run(whole())

    return run


def text_of(result: types.CallToolResult) -> str:
    return "\n".join(one.text for one in result.content if isinstance(one, types.TextContent))


def picture_of(result: types.CallToolResult) -> Image.Image:
    [content] = [one for one in result.content if isinstance(one, types.ImageContent)]
    assert content.mime_type == "image/png"
    return Image.open(io.BytesIO(base64.b64decode(content.data))).convert("RGB")


def shows_something(picture: Image.Image) -> bool:
    pixels = np.asarray(picture).astype(int)
    return bool((np.abs(pixels - pixels[0, 0]).max(2) > 12).mean() > 0.05)


async def asked(session: ClientSession, tool: str, **arguments: Any) -> str:
    """The text of an answer, which has to be no error."""
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return text_of(result)


def test_an_agent_makes_a_thing_asks_for_it_and_sees_it(talk: Callable[..., Any], tmp_path: Path) -> None:
    async def conversation(session: ClientSession) -> Sequence[Any]:
        names = {one.name for one in (await session.list_tools()).tools}
        made = await asked(session, "execute_script", code=CUBE)
        summary = await asked(session, "scene_summary")
        crate = json.loads(await asked(session, "query_scene", query="object", name="Crate"))
        refused = await session.call_tool("query_scene", {"query": "object", "name": "Crtae"})
        seen = await session.call_tool("render_view", {"position": [4, -6, 3], "target": [0, 0, 1], "size": 96})
        aside = await session.call_tool("render_view", {"position": [4, -6, 3], "target": [8, -12, 3], "size": 96})
        return names, made, summary, crate, refused, seen, aside

    names, made, summary, crate, refused, seen, aside = talk(conversation)
    assert names >= {"execute_script", "scene_summary", "query_scene", "render_view", "import_file", "export_file"}
    assert made == "there are 1\nSaved project.blend: 1 objects in the scene."
    assert "Crate: MESH, at (0, 0, 1), 2 x 2 x 2 m" in summary
    assert crate["object"]["box"] == [-1, -1, 0, 1, 1, 2]
    assert refused.is_error and "there is no object 'Crtae'" in text_of(refused)
    assert picture_of(seen).size == (96, 96) and shows_something(picture_of(seen))
    assert (tmp_path / "renders/0001-given.png").read_bytes().startswith(b"\x89PNG")
    assert "nothing is to be seen from there" in text_of(aside), "a picture of nothing is called so"
    held = counts(tmp_path / ".playproof/tools.jsonl")
    assert {name: (one.calls, one.failed) for name, one in held.items()} == {
        "execution": (1, 0), "inspection": (3, 1), "render": (2, 0), "exchange": (0, 0), "asset": (0, 0), "media": (0, 0),
    }  # fmt: skip
    assert held["execution"].seconds > 0.3


def test_a_script_that_fails_leaves_the_project_and_says_why(talk: Callable[..., Any], tmp_path: Path) -> None:
    async def conversation(session: ClientSession) -> Sequence[Any]:
        await asked(session, "execute_script", code=CUBE)
        before = (tmp_path / "project.blend").read_bytes()
        failed = await session.call_tool("execute_script", {"code": HALF})
        died = await session.call_tool("execute_script", {"code": "print('so far')\nimport os\nos.abort()"})
        new = await session.call_tool("execute_script", {"code": "1 +", "project": "other.blend"})
        return before, failed, died, new

    log = tmp_path / "elsewhere" / "log.jsonl"
    before, failed, died, new = talk(conversation, PLAYPROOF_TOOL_LOG=str(log))
    assert failed.is_error and "KeyError" in text_of(failed) and 'return bpy.data.objects["Nothing"]' in text_of(failed)
    assert "edit_project" not in text_of(failed), "the frames are the script's own"
    assert (tmp_path / "aside.txt").exists(), "it had saved the project before it failed"
    assert died.is_error and "SIGABRT" in text_of(died) and "so far" in text_of(died)
    assert new.is_error and "SyntaxError" in text_of(new)
    assert (tmp_path / "project.blend").read_bytes() == before
    assert {one.name for one in tmp_path.iterdir()} == {"project.blend", "aside.txt", "elsewhere"}
    assert counts(log)["execution"].calls == 4 and counts(log)["execution"].failed == 3
