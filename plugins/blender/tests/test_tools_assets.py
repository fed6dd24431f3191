"""The library of our own, made by the real Blender, and every kind of asset brought into a project."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof.interfaces import Services
from playproof_blender.backend import Blender
from playproof_blender.tools.calls import Account, Failed, counts
from playproof_blender.tools.library import Library, read_library
from playproof_blender.tools.making import make
from playproof_blender.tools.offered import Tools
from playproof_blender.tools.workshop import opened

pytestmark = pytest.mark.heavy

ONLY = ("chair", "vase", "oak-wood", "woven-cloth", "cloudy-sky")
OWN = """
import bmesh
for name in ("Stool", "Bench"):
    whole = bpy.data.collections.new(name)
    for part in ("seat", "leg"):
        mesh = bpy.data.meshes.new(part)
        shape = bmesh.new()
        bmesh.ops.create_cube(shape, size=0.5)
        shape.to_mesh(mesh)
        whole.objects.link(bpy.data.objects.new(f"{name} {part}", mesh))
    bpy.context.scene.collection.children.link(whole)
for name in ("Oak", "Ash"):
    bpy.data.materials.new(name).use_fake_user = True
bpy.data.worlds.new("Dusk").use_fake_user = True
"""


@pytest.fixture(scope="session")
def library(blender: Blender, services: Services, tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make(tmp_path_factory.mktemp("assets") / "library", blender, services, ONLY)


@pytest.fixture
def tools(blender: Blender, services: Services, tmp_path: Path) -> Iterator[Callable[[Library], Tools]]:
    (workspace := tmp_path / "workspace").mkdir()
    with opened(workspace, blender, services, 120) as workshop:
        yield lambda library: Tools(workshop, Account(tmp_path / "log.jsonl"), library)


def scene_of(tools: Tools) -> Mapping[str, Any]:
    return tools._workshop.scene()


def test_the_same_library_is_made_again(library: Library, blender: Blender, services: Services, tmp_path: Path) -> None:
    assert [one.id for one in library.manifest.entries] == [*ONLY]
    assert {one.licence for one in library.manifest.entries} == {"Apache-2.0"} and all(one.thumbnail for one in library.manifest.entries)
    again = make(tmp_path / "again", blender, services, ONLY)
    assert [one.sha256 for one in again.manifest.entries] == [one.sha256 for one in library.manifest.entries]
    assert again.digest == library.digest


def test_every_kind_is_brought_in(library: Library, tools: Callable[[Library], Tools], tmp_path: Path) -> None:
    offered = tools(library)
    came = offered.call("import_asset", {"id": "chair", "at": [2, 1, 0]})
    assert "Brought in chair (Apache-2.0): collection 'Wooden chair', 8 objects, from (1.78, 0.78, 0) to (2.22, 1.22, 0.88) m" in came.text
    assert "Saved project.blend: 8 objects" in came.text
    assert "from (-0.11, -0.11, 0) to (0.11, 0.11, 0.32) m" in offered.call("import_asset", {"id": "vase"}).text
    assert "material 'Oak boards'" in offered.call("import_asset", {"id": "oak-wood"}).text
    assert "texture 'Woven cloth'" in offered.call("import_asset", {"id": "woven-cloth"}).text
    assert "world 'Blue sky with clouds'" in offered.call("import_asset", {"id": "cloudy-sky"}).text
    scene = scene_of(offered)
    objects = {one["name"]: one for one in scene["objects"]}
    assert len(objects) == 9 and objects["Vase"]["collections"] == ["Scene Collection"]
    assert objects["Chair seat"]["collections"] == ["Wooden chair"]
    assert objects["Chair seat"]["box"] == pytest.approx([1.78, 0.78, 0.44, 2.22, 1.22, 0.47], abs=1e-3)
    assert {"Oak boards", "Chair wood", "Vase glaze"} <= scene["materials"].keys()
    pictures = {one["name"]: one for one in scene["images"]}
    assert pictures["Woven cloth"]["packed"] and pictures["Blue sky with clouds"]["packed"]
    assert scene["world"]["name"] == "Blue sky with clouds"
    count = counts(tmp_path / "log.jsonl")["retrieval"]
    assert (count.calls, count.failed) == (5, 0)
    assert [one.name for one in (tmp_path / "workspace").iterdir()] == ["project.blend"], "nothing is left beside the project"


def test_what_a_blend_holds_is_taken_by_name(made: Callable[..., Path], tools: Callable[[Library], Tools], tmp_path: Path) -> None:
    (folder := tmp_path / "own").mkdir()
    content = made(OWN).read_bytes()
    (folder / "own.blend").write_bytes(content)
    (folder / "torn.glb").write_bytes(b"glTF\2\0\0\0")

    def entry(id: str, kind: str, name: str | None, file: str = "own.blend") -> Mapping[str, Any]:
        digest = hashlib.sha256((folder / file).read_bytes()).hexdigest()
        return {"id": id, "title": id, "kind": kind, "licence": "CC0-1.0", "file": file, "sha256": digest, "name": name}

    entries = [entry("stool", "collection", "Stool"), entry("ash", "material", "Ash"), entry("dusk", "world", None),
               entry("all", "object", None), entry("any", "material", None), entry("fir", "material", "Fir"),
               entry("torn", "object", None, "torn.glb")]  # fmt: skip
    (folder / "library.json").write_text(json.dumps({"schema": 1, "version": "7", "entries": entries}))
    offered = tools(read_library(folder))
    for id, told in (("stool", "collection 'Stool', 2 objects"), ("ash", "material 'Ash'"), ("dusk", "world 'Dusk'")):
        assert told in offered.call("import_asset", {"id": id}).text
    scene = scene_of(offered)
    assert {one["name"] for one in scene["objects"]} == {"Stool seat", "Stool leg"} and scene["world"]["name"] == "Dusk"
    assert [*scene["materials"]] == ["Ash"]
    before = (tmp_path / "workspace/project.blend").read_bytes()
    for id, why in (("any", "^the asset 'any': it holds 2 materials, and the manifest names none"),
                    ("fir", "no material 'Fir'; it holds 'Ash', 'Oak'"),
                    ("torn", "^the asset 'torn': struct.error: unpack_from requires")):  # fmt: skip
        with pytest.raises(Failed, match=why):
            offered.call("import_asset", {"id": id})
    assert (tmp_path / "workspace/project.blend").read_bytes() == before
    assert "4 objects, from" in offered.call("import_asset", {"id": "all"}).text
