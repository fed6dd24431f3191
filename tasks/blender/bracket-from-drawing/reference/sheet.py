"""The drawing sheet of the pillow block: `python sheet.py ../brief/drawing.png` writes it."""

import math
import sys

import measures as mm
from draw import HIGH, INK, WIDE, View, font
from PIL import Image, ImageDraw

TOP = mm.AXIS + mm.FLANGE
CAP_BOLT_TOP = TOP + mm.CAP_WASHER[2] + mm.CAP_BOLT[3]


def fastener(view, x, seat, washer, bolt, below):
    """A washer, the head of a bolt upon it, and its shank from `below` up, where it is hidden."""
    outer, _, thick = washer
    diameter, _, flats, high = bolt
    corners = flats / math.sqrt(3)
    view.box(x - outer / 2, seat, x + outer / 2, seat + thick, 3)
    view.box(x - corners, seat + thick, x + corners, seat + thick + high, 3)
    for side in (-0.5, 0.5):
        view.line([(x + side * corners, seat + thick), (x + side * corners, seat + thick + high)], 2)
        view.dashed((x + side * diameter, below), (x + side * diameter, seat))


def nipple(view):
    profile = [(4, 2), (3.2, 6), (3.2, 8), (2.2, 11), (3.2, 13.5), (3.2, 15), (2, 17)]
    view.box(-6.4, mm.BOSS_TOP, 6.4, mm.BOSS_TOP + 6, 3)
    right = [(r, mm.BOSS_TOP + z) for r, z in profile if z >= 6]
    view.line([*right, *((-r, z) for r, z in reversed(right))], 3)


def front(view):
    half, block, rise = mm.LONG / 2, mm.BLOCK / 2, math.degrees(math.asin(mm.FLANGE / mm.CROWN))
    view.box(-half, 0, half, mm.PLATE)
    view.line([(-block, mm.PLATE), (-block, TOP), (-mm.CROWN * math.cos(math.radians(rise)), TOP)])
    view.line([(block, mm.PLATE), (block, TOP), (mm.CROWN * math.cos(math.radians(rise)), TOP)])
    view.line([(-block, mm.AXIS), (-mm.SEAT / 2, mm.AXIS)])
    view.line([(mm.SEAT / 2, mm.AXIS), (block, mm.AXIS)])
    view.arc(0, mm.AXIS, mm.CROWN, rise, 180 - rise)
    view.arc(0, mm.AXIS, mm.COLLAR / 2, width=4)
    view.arc(0, mm.AXIS, mm.SHAFT / 2, width=4)
    for side in (-1, 1):
        view.line([(side * block, mm.RIB_FROM), (side * (block + mm.RIB_OUT), mm.PLATE)])
        fastener(view, side * mm.BOLT_APART / 2, TOP, mm.CAP_WASHER, mm.CAP_BOLT, TOP + mm.CAP_WASHER[2] - mm.CAP_BOLT[1])
        fastener(view, side * mm.SLOT_APART / 2, mm.PLATE, mm.ANCHOR_WASHER, mm.ANCHOR_BOLT, 0)
        x, low = side * mm.SLOT_APART / 2, mm.PLATE + mm.ANCHOR_WASHER[2] - mm.ANCHOR_BOLT[1]
        view.line([(x - 8, 0), (x - 8, low), (x + 8, low), (x + 8, 0)], 3)
        for edge in (-mm.SLOT_LONG / 2, mm.SLOT_LONG / 2):
            view.dashed((x + edge, 0), (x + edge, mm.PLATE))
    for side in (-1, 1):
        view.line([(side * mm.BOSS / 2, mm.AXIS + math.sqrt(mm.CROWN**2 - mm.BOSS**2 / 4)), (side * mm.BOSS / 2, mm.BOSS_TOP)])
    view.line([(-mm.BOSS / 2, mm.BOSS_TOP), (mm.BOSS / 2, mm.BOSS_TOP)])
    nipple(view)
    view.centre((0, -12), (0, 206))
    view.centre((-105, mm.AXIS), (105, mm.AXIS))
    _front_sizes(view, half, block)


