"""The camera looks at the first dozen alone."""

import bpy

bpy.context.scene.camera.data.lens = 110
