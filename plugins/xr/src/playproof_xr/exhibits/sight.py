"""What a model that plays was told of rays and of things in sight, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from playproof.interfaces import Exhibit, Services
from playproof.model import Evidence, Options
from playproof_xr.exhibits.scene import size
from playproof_xr.exhibits.spelling import Read, cut, opened, printable, table


class SightExhibitor:
    """Implements `Exhibitor` for `xr.sight/1`."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        value = opened(evidence, read)
        rows = [*_rays(value["rays"]), *_things(value["things"])]
        told = ["what rays meet, and what is in sight; metres", *(f"{what}: {how}" for what, how in rows)]
        return Exhibit(table(["what", "how"], rows), text=cut(told))


def _rays(rays: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, met in rays.items():
        ways = (f"{'thing ' + printable(one['thing']) if one['thing'] else 'the ' + one['room']} at {one['distance']:.2f} m" for one in met)
        yield f"ray of {'the gaze' if name == 'none' else 'the ' + printable(name) + ' hand'}", ", then ".join(ways) or "nothing"


def _things(things: list[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for one in things:
        words = [f"{key} {printable(one[key])!r}" for key in ("name", "label", "role", "text") if one.get(key)]
        hidden = [f"{one['hidden']:.0%} hidden"] if one["hidden"] else []
        yield f"thing {printable(one['id'])}", ", ".join([*words, size(one), *hidden])
