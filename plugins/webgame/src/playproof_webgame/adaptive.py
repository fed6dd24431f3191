"""A model plays a game: it sees what a person would see, and acts by real input alone. The loop itself is `playproof-judges`'.

Nothing here reads the page's own word: what the model is shown are screenshots, and where it clicks it has seen something."""

import io
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from attrs import frozen
from PIL import Image

from playproof.dialogue import Picture
from playproof.drivers import settings
from playproof.errors import PluginError
from playproof.interfaces import Services
from playproof.model import Evidence, Observer, Options, seconds
from playproof_webgame.places import Point, within
from playproof_webgame.session import GameSession

try:
    from playproof_judges.loop import ActorTool, Allowance, CannotDo, Loop, Played, Player, Sight, lead
except ModuleNotFoundError as missing:
    raise PluginError("a model that plays needs the distribution of models and judges: pip install 'playproof[judges]'") from missing

SETTLE = seconds(0.25)
"""How long after a deed it looks: a game has drawn what follows from it, and a person could not look sooner."""

LONGEST_S = 10.0
ENLARGED = 640
"""To what width or height a closer look is enlarged, in whole steps."""

ADVICE = """
It is a game in a web page. Places are pixels of the view: x to the right, y downwards, from the upper left corner. Time stands still while
you think, and goes on while you act or wait. Many games want a click or a key to begin.
"""

KEYS = frozenset({
    "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Space", "Enter", "Escape", "Tab", "Backspace", "Delete", "Shift", "Control", "Alt",
    "Home", "End", "PageUp", "PageDown", *(f"F{number}" for number in range(1, 13)),
})  # fmt: skip


# --- deeds ---

Deed = Generator[int, None, None]


def _deed(carry_out: Callable[[GameSession, Mapping[str, Any]], None]) -> Callable[[GameSession, Mapping[str, Any]], Deed]:
    """A deed that takes its time by the session's verbs, and a moment after it at which whoever leads may end the play."""

    def act(session: GameSession, given: Mapping[str, Any]) -> Deed:
        carry_out(session, given)
        yield 0

    return act


def _place(session: GameSession, given: Mapping[str, Any], x: str = "x", y: str = "y") -> Point:
    width, height = session.tab.options.viewport
    at = float(given[x]), float(given[y])
    if not (0 <= at[0] < width and 0 <= at[1] < height):
        raise CannotDo(f"{at[0]:g}, {at[1]:g} lies outside the view, which is {width} x {height}")
    return at


def _key(given: Mapping[str, Any]) -> str:
    key = str(given["key"])
    if key not in KEYS and not (len(key) == 1 and key.isascii() and key.isprintable()):
        raise CannotDo(f"there is no key {key!r}; a key is one character, or one of {', '.join(sorted(KEYS))}")
    return "Space" if key == " " else key


def _click(session: GameSession, given: Mapping[str, Any]) -> None:
    at = _place(session, given)
    if session.tab.options.touch:
        session.touch.tap(at)
    else:
        session.mouse.click(at)
    session.wait(SETTLE)


def _move(session: GameSession, given: Mapping[str, Any]) -> None:
    session.mouse.move(_place(session, given))
    session.wait(SETTLE)


def _drag(session: GameSession, given: Mapping[str, Any]) -> None:
    start, end = _place(session, given, "from_x", "from_y"), _place(session, given, "to_x", "to_y")
    hand = session.touch if session.tab.options.touch else session.mouse
    hand.drag(start, end, seconds(given.get("seconds", 0.5)))
    session.wait(SETTLE)


def _press(session: GameSession, given: Mapping[str, Any]) -> None:
    session.keyboard.press(_key(given))
    session.wait(SETTLE)


def _hold(session: GameSession, given: Mapping[str, Any]) -> None:
    session.keyboard.hold(_key(given), seconds(given["seconds"]))
    session.wait(SETTLE)


def _wait(session: GameSession, given: Mapping[str, Any]) -> None:
    session.wait(seconds(given["seconds"]))


