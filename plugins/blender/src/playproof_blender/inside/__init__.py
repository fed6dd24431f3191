"""What runs inside Blender: it imports bpy, numpy and Python's own library, nothing else of ours, and is never imported by us."""
