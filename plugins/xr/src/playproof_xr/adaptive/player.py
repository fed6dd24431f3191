"""A model plays an XR app: it sees what a person would see, and acts with head and hands alone. The loop itself is `playproof-judges`'."""

from typing import Any

from attrs import frozen

from playproof.drivers import settings
from playproof.errors import PluginError
from playproof.interfaces import Services
from playproof.model import Evidence, Observer, Options
from playproof_xr.session import XRSession

try:
    from playproof_judges.loop import KINDS, Allowance, Loop, Played, Player, lead
except ModuleNotFoundError as missing:
    raise PluginError("a model that plays needs the distribution of models and judges: pip install 'playproof[judges]'") from missing

from playproof_xr.adaptive.tools import TOOLS
from playproof_xr.adaptive.views import observed

ADVICE = """
It is an XR app: you stand in a room with a headset on, with two hands. Things of the app's are drawn over the room; that is no fault.
Places are in metres: x to the right, y up, -z ahead, as you stood at the start. Time stands still while you think, and goes on while you
act.

- From afar: `aim_at` turns a hand's ray to a thing and tells what the ray meets first; then, in a turn of its own, `select`. What is drawn
  over a thing (a dot, a ring, a line) does not say that the ray meets it: only what the ray is told to meet does.
- From near: `reach` brings a hand to a thing, then `select`, or `start_hold` to grab it.
- What is held: `start_hold`, `move_held` as often as need be, `end_hold`, all with the same hand. With two hands, begin with both.
- How far away a thing is, what touches what and what stands before what: take it from the numbers that you are told, or `measure` it. Two
  things that overlap in the picture can be metres apart.
- That an act succeeded is seen by what changed after it, not by the act, nor by a mark that is drawn.
"""


def xr_loop(allowance: Allowance | None = None, advice: str = "", *, named: bool = True) -> Loop[XRSession]:
    """The loop over an XR app. `advice` is told the model after what holds for every app; `named`: it is told what things are called and
    what is written on them; else it knows them by their number, place, size and colour."""
    return Loop(TOOLS, lambda session: observed(session, named=named), _note, f"{ADVICE.strip()}\n{advice}", allowance or Allowance())


def _note(session: XRSession, kind: str, source: str, value: Any) -> Evidence:
    return session.tab.witness.note(kind, Observer.OUTSIDE, source, value)


class XRPlayer(Player[XRSession]):
    """The actor `xr.player`: beside its turns it writes down what it was told of rays and things."""

    records = KINDS | {"xr.sight/1"}


@frozen
class Manner:
    """How a model plays, from a check script; see `XRSession.adaptive`."""

    turns: int = Allowance().turns
    tokens: int = Allowance().tokens
    advice: str = ""
    named: bool = True


def play(session: XRSession, goal: str, manner: Manner, model: str | None) -> Played:
    loop = xr_loop(Allowance(manner.turns, manner.tokens), manner.advice, named=manner.named)
    return lead(session.clock, loop.play(session, goal, session.bench, model))


@frozen(kw_only=True)
class _Settings(Manner):
    """Options of `xr.player` in a cast. The goal is held out, as everything in a cast."""

    goal: str
    model: str = "default"


def player(options: Options, services: Services) -> XRPlayer:
    """The actor `xr.player`: the lead of a cast."""
    chosen = settings(_Settings, options, "xr.player")
    loop = xr_loop(Allowance(chosen.turns, chosen.tokens), chosen.advice, named=chosen.named)
    return XRPlayer(XRSession, loop, chosen.goal, lambda session: session.bench, chosen.model)