# --- looks ---


def _look(session: GameSession, given: Mapping[str, Any]) -> Sequence[Sight]:
    try:
        x, y, width, height = within(given, session.tab.options.viewport)
    except ValueError as fault:
        raise CannotDo(str(fault)) from None
    shot = session.screenshot((x, y, width, height))
    times = max(1, int(ENLARGED // max(width, height)))
    out = io.BytesIO()
    shot.image.resize((shot.width * times, shot.height * times), Image.Resampling.NEAREST).save(out, "PNG")
    caption = f"The part of the view at {x:g}, {y:g}, {width:g} x {height:g} pixels, enlarged {times} times."
    return [Sight(Picture(out.getvalue(), caption=caption), shot.cites[0])]


def _view(session: GameSession) -> Sequence[Sight]:
    shot = session.screenshot()
    return [Sight(Picture(shot.png, caption=f"The view now, {shot.width} x {shot.height} pixels."), shot.cites[0])]


def _note(session: GameSession, kind: str, source: str, value: Any) -> Evidence:
    return session.tab.witness.note(kind, Observer.OUTSIDE, source, value)


# --- the loop ---


def _schema(*required: str, **properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


_NUMBER = {"type": "number"}
_SECONDS = {"type": "number", "exclusiveMinimum": 0, "maximum": LONGEST_S}
_KEY = {"type": "string", "description": "One character, or a name such as ArrowLeft, Space, Enter, Escape."}
_AT = _schema("x", "y", x=_NUMBER, y=_NUMBER)
_WAY = _schema("from_x", "from_y", "to_x", "to_y", from_x=_NUMBER, from_y=_NUMBER, to_x=_NUMBER, to_y=_NUMBER, seconds=_SECONDS)
_PART = _schema("x", "y", "width", "height", x=_NUMBER, y=_NUMBER, width=_NUMBER, height=_NUMBER)

TOOLS: Sequence[ActorTool[GameSession]] = (
    ActorTool("click", "Press and let go at a place (on a touch screen: tap).", _AT, _deed(_click)),
    ActorTool("move", "Move the pointer to a place, without pressing.", _AT, _deed(_move)),
    ActorTool("drag", "Press at one place, move to another in a straight line, and let go there.", _WAY, _deed(_drag)),
    ActorTool("key", "Press a key and let it go.", _schema("key", key=_KEY), _deed(_press)),
    ActorTool("hold", "Hold a key down for some seconds.", _schema("key", "seconds", key=_KEY, seconds=_SECONDS), _deed(_hold)),
    ActorTool("wait", "Do nothing for some seconds of the game's time.", _schema("seconds", seconds=_SECONDS), _deed(_wait)),
    ActorTool("look", "Look at a part of the view more closely.", _PART, _look),
)


def game_loop(allowance: Allowance | None = None, advice: str = "") -> Loop[GameSession]:
    """The loop over a game. `advice` is told the model after what holds for every game."""
    return Loop(TOOLS, _view, _note, f"{ADVICE.strip()}\n{advice}", allowance or Allowance())


def play(session: GameSession, goal: str, turns: int, tokens: int, advice: str, model: str | None) -> Played:
    """From a check script: see `GameSession.adaptive`."""
    return lead(session.clock, game_loop(Allowance(turns, tokens), advice).play(session, goal, session.bench, model))


@frozen
class _Settings:
    """Options of `webgame.player` in a cast. The goal is held out, as everything in a cast."""

    goal: str
    model: str = "default"
    turns: int = Allowance().turns
    tokens: int = Allowance().tokens
    advice: str = ""


def player(options: Options, services: Services) -> Player[GameSession]:
    """The actor `webgame.player`: the lead of a cast."""
    chosen = settings(_Settings, options, "webgame.player")
    loop = game_loop(Allowance(chosen.turns, chosen.tokens), chosen.advice)
    return Player(GameSession, loop, chosen.goal, lambda session: session.bench, chosen.model)
