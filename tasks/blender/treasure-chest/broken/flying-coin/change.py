"""One coin hovers over the heap, another sticks in the wall."""

import bpy

bpy.context.view_layer.update()
for name, place in (("SM_Coin_05", (0.0, 0.0, 0.33)), ("SM_Coin_20", (0.285, 0.02, 0.27))):
    coin = bpy.data.objects[name]
    moved = coin.matrix_world.copy()
    moved.translation = place
    coin.matrix_world = moved
