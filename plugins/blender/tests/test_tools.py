"""The agent's tools with the real Blender: over MCP as a client has them, and as a plain command."""

import asyncio
import base64
import hashlib
import io
import json
import os
import subprocess
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcp import ClientSession, types
from mcp.client.stdio import StdioServerParameters, stdio_client
from PIL import Image

from playproof.interfaces import Services
from playproof_blender.backend import Blender
from playproof_blender.tools.calls import Account, Failed, counts, offers
from playproof_blender.tools.offered import Tools
from playproof_blender.tools.workshop import opened

pytestmark = pytest.mark.heavy

COMMANDS = Path(sysconfig.get_path("scripts"))
CUBE = """
import bpy
bpy.ops.mesh.primitive_cube_add(size=2, location=(0, 0, 1))
bpy.context.object.name = "Crate"
print("there are", len(bpy.data.objects))
"""
TABLE = """
bpy.ops.mesh.primitive_cube_add(location=(1, 2, 3), rotation=(.3, .2, .9), scale=(1, .2, .1))
top = bpy.context.object
top.name = "Top"
bpy.ops.mesh.primitive_cylinder_add(location=(1, 2, 1), radius=.1, depth=2)
leg = bpy.context.object
leg.name = "Leg"
leg.parent = top
leg.hide_set(True)
lens = bpy.data.objects.new("Lens", bpy.data.cameras.new("Lens"))
lens.location, lens.rotation_euler = (1, -8, 2), (1.5708, 0, 0)
bpy.context.collection.objects.link(lens)
bpy.context.scene.camera = lens
"""
HALF = """
bpy.data.objects["Top"].location.x = 5
bpy.ops.wm.save_mainfile()
open("aside.txt", "w").close()
def deep():
    return bpy.data.objects["Nothing"]
deep()
"""


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

        with ThreadPoolExecutor(1) as aside:  # a test of a browser may have left an event loop running in this thread
            return aside.submit(asyncio.run, whole()).result()

    return run


