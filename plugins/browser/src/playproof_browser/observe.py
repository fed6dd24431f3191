"""What is seen of a page from outside: its pixels, what it throws, the windows and dialogs that it opens, where it goes."""

from collections.abc import Callable
from typing import Any

from attrs import define, field
from playwright.sync_api import BrowserContext, CDPSession, ConsoleMessage, Dialog, Error, Page, Request, Worker

from playproof.evidence import Record
from playproof.model import Evidence, Observer

MOST_EXCEPTIONS = 100
"""Each is written down; after so many we look no longer and say so (`page.flooded/1`)."""

MOST_STOPS = 5_000
"""Stops of any kind: one costs the page and us about a millisecond. Rejections that are handled late make stops, too."""

MOST_NOTES = 50


@define
class Witness:
    """Writes down what is seen, at the session's time. `now` gives it in ticks."""

    record: Record
    now: Callable[[], int] = field(default=lambda: 0)

    def note(self, kind: str, observer: Observer, source: str, value: Any = None, *, png: bytes | None = None) -> Evidence:
        if png is not None:
            return self.record.add(kind, observer, tick=self.now(), source=source, blob=png, media_type="image/png")
        return self.record.add(kind, observer, tick=self.now(), source=source, value=value)


@define(slots=False)  # Playwright writes an attribute of its own on the owner of a listener
class Watch:
    """Listens to one page from its making. `exceptions` are the evidence ids of what it threw and did not catch; `flooded` is
    that of the moment from which the debugger was no longer told, because the page had thrown so often."""

    page: Page
    cdp: CDPSession
    witness: Witness
    exceptions: list[str] = field(factory=list)
    flooded: str | None = None
    foreign: dict[str, int] = field(factory=dict)
    moving: bool = False
    """Whether another document was asked for since somebody last looked."""
    on_its_way: int = 0
    """Requests that have no answer yet, whatever made them: the page's own world does not see them all."""
    _arrivals: int = 0
    _stops: int = 0
    _notes: int = 0

    def begin(self, context: BrowserContext) -> None:
        self.page.on("dialog", self._dialog)
        self.page.on("download", lambda download: self.note("page.download/1", "browser", {"url": download.url[:500]}))
        self.page.on("worker", self._worker)
        self.page.on("request", self._request)
        self.page.on("requestfinished", self._answered)
        self.page.on("requestfailed", self._answered)
        self.page.on("console", self._console)
        context.on("page", self._popup)
        self.cdp.on("Debugger.paused", self._paused)
        self.cdp.send("Debugger.enable")
        self.cdp.send("Debugger.setBreakpointsActive", {"active": False})  # a `debugger` statement must not stop the page
        self.cdp.send("Debugger.setPauseOnExceptions", {"state": "uncaught"})

    def note(self, kind: str, source: str, value: Any) -> None:
        """Write down an event of the page, up to a bound: a page that floods must not fill the disk."""
        self._notes += 1
        if self._notes <= MOST_NOTES:
            self.witness.note(kind, Observer.OUTSIDE, source, value)
        elif self._notes == MOST_NOTES + 1:
            self.witness.note("page.flooded/1", Observer.OUTSIDE, source, {"unwritten": "events of the page", "after": MOST_NOTES})

    def _paused(self, event: Any) -> None:
        """The page stands still at a throw that nothing will catch, whatever its own error listeners do later."""
        self._stops += 1
        if event["reason"] == "exception":  # a rejected promise may yet be handled: see World.status
            text = str(event.get("data", {}).get("description") or event.get("data", {}).get("value"))[:2000]
            place = len(self.exceptions) + 1
            noted = self.witness.note("page.exception/1", Observer.OUTSIDE, "debugger", {"text": text, "count": place})
            self.exceptions.append(noted.id)
        if len(self.exceptions) >= MOST_EXCEPTIONS or self._stops >= MOST_STOPS:
            after = {"exceptions": len(self.exceptions), "stops": self._stops}
            self.flooded = self.witness.note("page.flooded/1", Observer.OUTSIDE, "debugger", {"unwritten": "exceptions", **after}).id
            self._say("Debugger.disable")
        else:
            self._say("Debugger.resume")

    def _say(self, method: str) -> None:
        try:
            self.cdp.send(method)
        except Error:  # the page has gone meanwhile, and its pause with it
            return

    def _dialog(self, dialog: Dialog) -> None:
        self.note("page.dialog/1", "browser", {"type": dialog.type, "message": dialog.message[:500]})
        try:
            dialog.dismiss()
        except Error:
            return

    def _popup(self, opened: Page) -> None:
        if opened is self.page:
            return
        self.note("page.popup/1", "browser", {"url": opened.url[:500]})
        try:
            opened.close()
        except Error:
            return

    def _worker(self, worker: Worker) -> None:
        self.foreign["worker"] = self.foreign.get("worker", 0) + 1

    def _request(self, request: Request) -> None:
        """A document other than the first is asked for; most often the page loads itself again."""
        self.on_its_way += 1
        if request.is_navigation_request() and request.frame is self.page.main_frame:
            self._arrivals += 1
            if self._arrivals > 1:
                self.moving = True
                self.note("page.navigation/1", "browser", {"url": request.url[:500]})

    def _answered(self, request: Request) -> None:
        self.on_its_way -= 1

    def _console(self, message: ConsoleMessage) -> None:
        wanted = message.type in ("error", "warning")
        if wanted and not message.location["url"].endswith("/favicon.ico"):  # the browser's own question, not the page's
            self.note("page.console/1", "browser", {"type": message.type, "text": message.text[:500]})


def listeners(cdp: CDPSession, expression: str) -> list[dict[str, Any]]:
    """Event listeners on what a JavaScript expression names, as the debugger sees them: type, capture, passive, once."""
    target = cdp.send("Runtime.evaluate", {"expression": expression})["result"].get("objectId")
    if target is None:
        return []
    found = cdp.send("DOMDebugger.getEventListeners", {"objectId": target})["listeners"]
    return [{"type": one["type"], "capture": one["useCapture"], "passive": one["passive"], "once": one["once"]} for one in found]