def _front_sizes(view, half, block):
    view.across(-half, half, -84, f"{mm.LONG}", 0, 0)
    view.across(-mm.SLOT_APART / 2, mm.SLOT_APART / 2, -68, f"{mm.SLOT_APART}", -53, -53)
    view.across(-block, block, 199, f"{mm.BLOCK}", TOP, TOP)
    view.across(-mm.BOLT_APART / 2, mm.BOLT_APART / 2, 185, f"{mm.BOLT_APART}", CAP_BOLT_TOP, CAP_BOLT_TOP)
    view.up(0, mm.AXIS, -206, f"{mm.AXIS}", -half, -105)
    view.up(0, mm.PLATE, -192, f"{mm.PLATE}", -half, -half)
    view.up(0, mm.BOSS_TOP, 206, f"{mm.BOSS_TOP}", half, 10)
    view.up(0, mm.RIB_FROM, 190, f"{mm.RIB_FROM}", half, block)
    view.up(mm.AXIS, TOP, 124, f"{mm.FLANGE}", block, block)
    view.across(block, block + mm.RIB_OUT, 96, f"{mm.RIB_OUT}", mm.RIB_FROM, mm.PLATE)
    view.note((-mm.CROWN * 0.707, mm.AXIS + mm.CROWN * 0.707), (-88, 148), f"R{mm.CROWN}", False)
    view.note((-mm.COLLAR / 2 * 0.707, mm.AXIS - mm.COLLAR / 2 * 0.707), (-52, 44), f"collar Ø{mm.COLLAR}", False)
    view.sheet.text(view.at((0, 222)), "view from the front", font=font(34), fill=INK, anchor="mm")
    for z in (207, -16):
        view.text((-9, z), "A", 34)


def section(view):
    """Cut at x = 0, looked at along x: the front is on the left."""
    half, block, shell, axis = mm.DEEP / 2, mm.BLOCK_DEEP / 2, mm.SHELL_LONG / 2, mm.AXIS
    low, high, inner, outer = axis - mm.SEAT / 2, axis + mm.CROWN, mm.BORE / 2, mm.SEAT / 2
    view.hatch(-half, 0, half, mm.PLATE)
    view.hatch(-block, mm.PLATE, block, low)
    view.hatch(-block, axis + outer, -mm.GREASE / 2, high, -1)
    view.hatch(mm.GREASE / 2, axis + outer, block, high, -1)
    outline = [(half, 0), (half, mm.PLATE), (block, mm.PLATE), (block, low)]
    view.line([*outline, *((-x, y) for x, y in reversed(outline)), outline[0]])
    view.box(-block, axis + outer, block, high)
    view.line([(-10, high), (-10, mm.BOSS_TOP), (10, mm.BOSS_TOP), (10, high)])
    for y0, y1 in ((axis - outer, axis - inner), (axis + inner, axis + outer)):
        view.hatch(-shell, y0, shell, y1, 1 if y0 < axis else -1, 2.4)
        view.box(-shell, y0, shell, y1)
    long = mm.SHAFT_LONG / 2
    view.box(-long, axis - mm.SHAFT / 2, long, axis + mm.SHAFT / 2)
    for side in (-1, 1):
        near, far = side * (shell + mm.PLAY), side * (shell + mm.PLAY + mm.COLLAR_WIDE)
        low_y, high_y = min(near, far), max(near, far)
        for y0, y1 in ((axis - mm.COLLAR / 2, axis - mm.SHAFT / 2), (axis + mm.SHAFT / 2, axis + mm.COLLAR / 2)):
            view.hatch(low_y, y0, high_y, y1, side, 3.0)
            view.box(low_y, y0, high_y, y1)
        middle, end = (low_y + high_y) / 2, axis + mm.COLLAR / 2 - 0.5
        corners = (*view.at((middle - mm.SCREW / 2, end)), *view.at((middle + mm.SCREW / 2, axis + mm.SHAFT / 2)))
        view.sheet.rectangle(corners, fill="white", outline=INK, width=3)
    view.line([(-mm.GREASE / 2, axis + outer), (-mm.GREASE / 2, mm.BOSS_TOP)], 3)
    view.line([(mm.GREASE / 2, axis + outer), (mm.GREASE / 2, mm.BOSS_TOP)], 3)
    nipple(view)
    view.centre((0, -10), (0, 184))
    view.centre((-90, axis), (90, axis))
    _section_sizes(view, axis, long, shell)