@pytest.fixture(scope="session")
def table(blender: Blender, services: Services, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A project of two things and a camera, made by the tool itself."""
    folder = tmp_path_factory.mktemp("table")
    with opened(folder, blender, services, 120) as workshop:
        workshop.script(TABLE)
    return (folder / "project.blend").read_bytes()


@pytest.fixture
def tools(blender: Blender, services: Services, table: bytes, tmp_path: Path) -> Iterator[Tools]:
    """With that project in the workspace."""
    (tmp_path / "project.blend").write_bytes(table)
    with opened(tmp_path, blender, services, 120) as workshop:
        yield Tools(workshop, Account(tmp_path / ".playproof" / "tools.jsonl"))


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
    assert names == {"execute_script", "scene_summary", "query_scene", "render_view", "import_file", "export_file", "view_image",
                     "sample_video"}, "of assets nothing is said without a library"  # fmt: skip
    assert made == "there are 1\nSaved project.blend: 1 objects in the scene."
    assert "Crate: MESH, at (0, 0, 1), 2 x 2 x 2 m" in summary
    assert crate["object"]["box"] == [-1, -1, 0, 1, 1, 2]
    assert refused.is_error and "there is no object 'Crtae'" in text_of(refused)
    assert picture_of(seen).size == (96, 96) and shows_something(picture_of(seen))
    assert (tmp_path / "renders/0001-given.png").read_bytes().startswith(b"\x89PNG")
    assert "nothing is to be seen from there" in text_of(aside), "a picture of nothing is called so"
    held = counts(tmp_path / ".playproof/tools.jsonl")
    assert {name: (one.calls, one.failed) for name, one in held.items()} == {
        "execution": (1, 0), "inspection": (3, 1), "render": (2, 0), "exchange": (0, 0), "retrieval": (0, 0), "media": (0, 0),
    }  # fmt: skip
    assert held["execution"].seconds > 0.3


def test_a_script_that_fails_leaves_the_project_and_says_why(talk: Callable[..., Any], table: bytes, tmp_path: Path) -> None:
    (tmp_path / "project.blend").write_bytes(table)

    async def conversation(session: ClientSession) -> Sequence[Any]:
        failed = await session.call_tool("execute_script", {"code": HALF})
        died = await session.call_tool("execute_script", {"code": "print('so far')\nimport os\nos.abort()"})
        new = await session.call_tool("execute_script", {"code": "1 +", "project": "other.blend"})
        return failed, died, new

    log = tmp_path / "elsewhere" / "log.jsonl"
    failed, died, new = talk(conversation, PLAYPROOF_TOOL_LOG=str(log))
    assert failed.is_error and "KeyError" in text_of(failed) and 'return bpy.data.objects["Nothing"]' in text_of(failed)
    assert "edit_project" not in text_of(failed), "the frames are the script's own"
    assert (tmp_path / "aside.txt").exists(), "it had saved the project before it failed"
    assert died.is_error and "SIGABRT" in text_of(died) and "so far" in text_of(died)
    assert new.is_error and "SyntaxError" in text_of(new)
    assert (tmp_path / "project.blend").read_bytes() == table
    assert {one.name for one in tmp_path.iterdir()} == {"project.blend", "aside.txt", "elsewhere"}
    assert counts(log)["execution"].calls == 3 and counts(log)["execution"].failed == 3


def box_of(tools: Tools, name: str, project: str) -> Sequence[float]:
    told = json.loads(tools.call("query_scene", {"query": "object", "name": name, "project": project}).text)
    box: Sequence[float] = told["object"]["box"]
    return box


def test_a_glb_that_went_out_and_came_back_has_the_same_world_boxes(tools: Tools, tmp_path: Path) -> None:
    told = tools.call("export_file", {"path": "out/table.glb", "objects": ["Top", "L*g"]})
    assert "of 2 objects" in told.text
    told = tools.call("import_file", {"path": "out/table.glb", "project": "back.blend"})
    assert told.text == "Brought in 2 objects: Leg, Top\nSaved back.blend: 2 objects in the scene."
    for name in ("Top", "Leg"):
        assert box_of(tools, name, "back.blend") == pytest.approx(box_of(tools, name, "project.blend"), abs=1e-4)
    with pytest.raises(Failed, match=r"there are 2 projects.*back.blend, project.blend"):
        tools.call("scene_summary", {})


@pytest.mark.parametrize("kind", ["gltf", "fbx", "obj", "stl", "ply", "usdc", "usda", "usdz", "abc"])
def test_every_other_format_brings_a_thing_back_where_it_was(tools: Tools, kind: str) -> None:
    tools.call("export_file", {"path": f"out/top.{kind}", "objects": ["Top"]})
    told = tools.call("import_file", {"path": f"out/top.{kind}", "project": "back.blend"}).text
    names = told.partition(": ")[2].splitlines()[0].split(", ")
    boxes = [box_of(tools, name, "back.blend") for name in names]
    wanted = pytest.approx(box_of(tools, "Top", "project.blend"), abs=1e-4)
    assert any(box == wanted for box in boxes if box), (told, boxes)


def test_a_sheet_shows_all_sides_and_a_camera_of_the_project_its_own_picture(tools: Tools, tmp_path: Path) -> None:
    seen = tools.call("render_view", {"views": 3, "size": 64})
    names = [one.name for one in sorted((tmp_path / "renders").iterdir())]
    assert names == ["0001-view-1.png", "0002-view-2.png", "0003-view-3.png", "0004-camera-lens.png", "0005-sheet.png"]
    [sheet] = seen.pictures
    assert Image.open(io.BytesIO(sheet)).width == 4 * 192 and "view-1: from the front" in seen.text and "Top" in seen.text
    through = tools.call("render_view", {"camera": "active", "size": 64})
    assert Image.open(io.BytesIO(through.pictures[0])).size == (64, 36) and "0006-camera-lens.png" in through.text
    with pytest.raises(Failed, match=r"no camera 'Lense'; there are 'Lens'"):
        tools.call("render_view", {"camera": "Lense"})


def test_the_plain_command_says_by_its_exit_code_what_became_of_a_script(environ: Mapping[str, str], tmp_path: Path) -> None:
    workspace, scripts = tmp_path / "workspace", tmp_path / "scripts"
    workspace.mkdir()
    scripts.mkdir()
    (scripts / "sizes.py").write_text("EDGE = 0.5")
    (scripts / "make.py").write_text("import sizes\nbpy.ops.mesh.primitive_cube_add(size=sizes.EDGE)\nprint('made')\nraise SystemExit")
    (scripts / "fail.py").write_text("bpy.ops.wm.read_factory_settings()\nraise SystemExit('too wide')")
    (scripts / "wait.py").write_text("import threading\nthreading.Event().wait()")

    def run(script: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([COMMANDS / "blender-run", scripts / script, *arguments, "--workspace", workspace], capture_output=True,
                              text=True, check=False, env={**environ, **more}, timeout=180)  # fmt: skip

    made = run("make.py", "thing.blend")
    assert (made.returncode, made.stdout) == (0, "made\nSaved thing.blend: 1 objects in the scene.\n"), made.stderr
    before = (workspace / "thing.blend").read_bytes()
    failed = run("fail.py")
    assert failed.returncode == 1 and "'too wide'" in failed.stderr and failed.stdout == ""
    slow = run("wait.py", "--wall-s", "3")
    assert slow.returncode == 1 and "did not finish" in slow.stderr and "within 3 s" in slow.stderr
    assert (workspace / "thing.blend").read_bytes() == before
    assert run("missing.py").returncode == 2
    lacking = run("make.py", PLAYPROOF_BLENDER="/nowhere/blender")
    assert lacking.returncode == 3 and "/nowhere/blender" in lacking.stderr
    held = counts(workspace / ".playproof/tools.jsonl")["execution"]
    assert (held.calls, held.failed) == (4, 3)


def test_a_library_is_offered_only_where_one_is_given_and_the_account_says_so(talk: Callable[..., Any], environ: Mapping[str, str],
                                                                             tmp_path: Path) -> None:  # fmt: skip
    (folder := tmp_path / "library").mkdir()
    Image.new("RGB", (64, 64), "teal").save(folder / "teal.png")
    digest = hashlib.sha256((folder / "teal.png").read_bytes()).hexdigest()
    file = {"file": "teal.png", "sha256": digest}
    entry = {"id": "teal", "title": "Teal cloth", "kind": "texture", "licence": "CC0-1.0", **file, "thumbnail": file}
    (folder / "library.json").write_text(json.dumps({"schema": 1, "version": "3", "entries": [entry]}))

    async def conversation(session: ClientSession) -> Sequence[Any]:
        names = [one.name for one in (await session.list_tools()).tools]
        return names, await session.call_tool("search_assets", {"words": "cloth"}), await asked(session, "import_asset", id="teal")

    names, found, came = talk(conversation, "--assets", str(folder))
    assert {"search_assets", "import_asset"} <= set(names) and picture_of(found).getpixel((30, 50)) == (0, 128, 128)
    assert came == "Brought in teal (CC0-1.0): texture 'Teal cloth'\nSaved project.blend: 0 objects in the scene."
    account = tmp_path / ".playproof/tools.jsonl"
    assert json.loads(account.read_text().splitlines()[0])["offered"] == {"tools": names, "assets": {
        "digest": hashlib.sha256((folder / "library.json").read_bytes()).hexdigest(), "version": "3", "entries": 1}}  # fmt: skip
    assert counts(account)["retrieval"].calls == 2

    async def without(session: ClientSession) -> Any:
        return await session.call_tool("search_assets", {})

    refused = talk(without)
    assert refused.is_error and "no tool 'search_assets'" in text_of(refused)
    assert [one.assets is None for one in offers(account)] == [False, True]
    (folder / "teal.png").unlink()
    done = subprocess.run([COMMANDS / "playproof-blender-mcp", "--workspace", tmp_path, "--assets", folder], capture_output=True, text=True,
                          check=False, env=environ, timeout=60, stdin=subprocess.DEVNULL)  # fmt: skip
    assert done.returncode == 1 and "teal.png: library.json names it, and there is no such file" in done.stderr
