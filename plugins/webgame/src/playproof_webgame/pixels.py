"""What the screen shows, against what it showed before, or against a colour."""

from collections.abc import Callable, Sequence

from attrs import frozen

from playproof.errors import ExpectationFailed
from playproof.expect import Held
from playproof_browser.pictures import Picture, Region

MARGIN = 0.02
"""How much more of a region than by itself must change before somebody's deed is said to have changed it."""


@frozen
class IdleControl:
    """What a region does when nobody acts: `share` is the most that two of the shots differ, `last` the latest."""

    region: Region
    shots: Sequence[Picture]

    @property
    def last(self) -> Picture:
        return self.shots[-1]

    @property
    def share(self) -> float:
        return max((one.differs(other) for index, one in enumerate(self.shots) for other in self.shots[index + 1 :]), default=0.0)

    @property
    def cites(self) -> Sequence[str]:
        return tuple(cite for shot in self.shots for cite in shot.cites)


class PixelExpectation:
    """What a check demands of the pixels of a region, now. All methods look at one picture; each raises ExpectationFailed, or
    tells `held` what it rests on."""

    def __init__(
        self, region: Region, shoot: Callable[[Region], Picture], cites: Sequence[str] = (), held: Held = lambda cites: None
    ) -> None:
        self._region, self._shoot, self._cites, self._held = region, shoot, tuple(cites), held
        self._picture: Picture | None = None

    @property
    def picture(self) -> Picture:
        if self._picture is None:
            self._picture = self._shoot(self._region)
        return self._picture

    def differs_more_than(self, calm: IdleControl, margin: float = MARGIN) -> "PixelExpectation":
        """The region has changed since the control's last shot by more than it changes by itself."""
        share, bound = self.picture.differs(calm.last), calm.share + margin
        wanted = f"more than {bound:.1%} ({calm.share:.1%} change by themselves)"
        return self._hold(share > bound, "has changed in", share, wanted, calm.cites)

    def like(self, picture: Picture, within: float = 0.01) -> "PixelExpectation":
        """The region looks as it did: no more than `within` of its pixels differ."""
        share = self.picture.differs(picture)
        return self._hold(share <= within, "differs from before in", share, f"at most {within:.1%}", picture.cites)

    def shows(self, colour: str, share: float = 0.2, tolerance: int = 40) -> "PixelExpectation":
        seen = self.picture.share(colour, tolerance)
        return self._hold(seen >= share, f"shows {colour} in", seen, f"at least {share:.1%}")

    def lacks(self, colour: str, share: float = 0.05, tolerance: int = 40) -> "PixelExpectation":
        seen = self.picture.share(colour, tolerance)
        return self._hold(seen <= share, f"shows {colour} in", seen, f"at most {share:.1%}")

    def _hold(self, holds: bool, verb: str, seen: float, wanted: str, cites: Sequence[str] = ()) -> "PixelExpectation":
        shown = tuple(dict.fromkeys((*cites, *self.picture.cites, *self._cites)))
        if not holds:
            x, y, width, height = self._region
            place = f"the region at {x:g}, {y:g} ({width:g} x {height:g})"
            raise ExpectationFailed(f"{place} {verb} {seen:.1%} of its pixels, wanted {wanted}", f"{seen:.1%}", wanted, shown)
        self._held(shown)
        return self

