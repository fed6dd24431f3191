"""Writes starter/scan.blend: `python starter.py ../starter/scan.blend`, with bpy.

The bench, and on it the amphora's scan with everything wrong with it that brief/record.json tells of."""

import math
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent))
import bmesh
from amphora import SEGMENTS, whole
from bench import furnish, light_and_camera

HOLES = ((100, 160, 2.0, 2.45), (400, 452, 0.9, 1.4), (312, 330, 4.2, 4.5), (555, 590, 5.0, 5.6), (230, 262, 3.5, 3.8))
FLIPPED = ((40, 90, 0.0, 1.2), (250, 300, 5.0, 6.1), (470, 500, 2.0, 4.0))


def on(face, low, high, start, end, outside=True):
    """Whether a face of the wall lies between two heights and two angles (mm, radians)."""
    middle = face.calc_center_median()
    out = face.normal.x * middle.x + face.normal.y * middle.y > 0
    return low < middle.z < high and start < math.atan2(middle.y, middle.x) % math.tau < end and out is outside and middle.xy.length < 155


def fins(mesh):
    """Faces that no wall has: flaps on edges that two faces share already, a sheet across the wall, one face laid upon another."""
    mesh.faces.ensure_lookup_table()
    flaps = [one for one in mesh.faces if on(one, 340, 360, 1.6, 2.1) or on(one, 180, 200, 5.2, 5.6)]
    for face in flaps:
        edge = face.edges[0]
        tip = mesh.verts.new((edge.verts[0].co + edge.verts[1].co) / 2 + face.normal * 18)
        mesh.faces.new((*edge.verts, tip))
    for face in [one for one in mesh.faces if on(one, 380, 400, 2.8, 3.0)]:
        corners = list(face.verts)
        inner = [min(mesh.verts, key=lambda one, at=corner: (one.co - at.co * 0.93).length) for corner in corners[:2]]
        if len({*corners[:2], *inner}) == 4:
            mesh.faces.new((*corners[:2], inner[1], inner[0]))
    for face in [one for one in mesh.faces if on(one, 120, 145, 4.0, 4.4)]:
        copies = [mesh.verts.new(one.co) for one in face.verts]
        mesh.faces.new(copies)


def strays(mesh):
    """Points and edges that belong to nothing."""
    for number in range(14):
        turn = 2.4 * number
        mesh.verts.new((230 * math.cos(turn), 190 * math.sin(turn), 90 + 55 * number))
    for number in range(6):
        ends = [mesh.verts.new((180 * math.cos(number + step), 180 * math.sin(number + step), 640 + 20 * number)) for step in (0, 0.2)]
        mesh.edges.new(ends)


def damage(made):
    mesh = bmesh.new()
    mesh.from_mesh(made)
    mesh.normal_update()
    fins(mesh)
    mesh.normal_update()
    ring = [one for one in mesh.edges if abs(one.verts[0].co.z - one.verts[1].co.z) < 0.01 and len(one.link_faces) == 2
            and all(on(face, 250, 320, 0, 7) for face in one.link_faces)]
    heights = sorted({round(one.verts[0].co.z, 2) for one in ring})
    bmesh.ops.split_edges(mesh, edges=[one for one in ring if round(one.verts[0].co.z, 2) == heights[len(heights) // 2]])
    lost = [one for one in mesh.faces if any(on(one, *hole) for hole in HOLES) or on(one, 200, 240, 1.0, 1.4, False)]
    bmesh.ops.delete(mesh, geom=lost, context="FACES")
    bmesh.ops.reverse_faces(mesh, faces=[one for one in mesh.faces if any(on(one, *patch) for patch in FLIPPED)])
    strays(mesh)
    mesh.to_mesh(made)
    mesh.free()


def main(place):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    kept = furnish()
    mesh = whole("Amphora", 1.0)
    assert len(mesh.polygons) > 40 * SEGMENTS
    damage(mesh)
    mesh.materials[1] = None
    scan = bpy.data.objects.new("Amphora", mesh)
    kept["Find"].objects.link(scan)
    scan.scale, scan.location.z = (-0.001, 0.001, 0.001), 0.06
    smoothing = scan.modifiers.new("Scan smoothing", "SUBSURF")
    smoothing.levels = smoothing.render_levels = 1
    light_and_camera(kept["Lights"])
    bpy.context.preferences.filepaths.save_version = 0
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(place).resolve()), compress=True)


if __name__ == "__main__":
    main(sys.argv[-1])
