"""Tools for a library of assets: found by words, seen on one sheet, and brought into a project when their digests hold."""

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen, validators
from PIL import Image, ImageDraw

from playproof.canonical import structure
from playproof_blender.tools.calls import Failed
from playproof_blender.tools.library import FORMATS, Asset, Library
from playproof_blender.tools.pictures import Unreadable, as_png, read_picture
from playproof_blender.tools.tool import POINT, PROJECT, Answer, Tool, bounded, table
from playproof_blender.tools.workshop import Workshop

RETRIEVAL = "retrieval"
TILE, LABEL, ACROSS = 144, 16, 4
MOST = 16


@frozen
class Search:
    words: str = ""
    kind: str | None = field(default=None, validator=validators.optional(validators.in_(tuple(FORMATS))))
    most: int = field(default=8, validator=validators.and_(validators.ge(1), validators.le(MOST)))


@frozen
class Bring:
    id: str
    project: str | None = None
    at: tuple[float, float, float] | None = None


@frozen
class Retrieval:
    """Offers a library to one workshop."""

    workshop: Workshop
    library: Library

    def offered(self) -> Iterator[Tool]:
        yield Tool("search_assets", RETRIEVAL,
                   "Search a library of ready assets by words, such as 'wooden chair'; without words all are listed. Each comes with its "
                   "id, kind, size in metres (x, y, z), licence and tags, and a picture of it on one sheet.",
                   table(words={"type": "string"}, kind={"enum": [*FORMATS]}, most=bounded("integer", 1, MOST)), self._search)  # fmt: skip
        yield Tool("import_asset", RETRIEVAL,
                   "Bring an asset of the library into the project by its id, and save it. Objects stand on the origin, or `at` a point "
                   "(metres); a material or texture is there to be used; a world becomes the scene's.",
                   table(["id"], id={"type": "string"}, at=POINT, project=PROJECT), self._import)  # fmt: skip

    def _search(self, arguments: Mapping[str, Any]) -> Answer:
        asked = structure(dict(arguments), Search)
        found, fit = self.library.search(asked.words, asked.kind, asked.most)
        if not found:
            kinds = sorted({one.kind for one in self.library.manifest.entries})
            return Answer(f"Nothing fits {asked.words!r}{f' among the kind {asked.kind}' if asked.kind else ''}. The library has "
                          f"{len(self.library.manifest.entries)} assets of the kinds {', '.join(kinds)}; without words all are listed.")
        lines = [_line(one) for one in found]
        lines += [f"and {fit - len(found)} more fit; `most` shows up to {MOST}"] if fit > len(found) else []
        pictured = [(one, self.library.read(one.thumbnail)) for one in found if one.thumbnail]
        return Answer("\n".join(lines), [_sheet(pictured)] if pictured else [])

    def _import(self, arguments: Mapping[str, Any]) -> Answer:
        asked = structure(dict(arguments), Bring)
        one = self.library.get(asked.id)
        if one is None:
            near, _ = self.library.search(asked.id.replace("-", " "), None, 5)
            raise Failed(f"there is no asset {asked.id!r}; search_assets finds ids{', such as ' if near else ''}"
                         f"{', '.join(other.id for other in near)}")
        if asked.at is not None and one.kind not in ("object", "collection"):
            raise Failed(f"{one.id} is a {one.kind}: only objects and collections have a place (`at`)")
        held = self.workshop.scratch / f"asset-{one.id}{one.file[one.file.rindex('.'):].lower()}"
        held.write_bytes(self.library.read(one))  # what was verified is what is brought in, whatever becomes of the folder meanwhile
        try:
            done = self.workshop.bring({"kind": one.kind, "path": str(held), "name": one.name, "title": one.title, "at": asked.at},
                                       asked.project)  # fmt: skip
        finally:
            held.unlink(missing_ok=True)
        return Answer(f"Brought in {one.id} ({one.licence}): {_came(done.told)}\n{done.saved}")


def _line(one: Asset) -> str:
    size = f", {' x '.join(f'{side:g}' for side in one.size)} m" if one.size else ""
    return f"{one.id}: {one.title}, {one.kind}{size}, {one.licence}" + (f"; {', '.join(one.tags)}" if one.tags else "")


def _came(told: Mapping[str, Any]) -> str:
    more = told["in_all"] - len(told["names"])
    named = f"{told['kind']} {', '.join(map(repr, told['names']))}" + (f" and {more} more" if more else "")
    if told.get("low") is None:
        return named
    spelled = [f"({', '.join(f'{value:g}' for value in told[end])})" for end in ("low", "high")]
    return f"{named}, {told['objects']} objects, from {' to '.join(spelled)} m"


def _sheet(pictured: Sequence[tuple[Asset, bytes]]) -> bytes:
    """Thumbnails with their ids, as many as there are. Raises Failed for one that is no picture."""
    across = min(ACROSS, len(pictured))
    sheet = Image.new("RGB", (across * TILE, -(-len(pictured) // across) * (TILE + LABEL)), "white")
    for number, (one, content) in enumerate(pictured):
        try:
            picture = read_picture(io.BytesIO(content), TILE - 4).picture
        except Unreadable as fault:
            raise Failed(f"{one.thumbnail.file if one.thumbnail else one.id}: {fault}") from None
        x, y = number % across * TILE, number // across * (TILE + LABEL)
        ImageDraw.Draw(sheet).text((x + 3, y + 2), one.id[:23], "black")
        sheet.paste(picture, (x + 2, y + LABEL))
    return as_png(sheet)
