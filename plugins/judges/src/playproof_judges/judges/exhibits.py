"""Evidence as the parts of a request: ranked, within a budget, each with a short handle (E1, E2, ...) that a reply cites."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from playproof.canonical import canonical
from playproof.dialogue import Part, Text
from playproof.errors import InfrastructureError
from playproof.interfaces import Bench, Exhibit
from playproof.model import TICKS, Evidence
from playproof_judges.judges.fence import Fence, clean, fence
from playproof_judges.judges.pictures import Fitting, Undecodable, length, sampled, spread
from playproof_judges.judges.precedence import IN_WORDS, PICTURES, Rank, proves, rank
from playproof_judges.judges.tampering import signs

MOST_TEXT = 1_000_000
"""Characters of one piece of evidence that are looked at; a judge that needs more asks with tools."""
LEAST_TEXT = 200
"""Characters below which a cut text says nothing; it is then left out."""
QUOTED_SIGNS = 20


@frozen
class Room:
    """What one request may show: `pictures` in all, `frames` of one recording, the longest `side` of each in pixels, and
    `characters` of text in all."""

    pictures: int = 12
    frames: int = 8
    characters: int = 24_000
    fitting: Fitting = Fitting()

    def halved(self, times: int) -> "Room":
        """For an endpoint that finds it too large: half of everything, and half of the area of each picture."""
        side = max(256, round(self.fitting.side * 0.7**times))
        return evolve(self, pictures=max(1, self.pictures >> times), characters=max(LEAST_TEXT, self.characters >> times),
                      fitting=evolve(self.fitting, side=side))


class Lost(Exception):
    """Evidence that cannot be read back: our fault, whatever it showed."""


@frozen
class View:
    """One piece of evidence as it could be shown: `pictures` are (bytes, caption), each perhaps an animation; else `text`."""

    evidence: Evidence
    rank: Rank
    pictures: Sequence[tuple[bytes, str]] = ()
    text: str = ""

    @property
    def foreign(self) -> Sequence[str]:
        return [clean(one) for one in (self.evidence.source, self.text, *(caption for _, caption in self.pictures)) if one]


@frozen
class Shown:
    """What a request shows. `handles` are in the order of showing; `left_out` says in words what is not shown; `second`
    are the handles of the second of two submissions."""

    parts: Sequence[Part]
    handles: Mapping[str, Evidence]
    ranks: Mapping[str, Rank]
    tampering: Sequence[str] = ()
    left_out: str = ""
    fence: Fence = field(factory=lambda: fence([]))
    second: frozenset[str] = frozenset()

    def handle(self, told: str) -> str:
        """The handle that a reply means by `[E3]` or `E3, frame 2`. Raises ValueError where there is none such."""
        match = re.match(r"\W*(E\d+)\b", told.strip(), re.IGNORECASE)
        if match is None or match[1].upper() not in self.handles:
            known = ", ".join(self.handles) if len(self.handles) <= 12 else f"E1 to E{len(self.handles)}"
            raise ValueError(f"it cites {clean(told[:40])!r}, which is no exhibit; there are: {known}")
        return match[1].upper()

    def evidence(self, told: Sequence[str]) -> Sequence[str]:
        """The ids of the cited evidence, once each. Raises ValueError as `handle` does."""
        return list(dict.fromkeys(self.handles[self.handle(one)].id for one in told))

    def proves(self, told: Sequence[str]) -> bool:
        """Whether one of these is more than a claim, and was seen in the submission."""
        return proves([self.ranks[self.handle(one)] for one in told])

    @property
    def provable(self) -> bool:
        return proves(list(self.ranks.values()))


def views(entries: Sequence[Evidence], bench: Bench) -> Sequence[View]:
    """Raises Lost."""
    return [_view(one, bench) for one in entries]


def _view(entry: Evidence, bench: Bench) -> View:
    if entry.media_type in PICTURES:
        return View(entry, rank(entry), [(_opened(entry, bench), "")])
    exhibit = _exhibited(entry, bench)
    if exhibit.pictures:
        return View(entry, rank(entry, picture=True), [(one.data, one.caption) for one in exhibit.pictures])
    if exhibit.text:
        return View(entry, rank(entry, picture=False), (), exhibit.text[:MOST_TEXT])
    if entry.blob is None:
        return View(entry, rank(entry, picture=False), (), canonical(entry.value).decode("utf-8", "surrogatepass")[:MOST_TEXT])
    if entry.media_type.startswith("text/") or entry.media_type == "application/json":
        return View(entry, rank(entry, picture=False), (), _opened(entry, bench).decode("utf-8", "replace")[:MOST_TEXT])
    return View(entry, rank(entry))


def _exhibited(entry: Evidence, bench: Bench) -> Exhibit:
    try:
        return bench.show(entry)
    except InfrastructureError as fault:
        raise Lost(f"evidence {entry.id[:12]} ({entry.kind}) is lost: {fault}") from fault
    except Exception:  # noqa: BLE001 - an exhibitor may choke on hostile evidence, which is then shown as it is
        return Exhibit("")


def _opened(entry: Evidence, bench: Bench) -> bytes:
    try:
        return bench.open(entry)
    except (InfrastructureError, OSError, KeyError) as fault:
        raise Lost(f"evidence {entry.id[:12]} ({entry.kind}) is lost: {fault}") from fault


def show(seen: Sequence[View], room: Room, *, by_time: bool = False, sources: bool = True, marks: Fence | None = None,
         name: Callable[[int, Evidence], str] = lambda number, _: f"E{number}") -> Shown:
    """The views as parts. The most important are kept where room lacks: by rank, then the latest text and an even choice of pictures.

    They stand in the order of rank, or of time. Without `sources`, nothing tells where they come from. `marks` is a fence
    that holds for more than these, `name` gives the handle of the number-th that is shown."""
    pictures, texts = _chosen_pictures(seen, room), _chosen_texts(seen, room)
    order = sorted(range(len(seen)), key=lambda at: _place(seen[at], by_time))
    kept = [at for at in order if at in pictures or at in texts]
    marks = marks or fence(text for one in seen for text in one.foreign)
    parts, handles, ranks = list[Part](), dict[str, Evidence](), dict[str, Rank]()
    for number, at in enumerate(kept, 1):
        view, handle = seen[at], name(number, seen[at].evidence)
        handles[handle], ranks[handle] = view.evidence, view.rank
        parts.append(Text(_heading(handle, view, marks, texts.get(at), sources)))
        parts += _pictured(handle, view, pictures.get(at, 0), room, marks)
    left_out = _left_out([seen[at] for at in order if at not in kept])
    return Shown(parts, handles, ranks, found_signs(seen), left_out, marks)


def found_signs(seen: Sequence[View]) -> Sequence[str]:
    """What in the texts of these views speaks to a judge. What the task itself gave is not looked at."""
    return [f"{one.evidence.kind} {one.evidence.id[:12]}: {sign}" for one in seen if one.rank is not Rank.REFERENCE
            for sign in signs("\n".join([one.evidence.source, one.text, *(caption for _, caption in one.pictures)]))][:QUOTED_SIGNS]


def _place(view: View, by_time: bool) -> tuple[int, ...]:
    entry = view.evidence
    return (entry.tick, entry.seq) if by_time else (view.rank, entry.tick, entry.seq)


def _chosen_pictures(seen: Sequence[View], room: Room) -> Mapping[int, int]:
    """Which views are shown as pictures, and with how many: rank by rank, an equal share for each of one rank. A reference takes half
    of the room at most, so that something of the submission is seen beside it."""
    chosen, left = dict[int, int](), room.pictures
    for one in Rank:
        family = [at for at, view in enumerate(seen) if view.pictures and view.rank is one]
        if not family or not left:
            continue
        others = any(view.pictures and view.rank > one for view in seen)
        free = max(1, left // 2) if one is Rank.REFERENCE and others else left
        picked = [family[step] for step in spread(len(family), free)]
        share = max(1, free // len(picked))
        for at in picked:
            chosen[at] = min(share, room.frames, max(1, _count(seen[at])))
        left -= sum(chosen[at] for at in picked)
    return chosen


def _count(view: View) -> int:
    if len(view.pictures) > 1:
        return len(view.pictures)
    try:
        return length(view.pictures[0][0])
    except Undecodable:
        return 0


def _chosen_texts(seen: Sequence[View], room: Room) -> Mapping[int, str]:
    """Which views are shown as text, each cut to what is left when its turn comes: by rank, the latest first."""
    waiting = sorted((at for at, view in enumerate(seen) if view.text and not view.pictures),
                     key=lambda at: (seen[at].rank, -seen[at].evidence.tick, -seen[at].evidence.seq))
    chosen, left = dict[int, str](), room.characters
    for at in waiting:
        text = clean(seen[at].text)
        most = left if len(waiting) == 1 else min(left, max(LEAST_TEXT, room.characters // 2))
        if len(text) <= most:
            chosen[at] = text
        elif most >= LEAST_TEXT:
            chosen[at] = text[:most]
        else:
            continue
        left -= len(chosen[at])
    return chosen


def _heading(handle: str, view: View, marks: Fence, text: str | None, sources: bool) -> str:
    entry = view.evidence
    when = "" if view.rank is Rank.REFERENCE else f"; seen at {entry.tick / TICKS:.2f} s"
    lines = [f"{handle}: {IN_WORDS[view.rank]}; kind {clean(entry.kind)[:60]}{when}"]
    if sources and entry.source:
        lines.append(f"source: {marks.around(clean(entry.source)[:200])}")
    if text is not None:
        whole = len(clean(view.text))
        more = " or more" if len(view.text) == MOST_TEXT else ""
        cut = f" (the first {len(text):,} of {whole:,}{more} characters)" if whole > len(text) else ""
        lines.append(f"content{cut}:\n{marks.around(text)}")
    return "\n".join(lines)


def _pictured(handle: str, view: View, count: int, room: Room, marks: Fence) -> Sequence[Part]:
    """A recording's frames, or the pictures that an exhibitor gives; a line of text for each that cannot be decoded."""
    if len(view.pictures) > 1:
        return [_given(handle, view, at, room, marks) for at in spread(len(view.pictures), count)]
    if not count:
        return []
    data, told = view.pictures[0]
    said = f"; {marks.around(clean(told)[:200])}" if told else ""
    try:
        return [one.picture(_caption(handle, one.number, one.of, one.at_s) + said) for one in sampled(data, count, room.fitting)]
    except Undecodable as fault:
        return [_undecodable(handle, fault)]


