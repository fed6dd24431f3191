"""What of a scene a render would show and what the viewport shows; and everything brought into the dependency graph to be measured.

An object that is hidden in the viewport is not evaluated: its world matrix is the identity (Blender 4.2), wherever it stands. So once it is
known what is hidden, everything is revealed in this process, which never saves.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import bpy


class Visibility:
    """`shown` and `rendered` are sets of objects, as the file has them. Making one reveals everything in the open scene."""

    def __init__(self) -> None:
        scene, layer = bpy.context.scene, bpy.context.view_layer
        self.shown = {one for one in scene.objects if one.visible_get(view_layer=layer)}
        self.collections: set[Any] = set()
        self.rendered: set[Any] = set()
        for held, on in _walk(layer.layer_collection, True):
            if on:
                self.collections.add(held.collection)
                self.rendered.update(one for one in held.collection.objects if not one.hide_render)
        _reveal(scene, layer)
        self.depsgraph = bpy.context.evaluated_depsgraph_get()

    def is_on(self, drawn: Any) -> bool:
        """Whether one of the depsgraph's object instances is drawn by whatever draws its owner: not the shape of what only instances, nor
        what a collection holds that renders do not take."""
        if not drawn.is_instance:
            return bool(drawn.show_self)
        return drawn.parent.original.instance_type != "COLLECTION" or not drawn.object.original.hide_render


def _walk(held: Any, on: bool) -> Iterator[tuple[Any, bool]]:
    """Each layer collection, and whether a render takes what is in it."""
    on = on and not held.collection.hide_render
    yield held, on and not held.exclude
    for inner in held.children:
        yield from _walk(inner, on)


def _reveal(scene: Any, layer: Any) -> None:
    for held in _flat(layer.layer_collection):
        if held.exclude:
            held.exclude = False
    for held in _flat(layer.layer_collection):
        for owner in (held, held.collection):
            if owner.hide_viewport:
                owner.hide_viewport = False
    for one in scene.objects:
        if one.hide_viewport:
            one.hide_viewport = False
        if not one.visible_get(view_layer=layer):
            one.hide_set(False, view_layer=layer)


def _flat(held: Any) -> Sequence[Any]:
    return [held, *(below for inner in held.children for below in _flat(inner))]
