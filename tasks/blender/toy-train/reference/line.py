"""The oval of brief/track.json, in millimetres: where it runs."""

import math

RADIUS, LAP = 200, 600 * math.pi
HALF = (LAP - math.tau * RADIUS) / 4  # of a straight
BEND = math.pi * RADIUS
FRAMES, APART, WHEEL = 96, 120, 15


def place(way):
    """x, y and heading (radians, it goes on over laps) so far along from the middle of the front straight, clockwise seen from above."""
    laps, way = divmod(way, LAP)
    before = -math.tau * laps
    if way < HALF:
        return -way, -RADIUS, before + math.pi
    way -= HALF
    if way < BEND:
        turn = way / RADIUS
        return -HALF - RADIUS * math.sin(turn), -RADIUS * math.cos(turn), before + math.pi - turn
    way -= BEND
    if way < 2 * HALF:
        return -HALF + way, RADIUS, before
    way -= 2 * HALF
    if way < BEND:
        turn = way / RADIUS
        return HALF + RADIUS * math.sin(turn), RADIUS * math.cos(turn), before - turn
    return HALF - (way - BEND), -RADIUS, before - math.pi


def stations(bend=48):
    """Ways along the lap at which a strip of track has its corners."""
    one = [HALF + BEND * k / bend for k in range(bend + 1)]
    return [*one, *(way + BEND + 2 * HALF for way in one)]
