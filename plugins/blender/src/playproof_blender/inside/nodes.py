"""Node trees: of materials, worlds, groups and geometry."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import bpy
from reading import colour, name_of, settings, spelled, text, tidy

MOST_NODES, MOST_WIRES, DEEPEST = 300, 600, 8


def tree(held: Any) -> Mapping[str, Any]:
    """{"nodes", "links": how many, "wires": [from node, socket, to node, socket]}; what was too much is counted as left off."""
    nodes = [_node(one) for one in islice(held.nodes, MOST_NODES)]
    wires = [[text(one.from_node, "name"), text(one.from_socket, "name"), text(one.to_node, "name"), text(one.to_socket, "name")]
             for one in islice(held.links, MOST_WIRES)]  # fmt: skip
    left = max(len(held.nodes) - MOST_NODES, 0)
    return {"nodes": nodes, "links": len(held.links), "wires": wires, **({"nodes_left_off": left} if left else {})}


def _node(one: Any) -> Mapping[str, Any]:
    told: dict[str, Any] = {"name": text(one, "name"), "type": one.bl_idname}
    if one.label:
        told["label"] = text(one, "label")
    if one.mute:
        told["muted"] = True
    told["settings"] = {**settings(one, bpy.types.Node), **_inputs(one)}
    return told


def _inputs(one: Any) -> Mapping[str, Any]:
    """By the name of the socket what an input has that nothing is linked to."""
    found: dict[str, Any] = {}
    for socket in one.inputs:
        if socket.is_linked or not socket.enabled or not hasattr(socket, "default_value"):
            continue
        value = _value(socket)
        if value is not None:
            name = text(socket, "name")
            found[name if name not in found else text(socket, "identifier")] = value
    return found


def _value(socket: Any) -> Any:
    try:
        value = socket.default_value
    except UnicodeDecodeError:
        return text(socket, "default_value")
    if isinstance(value, str):
        return spelled(value)
    if hasattr(value, "name_full"):
        return name_of(value)
    return [tidy(one) for one in value] if hasattr(value, "__len__") else tidy(value)


def images(held: Any) -> Sequence[str]:
    """The names of the images that a tree uses, in its groups too."""
    found, open_, seen = dict[str, None](), [(held, 0)], set[Any]()
    while open_:
        one, depth = open_.pop()
        if one is None or one in seen or depth > DEEPEST:
            continue
        seen.add(one)
        for node in islice(one.nodes, MOST_NODES):
            if (image := getattr(node, "image", None)) is not None:
                found[name_of(image)] = None
            if (inner := getattr(node, "node_tree", None)) is not None:
                open_.append((inner, depth + 1))
    return list(found)


def surface(held: Any) -> dict[str, Any]:
    """What the shader that reaches the output says of the surface; None for what is linked, and so differs from place to place."""
    shader = _shader(held)
    blank = dict.fromkeys(("shader", "base_color", "metallic", "roughness", "transmission", "emission", "alpha"))
    if shader is None:
        return blank
    kind = shader.bl_idname.removeprefix("ShaderNode")
    told = blank | {"shader": kind, "base_color": _of(shader, "Base Color", "Color"), "metallic": _of(shader, "Metallic"),
                    "roughness": _of(shader, "Roughness"), "transmission": _of(shader, "Transmission Weight", "Transmission"),
                    "alpha": _of(shader, "Alpha")}  # fmt: skip
    if kind == "Emission":
        return told | {"base_color": None, "emission": _emission(shader, "Color", "Strength")}
    if kind in ("BsdfGlass", "BsdfRefraction"):
        return told | {"transmission": 1.0}
    return told | {"emission": _emission(shader, "Emission Color", "Emission Strength")} if kind == "BsdfPrincipled" else told


def _of(shader: Any, *names: str) -> Any:
    socket = next((one for one in shader.inputs if one.name in names), None)
    if socket is None or socket.is_linked or not hasattr(socket, "default_value"):
        return None
    value = socket.default_value
    return colour(value) if hasattr(value, "__len__") else tidy(value)


def _emission(shader: Any, colour_name: str, strength_name: str) -> Any:
    shade, strength = _of(shader, colour_name), _of(shader, strength_name)
    return None if shade is None or strength is None else [tidy(one * strength) for one in shade[:3]]


def _shader(held: Any) -> Any:
    """The first shader on the way back from the active output, past mixers and reroutes; the principled one of several."""
    output = held.get_output_node("ALL") if hasattr(held, "get_output_node") else None
    start = output.inputs.get("Surface") if output is not None else None
    found, open_, seen = list[Any](), [start] if start is not None else [], set[Any]()
    while open_ and len(seen) < MOST_NODES:
        socket = open_.pop(0)
        for link in socket.links:
            node = link.from_node
            if node.name in seen:
                continue
            seen.add(node.name)
            if any(kind in node.bl_idname for kind in ("Bsdf", "Emission", "Background", "Subsurface", "Toon", "Hair")):
                found.append(node)
            else:
                open_ += [one for one in node.inputs if one.is_linked and one.type in ("SHADER", "RGBA", "VALUE", "VECTOR")]
    return next((one for one in found if one.bl_idname == "ShaderNodeBsdfPrincipled"), found[0] if found else None)
