"""What a session lends to models: a play of one that acts, and what one that judges is shown."""

from typing import TYPE_CHECKING, Any, cast

from playproof.evidence import Record
from playproof.interfaces import Bench
from playproof.model import Evidence
from playproof.seen import Seen
from playproof_browser.pictures import Picture

if TYPE_CHECKING:
    from playproof_judges.loop import Played
    from playproof_xr.session import XRSession


class Judged:
    """A part of XRSession. `bench` are the models that play in it, as far as the run was given them."""

    bench: Bench | None = None
    _record: Record

    def adaptive(self, goal: str, *, model: str | None = None, **manner: Any) -> "Played":
        """Let the model that the check names (`plays=`) play until it says that the goal is reached, or its turns or tokens are spent.

        `manner`: `turns`, `tokens`, `advice`, and `named` (whether it is told what things are called). What it says proves nothing: look
        at the app afterwards. Raises PlayerStopped when it refuses or is stuck, NoModel where none was given, PluginError without the
        distribution of judges."""
        from playproof_xr.adaptive.player import Manner, play

        return play(cast("XRSession", self), goal, Manner(**manner), model)

    def exhibit(self, *shown: "Picture | Seen | Evidence | Played") -> None:
        """Lay these before the judge that the check asks, as what else the check rested on."""
        self._record.rest_on([cite for one in shown for cite in ([one.id] if isinstance(one, Evidence) else one.cites)])
