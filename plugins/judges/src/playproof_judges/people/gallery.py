"""The evidence of a trial as a rater sees it: pictures and films by number, everything else as escaped text."""

import threading
from collections.abc import Iterator, Sequence

from attrs import Factory, define, field, frozen
from markupsafe import Markup

from playproof.bundle import GradingBundle
from playproof.canonical import short
from playproof.exhibits import Exhibitors
from playproof.model import TICKS, Evidence, Observer
from playproof.report.run import clean
from playproof.report.stored import bundle_of
from playproof.store import Store
from playproof.trial import Done
from playproof_judges.people.items import Side
from playproof_judges.people.veil import Veil

OPEN = 8
"""Bundles in memory."""

MOST = 24
"""How many pieces of evidence one screen shows of a trial, spread over its time when there are more."""

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")
FILMS = ("video/mp4", "video/webm", "video/ogg")
"""What a browser shows and cannot run. An SVG is a document, so it is not among them."""

TEXT = 6000
"""How many characters of a value are shown."""

SEEN = {
    Observer.OUTSIDE: "seen from outside", Observer.ISOLATED: "seen in a world of its own", Observer.MAIN: "said by the submission",
    Observer.INSIDE: "seen beside the submission", Observer.HELD: "given by the task",
}


@frozen
class Shown:
    """One piece of evidence. `form` is picture, film, thumbnail, html or text; `number` is its place in the side."""

    number: int
    entry: Evidence
    case: str
    form: str
    text: str = ""
    html: Markup = Markup()

    @property
    def caption(self) -> str:
        return f"{self.entry.tick / TICKS:.2f} s, {SEEN[self.entry.observer]}"


@frozen
class Wall:
    """What is shown of one side, and how much more there was."""

    shown: Sequence[Shown]
    more: int

    @property
    def media(self) -> Sequence[Shown]:
        return [one for one in self.shown if one.form in ("picture", "film", "thumbnail")]

    @property
    def rest(self) -> Sequence[Shown]:
        return [one for one in self.shown if one.form in ("html", "text")]


@define
class Gallery:
    """Shows sides. The last few bundles stay in memory; threads take turns."""

    store: Store
    exhibitors: Exhibitors
    veil: Veil
    _open: dict[str, GradingBundle] = Factory(dict)
    _lock: threading.RLock = field(factory=threading.RLock)

    def wall(self, side: Side) -> Wall:
        with self._lock:
            bundle = self._bundle(side.done)
            picked, more = _picked(bundle, side)
            return Wall([self._shown(number, case, entry, bundle) for number, (case, entry) in enumerate(picked)], more)

    def entries(self, side: Side) -> Sequence[Evidence]:
        """What `wall` shows of a side, in the same order."""
        with self._lock:
            return [entry for _, entry in _picked(self._bundle(side.done), side)[0]]

    def media(self, side: Side, number: int) -> tuple[bytes, str]:
        """The bytes of a picture or film and its media type. Raises LookupError where that place holds none."""
        with self._lock:
            bundle = self._bundle(side.done)
            entry = self.entries(side)[number]
            if entry.blob and entry.media_type in PICTURES + FILMS:
                return bundle.read(entry.blob), entry.media_type
            driver = self.exhibitors(entry.kind)
            png = driver.show(entry, bundle.read).thumbnail if driver else None
        if png is None:
            raise LookupError(f"no picture at {number}")
        return png, "image/png"

    def _bundle(self, done: Done) -> GradingBundle:
        bundle = self._open.pop(done.trial.id, None) or bundle_of(done, self.store)
        self._open[done.trial.id] = bundle
        while len(self._open) > OPEN:
            del self._open[next(iter(self._open))]
        return bundle

    def _shown(self, number: int, case: str, entry: Evidence, bundle: GradingBundle) -> Shown:
        if entry.blob and entry.media_type in PICTURES + FILMS:
            return Shown(number, entry, case, "picture" if entry.media_type in PICTURES else "film")
        try:
            driver = self.exhibitors(entry.kind)
            exhibit = driver.show(entry, bundle.read) if driver else None
            if exhibit and exhibit.thumbnail:
                return Shown(number, entry, case, "thumbnail")
            if exhibit and exhibit.html:
                return Shown(number, entry, case, "html", html=Markup(self.veil.html(clean(exhibit.html, len(exhibit.html)))))
            text = exhibit.text if exhibit and exhibit.text else _text(entry, bundle)
        except Exception as fault:  # noqa: BLE001 - a blob may be gone, and a submission may have drawn what breaks a driver
            text = f"cannot be shown: {type(fault).__name__}"
        return Shown(number, entry, case, "text", self.veil.text(clean(text, TEXT)))


def _text(entry: Evidence, bundle: GradingBundle) -> str:
    if entry.blob is None:
        return short(entry.value, TEXT)
    if entry.media_type.startswith("text/") or entry.media_type.endswith("json"):
        return bundle.read(entry.blob)[: 4 * TEXT].decode(errors="replace")
    return f"{entry.media_type}, {len(bundle.read(entry.blob)):,} bytes: no way to show it is installed"


def _picked(bundle: GradingBundle, side: Side) -> tuple[Sequence[tuple[str, Evidence]], int]:
    """The evidence of a side, each piece once, at most MOST spread over all; and how much is left out."""
    found: dict[str, tuple[str, Evidence]] = {}
    for case, entry in _all(bundle, side):
        found.setdefault(entry.id, (case, entry))
    whole = list(found.values())
    step = max(1.0, len(whole) / MOST)
    kept = [whole[int(at * step)] for at in range(min(len(whole), MOST))]
    return kept, len(whole) - len(kept)


def _all(bundle: GradingBundle, side: Side) -> Iterator[tuple[str, Evidence]]:
    for group in side.groups:
        yield from ((group.case, bundle.entries[cite]) for cite in group.cites if cite in bundle.entries)
    if side.groups:
        return
    blobs = set[str]()
    for entry in bundle.entries.values():
        media = bool(entry.blob) and entry.media_type in PICTURES + FILMS
        if entry.kind in side.kinds if side.kinds else media and entry.blob not in blobs:
            yield "", entry
            blobs.add(entry.blob or "")
