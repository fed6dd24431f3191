"""A room from above, for people: what stands where, its labels, where one may walk and where one starts. z points down."""

import math
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from playproof_xr.geometry import Point
from playproof_xr.rooms.description import Room
from playproof_xr.rooms.navigation import cells_of, ground_of
from playproof_xr.rooms.planes import walls_of

SCALE = 100.0
"""Pixels for a metre, where the room is not so long that it must be less."""

LONGEST = 900
MARGIN = 46
WALK, FLOOR, INK, WALL, SPOT = "#d9ead3", "#f6f4ef", "#333333", "#444444", "#b3261e"


def plan_of(room: Room) -> Image.Image:
    return _Plan(room).image


class _Plan:
    def __init__(self, room: Room) -> None:
        self.room = room
        (self.left, self.far), (right, near) = room.shell.polygon.bounds
        self.scale = min(SCALE, LONGEST / max(right - self.left, near - self.far))
        width, height = (right - self.left) * self.scale, (near - self.far) * self.scale
        self.image = Image.new("RGB", (max(round(width), 300) + 2 * MARGIN, round(height) + 2 * MARGIN), "white")
        self.draw = ImageDraw.Draw(self.image)
        self.font = ImageFont.load_default(size=12)
        self._floor()
        self._openings()
        self._furniture()
        self._people()
        self._legend()

    def at(self, point: Point) -> Point:
        return MARGIN + (point[0] - self.left) * self.scale, MARGIN + (point[1] - self.far) * self.scale

    def _floor(self) -> None:
        self.draw.polygon([self.at(one) for one in self.room.shell.outline], fill=FLOOR)
        xs, zs, cells = cells_of(ground_of(self.room))
        for i, j in cells:
            self.draw.rectangle((*self.at((xs[i], zs[j])), *self.at((xs[i + 1], zs[j + 1]))), fill=WALK)
        outline = [self.at(one) for one in self.room.shell.outline]
        self.draw.line([*outline, outline[0], outline[1]], fill=WALL, width=5, joint="curve")

    def _openings(self) -> None:
        walls = walls_of(self.room)
        for opening in self.room.openings:
            wall = walls[opening.wall]
            ends = [wall.pose(opening.along + side * opening.width / 2.0, 0.0).position for side in (-1, 1)]
            self.draw.line([self.at((end.x, end.z)) for end in ends], fill=opening.colour, width=9)
            middle = ends[0].lerp(ends[1], 0.5) - wall.inward * (16.0 / self.scale)
            self._word((middle.x, middle.z), opening.id)

    def _furniture(self) -> None:
        for piece in sorted(self.room.furniture, key=lambda one: one.upper):
            corners = [self.at(corner) for corner in piece.footprint.corners]
            self.draw.polygon(corners, fill=piece.colour, outline=INK)
            if piece.kind == "seat":
                self.draw.line(corners[:2], fill=INK, width=4)  # its back
            height = f" {piece.surface:g}" if piece.surface is not None else ""
            self._word(piece.at, f"{piece.id}{height}", halo=True)

    def _people(self) -> None:
        for place in self.room.places:
            x, y = self.at(place.stand)
            self.draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=SPOT)
            self._word((place.stand[0], place.stand[1] + 12.0 / self.scale), place.id, fill=SPOT)
        x, y = self.at(self.room.start.at)
        facing = math.radians(self.room.start.facing)
        tip, wings = (x - 22 * math.sin(facing), y - 22 * math.cos(facing)), self._wings(x, y, facing)
        self.draw.polygon([tip, *wings], fill="#1f4e8c")

    @staticmethod
    def _wings(x: float, y: float, facing: float) -> Sequence[Point]:
        return [(x + side * 10 * math.cos(facing), y - side * 10 * math.sin(facing)) for side in (-1, 1)]

    def _legend(self) -> None:
        y = self.image.height - 14
        self.draw.line((MARGIN, y, MARGIN + self.scale, y), fill=INK, width=2)
        self.draw.text((MARGIN + self.scale + 8, y), "1 m", fill=INK, font=self.font, anchor="lm")
        title = f"{self.room.id}: {self.room.title}, ceiling at {self.room.shell.height:g} m"
        self.draw.text((MARGIN, 10), title, fill=INK, font=self.font)

    def _word(self, at: Point, text: str, fill: str = INK, halo: bool = False) -> None:
        width = 2 if halo else 0
        self.draw.text(self.at(at), text, fill=fill, font=self.font, anchor="mm", stroke_width=width, stroke_fill="white")
