"""The preview that people turn: what stands in it, how large it may be, and that nothing else is lost where there is none."""

import io
import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from playproof.interfaces import Services
from playproof.model import Evidence, Observer
from playproof_blender.exhibits.preview import PreviewExhibitor
from playproof_blender.exhibits.views import ViewsExhibitor
from playproof_blender.preview import take_preview
from playproof_blender.stages import Staged

Made = Callable[..., Path]
Run = Callable[..., Staged]
BOX = (Path(__file__).parent / "scripts" / "box.txt").read_text("utf-8")
MATERIAL = """
def coloured(name):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    return made, made.node_tree.nodes, made.node_tree.links

def covered(thing, material):
    thing.data.materials.clear()
    thing.data.materials.append(material)
"""
PLAIN = """
made, nodes, _ = coloured("Red")
nodes["Principled BSDF"].inputs["Base Color"].default_value = (.8, .1, .1, 1)
covered(box("Cube", (0, 0, 0), (1, 1, 1)), made)
box("Hidden", (3, 0, 0), (1, 1, 1)).hide_render = True
"""
GRAIN = """
made, nodes, links = coloured("Grain")
ramp, noise = nodes.new("ShaderNodeValToRGB"), nodes.new("ShaderNodeTexNoise")
ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (.4, .2, 0, 1), (.6, .4, .2, 1)
links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
covered(box("Board", (0, 0, 0), (1, 1, 1)), made)
"""
PAINTED = """
image = bpy.data.images.new("Paint", 2048, 1024)
image.pack()
made, nodes, links = coloured("Painted")
shown = nodes.new("ShaderNodeTexImage")
shown.image = image
links.new(shown.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
covered(box("Card", (0, 0, 0), (1, 1, 1)), made)
"""


def parsed(glb: bytes) -> tuple[Mapping[str, Any], bytes]:
    length = struct.unpack_from("<I", glb, 12)[0]
    return json.loads(glb[20 : 20 + length]), glb[28 + length :]


def previewed(staged: Run, project: Path, **options: Any) -> tuple[Mapping[str, Any], bytes]:
    done = staged("preview", project, **{"most_bytes": 1e6, "texture": 256, **options})
    return parsed(done.named("preview").read())


@pytest.mark.heavy
def test_what_a_render_would_show_is_in_it(made: Made, staged: Run) -> None:
    head, _ = previewed(staged, made(BOX + MATERIAL + PLAIN))
    assert [node["name"] for node in head["nodes"]] == ["Cube"]
    assert head["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] == pytest.approx([0.8, 0.1, 0.1, 1])


@pytest.mark.heavy
def test_a_procedural_colour_becomes_the_mean_of_its_own(made: Made, staged: Run) -> None:
    head, _ = previewed(staged, made(BOX + MATERIAL + GRAIN))
    assert head["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] == pytest.approx([0.5, 0.3, 0.1, 1])


@pytest.mark.heavy
def test_pictures_are_made_small_and_the_project_stays_as_it_was(made: Made, staged: Run) -> None:
    project = made(BOX + MATERIAL + PAINTED)
    before = project.read_bytes()
    head, body = previewed(staged, project)
    view = head["bufferViews"][head["images"][0]["bufferView"]]
    start = view.get("byteOffset", 0)
    assert Image.open(io.BytesIO(body[start : start + view["byteLength"]])).size == (256, 128)
    assert project.read_bytes() == before


@pytest.mark.heavy
def test_what_is_too_large_costs_the_preview_alone(made: Made, staged: Run) -> None:
    project = made(BOX + MATERIAL + PLAIN)
    told, seal = take_preview(lambda stage, options, wall_s: staged(stage, project, wall_s, **{**options, "most_bytes": 100}))
    assert seal is None and told["missing"].endswith("where 0.0001 are allowed")
    told, seal = take_preview(lambda stage, options, wall_s: staged(stage, project, wall_s, **options))
    assert seal is not None and told == {"bytes": len(seal.read())}


@pytest.mark.heavy
def test_a_preview_that_never_ends_is_told(made: Made, staged: Run) -> None:
    told, seal = take_preview(lambda stage, options, wall_s: staged(stage, made(BOX + MATERIAL + PLAIN), 0.2, **options))
    assert seal is None and "did not finish preview within" in told["missing"]


def test_its_exhibit_is_live_and_what_is_no_gltf_is_refused(tmp_path: Path) -> None:
    exhibitor = PreviewExhibitor({}, Services(tmp_path))
    entry = Evidence("e", 0, 0, "blender.preview/1", Observer.OUTSIDE, "preview", "model/gltf-binary", None, "d")
    live = exhibitor.show(entry, lambda digest: b"glTF...").live
    assert live is not None and live.content == b"glTF..." and '[data-live="blender.preview/1"]' in live.script
    with pytest.raises(ValueError, match="no binary glTF"):
        exhibitor.show(entry, lambda digest: b"<svg>")


def test_a_missing_preview_stands_among_the_views(tmp_path: Path) -> None:
    told = {"views": [], "case": "object", "subject": {"left_out": []}, "size": 64, "preview": {"missing": "too <large>"}}
    entry = Evidence("v", 0, 0, "blender.views/1", Observer.OUTSIDE, "views", value=told)
    assert "none to turn: too &lt;large&gt;" in ViewsExhibitor({}, Services(tmp_path)).show(entry, lambda digest: b"").html
