"""Draws brief/front.png from brief/front.json and measures.py (`python reference/draw.py`, with Pillow): the new front, from the street
and from above."""

from measures import BRIEF, PENDANTS, PLANTER, PLANTERS, RIM, SHADE, told
from PIL import Image, ImageDraw, ImageFont

SCALE, LEFT, TOP = 0.27, 190, 120
INK, THIN, BLUE, PALE, WASH = (25, 25, 25), (120, 120, 120), (30, 80, 160), (225, 225, 220), (222, 234, 228)
WIDE, HIGH, FAR, NEAR = 2700, 3400, 1000, -1350
PLAN = TOP + HIGH * SCALE + 210


class Sheet:
    def __init__(self):
        size = (int(2 * WIDE * SCALE) + 2 * LEFT, int(PLAN + (FAR - NEAR) * SCALE) + 120)
        self.image = Image.new("RGB", size, "white")
        self.pen = ImageDraw.Draw(self.image)
        self.small, self.large = (ImageFont.load_default(size) for size in (19, 27))

    def at(self, x, z, plan=False):
        return LEFT + (x + WIDE) * SCALE, PLAN + (FAR - z) * SCALE if plan else TOP + (HIGH - z) * SCALE

    def box(self, x, z, plan=False, **how):
        (left, low), (right, high) = self.at(x[0], z[1], plan), self.at(x[1], z[0], plan)
        self.pen.rectangle((left, low, right, high), **({"outline": INK, "width": 2} | how))

    def line(self, one, other, plan=False, fill=BLUE, width=2):
        self.pen.line((*self.at(*one, plan), *self.at(*other, plan)), fill=fill, width=width)

    def text(self, x, z, said, plan=False, font=None, fill=BLUE, anchor="mm"):
        self.pen.text(self.at(x, z, plan), said, font=font or self.small, fill=fill, anchor=anchor)

    def measure(self, ends, across, said=None, plan=False, upright=False, off=45):
        """A line between ticks with its figure beside it; `across` is where it runs."""
        one, other = ((across, ends[0]), (across, ends[1])) if upright else ((ends[0], across), (ends[1], across))
        self.line(one, other, plan)
        for x, z in (one, other):
            tick = ((x - 40, z), (x + 40, z)) if upright else ((x, z - 40), (x, z + 40))
            self.line(*tick, plan)
        middle = sum(ends) / 2
        said = said or f"{abs(ends[1] - ends[0]):g}"
        if upright:
            self.text(across + off, middle, said, plan, anchor="lm")
        else:
            self.text(middle, across + off, said, plan)


def elevation(sheet, told):
    door, window, awning, letters = told["door"], told["window"], told["awning"], told["letters"]
    sheet.line((-WIDE, 0), (WIDE, 0), fill=INK, width=4)
    for x in ((-2700, -2300), (2300, 2700)):
        sheet.box(x, (0, 2600), fill=PALE)
    sheet.box((-2300, 2300), (0, 2600))
    sheet.box((-2220, 2220), (0, 2520))
    post = door["pivot_x"] - door["clear_width"]
    sheet.box((window["right"], post), (0, 2520), fill=WASH)
    sheet.box((window["left"], window["right"]), (0, 450), fill=PALE)
    sheet.box((window["left"], window["right"]), (450, 530), fill=WASH)
    sheet.box((window["mullion_x"] - 40, window["mullion_x"] + 40), (530, 2520), fill=WASH)
    sheet.box((post, 2220), (2100, 2160), fill=WASH)
    sheet.box((post + 114, 2106), (514, 1976), outline=THIN)
    sheet.box((door["handle_x"] - 9, door["handle_x"] + 9), (900, 1400), fill=INK)
    sheet.box((-2400, 2400), (2720, 3280), fill="white")
    name, wide = told["brand"]["name"], letters["word_width"]
    for number, sign in enumerate(name):
        x = letters["middle"]["x"] - wide / 2 + 130 + (wide - 270) * number / (len(name) - 1)
        sheet.text(x, letters["middle"]["z"], sign, font=ImageFont.load_default(118), fill=INK)
    half, wide = awning["width"] / 2, awning["stripe_width"]
    for number in range(awning["stripes"]):
        x = -half + wide * number
        sheet.box((x, x + wide), (awning["lowest"], awning["top"]), fill=WASH if number % 2 == 0 else "white")
    lamps(sheet)
    for x, _ in PLANTERS.values():
        sheet.box((x - PLANTER[0] / 2, x + PLANTER[0] / 2), (0, PLANTER[2]), fill="white")
        px, pz = sheet.at(x, 640)
        sheet.pen.ellipse((px - 70, pz - 62, px + 70, pz + 62), outline=THIN, width=2, fill="white")
        sheet.line((x, -60), (x, 900), fill=THIN, width=1)
    px, pz = sheet.at(-2550, 2330)
    sheet.pen.ellipse((px - 250 * SCALE, pz - 250 * SCALE, px + 250 * SCALE, pz + 250 * SCALE), outline=INK, width=2, fill=WASH)


