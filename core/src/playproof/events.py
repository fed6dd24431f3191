"""Tell every listener, through pluggy. One that breaks is logged, and is never heard of in a score."""

from typing import Any

import pluggy
import structlog

from playproof import hookspecs
from playproof.drivers import group

log = structlog.get_logger("playproof.events")


class Events:
    """`fire(moment, **facts)` calls every listener's function of that name with the facts that it asks for."""

    def __init__(self, *listeners: object, discover: bool = True) -> None:
        self._manager = pluggy.PluginManager("playproof")
        self._manager.add_hookspecs(hookspecs)
        if discover:
            self._manager.load_setuptools_entrypoints(group("listener"))
        for listener in listeners:
            self._manager.register(listener)
        self._manager.check_pending()

    def fire(self, moment: str, **facts: Any) -> None:
        for heard in getattr(self._manager.hook, moment).get_hookimpls():
            try:
                heard.function(*(facts[name] for name in heard.argnames))
            except Exception:
                log.exception("listener failed", listener=heard.plugin_name, moment=moment)
