"""The scene of a project in words and tables, and what can be asked of it."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from playproof.interfaces import Exhibit, Query, Services
from playproof.model import Evidence, Options
from playproof_blender.exhibits.answers import SHOWN, Answers
from playproof_blender.exhibits.digest import digest, faults, look
from playproof_blender.exhibits.spelling import Made, numbers, size, table

Read = Callable[[str], bytes]

_TEXT = {"type": "string", "description": "any case; * and ? stand for what they do in file names"}
_NAME = {"type": "string", "description": "a whole name, as find_objects or the summary gives it"}


class SceneExhibitor:
    """Implements `Exhibitor` and `Queried` for `blender.scene/1`. It takes no options."""

    def __init__(self, options: Options, services: Services) -> None:
        pass

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        value = opened(evidence, read)
        rows = ([one.get("name"), one.get("type"), numbers(one.get("location") or []), size(one.get("box") or one.get("drawn_box")),
                 ", ".join(str(slot) for slot in one.get("materials") or [])] for one in value.get("objects") or [])  # fmt: skip
        tables = [table(["object", "type", "place (m)", "size", "materials"], rows),
                  table(["material", "looks"], ([name, look(one)] for name, one in (value.get("materials") or {}).items()))]  # fmt: skip
        wrong = faults(value)
        return Exhibit("".join([*tables, table(["fault, or missing"], ([one] for one in wrong))] if wrong else tables), text=digest(value))

    def queries(self, evidence: Evidence, read: Read) -> Sequence[Query]:
        asked = Answers(opened(evidence, read))
        wishes = dict.fromkeys(("name", "type", "collection", "material", "parent"), _TEXT)
        return [
            Query("find_objects", f"Objects that meet every wish, {SHOWN} at most from `start` on, with place, size and materials.",
                  _schema((), **wishes, start={"type": "integer"}), asked.find_objects),
            Query("object", "Everything that is known of one object: transforms, box, modifiers, constraints, parents and children.",
                  _schema(["name"], name=_NAME), asked.object),
            Query("collection", "What a collection holds: its objects, and the collections below it.", _schema(["name"], name=_NAME),
                  asked.collection),
            Query("material", "A material: how it looks, its nodes with their settings, their links, and which objects have it.",
                  _schema(["name"], name=_NAME), asked.material),
            Query("mesh", "A mesh before modifiers: faces, what is wrong with it, its UV map, and which objects show it.",
                  _schema(["name"], name={"type": "string", "description": "of a mesh, or of an object that has one"}), asked.mesh),
            Query("nearest", "Which objects are nearest to another, or to a point [x, y, z]: gaps between boxes, metres.",
                  _schema((), name=_NAME, point={"type": "array", "items": {"type": "number"}}, limit={"type": "integer"}), asked.nearest),
            Query("between", "How two objects stand to each other: between middles, the gap between their boxes, and on each axis. Metres.",
                  _schema(["a", "b"], a=_NAME, b=_NAME), asked.between),
            Query("action", "An action: its curves with their keys [frame, value].", _schema(["name"], name=_NAME), asked.action),
        ]  # fmt: skip


def opened(evidence: Evidence, read: Read) -> Made:
    """Raises ValueError for what is no JSON object."""
    value = evidence.value if evidence.blob is None else _parsed(read(evidence.blob))
    if not isinstance(value, dict):
        raise ValueError("the scene is no JSON object")
    return value


@lru_cache(maxsize=1)  # a judge asks one scene many things, and it may have 10,000 objects
def _parsed(raw: bytes) -> Any:
    return json.loads(raw)


def _schema(required: Sequence[str] = (), **properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
