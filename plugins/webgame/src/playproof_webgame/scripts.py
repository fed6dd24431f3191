"""The page's text and its scripts as files, and whether each script parses: asked of Playwright's own Node."""

import json
import subprocess
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote, urlsplit

from attrs import frozen

from playproof.errors import InfrastructureError, SessionHung, SessionLost
from playproof_browser.markup import Markup, kind_of
from playproof_browser.node import node_program

LARGEST = 20 << 20
"""Bytes of text that are read at all; no game written by hand comes near."""

PARSE_S = 20.0

HEAP = 512
"""Megabytes that Node may take to parse the scripts of a page."""


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


class _Finder(Markup):
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
        kind = kind_of(attributes.get("type"))
        source = attributes.get("src")
        if source is None:
            text, name = inline, f"script {index} of {entry}"
        else:
            text, name = _linked(root, source) or "", source
            linked += "\n" + text
        if kind and text.strip():
            scripts.append(Script(name[:200], kind, text))
    return Scripts(html, html + linked, size, scripts)


def _linked(root: Path, source: str) -> str | None:
    """The text of a script file that lies in the submission; None for another place, a link or what is not there."""
    try:
        address = urlsplit(source)
        if address.scheme or address.netloc:
            return None
        place = (root / unquote(address.path).lstrip("/")).resolve()
        if not place.is_relative_to(root.resolve()) or not place.is_file() or place.stat().st_size > LARGEST:
            return None
        return place.read_bytes().decode("utf-8", "replace")
    except (ValueError, OSError, RuntimeError):  # `http://[`, a NUL, too long a name, links in a circle: no file either way
        return None


def syntax_faults(scripts: Scripts) -> str:
    """What does not parse, or nothing. A page without a script fails; without a Node there is no answer, and no pass.

    Raises InfrastructureError when Node cannot be run at all; SessionHung or SessionLost when it took too long or too much
    over these scripts, which may be their fault or the machine's."""
    if not scripts.scripts:
        return "there is no script"
    node = node_program()
    asked = json.dumps([{"name": one.name, "kind": one.kind, "source": one.source} for one in scripts.scripts])
    command = [str(node), "--experimental-vm-modules", "--no-warnings", f"--max-old-space-size={HEAP}", "-e",
               (files(__package__) / "parse.js").read_text("utf-8")]
    try:
        done = subprocess.run(command, input=asked.encode(), capture_output=True, timeout=PARSE_S, check=False, env={})
    except subprocess.TimeoutExpired:
        raise SessionHung(f"the scripts did not parse within {PARSE_S:g} s") from None
    except OSError as fault:
        raise InfrastructureError(f"{node} cannot be run: {fault}") from fault
    try:
        return "; ".join(json.loads(done.stdout))[:500]
    except ValueError:
        said = done.stderr.decode(errors="replace")[-500:]
        raise SessionLost(f"Node ended over the scripts with {done.returncode} and gave no answer: {said}") from None
