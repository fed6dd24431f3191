"""What a session lends to models: a play of one that acts, and what one that judges is shown."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from playproof.errors import SubmissionFault
from playproof.evidence import Record
from playproof.interfaces import Bench
from playproof.model import Evidence, Observer, Options
from playproof.seen import Seen
from playproof_browser.pictures import Picture
from playproof_xr.crops import crop_options, cut_out, region_of
from playproof_xr.observe.scene import spelled
from playproof_xr.sighting import picture_area
from playproof_xr.steps import noted_steps, step_options
from playproof_xr.things import Thing

if TYPE_CHECKING:
    from playproof_judges.loop import Played
    from playproof_xr.session import XRSession


class Judged:
    """A part of XRSession. `bench` are the models that play in it, as far as the run was given them; `scratch` is a folder of this
    process's own."""

    bench: Bench | None = None
    scratch: Path
    _record: Record

    @property
    def _whole(self) -> "XRSession":
        return cast("XRSession", self)

    def adaptive(self, goal: str, *, model: str | None = None, **manner: Any) -> "Played":
        """Let the model that the check names (`plays=`) play until it says that the goal is reached, or its turns or tokens are spent.

        `manner`: `turns`, `tokens`, `advice`, and `named` (whether it is told what things are called). What it says proves nothing: look
        at the app afterwards. Raises PlayerStopped when it refuses or is stuck, NoModel where none was given, PluginError without the
        distribution of judges."""
        from playproof_xr.adaptive.player import Manner, play

        return play(self._whole, goal, Manner(**manner), model)

    def exhibit(self, *shown: "Picture | Seen | Evidence | Played") -> None:
        """Lay these before the judge that the check asks, as what else the check rested on."""
        self._record.rest_on([cite for one in shown for cite in ([one.id] if isinstance(one, Evidence) else one.cites)])

    # --- scoped pictures ---

    def crop(self, thing: Thing, margin: float = 0.15) -> Picture:
        """The part of the eye's picture where a thing is (`xr.crop/1`), and `margin` times its longer side around it. That no part of it is
        in the view is a fault."""
        shot, area = self._whole.screenshot(), picture_area(self._whole.tab, thing.id)
        if area is None:
            raise SubmissionFault(thing.path, "is not in view, so no picture shows it", shot.cites)
        region = region_of(area, (shot.width, shot.height), margin)
        png, times = cut_out(shot.image, region)
        x, y, width, height = region
        source = f"{thing.path} in the eye's picture, {x:g},{y:g} {width:g}x{height:g}" + (f", enlarged {times} times" if times > 1 else "")
        noted = self._whole.tab.witness.note("xr.crop/1", Observer.OUTSIDE, source, png=png)
        return Picture(png, region, [noted.id])

    def _crops(self, told: Options) -> Sequence[Evidence]:
        """Of what is there and in view; what is not is shown by no picture. Without a word of what, the whole."""
        options, found = crop_options(told), list[str]()
        if not options.of:
            png = self._whole.screenshot().png
            return [self._whole.tab.witness.note("xr.crop/1", Observer.OUTSIDE, "the eye's picture, whole", png=png)]
        for wanted in options.of:
            fitting = sorted(self._whole.scene().select(**wanted), key=lambda one: (not one["visible"], one["box"] is None))
            if fitting and picture_area(self._whole.tab, str(fitting[0]["id"])) is not None:
                found += self.crop(Thing(self._whole, str(fitting[0]["id"]), f"scene[{spelled(wanted)}]"), options.margin).cites
        return self._cited(found)

    # --- sequences ---

    def steps(self, **options: Any) -> Sequence[Evidence]:
        """The session so far as a sequence of steps (`xr.step/1`), each at its own tick: see StepOptions. Of things, what a script has
        found or watched is told. Plays the session again in a page of its own, for the pictures."""
        whole = self._whole
        seen = whole.looking.events().value, whole.watching.everything({})
        return noted_steps(whole, self._record, self.scratch, seen, step_options(options))

    def _cited(self, cites: Sequence[str]) -> Sequence[Evidence]:
        return [entry for entry in self._record.sealed() if entry.id in cites]