def _section_sizes(view, axis, long, shell):
    far = shell + mm.PLAY + mm.COLLAR_WIDE
    view.across(-mm.DEEP / 2, mm.DEEP / 2, -18, f"{mm.DEEP}", 0, 0)
    view.across(-mm.BLOCK_DEEP / 2, mm.BLOCK_DEEP / 2, 42, f"{mm.BLOCK_DEEP}")
    view.across(-long, long, -34, f"shaft {mm.SHAFT_LONG}", 70, 70)
    view.across(-shell, shell, 184, f"shells {mm.SHELL_LONG}", axis + 40, axis + 40)
    view.across(shell + mm.PLAY, far, 166, f"{mm.COLLAR_WIDE}", axis + 42, axis + 42)
    view.up(axis - mm.SHAFT / 2, axis + mm.SHAFT / 2, -66, f"Ø{mm.SHAFT}")
    view.up(axis - mm.BORE / 2, axis + mm.BORE / 2, 20, f"shells Ø{mm.BORE}")
    view.up(axis - mm.SEAT / 2, axis + mm.SEAT / 2, 100, f"Ø{mm.SEAT}", 32, 32)
    view.note((0, 155), (46, 198), f"hole Ø{mm.GREASE} in the cap,\nØ6 in the upper shell")
    view.note((-(shell + 8), axis + 40), (-62, 168), f"set screw Ø{mm.SCREW}, from the shaft,\n0.5 below the collar", False)
    view.note((shell + 0.5, axis - 36), (66, 44), f"play {mm.PLAY} ± 0.2, both ends")
    view.sheet.text(view.at((0, 218)), "section A-A (front on the left)", font=font(34), fill=INK, anchor="mm")


