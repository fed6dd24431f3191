"""What a drawing is drawn with, on a picture of Pillow: views in millimetres, to the right and up, with dimensions, notes and hatching."""

import math

from PIL import ImageFont

WIDE, HIGH, SCALE = 2800, 2100, 3.6
INK, THIN, HATCH = (20, 24, 30), (60, 70, 90), (120, 128, 140)


def font(size):
    return ImageFont.truetype("DejaVuSans.ttf", size)


class View:
    """A place on the sheet where (0, 0) of a view lies, in pixels."""

    def __init__(self, sheet, x, y):
        self.sheet, self.x, self.y = sheet, x, y

    def at(self, point):
        return (self.x + point[0] * SCALE, self.y - point[1] * SCALE)

    def line(self, points, width=4, fill=INK):
        self.sheet.line([self.at(one) for one in points], fill=fill, width=width, joint="curve")

    def dashed(self, start, end, on=3.0, off=1.6, width=2, fill=THIN):
        length = math.dist(start, end)
        ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        along = 0.0
        while along < length:
            to = min(along + on, length)
            self.line([(start[0] + ux * along, start[1] + uy * along), (start[0] + ux * to, start[1] + uy * to)], width, fill)
            along = to + off

    def centre(self, start, end):
        self.dashed(start, end, 7.0, 2.0, 2, (150, 40, 40))

    def box(self, x0, y0, x1, y1, width=4):
        self.line([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], width)

    def arc(self, x, y, radius, start=0.0, end=360.0, width=4):
        self.line([(x + radius * math.cos(math.radians(start + (end - start) * k / 90)),
                    y + radius * math.sin(math.radians(start + (end - start) * k / 90))) for k in range(91)], width)

    def hatch(self, x0, y0, x1, y1, lean=1, step=4.0):
        """Strokes at 45 degrees in a rectangle."""
        offset = -(y1 - y0)
        while offset < x1 - x0:
            first, last = max(0.0, offset), min(x1 - x0, offset + (y1 - y0))
            ends = [(x0 + first, y0 + first - offset), (x0 + last, y0 + last - offset)]
            if last > first:
                self.line([(x, y) if lean > 0 else (x, y0 + y1 - y) for x, y in ends], 1, HATCH)
            offset += step

    def arrow(self, tip, back, size=3.4):
        angle = math.atan2(back[1] - tip[1], back[0] - tip[0])
        ends = [(tip[0] + size * math.cos(angle + turn), tip[1] + size * math.sin(angle + turn)) for turn in (-0.26, 0.26)]
        self.sheet.polygon([self.at(one) for one in (tip, *ends)], fill=THIN)

    def text(self, point, words, size=30, anchor="mm"):
        x, y = self.at(point)
        box = self.sheet.textbbox((x, y), words, font=font(size), anchor=anchor)
        self.sheet.rectangle((box[0] - 5, box[1] - 3, box[2] + 5, box[3] + 3), fill="white")
        self.sheet.text((x, y), words, font=font(size), fill=INK, anchor=anchor)

    def across(self, x0, x1, y, words, from0=None, from1=None):
        """A dimension along the first axis, at height y, with lines up or down to what it measures."""
        for x, start in ((x0, from0), (x1, from1)):
            if start is not None:
                self.line([(x, start), (x, y + (2.5 if y > start else -2.5))], 2, THIN)
        self.line([(x0, y), (x1, y)], 2, THIN)
        self._ends((x0, y), (x1, y))
        self.text(((x0 + x1) / 2, y), words)

    def up(self, y0, y1, x, words, from0=None, from1=None):
        for y, start in ((y0, from0), (y1, from1)):
            if start is not None:
                self.line([(start, y), (x + (2.5 if x > start else -2.5), y)], 2, THIN)
        self.line([(x, y0), (x, y1)], 2, THIN)
        self._ends((x, y0), (x, y1))
        self.text((x, (y0 + y1) / 2), words)

    def _ends(self, start, end):
        short = math.dist(start, end) < 12
        for tip, other in ((start, end), (end, start)):
            away = (2 * tip[0] - other[0], 2 * tip[1] - other[1])
            self.arrow(tip, away if short else other)

    def note(self, tip, elbow, words, right=True):
        """A leader from a thing to words."""
        end = (elbow[0] + (6 if right else -6), elbow[1])
        self.line([tip, elbow, end], 2, THIN)
        self.arrow(tip, elbow)
        self.text((end[0] + (1.5 if right else -1.5), end[1]), words, 30, "lm" if right else "rm")
