"""The script that goes into every frame before any script of the page: the virtual clock, and the observers of the page's own world."""

import json
import secrets
from collections.abc import Sequence
from importlib.resources import files

from attrs import field, frozen

from playproof.model import TICKS

PARTS = ("originals", "serialise", "clock", "timers", "motion", "watch", "control")

EPOCH_MS = 1_750_000_000_000
"""What Date says at the start of a page: one moment for all, 15 June 2025, 15:06:40 UTC."""


@frozen
class PageClock:
    """How time passes in a page. `frame` is in ticks; `seed` also feeds Math.random and crypto, on real time too."""

    virtual: bool = True
    frame: int = TICKS // 60
    seed: int = 0
    epoch_ms: int = EPOCH_MS


@frozen
class Entrance:
    """The injected script with the name and the token by which we alone can speak to it."""

    script: str
    name: str = field(repr=False)
    token: str = field(repr=False)

    def call(self, document: str, verb: str, *arguments: object) -> str:
        """The JavaScript expression of one call to a document; its value is a text, or a promise of one."""
        spelled = ", ".join(json.dumps(argument) for argument in (self.token, document, verb, *arguments))
        return f"window[{json.dumps(self.name)}]({spelled})"


def entrance(clock: PageClock, parts: Sequence[str] = ()) -> Entrance:
    """`parts` are scripts of a domain's own: they run inside the observers' closure, with its saved originals, and may add to
    `verbs` what `World.ask` can call."""
    name, token = f"_{secrets.token_hex(8)}", secrets.token_hex(16)
    settings = {"virtual": clock.virtual, "frame": clock.frame, "seed": clock.seed, "epoch": clock.epoch_ms, "name": name, "token": token}
    folder = files(__package__) / "page"
    script = "\n".join([*((folder / f"{part}.js").read_text("utf-8") for part in PARTS), *parts])
    return Entrance(f'(() => {{ "use strict";\nconst settings = {json.dumps(settings)};\n{script}}})();', name, token)
