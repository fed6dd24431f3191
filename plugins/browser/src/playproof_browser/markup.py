"""The reading of HTML that somebody else wrote, and the scripts in it with their places."""

from collections.abc import Sequence
from html.parser import HTMLParser

from attrs import frozen

CLASSIC = frozenset({"", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript"})


class Markup(HTMLParser):
    """Python's parser, which gives up with an AssertionError on `<![foo]>`. To a browser that is a comment up to its `>`."""

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        return self.parse_bogus_comment(i, report)


def kind_of(named: str | None) -> str | None:
    """What a script element's `type` makes of it: classic, module or importmap; None for what a browser does not read."""
    kind = (named or "").strip().lower()
    return "classic" if kind in CLASSIC else kind if kind in ("module", "importmap") else None


@frozen
class Inline:
    """A script written into a page: its text begins at the character `start`, in `line` and `column` (from 1)."""

    kind: str
    text: str
    start: int
    line: int
    column: int


class _Inlines(Markup):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Inline] = []
        self._html = html
        self._lines = [0]
        for row in html.split("\n"):
            self._lines.append(self._lines[-1] + len(row) + 1)
        self._begun: tuple[str, int] | None = None
        self.feed(html)
        self.close()

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kind = kind_of(dict(attrs).get("type")) if tag == "script" else None
        if kind in ("classic", "module") and "src" not in dict(attrs):
            self._begun = kind, self._at() + len(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._begun:
            kind, start = self._begun
            above = self._html[:start]
            text = self._html[start : self._at()]
            self.found.append(Inline(kind, text, start, above.count("\n") + 1, len(above) - above.rfind("\n")))
            self._begun = None


def inline_scripts(html: str) -> Sequence[Inline]:
    """The classic and module scripts that a page holds, in order. One that is not closed is none: a browser does not run it."""
    return _Inlines(html).found
