"""What a phase left, as one file: a zip with nothing compressed, names sorted and times fixed, so that its digest is its content's."""

import hashlib
import json
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from playproof.canonical import structure
from playproof.errors import InfrastructureError
from playproof.model import Case, Evidence

_LINK = 0o120000


def pack(folder: Path, into: Path) -> None:
    """A folder as a zip: nothing compressed, names sorted, times fixed, links kept as links."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_STORED) as packed:
        for path in sorted(folder.rglob("*"), key=lambda one: one.relative_to(folder).as_posix()):
            name = path.relative_to(folder).as_posix()
            if path.is_symlink():
                entry = zipfile.ZipInfo(name)
                entry.external_attr = (_LINK | 0o777) << 16
                packed.writestr(entry, str(path.readlink()))
            elif path.is_file():
                entry = zipfile.ZipInfo(name)
                entry.external_attr = (0o100755 if path.stat().st_mode & 0o100 else 0o100644) << 16
                with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as target:
                    shutil.copyfileobj(source, target, 1 << 20)
            elif not any(path.iterdir()):
                packed.writestr(zipfile.ZipInfo(name + "/"), b"")


def unpack(bundle: Path, into: Path, below: str = "") -> None:
    """The files of a bundle under `below/`, written into a fresh folder."""
    prefix = f"{below}/" if below else ""
    with zipfile.ZipFile(bundle) as packed:
        for entry in packed.infolist():
            if not entry.filename.startswith(prefix):
                continue
            place = into / entry.filename[len(prefix):]
            if not place.resolve().is_relative_to(into.resolve()):
                raise InfrastructureError(f"{bundle}: {entry.filename!r} leaves the bundle")
            mode = entry.external_attr >> 16
            if entry.is_dir():
                place.mkdir(parents=True, exist_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            if mode & 0o170000 == _LINK:
                place.symlink_to(packed.read(entry).decode())
                continue
            with packed.open(entry) as source, place.open("wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
            place.chmod(mode & 0o777 or 0o644)


def digest_file(path: Path) -> str:

    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


@frozen
class EvidenceUnit:
    """One opening of a session (or the preflight): which checks it served, in which case, and what was seen."""

    checks: Sequence[str]
    case: Case
    examiner: int | None
    evidence: Sequence[Evidence]


class GradingBundle:
    """The evidence of a stored grading. `entries`: id -> entry, over all units."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.units = self._units() if place.is_file() else ()
        self.entries: Mapping[str, Evidence] = {entry.id: entry for unit in self.units for entry in unit.evidence}

    def _units(self) -> Sequence[EvidenceUnit]:
        with zipfile.ZipFile(self._place) as packed:
            return [
                EvidenceUnit(row["checks"], structure(row["case"], Case), row["examiner"],
                             _lines(packed, f"evidence/{row['evidence']}.jsonl"))
                for row in json.loads(packed.read("units.json"))
            ]

    def read(self, blob: str) -> bytes:
        """The bytes behind an entry's blob digest. Raises InfrastructureError where the bundle lacks them."""
        try:
            with zipfile.ZipFile(self._place) as packed:
                return packed.read(f"blobs/{blob}")
        except (KeyError, OSError) as fault:
            raise InfrastructureError(f"{self._place}: blob {blob} cannot be read: {fault}") from None

    def extract_blobs(self, into: Path) -> None:
        unpack(self._place, into, "blobs")


def _lines(packed: zipfile.ZipFile, name: str) -> Sequence[Evidence]:
    entries: list[Any] = []
    for line in packed.read(name).decode().split("\n"):
        try:
            entries.append(json.loads(line))
        except ValueError:
            break
    return structure(entries, list[Evidence])
