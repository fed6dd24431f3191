"""Evidence of games made fit to look at in a report: nothing in it is the submission's own markup."""

import json
from collections.abc import Callable
from html import escape

from playproof.canonical import canonical
from playproof.interfaces import Exhibit, Services
from playproof.model import Evidence, Options

LINES, LENGTH = 40, 4000


class SnapshotExhibitor:
    """The first lines of a snapshot's JSON, as text."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Callable[[str], bytes]) -> Exhibit:
        spelled = canonical(evidence.value) if evidence.blob is None else read(evidence.blob)
        if len(spelled) > 1 << 20:
            return Exhibit(f"<p>a snapshot of {len(spelled):,} bytes</p>")
        return Exhibit(f"<pre>{escape(_cut(json.dumps(json.loads(spelled), indent=1, ensure_ascii=True)))}</pre>")


def _cut(text: str) -> str:
    """At most LINES lines and LENGTH characters, in printable characters alone: a terminal may show it, too."""
    lines = text.splitlines()
    shown = "\n".join(lines[:LINES])[:LENGTH]
    rest = len(lines) - shown.count("\n") - 1
    return "".join(one for one in shown if one.isprintable() or one == "\n") + (f"\n… {rest} more lines" if rest > 0 else "")
