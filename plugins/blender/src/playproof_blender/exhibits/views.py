"""Pictures of a project that bear the name of their view, and a sheet of all of them with what was looked at and from where."""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from PIL import Image, ImageDraw

from playproof.dialogue import Picture
from playproof.errors import InfrastructureError
from playproof.interfaces import Exhibit, Services
from playproof.model import Evidence, Options
from playproof_blender.exhibits.spelling import printable

WIDTH, TILE, ACROSS = 512, 192, 4
LABEL = 16
MOST_TILES = 40
MOST_SIDE = 4096
COLOURS = 256
WORDS = 120
"""Characters of a submission's text that are shown of one thing."""

Read = Callable[[str], bytes]


class PictureExhibitor:
    """Implements `Exhibitor` for `image.render/1` and `blender.frame/1`: a report shows the name in the picture, a judge is told it."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        """Raises ValueError on what is no picture of ours."""
        if evidence.blob is None:
            return Exhibit("<p>a picture without pixels</p>")
        content = read(evidence.blob)
        picture = _decoded(content)
        picture.thumbnail((WIDTH, WIDTH))
        return Exhibit("", _png(_labelled(picture, evidence.source)), [Picture(content, caption=printable(evidence.source, 300))])


class ViewsExhibitor:
    """Implements `Exhibitor` for `blender.views/1`: a contact sheet for a report, and in words what each view is for a judge, who is shown
    the pictures themselves as evidence of their own."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        value = evidence.value if evidence.blob is None else json.loads(read(evidence.blob))
        rows = list(_rows(value))
        text = "\n".join([_head(value), *map(": ".join, rows)])
        return Exhibit(f"<p>{escape(_head(value))}</p>{_table(rows)}", _sheet(value, read), text=text)


class VideoExhibitor:
    """Implements `Exhibitor` for `blender.video/1`: the report plays it itself, and a judge sees its frames, `blender.frame/1`."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        return Exhibit("", text=f"a film: {printable(evidence.source, WORDS)}; some of its frames are shown as pictures")


def _head(value: Mapping[str, Any]) -> str:
    if value.get("empty"):
        return f"no views: {printable(value['empty'], 300)}"
    kinds = {"interior": "an interior, seen from within", "landscape": "a landscape", "object": "objects, seen from around them"}
    left = ", ".join(f"{printable(one['object'], WORDS)} ({one['why']})" for one in value["subject"]["left_out"][:8])
    engine = value.get("engine") or {}
    wanted = f" in place of {printable(engine['project'], WORDS)}" if engine.get("substituted") else ""
    used = f"{value['size']} pixels, by {printable(engine.get('used', 'none'), WORDS)}{wanted}"
    told = f"{len(value['views'])} views of {kinds[value['case']]}; {used}{_by(value.get('proposed'))}"
    return told + (f"; in the pictures, but not framed: {left}" if left else "")


def _by(proposed: Mapping[str, Any] | None) -> str:
    """Who chose, where a model was asked to."""
    if not proposed:
        return ""
    if proposed["cameras"]:
        return f"; {proposed['cameras']} cameras proposed by {printable(proposed['model'], WORDS)}"
    return f"; cameras chosen by geometry: {printable(proposed['why'], 200)}"


def _rows(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for view in value["views"]:
        words = [printable(view["words"], WORDS)]
        if shows := view.get("shows"):
            words.append("shows " + ", ".join(f"{printable(name, WORDS)} {share:.0%}" for name, share in shows[:6]))
        words += [f"no picture: {printable(view['missing'], 200)}"] if view.get("missing") else []
        words += [f"shows nothing: {printable(view['invalid'], WORDS)}"] if view.get("invalid") else []
        words += [f"see {printable(view['instead'], WORDS)}"] if view.get("instead") else []
        picture = view.get("picture") or {}
        words += ["dark"] if picture.get("black") and not view.get("invalid") else []
        yield printable(view["name"], WORDS), "; ".join(words)
    if lost := (value.get("preview") or {}).get("missing"):
        yield "preview", f"none to turn: {printable(lost, 200)}"
    for film in value.get("films") or ():
        told = film.get("missing") or f"{film['pictures']} pictures, {film['fps']:g} a second"
        yield printable(film["film"], WORDS), printable(told, 200)


def _sheet(value: Mapping[str, Any], read: Read) -> bytes | None:
    """All pictures that are still there, each with its name above it."""
    tiles = [_tile(view, read) for view in value["views"][:MOST_TILES]]
    if not any(tiles):
        return None
    lines = -(-len(tiles) // ACROSS)
    sheet = Image.new("RGB", (ACROSS * TILE, lines * (TILE + LABEL)), "white")
    for number, (view, tile) in enumerate(zip(value["views"], tiles, strict=False)):
        x, y = number % ACROSS * TILE, number // ACROSS * (TILE + LABEL)
        ImageDraw.Draw(sheet).text((x + 3, y + 2), _ascii(f"{view['name']} {view['words']}")[:31], "black")
        if tile is None:
            ImageDraw.Draw(sheet).text((x + 3, y + TILE // 2), "no picture", "#a02020")
        else:
            sheet.paste(tile, (x, y + LABEL))
    return _png(sheet)


def _tile(view: Mapping[str, Any], read: Read) -> Image.Image | None:
    picture = view.get("picture")
    if not picture:
        return None
    try:
        tile = _decoded(read(picture["digest"]))
    except (OSError, KeyError, ValueError, InfrastructureError):
        return None
    tile.thumbnail((TILE - 2, TILE - 2))
    return tile


def _labelled(picture: Image.Image, words: str) -> Image.Image:
    whole = Image.new("RGB", (picture.width, picture.height + LABEL), "white")
    whole.paste(picture, (0, LABEL))
    ImageDraw.Draw(whole).text((3, 2), _ascii(words)[: whole.width // 6], "black")
    return whole


def _decoded(content: bytes) -> Image.Image:
    """Raises ValueError on what cannot be decoded, or is larger than any picture of ours."""
    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            if max(image.size) > MOST_SIDE:
                raise ValueError(f"a picture of {image.size[0]}x{image.size[1]} pixels")
            return image.convert("RGB")
    except (OSError, SyntaxError, Image.DecompressionBombError) as fault:
        raise ValueError(f"a picture that cannot be decoded: {fault}") from None


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.quantize(COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _ascii(text: str) -> str:
    return printable(text, 200).encode("ascii", "replace").decode()


def _table(rows: Sequence[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><td>{escape(name)}</td><td>{escape(told)}</td></tr>" for name, told in rows) + "</table>"
