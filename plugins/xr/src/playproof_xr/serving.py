"""What a page is given that is not its own: pinned packages, whether it names them in an import map or by a content network's
address. Nothing else from outside."""

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import Factory, frozen

IMPORT_MAP = re.compile(rb"""(<script\b[^>]*\btype\s*=\s*["']?importmap["']?[^>]*>)(.*?)(</script\s*>)""", re.IGNORECASE | re.DOTALL)
NETWORKS = re.compile(
    r"https?://(?:cdn\.jsdelivr\.net/npm/|(?:www\.)?unpkg\.com/|esm\.sh/(?:v\d+/|stable/)?|cdn\.skypack\.dev/(?:pin/)?|esm\.run/|"
    r"(?:ga\.)?jspm\.io/npm:)(?P<name>(?:@[^/@?#]+/)?[^/@?#]+)(?:@(?P<version>[^/?#]*))?(?P<path>/[^?#]*)?"
)
BRANCHES = re.compile(r"https?://cdn\.jsdelivr\.net/gh/[^/@?#]+/(?P<name>xrblocks)@(?P<version>build)(?P<path>/[^?#]*)?")
"""XR Blocks is also given out from a branch that holds its `build` folder alone."""

INSTALLED = re.compile(r"(?:.*/)?node_modules/(?P<name>(?:@[^/]+/)?[^/]+)(?P<version>)(?P<path>/[^?#]*)?")
"""An address into the folder in which npm would have put a package, which a submission seldom delivers."""

MODULE = re.compile(rb"^\s*(?:import\b[^(]|export\b)", re.MULTILINE)


@frozen
class Found:
    """A file of a pinned package: where it is here, and its address on the submission's own origin. `asked` is the version that
    the page named, if it named one."""

    name: str
    version: str
    asked: str | None
    file: Path
    address: str


@frozen(slots=False)  # for the cached property
class Packages:
    """Packages as npm installs them below `modules`, served below a first path segment, `shelf`; but for files (package, path) that
    are served from elsewhere, `instead`."""

    modules: Path
    shelf: str
    instead: Mapping[tuple[str, str], str] = Factory(dict)

    @cached_property
    def versions(self) -> Mapping[str, str]:
        return {name: str(self._manifest(name)["version"]) for name in self._names()}

    def _names(self) -> Iterator[str]:
        for place in sorted(self.modules.iterdir()):
            below = place.iterdir() if place.name.startswith("@") else [place]
            yield from (one.relative_to(self.modules).as_posix() for one in below if (one / "package.json").is_file())

    def _manifest(self, name: str) -> Mapping[str, Any]:
        read: Mapping[str, Any] = json.loads((self.modules / name / "package.json").read_text("utf-8"))
        return read

    def match(self, address: str) -> re.Match[str] | None:
        """The package, version and path of an address that names a package held here."""
        found = BRANCHES.match(address) or NETWORKS.match(address) or INSTALLED.match(address)
        return found if found and found["name"] in self.versions else None

    def at(self, address: str) -> Found | None:
        """The file that an address names, in the pinned version, whatever version the address asks for."""
        match = self.match(address)
        if match is None:
            return None
        name = match["name"]
        path = self._file(name, inner(match).removesuffix("/+esm").strip("/"))
        if path is None:
            return None
        address = self.instead.get((name, path), f"/{self.shelf}/{name}/{path}")
        return Found(name, self.versions[name], match["version"] or None, self.modules / name / path, address)

    def folder(self, address: str) -> str | None:
        """The same for the address of a folder, as prefixes in import maps are; the folder's address here."""
        match = self.match(address)
        return None if match is None or match.end() != len(address) else f"/{self.shelf}/{match['name']}{inner(match)}"

    def _file(self, name: str, inside: str) -> str | None:
        for candidate in self._candidates(name, inside):
            if ".." not in candidate.split("/") and (self.modules / name / candidate).is_file():
                return candidate
        return None

    def _candidates(self, name: str, inside: str) -> Iterator[str]:
        """The file itself; what a content network makes of it (minified, without a suffix); where it has moved to since."""
        if inside:
            yield from (inside, inside.replace(".min.", "."), f"{inside}.js", f"{inside}/index.js")
            yield from (f"{folder}/{inside}" for folder in ("dist", "build"))
            return
        manifest = self._manifest(name)
        for entry in (exported(manifest.get("exports")), manifest.get("module"), manifest.get("main"), "index.js"):
            if isinstance(entry, str):
                yield entry.removeprefix("./")


@frozen
class Library:
    """Several sets of packages: the first that has what is asked for gives it."""

    each: Sequence[Packages]

    def at(self, address: str) -> Found | None:
        return next((found for one in self.each if (found := one.at(address))), None)

    def folder(self, address: str) -> str | None:
        return next((found for one in self.each if (found := one.folder(address))), None)

    @property
    def shelves(self) -> Mapping[str, Path]:
        return {one.shelf: one.modules for one in self.each}


def inner(match: re.Match[str]) -> str:
    path = match["path"] or "/"
    return f"/build{path}" if match.re is BRANCHES else path


def exported(exports: Any) -> str | None:
    """The main entry of a manifest's `exports` for a browser's module loader."""
    if isinstance(exports, dict):
        for condition in (".", "browser", "module", "import", "default"):
            if condition in exports and (found := exported(exports[condition])):
                return found
        return None
    return exports if isinstance(exports, str) else None


def is_module(content: bytes) -> bool:
    return MODULE.search(content) is not None


def reexport(address: str) -> bytes:
    """A module that is another one: so a package that is named in two ways is still one package, with one state."""
    quoted = json.dumps(address)
    return f"export * from {quoted};\nimport * as all from {quoted};\nexport default all.default;\n".encode()


def prepare(submission: Path, into: Path, library: Library) -> Path:
    """A copy of the submission in which import maps lead to the pinned packages; everything else is as delivered."""
    shutil.copytree(submission, into, ignore=_links, copy_function=shutil.copyfile)
    for place in [*into.rglob("*.html"), *into.rglob("*.htm")]:
        content = place.read_bytes()
        changed = IMPORT_MAP.sub(lambda match: match[1] + rewritten(match[2], place, into, library) + match[3], content)  # noqa: B023
        if changed != content:
            place.chmod(0o644)
            place.write_bytes(changed)
    return into


def _links(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if Path(folder, name).is_symlink()]


def rewritten(text: bytes, page: Path, site: Path, library: Library) -> bytes:
    """An import map with the addresses of packages replaced; what is no JSON is left for the browser to refuse."""
    try:
        held = json.loads(text)
    except ValueError:
        return text
    if not isinstance(held, dict):
        return text
    scopes = held.get("scopes")
    for table in (held.get("imports"), *(scopes.values() if isinstance(scopes, dict) else ())):
        if isinstance(table, dict):
            table.update({name: local for name, address in table.items() if (local := _local(address, page, site, library))})
    return json.dumps(held).replace("</", "<\\/").encode()


def _local(address: object, page: Path, site: Path, library: Library) -> str | None:
    if not isinstance(address, str) or (":" not in address and _delivered(address, page, site)):
        return None
    if address.endswith("/"):
        return library.folder(address)
    found = library.at(address)
    return None if found is None else found.address


def _delivered(address: str, page: Path, site: Path) -> bool:
    start = site if address.startswith("/") else page.parent
    place = (start / address.lstrip("/")).resolve()
    return place.is_relative_to(site.resolve()) and place.exists()
