"""The page's text and its scripts as files, and whether each script parses: asked of Playwright's own Node."""

import json
import subprocess
from collections.abc import Sequence
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote, urlsplit

from attrs import frozen

from playproof.errors import InfrastructureError

LARGEST = 20 << 20
"""Bytes of text that are read at all; no game written by hand comes near."""

PARSE_S = 20.0

CLASSIC = frozenset({"", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript"})


@frozen
class Script:
    """One script of the page; `kind` is classic, module or importmap."""

    name: str
    kind: str
    source: str


@frozen
class Scripts:
    """The page and what it links from its own folder. `text` is all of it; `problem` says why it cannot be read."""

    html: str = ""
    text: str = ""
    bytes: int = 0
    scripts: Sequence[Script] = ()
    problem: str = ""


class _Finder(HTMLParser):
    """Collects script elements: attributes and inline text, in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[dict[str, str | None], str]] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self.found.append((dict(attrs), ""))
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            attributes, text = self.found[-1]
            self.found[-1] = attributes, text + data


def read_scripts(root: Path, entry: str) -> Scripts:
    """The page `entry` below `root`, with the scripts that it holds and those that it links from its own folder."""
    page = root / entry
    if page.is_symlink() or not page.is_file():
        return Scripts(problem=f"there is no {entry}")
    if (size := page.stat().st_size) > LARGEST:
        return Scripts(bytes=size, problem=f"{entry} is larger than {LARGEST >> 20} MB")
    html = page.read_bytes().decode("utf-8", "replace")
    finder = _Finder()
    finder.feed(html)
    finder.close()
    scripts, linked = [], ""
    for index, (attributes, inline) in enumerate(finder.found, 1):
        kind = _kind(attributes.get("type"))
        source = attributes.get("src")
        if source is None:
            text, name = inline, f"script {index} of {entry}"
        else:
            text, name = _linked(root, source) or "", source
            linked += "\n" + text
        if kind and text.strip():
            scripts.append(Script(name[:200], kind, text))
    return Scripts(html, html + linked, size, scripts)


def _kind(named: str | None) -> str | None:
    kind = (named or "").strip().lower()
    return "classic" if kind in CLASSIC else kind if kind in ("module", "importmap") else None


def _linked(root: Path, source: str) -> str | None:
    """The text of a script file that lies in the submission; None for another place, a link or what is not there."""
    address = urlsplit(source)
    if address.scheme or address.netloc:
        return None
    place = (root / unquote(address.path).lstrip("/")).resolve()
    if not place.is_relative_to(root.resolve()) or not place.is_file() or place.stat().st_size > LARGEST:
        return None
    return place.read_bytes().decode("utf-8", "replace")


def syntax_faults(scripts: Scripts) -> str:
    """What does not parse, or nothing. A page without a script fails; without a Node there is no answer, and no pass.

    Raises InfrastructureError when Node itself cannot be run."""
    if not scripts.scripts:
        return "there is no script"
    node = node_program()
    asked = json.dumps([{"name": one.name, "kind": one.kind, "source": one.source} for one in scripts.scripts])
    command = [str(node), "--experimental-vm-modules", "--no-warnings", "--max-old-space-size=512", "-e",
               (files(__package__) / "parse.js").read_text("utf-8")]
    try:
        done = subprocess.run(command, input=asked.encode(), capture_output=True, timeout=PARSE_S, check=False, env={})
    except subprocess.TimeoutExpired:
        return f"the scripts did not parse within {PARSE_S:g} s"
    except OSError as fault:
        raise InfrastructureError(f"{node} cannot be run: {fault}") from fault
    try:
        return "; ".join(json.loads(done.stdout))[:500]
    except ValueError:
        if done.returncode in (-6, 134):  # Node's own end when it is out of memory
            return "parsing the scripts takes more than 512 MB"
        raise InfrastructureError(f"{node} gave no answer: {done.stderr.decode(errors='replace')[-500:]}") from None


def node_program() -> Path:
    """The Node that Playwright's Python package brings."""
    import playwright

    place = Path(playwright.__file__).parent / "driver" / "node"
    if not place.is_file():
        raise InfrastructureError(f"Playwright's Node is not at {place}; install playwright again")
    return place
