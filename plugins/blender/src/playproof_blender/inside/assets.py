"""An asset of a library, brought into the open project with all that it is made of, and nothing left outside of it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy
from mathutils import Vector
from reading import name_of

MOST_TOLD = 50
STORES = {"object": "objects", "collection": "collections", "material": "materials", "world": "worlds"}


def bring(asked: Mapping[str, Any]) -> tuple[Any, str]:
    """`asked` is {kind, path, name or null, title, at: [x, y, z] or null}. What came, and why nothing did, if so: {kind, names, in_all,
    low, high} (a box in metres, of objects)."""
    try:
        return WAYS[asked["kind"]](asked), ""
    except (RuntimeError, ValueError, OSError) as fault:
        return None, f"the asset {asked['title']!r}: {_last(str(fault))}"


def _last(said: str) -> str:
    """What an operator raised holds the whole traceback of its add-on, of which the end says what was wrong."""
    lines = [line for line in said.strip().splitlines() if line.strip() and not line.startswith("Location:")]
    return lines[-1].strip() if lines else "Blender did not say why"


def _objects(asked: Mapping[str, Any]) -> Any:
    added = _imported(asked) if _is_glb(asked) else _appended(asked)
    for one in added:
        if not one.users_collection:
            bpy.context.scene.collection.objects.link(one)
    return _placed(asked, added, added)


def _collection(asked: Mapping[str, Any]) -> Any:
    """A collection of its own in the scene."""
    if _is_glb(asked):
        whole, added = bpy.data.collections.new(asked["title"]), _imported(asked)
        for one in added:
            for other in one.users_collection:
                other.objects.unlink(one)
            whole.objects.link(one)
    else:
        [whole] = _appended(asked)
    bpy.context.scene.collection.children.link(whole)
    return _placed(asked, [whole], list(whole.all_objects))


def _placed(asked: Mapping[str, Any], named: Sequence[Any], objects: Sequence[Any]) -> Any:
    if not objects:
        raise ValueError("it holds no objects")
    if asked["at"]:
        for one in objects:
            if one.parent not in objects:
                one.location = one.location + Vector(asked["at"])
    bpy.context.view_layer.update()
    corners = [one.matrix_world @ Vector(corner) for one in objects if one.type == "MESH" for corner in one.bound_box]
    box = [[round(pick(corner[axis] for corner in corners), 4) for axis in range(3)] for pick in (min, max)] if corners else [None, None]
    return {**_told(asked, named), "objects": len(objects), "low": box[0], "high": box[1]}


def _material(asked: Mapping[str, Any]) -> Any:
    """Of a .glb the materials of what it holds; the things themselves do not stay."""
    if not _is_glb(asked):
        found = _appended(asked)
    else:
        before = set(bpy.data.materials)
        for one in _imported(asked):
            bpy.data.objects.remove(one)
        found = [one for one in bpy.data.materials if one not in before]
        for mesh in [one for one in bpy.data.meshes if not one.users]:
            bpy.data.meshes.remove(mesh)
    if not found:
        raise ValueError("it holds no material")
    return _told(asked, _lasting(found))


def _world(asked: Mapping[str, Any]) -> Any:
    """It becomes the scene's world."""
    if Path(asked["path"]).suffix.lower() == ".blend":
        [world] = _appended(asked)
    else:
        world = bpy.data.worlds.new(asked["title"])
        world.use_nodes = True
        nodes, links = world.node_tree.nodes, world.node_tree.links
        nodes.clear()
        out, shade, picture = (nodes.new(f"ShaderNode{name}") for name in ("OutputWorld", "Background", "TexEnvironment"))
        picture.image = _picture(asked)
        links.new(picture.outputs["Color"], shade.inputs["Color"])
        links.new(shade.outputs["Background"], out.inputs["Surface"])
    bpy.context.scene.world = world
    return _told(asked, [world])


def _texture(asked: Mapping[str, Any]) -> Any:
    return _told(asked, _lasting([_picture(asked)]))


def _picture(asked: Mapping[str, Any]) -> Any:
    """Packed, under a name that leads nowhere."""
    image = bpy.data.images.load(asked["path"])
    image.pack()
    image.name, image.filepath = asked["title"], f"//{Path(asked['path']).name}"
    return image


def _lasting(blocks: Sequence[Any]) -> Sequence[Any]:
    """What nothing uses yet is saved only with a fake user."""
    for one in blocks:
        one.use_fake_user = True
    return blocks


def _is_glb(asked: Mapping[str, Any]) -> bool:
    return Path(asked["path"]).suffix.lower() == ".glb"


def _imported(asked: Mapping[str, Any]) -> Sequence[Any]:
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=asked["path"])
    return [one for one in bpy.data.objects if one not in before]


def _appended(asked: Mapping[str, Any]) -> Sequence[Any]:
    """Data-blocks of another file: the named one; without a name every object, or the only one of its kind."""
    store = STORES[asked["kind"]]
    with bpy.data.libraries.load(asked["path"], link=False) as (there, here):
        names = list(getattr(there, store))
        wanted = [asked["name"]] if asked["name"] is not None else names
        if asked["name"] is not None and asked["name"] not in names:
            known = ", ".join(map(repr, sorted(names)[:20])) or "none"
            raise ValueError(f"it holds no {asked['kind']} {asked['name']!r}; it holds {known}")
        if asked["kind"] != "object" and len(wanted) != 1:
            raise ValueError(f"it holds {len(names)} {store}, and the manifest names none of them")
        setattr(here, store, wanted)
    return [one for one in getattr(here, store) if one is not None]


def _told(asked: Mapping[str, Any], named: Sequence[Any]) -> Mapping[str, Any]:
    return {"kind": asked["kind"], "names": [name_of(one) for one in named][:MOST_TOLD], "in_all": len(named)}


WAYS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "object": _objects, "collection": _collection, "material": _material, "world": _world, "texture": _texture,
}  # fmt: skip