def above(view):
    """Looked at from above, the cap's half with its bolts left of the middle, the base alone right of it."""
    half, deep, block = mm.LONG / 2, mm.DEEP / 2, mm.BLOCK_DEEP / 2
    view.box(-half, -deep, half, deep)
    view.line([(-mm.BLOCK / 2, -block), (mm.BLOCK / 2, -block), (mm.BLOCK / 2, block), (-mm.BLOCK / 2, block), (-mm.BLOCK / 2, -block)])
    for side in (-1, 1):
        x, radius, end = side * mm.SLOT_APART / 2, mm.SLOT_WIDE / 2, (mm.SLOT_LONG - mm.SLOT_WIDE) / 2
        view.arc(x + end, 0, radius, -90, 90)
        view.arc(x - end, 0, radius, 90, 270)
        view.line([(x - end, radius), (x + end, radius)])
        view.line([(x - end, -radius), (x + end, -radius)])
        near, far = side * mm.BLOCK / 2, side * (mm.BLOCK / 2 + mm.RIB_OUT)
        view.line([(near, mm.RIB_THICK / 2), (far, mm.RIB_THICK / 2), (far, -mm.RIB_THICK / 2), (near, -mm.RIB_THICK / 2)])
    for measures, x in ((mm.CAP_WASHER, -mm.BOLT_APART / 2), (mm.ANCHOR_WASHER, -mm.SLOT_APART / 2)):
        view.arc(x, 0, measures[0] / 2, width=3)
        flats = (mm.CAP_BOLT if measures is mm.CAP_WASHER else mm.ANCHOR_BOLT)[2]
        view.line([(x + flats / math.sqrt(3) * math.cos(math.radians(60 * k)), flats / math.sqrt(3) * math.sin(math.radians(60 * k)))
                   for k in range(7)], 3)
    view.arc(mm.BOLT_APART / 2, 0, mm.TAPPED / 2)
    edge = mm.CROWN * math.cos(math.asin(mm.FLANGE / mm.CROWN))
    view.line([(-edge, -block), (-edge, block)])
    view.arc(0, 0, mm.BOSS / 2, 90, 270)
    for x in (mm.SEAT / 2,):
        view.line([(x, -block), (x, block)])
    for side in (-1, 1):
        view.line([(-mm.SHAFT / 2, side * block), (-mm.SHAFT / 2, side * 80), (mm.SHAFT / 2, side * 80), (mm.SHAFT / 2, side * block)])
        view.line([(-mm.COLLAR / 2, side * 33), (-mm.COLLAR / 2, side * 47), (mm.COLLAR / 2, side * 47), (mm.COLLAR / 2, side * 33),
                   (-mm.COLLAR / 2, side * 33)])
    view.centre((0, -88), (0, 88))
    view.centre((-half - 10, 0), (half + 10, 0))
    view.across(mm.SLOT_APART / 2 - mm.SLOT_LONG / 2, mm.SLOT_APART / 2 + mm.SLOT_LONG / 2, -62, f"{mm.SLOT_LONG}", -9, -9)
    view.up(-mm.SLOT_WIDE / 2, mm.SLOT_WIDE / 2, 206, f"{mm.SLOT_WIDE}", mm.SLOT_APART / 2, mm.SLOT_APART / 2)
    view.note((mm.BLOCK / 2 + 16, mm.RIB_THICK / 2), (132, 62), f"rib {mm.RIB_THICK} thick")
    view.note((mm.BOLT_APART / 2 + 4, -4), (88, -78), f"Ø{mm.TAPPED}, {mm.TAPPED_DEEP} deep;\nin the cap Ø{mm.CLEAR_HOLE} through")
    view.note((-mm.SLOT_APART / 2 - 12, 9), (-176, 66), "anchor bolt in the slot's middle", True)
    view.sheet.text(view.at((0, -112)), "view from above (right half: without cap and fasteners)", font=font(34), fill=INK, anchor="mm")


NOTES = (
    ("millimetres; first-angle projection; not to scale", ""), ("", ""),
    ("joint of base and cap on the shaft's axis;", ""), (f"the shells end {mm.SHELL_GAP / 2:g} before it: gap {mm.SHELL_GAP:g} ± 0.1", ""),
    ("shaft in the shells: 0.5 all round, ± 0.2", ""), ("all that is screwed down lies close: 0.1 at most", ""), ("", ""),
    ("cap bolts", "Ø12, 62 under head, hexagon 19 × 8"), ("cap washers", "Ø24 / Ø13 × 2.5"),
    ("anchor bolts", "Ø16, 80 under head, hexagon 24 × 10"), ("anchor washers", "Ø30 / Ø17 × 3"),
    ("grease nipple", "Ø8, 12 deep in the boss; hexagon 11 × 6"), ("", "on it, cone and ball above, 17 in all"), ("", ""),
    ("untoleranced ± 0.5; edges broken by 1 at most", ""),
)


def main(place):
    image = Image.new("RGB", (WIDE, HIGH), "white")
    sheet = ImageDraw.Draw(image)
    sheet.rectangle((20, 20, WIDE - 20, HIGH - 20), outline=INK, width=5)
    front(View(sheet, 860, 880))
    section(View(sheet, 2130, 880))
    above(View(sheet, 860, 1600))
    sheet.rectangle((1740, 1210, WIDE - 40, HIGH - 40), outline=INK, width=4)
    sheet.text((1770, 1236), f"PILLOW BLOCK  {mm.BORE} / {mm.SHAFT}", font=font(46), fill=INK)
    for number, (left, right) in enumerate(NOTES):
        sheet.text((1770, 1310 + number * 47), left, font=font(31), fill=INK)
        sheet.text((2040, 1310 + number * 47), right, font=font(31), fill=INK)
    image.quantize(32).save(place, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1])
