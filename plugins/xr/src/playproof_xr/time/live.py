"""Statements put to a session that runs: what they need is written down, and the answer rests on that alone."""

from typing import Any, Protocol

from attrs import evolve

from playproof.interfaces import Clock
from playproof.model import Evidence
from playproof.seen import Seen
from playproof_xr.observe.scene import Scene
from playproof_xr.predicates import Predicate
from playproof_xr.targets import anchor_told
from playproof_xr.time.asking import Answer, ask
from playproof_xr.time.moments import moment
from playproof_xr.time.operators import Temporal, at_once
from playproof_xr.time.track import Track
from playproof_xr.time.windows import Window, whole
from playproof_xr.watching import Watching


class Running(Protocol):
    """What a statement needs of a session."""

    @property
    def clock(self) -> Clock: ...
    @property
    def watching(self) -> Watching: ...
    def scene(self) -> Scene: ...
    def user(self) -> Seen: ...
    def events(self) -> Seen: ...
    def note_track(self, value: Any) -> Evidence: ...


def over_time(session: Running, temporal: Temporal, over: Window | None) -> Answer:
    """Raises ExpectationFailed for a window that begins with an event that never came, TaskError for what was not watched in it."""
    now, window = session.clock.now, over or whole()
    told = session.events() if window.asks_events else None
    events, cites = (told.value, told.cites) if told is not None else ((), ())
    start, end = window.span(now, events)
    value = session.watching.track(temporal.targets, start, end)
    noted = session.note_track(value)
    return ask(temporal, Track.of(value, [noted.id, *cites]), now, over, events)


def at_present(session: Running, predicate: Predicate) -> Answer:
    """What is true now, by the scene and what the headset tells."""
    scene, user = session.scene(), session.user()
    told = user.value
    now = session.clock.now
    track = moment(predicate.targets, scene, lambda name: anchor_told(name, told), now, [*scene.cites, *user.cites])
    return ask(at_once(predicate), track, now, evolve(whole(), label="now"))
