"""Draws brief/plan.png from brief/plan.json (run by hand, with Pillow)."""

import json
import math
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

BRIEF = Path(__file__).parents[1] / "brief"
SCALE, EDGE = 0.1, 190  # pixels for a millimetre; margin
HALF = (6000, 5000)
INK, THIN, GREY, BLUE = (20, 20, 20), (90, 90, 90), (205, 205, 200), (40, 90, 160)
ROOMS = [("Living", 0, -3000), ("Kitchen", 4000, -2600), ("Bedroom", -4000, -2600), ("Study", 0, 3300), ("Courtyard", 500, -300)]


class Sheet:
    def __init__(self):
        self.image = Image.new("RGB", (int(2 * HALF[0] * SCALE) + 2 * EDGE, int(2 * HALF[1] * SCALE) + 2 * EDGE), "white")
        self.pen = ImageDraw.Draw(self.image)
        self.small, self.large = (ImageFont.load_default(size) for size in (17, 25))

    def at(self, x, y):
        return EDGE + (x + HALF[0]) * SCALE, EDGE + (HALF[1] - y) * SCALE

    def box(self, low, high, **how):
        (x0, y0), (x1, y1) = self.at(low[0], high[1]), self.at(high[0], low[1])
        self.pen.rectangle((x0, y0, x1, y1), **how)

    def line(self, start, end, fill=INK, width=2):
        self.pen.line((*self.at(*start), *self.at(*end)), fill=fill, width=width)

    def text(self, x, y, said, font=None, fill=INK):
        self.pen.text(self.at(x, y), said, font=font or self.small, fill=fill, anchor="mm")


def footprint(wall, start=None, end=None):
    """The corners of a wall, or of a stretch of it."""
    (x0, y0), (x1, y1) = wall["axis"]
    half = wall["thickness"] / 2
    if y0 == y1:
        return (x0 if start is None else start, y0 - half), (x1 if end is None else end, y0 + half)
    return (x0 - half, y0 if start is None else start), (x0 + half, y1 if end is None else end)


def draw_opening(sheet, wall, one):
    low, high = footprint(wall, one["from"], one["to"])
    sheet.box(low, high, fill="white", outline=THIN)
    along_x = wall["axis"][0][1] == wall["axis"][1][1]
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
    if "hinge" not in one:
        for shift in (-25, 25):
            ends = ((low[0], middle[1] + shift), (high[0], middle[1] + shift)) if along_x else \
                ((middle[0] + shift, low[1]), (middle[0] + shift, high[1]))
            sheet.line(*ends, fill=BLUE)
        away = 330 if along_x else 420
        out = 1 if (middle[1] if along_x else middle[0]) > 0 else -1
        where = (middle[0], middle[1] + out * away) if along_x else (middle[0] + out * away, middle[1])
        sheet.text(*where, one["name"].removeprefix("Window "), fill=BLUE)
        return
    draw_swing(sheet, one, middle, along_x)


def draw_swing(sheet, one, middle, along_x):
    wide = one["to"] - one["from"]
    hinge, sign = (one["from"], 1) if one["hinge"] == "from" else (one["to"], -1)
    pivot, open_ = ((hinge, middle[1]), (hinge, middle[1] + wide)) if along_x else ((middle[0], hinge), (middle[0] + wide, hinge))
    sheet.line(pivot, open_, width=4)
    points = []
    for step in range(19):
        turn = math.radians(5 * step)
        near, far = sign * wide * math.cos(turn), wide * math.sin(turn)
        points.append(sheet.at(pivot[0] + near, pivot[1] + far) if along_x else sheet.at(pivot[0] + far, pivot[1] + near))
    sheet.pen.line(points, fill=THIN, width=2)
    away = (-1250, -450) if one["name"] == "Door entrance" else (0, -330) if along_x else (-650, 0)
    sheet.text(middle[0] + away[0], middle[1] + away[1], one["name"].removeprefix("Door "), fill=THIN)


def draw_measures(sheet):
    for low, high, said in ((-6000, 6000, "12000"),):
        sheet.line((low, 5700), (high, 5700), fill=THIN)
        sheet.text((low + high) / 2, 5900, said)
    for low, high, said in ((-6000, -2200, "3800"), (-2200, 2200, "4400"), (2200, 6000, "3800")):
        sheet.line((low, 5350), (high, 5350), fill=THIN)
        sheet.text((low + high) / 2, 5500, said)
        for x in (low, high):
            sheet.line((x - 60, 5290), (x + 60, 5410))
    sheet.line((6700, -5000), (6700, 5000), fill=THIN)
    sheet.text(7100, 0, "10000")
    for y in (-5000, 5000):
        sheet.line((6640, y - 60), (6760, y + 60))
    for x in (-6000, 6000):
        sheet.line((x - 60, 5640), (x + 60, 5760))
    sheet.line((-6800, 3600), (-6800, 4700), width=4)
    sheet.text(-6800, 4950, "N", sheet.large)
    sheet.line((-6800, 4700), (-6950, 4350), width=4)
    sheet.line((-6800, 4700), (-6650, 4350), width=4)
    sheet.text(-3800, -6400, "lengths in mm; heights and names are in plan.json", fill=THIN)


def drawn(plan):
    sheet = Sheet()
    sheet.box((-2000, -1500), (2000, 1500), fill=(238, 234, 222))
    for number, side in enumerate((-5600, -5300)):
        sheet.box((-800, side), (800, side + 300), fill="white", outline=INK, width=2)
        sheet.text(600, side + 150, f"{number + 1}", fill=THIN)
    walls = {wall["name"]: wall for wall in plan["walls"]}
    for wall in plan["walls"]:
        sheet.box(*footprint(wall), fill=INK if wall["thickness"] > 150 else (70, 70, 70))
    for one in plan["openings"]:
        draw_opening(sheet, walls[one["wall"]], one)
    x, y = plan["chimney"]["middle"]
    sheet.box((x - 300, y - 300), (x + 300, y + 300), fill=GREY, outline=INK, width=3)
    sheet.text(x, y - 450, "Chimney")
    tub = plan["courtyard"]["tub"]
    (x, y), half = tub["middle"], tub["diameter"] / 2
    (x0, y0), (x1, y1) = sheet.at(x - half, y + half), sheet.at(x + half, y - half)
    sheet.pen.ellipse((x0, y0, x1, y1), outline=(60, 110, 60), width=4)
    sheet.text(x, y, "Tub")
    sheet.box((1450, -800), (1900, 800), outline=INK, width=2)
    sheet.text(1675, 0, "Bench")
    for said, x, y in ROOMS:
        sheet.text(x, y, said, sheet.large)
    draw_measures(sheet)
    return sheet.image


if __name__ == "__main__":
    drawn(json.loads((BRIEF / "plan.json").read_text(encoding="utf-8"))).save(BRIEF / "plan.png", optimize=True)
