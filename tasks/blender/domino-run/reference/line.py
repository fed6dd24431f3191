"""The line of brief/run.json: where each domino stands and to where it looks. Millimetres and radians."""

import math

START = (-460, -290)  # heading +x
PIECES = (("straight", 540, 0), ("left", 180, 180), ("right", 120, 180), ("straight", 320, 0))
COUNT, PITCH = 46, 40


def place(way):
    """So far along the line: x, y, heading."""
    (x, y), heading = START, 0.0
    for kind, size, degrees in PIECES:
        turn = math.radians(degrees)
        length = size * turn if turn else size
        part = min(way, length)
        if turn:
            side = 1 if kind == "left" else -1
            angle = part / size
            middle = (x - side * size * math.sin(heading), y + side * size * math.cos(heading))
            heading += side * angle
            x, y = middle[0] + side * size * math.sin(heading), middle[1] - side * size * math.cos(heading)
        else:
            x, y = x + part * math.cos(heading), y + part * math.sin(heading)
        way -= part
        if way <= 0:
            break
    return x, y, heading


def places():
    return [place(number * PITCH) for number in range(COUNT)]
