"""The two worlds of a page: its own, asked through the entrance that was made before it, and an isolated one of ours."""

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from attrs import frozen
from playwright.sync_api import CDPSession, Error

from playproof.errors import PluginError, SubmissionFault
from playproof.model import Reason
from playproof_browser.clock import Entrance
from playproof_browser.watchdog import Watchdog

GONE = ("context was destroyed", "navigated or closed", "Promise was collected", "Cannot find context")
"""How the browser says that the document which was asked is no more."""


@frozen
class Status:
    """What the page's own world tells: virtual ticks since it was made, whether something that it asked for is on its way,
    documents that the clock drives, drawn frames and draw calls, what the clock does not reach, unhandled rejections, turned
    wheels, and which of our counters the page has replaced."""

    now: float
    pending: bool
    realms: int
    frames: int
    draw_calls: int
    leaks: dict[str, int]
    errors: str
    error_count: int
    tampered: int
    wheels: int
    replaced_observer: str


class Tampered(SubmissionFault):
    """The page has laid hands on what observes it."""

    reason = Reason.TAMPERED


class Replaced(SubmissionFault):
    """Another document stands where the one that was asked had been; `begun` says whether that one had begun to answer."""

    def __init__(self, begun: bool) -> None:
        super().__init__("page", "the document was replaced: the page navigated away or loaded itself again")
        self.begun = begun


class World:
    """Calls into one document. Every call has a wall limit (see Watchdog) and raises SubmissionFault when the document is gone.

    `arrive(False)` is called before each call, and `arrive(True)` when the document has turned out to be another: it may
    wait for a document that is on its way, and `enter` that, or raise."""

    def __init__(self, cdp: CDPSession, entrance: Entrance, watchdog: Watchdog, call_s: float, arrive: Callable[[bool], None]) -> None:
        self._cdp, self._entrance, self._watchdog, self._call_s, self._arrive = cdp, entrance, watchdog, call_s, arrive
        self._document = ""
        self._isolated: int | None = None
        self._calls = 0

    def enter(self) -> bool:
        """Take the document that is there now for the one that is meant from now on; whether it is another than before."""
        before, self._document = self._document, json.loads(self._send("enter")[1:])["document"]
        if self._document != before:
            self._isolated = None
        return self._document != before

    # --- the page's own world ---

    def advance(self, ticks: int) -> Status:
        """Let virtual time pass. What runs meanwhile runs in the page, frame by frame, without a call in between."""
        return self._report("advance", ticks)

    def settle(self) -> Status:
        """Wait until the browser has really drawn twice: pending layout, observers and images have then had their turn."""
        return self._report("settle")

    def look(self) -> Status:
        return self._report("status")

    def has(self, name: str) -> bool:
        """Whether the page has a global of this name."""
        return bool(self.ask("has", name)["has"])

    def call(self, target: str, method: str, arguments: list[Any], label: str) -> "str | int":
        """Call `window.target.method(...)`. The result as JSON text (NaN and infinities spelled so), or, when it is a
        promise that has not settled at once, the number by which `poll` asks for it. Raises SubmissionFault with the path."""
        self._calls += 1
        text = self._evaluate("call", self._calls, target, method, json.dumps(arguments), label)
        return self._result(text, self._calls)

    def poll(self, number: int) -> "str | int":
        return self._result(self._evaluate("poll", number), number)

    def ask(self, verb: str, *arguments: object) -> Any:
        """Call a verb that a domain's own parts have added; what it answers, which must be JSON (`answer` in control.js)."""
        return json.loads(self._evaluate(verb, *arguments)[1:])

    def _result(self, text: str, number: int) -> "str | int":
        if text.startswith("="):
            return text[1:]
        told = json.loads(text[1:])
        if told.get("pending"):
            return number
        raise SubmissionFault(told["fault"]["path"], told["fault"]["problem"])

    def _report(self, verb: str, *arguments: object) -> Status:
        status = Status(**self.ask(verb, *arguments))
        if status.tampered:
            raise Tampered("page", "it called the function by which only its observers may speak to it")
        return status

    def _evaluate(self, verb: str, *arguments: object) -> str:
        self._arrive(False)
        try:
            return self._send(verb, *arguments)
        except Replaced as replaced:
            self._arrive(True)
            if not replaced.begun:
                return self._send(verb, *arguments)
            if verb == "advance":  # the rest of its time is lost with the document
                return self._send("status")
            raise

    def _send(self, verb: str, *arguments: object) -> str:
        expression = self._entrance.call(self._document, verb, *arguments)
        with self._watchdog.within(self._call_s, f"the page ({verb})"):
            try:
                told = self._cdp.send("Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True})
            except Error as error:
                if any(sign in error.message for sign in GONE):
                    raise Replaced(begun=True) from None
                raise
        value = told["result"].get("value")
        if not isinstance(value, str):
            said = str(told.get("exceptionDetails", {}).get("exception", {}).get("description", ""))
            if said and "is not a function" not in said:  # a document without the entrance has none to call
                raise PluginError(f"the observers' own script failed ({verb}): {said[:500]}")
            raise Replaced(begun=False)
        return value

    # --- ours ---

    def document(self, verb: str, *arguments: object) -> Any:
        """Ask `page/document.js`, which runs in a world that the page's scripts cannot enter."""
        self._arrive(False)
        with self._watchdog.within(self._call_s, f"the document ({verb})"):
            if self._isolated is None:
                self._isolated = self._enter()
            spelled = ", ".join(json.dumps(argument) for argument in arguments)
            told = self._cdp.send("Runtime.evaluate", {
                "expression": f"JSON.stringify(playproof.{verb}({spelled}))", "contextId": self._isolated, "returnByValue": True,
            })  # fmt: skip
        if "exceptionDetails" in told:
            raise ValueError(told["exceptionDetails"].get("exception", {}).get("description", "the document cannot be read"))
        return json.loads(told["result"]["value"])

    def _enter(self) -> int:
        frame = self._cdp.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        context: int = self._cdp.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "observer"})["executionContextId"]
        script = (files(__package__) / "page" / "document.js").read_text("utf-8")
        self._cdp.send("Runtime.evaluate", {"expression": script, "contextId": context})
        return context
