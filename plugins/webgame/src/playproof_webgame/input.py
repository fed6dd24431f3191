"""Real input: what mouse, keyboard and finger do arrives in the page as from a person, and every deed is evidence."""

from collections.abc import Callable
from typing import Any, Protocol

from playproof.interfaces import Clock
from playproof.model import TICKS
from playproof_browser.tab import Tab
from playproof_webgame.places import Point, point

HOLD = 4 * TICKS // 60
"""How long a click, a tap or a key press lasts unless told: four frames. A game that looks at its keys once a frame
would miss one that lasts no time, and no person can do that."""

STEP = 2 * TICKS // 60
"""A dragging hand is reported 30 times a second: the browser gives moves with its own frames, so each costs 16 ms."""


class Hands(Protocol):
    """What input needs of a session."""

    @property
    def tab(self) -> Tab: ...
    @property
    def clock(self) -> Clock: ...
    def act(self, kind: str, value: dict[str, Any], deed: Callable[[], Any]) -> None: ...


def travel(clock: Clock, a: Point, b: Point, ticks: int, move: Callable[[Point], None]) -> None:
    """Go from a to b on a straight line in `ticks`, moving at least once and last to b."""
    count = max(1, ticks // STEP)
    passed = 0
    for index in range(1, count + 1):
        due = ticks * index // count
        while passed < due:
            step = min(TICKS // 60, due - passed)
            clock.wait(step)
            passed += step
        share = index / count
        move((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))


class Mouse:
    def __init__(self, hands: Hands) -> None:
        self._hands, self._mouse = hands, hands.tab.page.mouse
        self._at: Point = (0.0, 0.0)

    def move(self, to: Any) -> None:
        self._at = x, y = point(to)
        self._hands.act("input.pointer/1", {"type": "move", "x": x, "y": y}, lambda: self._mouse.move(x, y))

    def down(self) -> None:
        self._hands.act("input.pointer/1", {"type": "down", "x": self._at[0], "y": self._at[1]}, self._mouse.down)

    def up(self) -> None:
        self._hands.act("input.pointer/1", {"type": "up", "x": self._at[0], "y": self._at[1]}, self._mouse.up)

    def click(self, at: Any, ticks: int = HOLD) -> None:
        """Move there, press, and let go after `ticks`."""
        self.move(at)
        self.down()
        hold(self._hands.clock, ticks)
        self.up()

    def drag(self, a: Any, b: Any, ticks: int) -> None:
        """Press at a, move to b on a straight line in `ticks`, let go there."""
        start, end = point(a), point(b)
        self.move(start)
        self.down()
        travel(self._hands.clock, start, end, ticks, self.move)
        self.up()

    def wheel(self, dx: float, dy: float) -> None:
        self._hands.act("input.pointer/1", {"type": "wheel", "dx": dx, "dy": dy}, lambda: self._hands.tab.wheel(dx, dy))


class Keyboard:
    """Keys by Playwright's names: "ArrowLeft", "a", "Space", "Enter"."""

    def __init__(self, hands: Hands) -> None:
        self._hands, self._keyboard = hands, hands.tab.page.keyboard

    def down(self, key: str) -> None:
        self._hands.act("input.key/1", {"type": "down", "key": key}, lambda: self._keyboard.down(key))

    def up(self, key: str) -> None:
        self._hands.act("input.key/1", {"type": "up", "key": key}, lambda: self._keyboard.up(key))

    def press(self, key: str, ticks: int = HOLD) -> None:
        self.hold(key, ticks)

    def hold(self, key: str, ticks: int) -> None:
        self.down(key)
        hold(self._hands.clock, ticks)
        self.up(key)


class Touch:
    """One finger. The check must declare `touch=True`, so that the page sees a touch screen."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    def tap(self, at: Any, ticks: int = HOLD) -> None:
        place = point(at)
        self._send("touchStart", place)
        hold(self._hands.clock, ticks)
        self._send("touchEnd", place)

    def drag(self, a: Any, b: Any, ticks: int) -> None:
        start, end = point(a), point(b)
        self._send("touchStart", start)
        travel(self._hands.clock, start, end, ticks, lambda place: self._send("touchMove", place))
        self._send("touchEnd", end)

    def _send(self, kind: str, at: Point) -> None:
        if not self._hands.tab.options.touch:
            raise ValueError("game.touch needs a check that is declared with touch=True")
        x, y = at
        points = [] if kind == "touchEnd" else [{"x": x, "y": y, "id": 0}]
        cdp = self._hands.tab.cdp
        self._hands.act("input.pointer/1", {"type": kind, "x": x, "y": y},
                        lambda: cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}))


def hold(clock: Clock, ticks: int) -> None:
    """Wait in steps of at most a frame (design, decision 4)."""
    while ticks > 0:
        clock.wait(min(TICKS // 60, ticks))
        ticks -= TICKS // 60
