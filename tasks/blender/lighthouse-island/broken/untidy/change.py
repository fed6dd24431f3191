"""Plants lie in no collection of theirs, a mesh is called what Blender calls it, and the camera looks at the lantern alone."""

import bpy

scene = bpy.context.scene
for one in list(bpy.data.collections["Plants"].objects):
    bpy.data.collections["Plants"].objects.unlink(one)
    scene.collection.objects.link(one)
bpy.data.objects["Gallery"].data.name = "Cylinder.001"
scene.camera.data.lens = 130
