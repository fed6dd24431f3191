"""A library of assets in a folder: pinned by the digests in its manifest, searched by words, and trusted in nothing else."""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from attrs import field, frozen, validators

from playproof.canonical import structure
from playproof.errors import UsageError

MANIFEST = "library.json"
SCHEMA = 1
MOST_MANIFEST = 16 << 20
"""Bytes of a manifest that are read."""

MODELS, PICTURES = (".blend", ".glb"), (".png", ".jpg", ".jpeg")
FORMATS: Mapping[str, Sequence[str]] = {
    "object": MODELS, "collection": MODELS, "material": MODELS, "world": (".blend", *PICTURES), "texture": PICTURES,
}
"""Kinds of assets, and of what files each can be. A world that is a picture is one all around (equirectangular)."""

_DIGEST = re.compile("[0-9a-f]{64}")


def _sha256(_: Any, at: Any, value: str) -> None:
    if not _DIGEST.fullmatch(value):
        raise ValueError(f"{at.name} is no SHA-256 of 64 hexadecimal digits: {value[:80]!r}")


def _within(_: Any, at: Any, value: str) -> None:
    place = PurePosixPath(value)
    if place.is_absolute() or ".." in place.parts or not place.parts or "\\" in value:
        raise ValueError(f"{at.name} {value!r} is no path below the folder")


def _id(_: Any, at: Any, value: str) -> None:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value):
        raise ValueError(f"id {value[:80]!r} is not lower-case letters, digits and single hyphens")


def _extent(size: Sequence[float] | None) -> None:
    if size is not None and not (len(size) == 3 and all(0 <= side < float("inf") for side in size)):
        raise ValueError(f"size is three numbers of metres, not {list(size)}")


@frozen
class Held:
    """A file of the library, and the digest that it has to have."""

    file: str = field(validator=_within)
    sha256: str = field(validator=_sha256)


@frozen
class Asset(Held):
    """One entry. `size` is in metres (x, y, z), of a material or texture that of the piece it covers; `name` is the data-block to take of
    a .blend that holds several; `thumbnail` is a picture (PNG or JPEG)."""

    id: str = field(validator=_id)
    title: str
    kind: str = field(validator=validators.in_(tuple(FORMATS)))
    licence: str = field(validator=validators.min_len(1))
    tags: Sequence[str] = ()
    size: Sequence[float] | None = field(default=None, validator=lambda _, __, size: _extent(size))
    name: str | None = None
    thumbnail: Held | None = None

    def __attrs_post_init__(self) -> None:
        if PurePosixPath(self.file).suffix.lower() not in FORMATS[self.kind]:
            raise ValueError(f"file {self.file!r}: a {self.kind} is one of {', '.join(FORMATS[self.kind])}")


@frozen
class Manifest:
    """`library.json`."""

    version: str
    entries: Sequence[Asset]


@frozen
class Library:
    """`digest` is that of the manifest, which pins every file: two libraries with the same one are the same."""

    folder: Path
    digest: str
    manifest: Manifest

    @property
    def told(self) -> Mapping[str, Any]:
        """What an account says of it."""
        return {"digest": self.digest, "version": self.manifest.version, "entries": len(self.manifest.entries)}

    def get(self, id: str) -> Asset | None:
        return next((one for one in self.manifest.entries if one.id == id), None)

    def read(self, held: Held) -> bytes:
        """A file's content. Raises UsageError where it is not there, leads out of the folder, or is not what the manifest says."""
        place = _file(self.folder, held.file)
        try:
            content = place.read_bytes()
        except OSError as fault:
            raise UsageError(f"{place}: {fault.strerror}") from None
        if (found := hashlib.sha256(content).hexdigest()) != held.sha256:
            raise UsageError(f"{place}: its SHA-256 is {found}, and {MANIFEST} says {held.sha256}")
        return content

    def search(self, words: str, kind: str | None, most: int) -> tuple[Sequence[Asset], int]:
        """The entries that fit words best, and how many fit at all. Without words all do, in the manifest's order."""
        asked = _stems(words)
        worth = {one.id: _worth(one, asked) for one in self.manifest.entries if kind is None or one.kind == kind}
        fit = [one for one in self.manifest.entries if worth.get(one.id, 0)]
        fit.sort(key=lambda one: -worth[one.id])
        return fit[:most], len(fit)


def read_library(folder: Path) -> Library:
    """Raises UsageError, with file and place, for a manifest that is none, and for files that are not there."""
    place = folder / MANIFEST
    try:
        with place.open("rb") as manifest:
            raw = manifest.read(MOST_MANIFEST + 1)
    except OSError as fault:
        raise UsageError(f"{place}: {fault.strerror}; a library of assets is a folder with a manifest") from None
    if len(raw) > MOST_MANIFEST:
        raise UsageError(f"{place}: larger than {MOST_MANIFEST:,} bytes")
    found = Library(folder.resolve(), hashlib.sha256(raw).hexdigest(), _manifest(raw, place))
    for one in found.manifest.entries:
        for held in (one, *([one.thumbnail] if one.thumbnail else [])):
            _file(found.folder, held.file)
    return found


def _manifest(raw: bytes, place: Path) -> Manifest:
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise UsageError(f"{place}: no JSON: {fault}") from None
    if not isinstance(told, dict) or told.get("schema") != SCHEMA:
        raise UsageError(f"{place}: schema is {told.get('schema') if isinstance(told, dict) else None!r}, wanted {SCHEMA}")
    try:
        manifest = structure({key: value for key, value in told.items() if key != "schema"}, Manifest)
    except ValueError as fault:
        raise UsageError(f"{place}: {fault}") from None
    seen: dict[str, int] = {}
    for number, one in enumerate(manifest.entries):
        if (other := seen.setdefault(one.id, number)) != number:
            raise UsageError(f"{place}: id {one.id!r} @ $.entries[{number}] is that of $.entries[{other}], too")
    return manifest


def _file(folder: Path, file: str) -> Path:
    place = folder / file
    if not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(folder)):
        raise UsageError(f"{place}: a link that leads out of the library")
    if not place.is_file():
        raise UsageError(f"{place}: {MANIFEST} names it, and there is no such file")
    return place


def _worth(one: Asset, asked: Sequence[str]) -> float:
    """0 is no match. A word counts most in the name, less among the tags, and half where it is only the beginning of one."""
    if not asked:
        return 1.0
    named, tagged = _stems(f"{one.id} {one.title}"), [*_stems(" ".join(one.tags)), one.kind]
    return sum(max(_match(word, named, 3.0), _match(word, tagged, 2.0)) for word in asked)


def _match(word: str, known: Sequence[str], worth: float) -> float:
    if word in known:
        return worth
    return worth / 2 if len(word) >= 3 and any(one.startswith(word) for one in known) else 0.0


def _stems(text: str) -> Sequence[str]:
    """Words in lower case, without the s of a plural."""
    return list(_each_stem(text))


def _each_stem(text: str) -> Iterator[str]:
    for word in re.findall(r"\w+", text.lower()):
        yield word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
