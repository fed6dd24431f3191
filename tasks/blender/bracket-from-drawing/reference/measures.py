"""The measures of the pillow block in millimetres, for the drawing and for the model alike.

The shaft lies along y; x and z are as seen from the front, z from the underside of the base."""

AXIS = 100
LONG, DEEP, PLATE = 360, 90, 24
BLOCK, BLOCK_DEEP = 180, 60
SEAT, BORE, SHAFT = 80, 60, 59
SHELL_LONG, SHELL_GAP = 64, 0.5
SLOT_APART, SLOT_LONG, SLOT_WIDE = 290, 40, 18
RIB_FROM, RIB_OUT, RIB_THICK = 84, 28, 12
FLANGE, CROWN = 24, 56
BOSS, BOSS_TOP, GREASE = 20, 160, 8
BOLT_APART, CLEAR_HOLE, TAPPED, TAPPED_DEEP = 144, 13, 12, 45
COLLAR, COLLAR_WIDE, PLAY, SCREW = 84, 14, 1, 8
SHAFT_LONG = 160
CAP_WASHER, ANCHOR_WASHER = (24, 13, 2.5), (30, 17, 3)
"""Outer and inner diameter, thickness."""
CAP_BOLT, ANCHOR_BOLT = (12, 62, 19, 8), (16, 80, 24, 10)
"""Diameter, length below the head, across flats, height of the head."""
