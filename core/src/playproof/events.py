"""Tell every listener, through pluggy. One that breaks is logged, and is never heard of in a score."""

from typing import Any

import pluggy
import structlog

from playproof import hookspecs
from playproof.drivers import load, names
from playproof.errors import PluginError

log = structlog.get_logger("playproof.events")


class Events:
    """`fire(moment, **facts)` calls every listener's function of that name with the facts that it asks for.

    With `discover`, installed listeners hear, too. Raises PluginError: one does not load, or listens to no moment that there is."""

    def __init__(self, *listeners: object, discover: bool = True) -> None:
        self._manager = pluggy.PluginManager("playproof")
        self._manager.add_hookspecs(hookspecs)
        found = [(load("listener", name), name) for name in names("listener")] if discover else []
        try:
            for listener, name in (*found, *((one, None) for one in listeners)):
                self._manager.register(listener, name)
            self._manager.check_pending()
        except pluggy.PluginValidationError as fault:
            raise PluginError(f"not a listener: {fault}") from None

    def fire(self, moment: str, **facts: Any) -> None:
        for heard in getattr(self._manager.hook, moment).get_hookimpls():
            try:
                heard.function(*(facts[name] for name in heard.argnames))
            except Exception:  # a listener may raise anything, and is never heard of in a score
                log.exception("listener failed", listener=heard.plugin_name, moment=moment)
