"""What of a scene a render would show and what the viewport shows; and everything brought into the dependency graph to be measured.

An object that is hidden in the viewport is not evaluated: its world matrix is the identity (Blender 4.2), wherever it stands. So once it is
known what is hidden, everything is revealed in this process, which never saves.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import bpy


class Visibility:
    """`shown` and `rendered` are sets of objects, as the file has them, `collections` those that a render takes. Making one reveals
    everything in the open scene."""

    def __init__(self) -> None:
        scene, layer = bpy.context.scene, bpy.context.view_layer
        self.shown = {one for one in scene.objects if one.visible_get(view_layer=layer)}
        self.collections: set[Any] = set()
        self.rendered: set[Any] = set()
        for each in scene.view_layers:
            for held, on in _walk(each.layer_collection, each.use):
                if on:
                    self.collections.add(held.collection)
                    self.rendered.update(one for one in held.collection.objects if not one.hide_render)
        self._left_out: dict[Any, set[Any]] = {}
        _reveal(scene, layer)
        self.depsgraph = bpy.context.evaluated_depsgraph_get()

    def is_on(self, drawn: Any) -> bool:
        """Whether one of the depsgraph's object instances is drawn by whatever draws its owner: not what an instanced collection holds that
        renders do not take."""
        owner = drawn.parent.original if drawn.is_instance else None
        if owner is None or owner.instance_type != "COLLECTION" or owner.instance_collection is None:
            return True
        whose = drawn.object.original
        return not whose.hide_render and whose not in self._off(owner.instance_collection)

    def _off(self, held: Any) -> set[Any]:
        """What a collection holds only in collections below it that renders do not take."""
        if held not in self._left_out:
            taken = set(_taken(held))
            self._left_out[held] = {one for one in held.all_objects if one not in taken}
        return self._left_out[held]


def _taken(held: Any) -> Iterator[Any]:
    yield from held.objects
    for inner in held.children:
        if not inner.hide_render:
            yield from _taken(inner)


def _walk(held: Any, on: bool) -> Iterator[tuple[Any, bool]]:
    """Each layer collection, and whether a render takes what is in it."""
    on = on and not held.collection.hide_render
    yield held, on and not held.exclude
    for inner in held.children:
        yield from _walk(inner, on)


def _reveal(scene: Any, layer: Any) -> None:
    """In the layer that is evaluated; and in the whole file, for what only instances draw. What instances shows itself as in a render."""
    for held in _flat(layer.layer_collection):
        if held.exclude:
            held.exclude = False
    _show(_flat(layer.layer_collection))
    _show(bpy.data.collections)
    _show(bpy.data.objects)
    for one in bpy.data.objects:
        if one.show_instancer_for_viewport != one.show_instancer_for_render:
            one.show_instancer_for_viewport = one.show_instancer_for_render
    for one in scene.objects:
        if not one.visible_get(view_layer=layer):
            one.hide_set(False, view_layer=layer)


def _show(owners: Iterable[Any]) -> None:
    for one in owners:
        if one.hide_viewport:
            one.hide_viewport = False


def _flat(held: Any) -> Sequence[Any]:
    return [held, *(below for inner in held.children for below in _flat(inner))]
