"""The dog, part by part: it looks to -y, its own left is +x. Lengths in millimetres."""

from forms import ball, hoop, loft, turned_body

WHEEL = 20  # radius
RIM = [(-5, 4), (-5, 17), (-3.5, 19.3), (-1.5, WHEEL), (1.5, WHEEL), (3.5, 19.3), (5, 17), (3.5, 13), (3.5, 4)]
PIN = [(-17, 4), (-17, 5), (5, 5), (7.5, 5), (8.5, 3.5), (8.5, 0.5)]
LEGS = {"front": (-72, -4), "hind": (80, 2)}  # where along the body, and how far the knee stands aside
TAIL = [(0, 108, 106), (0, 138, 122), (0, 160, 146), (0, 170, 176), (0, 172, 204)]


def trunk(where, paint):
    line = [(0, 88, 101, 40, 39), (0, 45, 96, 43, 42), (0, 0, 94, 41, 40), (0, -45, 97, 45, 45), (0, -86, 103, 43, 46)]
    loft("Body", line, where, paint["brown"], steps=6, sides=32)
    ball("Bib", (0, -104, 95), (27, 24, 32), where, paint["tan"], -12)
    loft("Neck", [(0, -84, 114, 31, 32), (0, -104, 148, 26, 27), (0, -122, 182, 25, 26)], where, paint["brown"])
    line = [(*point, radius, radius) for point, radius in zip(TAIL, (11, 9.5, 8, 6.5, 4.5), strict=True)]
    loft("Tail", line, where, paint["brown"])


def head(where, paint):
    ball("Head", (0, -138, 200), (37, 40, 34), where, paint["brown"], 10)
    loft("Muzzle", [(0, -150, 193, 27, 24), (0, -182, 188, 21, 19), (0, -210, 183, 18, 15.5)], where, paint["tan"])
    loft("Jaw", [(0, -148, 168, 17, 9), (0, -176, 162, 15, 7.5), (0, -200, 159, 12, 6)], where, paint["tan"])
    loft("Tongue", [(0, -164, 170, 9, 3.5), (0, -186, 166.5, 10, 3), (0, -207, 161, 9, 2.6)], where, paint["pink"])
    ball("Nose", (0, -222, 192), (11.5, 9, 8.5), where, paint["black"], 10)
    for side, x in (("L", 1), ("R", -1)):
        ball(f"Eye.{side}", (x * 21, -169, 210), 7.5, where, paint["black"])
        ball(f"Brow.{side}", (x * 17, -161, 224), (8.5, 5.5, 4.5), where, paint["tan"], 40)
        line = [(x * 31, -130, 220, 6, 13), (x * 44, -127, 202, 6.5, 19), (x * 47, -124, 172, 6, 24), (x * 44, -125, 145, 5, 21)]
        loft(f"Ear.{side}", line, where, paint["dark"], round_=2.4)


def legs(where, gear, paint):
    for end, (y, aside) in LEGS.items():
        for side, x in (("L", 1), ("R", -1)):
            thigh = 21 if end == "front" else 24
            bend = [(x * 30, y, 88, thigh - 3, thigh), (x * 34, y + aside, 58, 14.5, 16), (x * 36, y, 34, 12, 12.5)]
            loft(f"Leg {end}.{side}", bend, where, paint["brown"])
            sole = [(x * 36, y + 6, 25, 14, 12), (x * 36, y - 10, 24, 16, 13), (x * 36, y - 24, 21, 15, 10)]
            loft(f"Paw {end}.{side}", sole, where, paint["tan"])
            axle = ((x * 59, y, WHEEL), (x, 0, 0))
            turned_body(f"Wheel {end}.{side}", *axle, RIM, gear, paint["red"])
            turned_body(f"Hub {end}.{side}", *axle, PIN, gear, paint["brass"], 20)


def trimmings(where, paint):
    along = (0, -18, 34)  # of the neck
    hoop("Collar", (0, -107, 153), along, 27, 7.5, 4, where, paint["red"])
    hoop("Tag ring", (0, -137.5, 133), (1, 0, 0), 6, 1.3, 1.3, where, paint["brass"], 24, 8)
    coin = [(-1.8, 2), (-1.8, 12), (-1, 13.5), (1, 13.5), (1.8, 12), (1.8, 2)]
    turned_body("Tag", (0, -141, 114.5), (0, -1, 0.12), coin, where, paint["brass"])
    hoop("Cord ring", (0, -133, 85), (1, 0, 0), 6, 1.5, 1.5, where, paint["brass"], 24, 8)
    line = [(0, -138, 83), (0, -150, 52), (3, -163, 22), (14, -178, 5), (36, -190, 3.4), (70, -188, 2.5),
            (104, -162, 2.5), (118, -124, 4.5), (118, -100, 11)]
    loft("Cord", [(*point, 2.5, 2.5) for point in line], where, paint["cream"], steps=6, sides=8)
    ball("Bead", (118, -90, 14), 14, where, paint["beech"])