def _given(handle: str, view: View, at: int, room: Room, marks: Fence) -> Part:
    """One of several pictures of an exhibitor, with what it says of it."""
    data, told = view.pictures[at]
    said = f"; {marks.around(clean(told)[:200])}" if told else ""
    try:
        return sampled(data, 1, room.fitting)[0].picture(_caption(handle, at + 1, len(view.pictures)) + said)
    except Undecodable as fault:
        return _undecodable(_caption(handle, at + 1, len(view.pictures)), fault)


def _undecodable(name: str, fault: Undecodable) -> Text:
    return Text(f"{name} is called a picture, and {fault}; there is nothing to be seen of it")


def _caption(handle: str, number: int, of: int, at_s: float = 0.0) -> str:
    if of == 1:
        return handle
    return f"{handle}, frame {number} of {of}" + (f", {at_s:.2f} s from its begin" if at_s else "")


def _left_out(views: Sequence[View]) -> str:
    """What is not shown, counted by kind."""
    counts: dict[tuple[str, str], int] = {}
    for one in views:
        why = "for lack of room" if one.pictures or one.text else "as it cannot be shown"
        counts[clean(one.evidence.kind)[:60], why] = counts.get((clean(one.evidence.kind)[:60], why), 0) + 1
    return "; ".join(f"{count} x {kind} {why}" for (kind, why), count in counts.items())


def structured(entry: Evidence, bench: Bench) -> Any:
    """What JSON a piece of evidence holds. Raises ValueError where it holds none, Lost where it is lost."""
    if entry.blob is None:
        return entry.value
    try:
        return json.loads(_opened(entry, bench))
    except (ValueError, RecursionError):
        raise ValueError("it holds no JSON") from None
