"""Blender projects: delivered, opened in a box, read, looked at from every side, and judged."""