def lamps(sheet):
    for number, (x, _) in enumerate(PENDANTS, 1):
        corners = [sheet.at(*one) for one in ((x - SHADE / 2, RIM), (x + SHADE / 2, RIM), (x + 40, RIM + 180), (x - 40, RIM + 180))]
        sheet.pen.polygon(corners, outline=INK, fill="white", width=2)
        sheet.text(x + 190, RIM - 75, f"lamp {number}", fill=INK)


def figures(sheet, told):
    awning, door, window, letters = told["awning"], told["door"], told["window"], told["letters"]
    half = awning["width"] / 2
    sheet.measure((-half, half), 3340, f"awning {awning['width']}: {awning['stripes']} stripes of {awning['stripe_width']}", off=60)
    sheet.measure((-letters["word_width"] / 2, letters["word_width"] / 2), 2775, " ")
    sheet.text(letters["word_width"] / 2 + 70, 2775, f"word {letters['word_width']}", anchor="lm")
    sheet.measure((letters["middle"]["z"] - 160, letters["middle"]["z"] + 160), 1500, f"{letters['height']}", upright=True)
    sheet.measure((door["pivot_x"] - door["clear_width"], door["pivot_x"]), 1750, f"clear {door['clear_width']}")
    sheet.measure((window["left"], window["mullion_x"]), 1350, f"{window['mullion_x'] - window['left']} to the middle", off=50)
    sheet.measure((window["left"], window["right"]), 1100, " ")
    sheet.text(300, 1050, f"bay {window['right'] - window['left']}")
    sheet.measure((0, awning["lowest"]), 2760, f"{awning['lowest']}", upright=True)
    sheet.measure((0, awning["top"]), 3080, f"{awning['top']}", upright=True)
    sheet.measure((0, RIM), -2830, f"rim\n{RIM}", upright=True, off=-210)
    sheet.measure((0, PLANTER[2]), -1440, f"{PLANTER[2]}", upright=True, off=30)


def plan(sheet, told):
    sheet.text(-WIDE, FAR + 190, "from above (y): the wall's face is y = 0", True, sheet.large, INK, "lm")
    for x in ((-2700, -2300), (2300, 2700)):
        sheet.box(x, (0, FAR), True, fill=PALE)
    sheet.box((-2300, 2300), (60, 140), True, fill=WASH)
    sheet.box((-2200, 2200), (-told["awning"]["projection"], 0), True, outline=THIN)
    sheet.measure((0, -told["awning"]["projection"]), 2330, f"{told['awning']['projection']}", True, True, 40)
    sheet.line((0, NEAR), (0, FAR), True, THIN, 1)
    sheet.text(30, NEAR + 60, "x = 0", True, fill=THIN, anchor="lm")
    for x, y in PENDANTS:
        px, py = sheet.at(x, y, True)
        sheet.pen.ellipse((px - 160 * SCALE, py - 160 * SCALE, px + 160 * SCALE, py + 160 * SCALE), outline=INK, width=2)
        sheet.line((x, y - 210), (x, y + 210), True, THIN, 1)
        sheet.measure((0, x), y - 260 - 90 * (x == PENDANTS[0][0]), f"{abs(x)}", True, off=-52)
    sheet.measure((0, PENDANTS[0][1]), -2050, f"{PENDANTS[0][1]}", True, True, 30)
    for x, y in PLANTERS.values():
        wide, deep = PLANTER[:2]
        sheet.box((x - wide / 2, x + wide / 2), (y - deep / 2, y + deep / 2), True, fill="white")
        sheet.line((x - 60, y), (x + 60, y), True, THIN, 1)
        sheet.line((x, y - 210), (x, y + 210), True, THIN, 1)
        sheet.measure((0, x), y - 260, f"{abs(x)}", True, off=-55)
        sheet.measure((0, y), x + wide / 2 + 90, f"{abs(y)}\nto the middle", True, True, 30)
        sheet.text(x, y + 75, f"{wide} x {deep}", True, fill=INK)


def main():
    sheet, figured = Sheet(), told()
    sheet.text(-WIDE, HIGH + 250, "New front, from the street (x to the right, z up); millimetres", font=sheet.large, fill=INK, anchor="lm")
    elevation(sheet, figured)
    figures(sheet, figured)
    plan(sheet, figured)
    sheet.image.save(BRIEF / "front.png", optimize=True)


if __name__ == "__main__":
    main()
