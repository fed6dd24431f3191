"""Requests that leave the submission's origin: a pinned package is answered, everything else is refused and written down."""

import re
from collections.abc import Mapping

from attrs import define, field
from playwright.sync_api import BrowserContext, Error, Request, Route

from playproof.model import Observer
from playproof_browser.observe import Witness
from playproof_browser.served import media_type
from playproof_xr.serving import Found, Library, is_module, reexport

MOST_NOTES = 100
SCENES = re.compile(r"https://cdn\.jsdelivr\.net/gh/xrblocks/assets@[^/]+/simulator/scenes/(?P<name>[\w.-]+)")
"""Where XR Blocks keeps the rooms of its simulator."""


@define(slots=False)  # Playwright writes an attribute of its own on the owner of a handler
class Network:
    """Sits at a browser context. `refused` counts what was refused. `scenes` are files of the XR Blocks simulator's own rooms, by their
    names, in whose place ours are given."""

    origin: str
    library: Library
    witness: Witness
    scenes: Mapping[str, bytes] = field(factory=dict)
    refused: int = 0
    _told: set[str] = field(factory=set)

    def watch(self, context: BrowserContext) -> None:
        context.route(re.compile(rf"^https?://(?!{re.escape(self.origin.partition('://')[2])}/)"), self._answer)

    def _answer(self, route: Route, request: Request) -> None:
        found, scene = self.library.at(request.url), SCENES.match(request.url)
        try:
            if scene and scene["name"] in self.scenes:
                self._tell(request, "our room")
                route.fulfill(body=self.scenes[scene["name"]], headers={"Access-Control-Allow-Origin": "*"})
            elif found is None:
                self.refused += 1
                self._tell(request, "refused")
                route.abort("accessdenied")
            else:
                self._tell(request, f"{found.name}@{found.version}", found)
                self._give(route, found)
        except Error:  # the page has gone meanwhile
            return

    def _give(self, route: Route, found: Found) -> None:
        """Our server gives it: through Playwright's pipe seven megabytes took seconds. A module is one that stands for ours."""
        address, headers = f"{self.origin}{found.address}", {"Access-Control-Allow-Origin": "*"}
        kind = media_type(found.file.name)
        if kind.startswith("text/javascript") and is_module(found.file.read_bytes()):
            route.fulfill(body=reexport(address), headers={**headers, "Content-Type": kind})
        else:
            route.fulfill(status=307, headers={**headers, "Location": address})

    def _tell(self, request: Request, answered: str, found: Found | None = None) -> None:
        """Each address once, up to a bound."""
        address = request.url[:500]
        if address in self._told or len(self._told) >= MOST_NOTES:
            return
        self._told.add(address)
        told = {"url": address, "type": request.resource_type, "answered": answered}
        if found is not None and found.asked not in (None, found.version):
            told["asked"] = str(found.asked)
        self.witness.note("page.external/1", Observer.OUTSIDE, "network", told)
