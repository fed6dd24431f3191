"""The stage `preview`: the scene as a binary glTF that a reader can turn, with what a render would show and nothing that moves."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import bpy

WRITTEN = {
    "export_format": "GLB", "export_apply": True, "use_renderable": True, "export_yup": True,
    "export_cameras": False, "export_lights": False, "export_animations": False,
    "export_skins": False, "export_morph": False, "export_tangents": False, "export_attributes": False,
    "export_extras": False, "export_gn_mesh": True, "export_image_format": "JPEG", "export_jpeg_quality": 70,
}  # fmt: skip


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """`options`: most_bytes of the file, and texture, the longest side of a picture in pixels. Seals `preview` (GLB), or `failed`."""
    place = out / "preview.glb"
    try:
        _make_pictures_small(options["texture"])
        _make_colours_plain()
        bpy.ops.export_scene.gltf(filepath=str(place), **WRITTEN)
    except RuntimeError as fault:
        seal("failed", {"why": str(fault).strip()[-300:]})
        return
    size = place.stat().st_size if place.is_file() else 0
    if not 0 < size <= options["most_bytes"]:
        too_large = f"it has {size / 1e6:.1f} MB, where {options['most_bytes'] / 1e6:g} are allowed"
        seal("failed", {"why": too_large if size else "Blender wrote no file"})
        return
    seal("preview", {"bytes": size}, file=place.name)


def _make_pictures_small(side: int) -> None:
    """In memory alone: the project is never saved."""
    for image in bpy.data.images:
        if image.source in ("FILE", "GENERATED") and max(image.size) > side:
            scale = side / max(image.size)
            image.scale(*(max(1, round(length * scale)) for length in image.size))


def _make_colours_plain() -> None:
    """Where a base colour comes of a procedural texture, which the format cannot hold, the mean of the colours that it is made of stands
    for it; otherwise the material would be white."""
    for material in bpy.data.materials:
        for node in material.node_tree.nodes if material.use_nodes and material.node_tree else ():
            if node.type == "BSDF_PRINCIPLED" and node.inputs["Base Color"].is_linked:
                above = list(_above(node.inputs["Base Color"]))
                if not any(one.type == "TEX_IMAGE" for one in above):
                    _set_plain(material, node.inputs["Base Color"], [colour for one in above for colour in _colours(one)])


def _set_plain(material: Any, socket: Any, colours: list[tuple[float, ...]]) -> None:
    for link in list(socket.links):
        material.node_tree.links.remove(link)
    known = colours or [tuple(material.diffuse_color)]
    socket.default_value = (*(sum(colour[at] for colour in known) / len(known) for at in range(3)), 1.0)


def _above(socket: Any) -> Iterator[Any]:
    """The nodes that a socket's value comes of, each once."""
    seen, waiting = set[str](), [socket]
    while waiting:
        for link in waiting.pop().links:
            node = link.from_node
            if node.name not in seen:
                seen.add(node.name)
                yield node
                waiting += [one for one in node.inputs if one.is_linked]


def _colours(node: Any) -> Iterator[tuple[float, ...]]:
    """Of which a node mixes what it gives."""
    if node.type == "VALTORGB":
        yield from (tuple(one.color) for one in node.color_ramp.elements)
    elif node.type == "RGB":
        yield tuple(node.outputs[0].default_value)
    elif node.type in ("MIX", "MIX_RGB", "TEX_BRICK", "TEX_CHECKER"):
        yield from (tuple(one.default_value) for one in node.inputs if one.type == "RGBA" and not one.is_linked and one.enabled)
