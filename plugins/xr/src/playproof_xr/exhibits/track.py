"""Things and hands over time: a plot, a few rows, and what can be asked."""

import io
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from PIL import Image, ImageDraw

from playproof.interfaces import Exhibit, Query, Services
from playproof.model import TICKS, Evidence, Options
from playproof_xr.exhibits.spelling import Read, cut, metres, number_of, opened, printable, schema, table, text_of
from playproof_xr.shapes import gap_of
from playproof_xr.time.track import Nothing, Placed, Row, Track, spelled_time

PLOTTED, ROWS = 6, 12
WIDTH, BAND, LEFT = 560, 70, 60
COLOURS = {"x": "#c03030", "y": "#208030", "z": "#3050c0"}


class TrackExhibitor:
    """Implements `Exhibitor` and `Queried` for `xr.track/1`."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        track = Track.of(opened(evidence, read), [evidence.id])
        names = sorted(track.names)
        rows = [(spelled_time(row.tick), *(said(row.values[name]) for name in names[:PLOTTED])) for row in spread(track.rows)]
        lines = [f"{row[0]}: " + "; ".join(f"{printable(name)} {cell}" for name, cell in zip(names, row[1:], strict=False)) for row in rows]
        head = f"{len(track.rows)} samples every {track.step / 90:.3g} ms of {', '.join(map(printable, names)) or 'nothing'}; some of them:"
        return Exhibit(table(["at", *names[:PLOTTED]], rows), plot(track, names[:PLOTTED]), text=cut([head, *lines]))

    def queries(self, evidence: Evidence, read: Read) -> Sequence[Query]:
        track = Track.of(opened(evidence, read), [evidence.id])
        name = {"type": "string", "enum": sorted(track.names)}
        at = {"type": "number", "description": "seconds"}
        return [
            Query("where_at", "Where something was at a time: at the last sample before it.", schema(["name", "at_s"], name=name, at_s=at),
                  lambda arguments: _where(track, arguments)),
            Query("apart_over_time", "How far two things were apart: least and most, when, and at some times; metres.",
                  schema(["a", "b"], a=name, b=name), lambda arguments: _apart(track, arguments)),
        ]  # fmt: skip


def spread(rows: Sequence[Row]) -> Sequence[Row]:
    """Some rows, from the first to the last."""
    last = len(rows) - 1
    picks = sorted({round(last * index / (ROWS - 1)) for index in range(ROWS)}) if last > 0 else range(len(rows))
    return [rows[index] for index in picks]


def said(value: Placed | float | Nothing) -> str:
    if isinstance(value, Placed):
        return metres(value.centre)
    return value.why if isinstance(value, Nothing) else f"{value:.3g}"


def _named(track: Track, arguments: Mapping[str, Any], key: str) -> str:
    name = text_of(arguments, key)
    if name not in track.names:
        raise ValueError(f"{name!r} was not watched; watched: {', '.join(sorted(track.names))}")
    return name


def _where(track: Track, arguments: Mapping[str, Any]) -> Any:
    name = _named(track, arguments, "name")
    tick = number_of(arguments, "at_s", 0, 0, 1e6) * TICKS
    before = [row for row in track.rows if row.tick <= tick]
    if not before:
        raise ValueError("nothing was sampled by then")
    return {"at_s": before[-1].tick / TICKS, "place": said(before[-1].values[name])}


def _apart(track: Track, arguments: Mapping[str, Any]) -> Any:
    a, b = (_named(track, arguments, key) for key in ("a", "b"))
    pairs = [(row, row.values[a], row.values[b]) for row in track.rows]
    told = [(gap_of(p, q), p.centre.distance(q.centre), row) for row, p, q in pairs if isinstance(p, Placed) and isinstance(q, Placed)]
    if not told:
        raise ValueError("they were never both there")
    ends = {"least": min(told, key=lambda one: one[1]), "most": max(told, key=lambda one: one[1])}
    some = [_spelled(*one) for one in told[:: max(1, len(told) // ROWS)]]
    return {**{key: _spelled(*one) for key, one in ends.items()}, "some": some, "not_there_at": len(pairs) - len(told)}


def _spelled(gap: float, far: float, row: Row) -> Mapping[str, float]:
    return {"at_s": round(row.tick / TICKS, 3), "middle_to_middle": round(far, 4), "surface_to_surface": round(gap, 4)}


def plot(track: Track, names: Sequence[str]) -> bytes | None:
    """A band for each name: x red, y green, z blue over time, each between its own least and most; a gap where it is not there."""
    if len(track.rows) < 2 or not names:
        return None
    image = Image.new("RGB", (WIDTH, BAND * len(names)), "white")
    draw = ImageDraw.Draw(image)
    for order, name in enumerate(names):
        _band(draw, track, name, order * BAND)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _band(draw: ImageDraw.ImageDraw, track: Track, name: str, top: int) -> None:
    numbers = [_numbers(row.values[name]) for row in track.rows]
    every = [one for numbers_ in numbers if numbers_ for one in numbers_]
    draw.line([(0, top + BAND - 1), (WIDTH, top + BAND - 1)], "#cccccc")
    draw.text((4, top + 2), printable(name, 70).encode("ascii", "replace").decode(), "black")
    if not every:
        draw.text((LEFT, top + BAND // 2), "never there", "black")
        return
    low, high = min(every), max(every)
    draw.text((4, top + 18), f"{high:.2f}", "#666666")
    draw.text((4, top + BAND - 16), f"{low:.2f}", "#666666")
    first, length = track.rows[0].tick, max(track.rows[-1].tick - track.rows[0].tick, 1)

    def at(index: int, axis: int, held: Sequence[float]) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - 4) * (track.rows[index].tick - first) / length
        return x, top + 20 + (BAND - 28) * (1 - (held[axis] - low) / max(high - low, 1e-6))

    for axis, colour in enumerate(COLOURS.values()):
        for (i, p), (j, q) in pairwise(enumerate(numbers)):
            if p and q and axis < len(p):
                draw.line([at(i, axis, p), at(j, axis, q)], colour)


def _numbers(value: Placed | float | Nothing) -> Sequence[float] | None:
    if isinstance(value, Placed):
        return tuple(value.centre)
    return None if isinstance(value, Nothing) else (value,)
