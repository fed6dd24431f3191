"""How a report shows a machine's history: a small table, every text escaped."""

import json
from collections.abc import Callable
from html import escape

from playproof.canonical import short
from playproof.interfaces import Exhibit, Services
from playproof.model import TICKS, Evidence, Options


class HistoryExhibit:
    def __init__(self, options: Options, services: Services) -> None:
        pass

    def show(self, evidence: Evidence, read: Callable[[str], bytes]) -> Exhibit:
        history = json.loads(read(evidence.blob)) if evidence.blob else evidence.value
        rows = "".join(f"<tr><td>{one['tick'] / TICKS:.2f} s</td><td>{escape(short(one['shows']))}</td></tr>" for one in history)
        return Exhibit(f"<table>{rows}</table>")
