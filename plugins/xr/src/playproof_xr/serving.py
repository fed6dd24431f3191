"""What a page is given that is not its own: pinned packages, whether it names them in an import map or by a content network's
address. Nothing else from outside."""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import frozen

SHELF = "@npm"
"""The first segment of the packages' addresses on the submission's own origin."""

IMPORT_MAP = re.compile(rb"""(<script\b[^>]*\btype\s*=\s*["']?importmap["']?[^>]*>)(.*?)(</script\s*>)""", re.IGNORECASE | re.DOTALL)
NETWORKS = re.compile(
    r"https?://(?:cdn\.jsdelivr\.net/npm/|(?:www\.)?unpkg\.com/|esm\.sh/(?:v\d+/|stable/)?|cdn\.skypack\.dev/(?:pin/)?|esm\.run/|(?:ga\.)?jspm\.io/npm:)"
    r"(?P<name>(?:@[^/@?#]+/)?[^/@?#]+)(?:@(?P<version>[^/?#]*))?(?P<path>/[^?#]*)?"
)
MODULE = re.compile(rb"^\s*(?:import\b[^(]|export\b)", re.MULTILINE)


@frozen
class Found:
    """A file of a pinned package. `asked` is the version that the address names, if it names one."""

    name: str
    version: str
    asked: str | None
    path: str
    """Below node_modules."""


@frozen
class Packages:
    """Packages as npm installs them: `folder` holds node_modules."""

    folder: Path

    @property
    def modules(self) -> Path:
        return self.folder / "node_modules"

    @cached_property
    def versions(self) -> Mapping[str, str]:
        return {name: self._manifest(name)["version"] for name in self._names()}

    def _names(self) -> Iterator[str]:
        for place in sorted(self.modules.iterdir()):
            below = place.iterdir() if place.name.startswith("@") else [place]
            yield from (one.relative_to(self.modules).as_posix() for one in below if (one / "package.json").is_file())

    def _manifest(self, name: str) -> Mapping[str, Any]:
        read: Mapping[str, Any] = json.loads((self.modules / name / "package.json").read_text("utf-8"))
        return read

    def at(self, address: str) -> Found | None:
        """The file that a content network's address names, in the pinned version, whatever version the address asks for."""
        match = NETWORKS.match(address)
        if match is None or match["name"] not in self.versions:
            return None
        name, inside = match["name"], (match["path"] or "").removesuffix("/+esm").strip("/")
        path = self._file(name, inside)
        return None if path is None else Found(name, self.versions[name], match["version"], f"{name}/{path}")

    def _file(self, name: str, inside: str) -> str | None:
        for candidate in self._candidates(name, inside):
            if candidate and ".." not in candidate.split("/") and (self.modules / name / candidate).is_file():
                return candidate
        return None

    def _candidates(self, name: str, inside: str) -> Iterator[str]:
        """The file itself; what a content network makes of it (minified, with a suffix, the package's own entry)."""
        if inside:
            yield inside
            yield inside.replace(".min.", ".")
            yield f"{inside}.js"
            yield f"{inside}/index.js"
            return
        manifest = self._manifest(name)
        for entry in (exported(manifest.get("exports")), manifest.get("module"), manifest.get("main"), "index.js"):
            if isinstance(entry, str):
                yield entry.removeprefix("./")

    def read(self, found: Found) -> bytes:
        return (self.modules / found.path).read_bytes()


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


def prepare(submission: Path, into: Path, packages: Packages) -> Path:
    """A copy of the submission in which import maps lead to the pinned packages; everything else is as delivered."""
    shutil.copytree(submission, into, ignore=_links, copy_function=shutil.copyfile)
    for place in [*into.rglob("*.html"), *into.rglob("*.htm")]:
        content = place.read_bytes()
        changed = IMPORT_MAP.sub(lambda match: match[1] + rewritten(match[2], packages) + match[3], content)
        if changed != content:
            place.chmod(0o644)
            place.write_bytes(changed)
    return into


def _links(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if Path(folder, name).is_symlink()]


def rewritten(text: bytes, packages: Packages) -> bytes:
    """An import map with the addresses of content networks replaced; what is no JSON is left for the browser to refuse."""
    try:
        held = json.loads(text)
    except ValueError:
        return text
    if not isinstance(held, dict):
        return text
    tables = [held.get("imports"), *(held["scopes"].values() if isinstance(held.get("scopes"), dict) else ())]
    for table in tables:
        if isinstance(table, dict):
            table.update({name: local for name, address in table.items() if (local := _local(address, packages.at, packages))})
    return json.dumps(held).replace("</", "<\\/").encode()


def _local(address: object, at: Callable[[str], Found | None], packages: Packages) -> str | None:
    if not isinstance(address, str):
        return None
    if address.endswith("/"):  # a prefix: the folder of a package
        match = NETWORKS.fullmatch(address)
        if match is None or match["name"] not in packages.versions:
            return None
        return f"/{SHELF}/{match['name']}{match['path'] or '/'}"
    found = at(address)
    return f"/{SHELF}/{found.path}" if found else None
