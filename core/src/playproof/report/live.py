"""What readers can turn and look into: a driver's own script, once in the page, over content that stands in the page as text."""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from itertools import islice

from attrs import Factory, define, frozen
from markupsafe import Markup

from playproof.exhibits import Exhibitors
from playproof.interfaces import Live
from playproof.model import Evidence
from playproof.report.run import ReportTrial

AS_IS = 8_000_000
"""Bytes up to which content is embedded; what is larger is named, and lies in the run's folder."""
EACH = 4
"""How many pieces of a trial are shown."""


def is_live(entry: Evidence) -> bool:
    return entry.media_type.startswith("model/") and entry.blob is not None


@frozen
class Piece:
    """One of them; without `data`, `words` say why it is not there. `data` is base64 alone, so it is safe."""

    name: str
    words: str
    data: Markup = Markup("")


@define
class Shelf:
    """The pieces of a page, until `limit` bytes are reached, and their scripts by name."""

    limit: int
    find: Exhibitors
    spent: int = 0
    scripts: dict[str, Markup] = Factory(dict)

    def of(self, trial: ReportTrial) -> Sequence[Piece]:
        pieces = (piece for entry in trial.evidence if is_live(entry) if (piece := self._piece(entry, trial)))
        return list(islice(pieces, EACH))

    def _piece(self, entry: Evidence, trial: ReportTrial) -> Piece | None:
        driver = self.find(entry.kind)
        try:
            live = driver.show(entry, trial.read).live if driver else None
            return self._kept(live) if live else None
        except Exception as fault:  # noqa: BLE001 - a blob may be gone, and a submission may have made what breaks a driver
            return Piece(entry.kind, f"cannot be shown: {type(fault).__name__}: {fault}")

    def _kept(self, live: Live) -> Piece:
        encoded = b64encode(live.content).decode()
        if len(live.content) > AS_IS or self.spent + len(encoded) > self.limit:
            return Piece(live.name, f"{live.words}: {len(live.content) / 1e6:.1f} MB, too large for this page")
        if "</script" in live.script.lower():
            raise ValueError(f"the script of {live.name!r} would end its own element")
        self.spent += len(encoded)
        self.scripts[live.name] = Markup(live.script)
        return Piece(live.name, live.words, Markup(encoded))

    @property
    def policy(self) -> str:
        """The sources of a `script-src` that lets these scripts run, and no other."""
        return " ".join(f"'sha256-{b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in self.scripts.values())
