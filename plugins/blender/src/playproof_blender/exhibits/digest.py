"""A project in a page of words: what a judge reads before it asks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from playproof_blender.exhibits.spelling import Made, colour, cut, finite, number, numbers, printable, size

LINES = 100
"""Objects, or groups of them, in one digest."""

SHORT = 25
"""Lines of each other part."""

FAULTS = {"nonmanifold_edges": "edges of three faces or more", "boundary_edges": "open edges",
          "flipped_edges": "edges where a face is flipped", "wire_edges": "edges without a face",
          "loose_vertices": "loose vertices", "degenerate_faces": "degenerate faces",
          "duplicate_vertices": "vertices on others", "nonfinite_vertices": "vertices that are not finite"}  # fmt: skip


def digest(value: Made) -> str:
    """The head, the objects, materials, what moves, cameras and lights, and what is wrong."""
    parts = {"Collections": collections, "Objects": objects, "Materials": materials, "Actions": actions, "Armatures": armatures,
             "Cameras and lights": eyes, "Faults and things that are missing": faults}  # fmt: skip
    told = [head(value)]
    for title, of in parts.items():
        if lines := of(value):
            told += [f"{title}:", *cut(lines, LINES if title == "Objects" else SHORT)]
    return "\n".join(told)


def head(value: Made) -> str:
    totals, units, render = (value.get(key) or {} for key in ("totals", "units", "render"))
    types = ", ".join(f"{count:,} {printable(kind)}" for kind, count in (totals.get("objects_by_type") or {}).items())
    drawn = totals.get("drawn") or {}
    frames = value.get("frames") or [None, None]
    left = (value.get("left_off") or {}).get("objects")
    more = f", {left:,} more left off" if left else ""
    lines = [
        f"Scene {printable(value.get('scene'))!r}: {_count(totals, 'objects')} objects ({types}){more}",
        f"{_count(totals, 'faces')} faces of meshes before modifiers; a render shows {_count(drawn, 'triangles')} triangles in "
        f"{_count(drawn, 'parts')} parts, {_count(drawn, 'instances')} of them by instancing",
        f"Metres, z up; the scene shows {printable(units.get('system'))}, scale {number(units.get('scale_length'))}. "
        f"Frames {number(frames[0])} to {number(frames[-1])} at {number(value.get('fps'))} a second",
        f"Renders with {printable(render.get('engine'))}, {numbers(render.get('resolution') or [])}, "
        f"camera {printable(render.get('camera'))}; Blender {printable(value.get('release'))}",
    ]
    return "\n".join(lines)


def collections(value: Made) -> Sequence[str]:
    return [f"{printable(one.get('name'))}: {len(one.get('objects') or [])} objects"
            + (f", in {printable(one['parent'])}" if one.get("parent") else "") + ("" if one.get("rendered") else ", not rendered")
            for one in value.get("collections") or []]  # fmt: skip


def objects(value: Made) -> Sequence[str]:
    """Few in the order of the scene, under their parents; many in groups of one shape, the largest first."""
    held = value.get("objects") or []
    if len(held) <= LINES:
        return [f"{'  ' * depth}{line(one)}" for one, depth in _nested(held)]
    groups: dict[Any, list[Made]] = {}
    for one in held:
        groups.setdefault((stem(one.get("name")), one.get("type"), one.get("data") if shares(one, value) else None), []).append(one)
    ordered = sorted(groups.values(), key=lambda group: -max(map(reach, group)))
    return [f"{len(group):,} x like " * (len(group) > 1) + line(group[0]) for group in ordered]


def shares(one: Made, value: Made) -> bool:
    mesh = (value.get("meshes") or {}).get(one.get("data")) or {}
    return (mesh.get("users") or 0) > 1


def stem(name: Any) -> str:
    """A name without the number that Blender or a script put behind it."""
    return re.sub(r"[._ -]*\d+$", "", str(name)) or str(name)


def reach(one: Made) -> float:
    """The longest side of its box; of what has none, or none that is finite, nothing."""
    box = one.get("box") or one.get("drawn_box")
    return max(box[at + 3] - box[at] for at in range(3)) if box and finite(box) else 0.0


def line(one: Made) -> str:
    if one.get("unreadable"):
        return f"{printable(one.get('name'))}: cannot be read: {printable(one['unreadable'])}"
    box = one.get("box") or one.get("drawn_box")
    words = [printable(one.get("type")), f"at {numbers(one.get('location') or [])}", size(box)]
    words += [f"materials {', '.join(printable(slot) for slot in one['materials'][:4])}"] if one.get("materials") else []
    words += [f"modifiers {', '.join(printable(each.get('type')) for each in one['modifiers'][:6])}"] if one.get("modifiers") else []
    words += [f"draws {one['instances']:,} instances"] if one.get("instances") else []
    words += [f"text {printable(one['text'], 40)!r}"] if one.get("text") else []
    words += [f"action {printable(one['action'])}"] if one.get("action") else []
    words += ["not rendered"] if one.get("rendered") is False else []
    return f"{printable(one.get('name'))}: {', '.join(words)}"


def _nested(held: Sequence[Made]) -> Iterator[tuple[Made, int]]:
    """Children after their parents; what hangs in a circle comes last."""
    names = {one.get("name") for one in held}
    below: dict[Any, list[Made]] = {}
    for one in held:
        below.setdefault(one.get("parent") if one.get("parent") in names else None, []).append(one)
    open_, seen = [(one, 0) for one in reversed(below.get(None, []))], set[Any]()
    while open_:
        one, depth = open_.pop()
        if one.get("name") not in seen:
            seen.add(one.get("name"))
            yield one, min(depth, 8)
            open_ += [(child, depth + 1) for child in reversed(below.get(one.get("name"), []))]
    yield from ((one, 0) for one in held if one.get("name") not in seen)


def materials(value: Made) -> Sequence[str]:
    return [f"{printable(name)}: {look(one)}" for name, one in (value.get("materials") or {}).items()]


def look(one: Made) -> str:
    if one.get("unreadable"):
        return "cannot be read"
    words = [f"{printable(one.get('shader') or 'no shader')}", f"colour {colour(one.get('base_color'))}"]
    words += [f"{key} {number(one[key])}" for key in ("metallic", "roughness", "transmission") if isinstance(one.get(key), int | float)]
    words += [f"emits {numbers(one['emission'])}"] if any(one.get("emission") or []) else []
    words += [f"images {', '.join(map(printable, one['images'][:4]))}"] if one.get("images") else []
    return ", ".join([*words, f"{len(one.get('nodes') or [])} nodes", f"{number(one.get('users'))} users"])


def actions(value: Made) -> Sequence[str]:
    found = []
    for name, one in (value.get("actions") or {}).items():
        curves = one.get("curves") or []
        paths = dict.fromkeys(printable(curve.get("path"), 40) for curve in curves)
        found.append(f"{printable(name)}: frames {numbers(one.get('frames') or [])}, {len(curves)} curves of {', '.join([*paths][:6])}")
    return found


def armatures(value: Made) -> Sequence[str]:
    return [f"{printable(name)}: {len(one.get('bones') or [])} bones" for name, one in (value.get("armatures") or {}).items()]


def eyes(value: Made) -> Sequence[str]:
    cameras = [f"camera {printable(name)}: {printable(one.get('type'))}, {number(one.get('lens_mm'))} mm"
               for name, one in (value.get("cameras") or {}).items()]  # fmt: skip
    return cameras + [f"light {printable(name)}: {printable(one.get('type'))}, energy {number(one.get('energy'))}, "
                      f"colour {colour(one.get('colour'))}" for name, one in (value.get("lights") or {}).items()]  # fmt: skip


def faults(value: Made) -> Sequence[str]:
    found = [f"image {printable(one.get('name'))} is missing" for one in value.get("images") or [] if one.get("missing")]
    found += [f"library {printable(one.get('path'))} is missing" for one in value.get("libraries") or [] if one.get("missing")]
    found += [f"driver of {printable(one.get('owner'))}, {printable(one.get('path'))} does not run (Python expressions stay off here)"
              for one in value.get("drivers") or [] if not one.get("valid")]  # fmt: skip
    found += [f"text {printable(one.get('name'))} would run by itself (scripts stay off here)"
              for one in value.get("texts") or [] if one.get("auto_run")]  # fmt: skip
    found += [f"object {printable(one.get('name'))}: its place or box is not finite" for one in value.get("objects") or []
              if not finite(one.get("matrix") or []) or not finite(one.get("box") or [])]  # fmt: skip
    return found + [f"mesh {printable(name)}: {told}" for name, one in (value.get("meshes") or {}).items() if (told := ills(one))]


def ills(mesh: Mapping[str, Any]) -> str:
    """What is wrong with a mesh, in words; nothing for a sound one."""
    words = ["cannot be read"] if mesh.get("unreadable") else []
    words += [f"{mesh[key]:,} {word}" for key, word in FAULTS.items() if isinstance(mesh.get(key), int) and mesh[key]]
    words += ["inside out"] if mesh.get("closed") and isinstance(mesh.get("volume"), float) and mesh["volume"] < 0 else []
    overlap = (mesh.get("uv") or {}).get("overlap")
    return ", ".join(words + ([f"{overlap:.0%} of its UV map lies on itself"] if isinstance(overlap, float) and overlap > 0.01 else []))


def _count(held: Made, key: str) -> str:
    value = held.get(key)
    return f"{value:,}" if isinstance(value, int) else "?"
