"""One armature for the dog; what bends is weighted, what does not hangs on its bone."""

from itertools import pairwise

import bpy
from dog import LEGS, TAIL
from forms import MM
from mathutils import Matrix, Vector

HIPS = (0, 0, 94)


def bones():
    """Name, head, tail and parent, the parent first."""
    yield "Hips", HIPS, (0, 88, 101), None
    yield "Spine", HIPS, (0, -82, 110), "Hips"
    yield "Neck", (0, -84, 114), (0, -116, 172), "Spine"
    yield "Head", (0, -118, 176), (0, -150, 200), "Neck"
    yield "Jaw", (0, -146, 170), (0, -204, 159), "Head"
    above = "Hips"
    for number, (head, tail) in enumerate(pairwise(TAIL), 1):
        yield f"Tail.{number}", head, tail, above
        above = f"Tail.{number}"
    for side, x in (("L", 1), ("R", -1)):
        yield f"Ear.{side}", (x * 32, -130, 222), (x * 45, -125, 142), "Head"
        for end, above in (("front", "Spine"), ("hind", "Hips")):
            y, aside = LEGS[end]
            upper, lower, name = (x * 30, y, 82), (x * 34, y + aside, 58), end.title()
            yield f"{name}Upper.{side}", upper, lower, above
            yield f"{name}Lower.{side}", lower, (x * 36, y, 24), f"{name}Upper.{side}"


def skeleton(where):
    """Bones' x axes lie along the world's as nearly as they can, so that all bend fore and aft about x."""
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    where.objects.link(rig)
    rig.show_in_front = True
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, head, tail, above in bones():
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = Vector(head) * MM, Vector(tail) * MM
        bone.align_roll(Vector((1, 0, 0)).cross(bone.vector))
        bone.parent = rig.data.edit_bones[above] if above else None
        bone.use_connect = bool(bone.parent and (bone.head - bone.parent.tail).length < 1e-6)
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


RIGID = (("Head", "Head"), ("Muzzle", "Head"), ("Nose", "Head"), ("Eye.", "Head"), ("Brow.", "Head"), ("Jaw", "Jaw"), ("Tongue", "Jaw"),
         ("Neck", "Neck"), ("Bib", "Spine"), ("Cord ring", "Spine"), ("Collar", "Neck"), ("Tag", "Neck"))


def bone_of(name):
    """The bone on which a stiff part hangs; none for what bends, and for what lies beside the dog."""
    for begin, bone in RIGID:
        if name.startswith(begin):
            return bone
    kind, _, rest = name.partition(" ")
    end, _, side = rest.partition(".")
    return f"{end.title()}Lower.{side}" if kind in ("Paw", "Wheel", "Hub") else None


def bound(rig, things):
    bpy.context.view_layer.update()
    for one in things:
        if one.type != "MESH" or one.name in ("Cord", "Bead"):
            continue
        place, one.parent, bone = one.matrix_world.copy(), rig, bone_of(one.name)
        if bone:
            one.parent_type, one.parent_bone = "BONE", bone
            rest = rig.data.bones[bone]
            one.matrix_parent_inverse = (rig.matrix_world @ rest.matrix_local @ Matrix.Translation((0, rest.length, 0))).inverted()
        else:
            one.modifiers.new("Rig", "ARMATURE").object = rig
            weighted(one, dict(chain(one.name, rig)))
        one.matrix_basis = Matrix.Identity(4)
        one.matrix_world = place


def chain(name, rig):
    """The bones that bend a part: by name, (head, tail)."""
    if name in ("Body", "Tail"):
        names = ["Hips", "Spine"] if name == "Body" else [f"Tail.{k}" for k in (1, 2, 3, 4)]
    elif name.startswith("Ear"):
        names = [name]
    else:
        end, side = name.removeprefix("Leg ").split(".")
        names = [f"{end.title()}{half}.{side}" for half in ("Upper", "Lower")]
    return [(each, (rig.data.bones[each].head_local.copy(), rig.data.bones[each].tail_local.copy())) for each in names]


def away(point, head, tail):
    along = tail - head
    share = min(max((point - head).dot(along) / along.length_squared, 0), 1)
    return (point - head - along * share).length


def weighted(one, bones_):
    """By how near each bone is: the nearest has nearly all, and both have a half at the joint."""
    place = Matrix.Translation(one.location)
    groups = {name: one.vertex_groups.new(name=name) for name in bones_}
    for vertex in one.data.vertices:
        near = {name: 1 / max(away(place @ vertex.co, *ends), 1e-4) ** 8 for name, ends in bones_.items()}
        whole = sum(near.values())
        for name, share in near.items():
            if share / whole > 0.02:
                groups[name].add([vertex.index], share / whole, "REPLACE")
    bpy.context.view_layer.update()
