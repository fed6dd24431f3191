"""The figures of brief/front.json, and what only the drawing says, for those who draw and build where the brief lies;
millimetres."""

import json
from pathlib import Path

BRIEF = Path("brief")

PLANTERS = {"left": (-1850, -330), "right": (800, -330)}
PLANTER = (700, 300, 420)
PENDANTS = ((-1700, 700), (-500, 700), (700, 700))
SHADE, RIM = 320, 1900


def told():
    return json.loads((BRIEF / "front.json").read_text("utf-8"))
