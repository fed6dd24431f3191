"""A step of a session in words, and what the eye saw at its end."""

from collections.abc import Iterator, Mapping
from typing import Any

from playproof.interfaces import Exhibit, Services
from playproof.model import Evidence, Options
from playproof_browser.exhibits import ImageExhibitor
from playproof_xr.exhibits.spelling import Read, cut, metres, opened, printable, table
from playproof_xr.time.track import spelled_time


class PictureExhibitor(ImageExhibitor):
    """Implements `Exhibitor` for `xr.crop/1`: a screenshot's part."""


class StepExhibitor(ImageExhibitor):
    """Implements `Exhibitor` for `xr.step/1`, which is a picture, or tells of events and places."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        if evidence.media_type == "image/png":
            return super().show(evidence, read)
        value = opened(evidence, read)
        rows = list(_things(value["things"]) if "things" in value else _told(value))
        head = "where things were, as the app's scene has them" if "things" in value else \
            f"from {spelled_time(value['from'])} to {spelled_time(evidence.tick)}, as the headset told"
        return Exhibit(table(["what", "how"], rows), text=cut([head, *(f"{name}: {how}" for name, how in rows)]))


def _told(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for one in value["events"]:
        hand, more = one.get("handedness", ""), printable(one.get("detail", ""))
        yield f"event at {spelled_time(one['tick'])}", " ".join(filter(None, [one["kind"], hand, more]))
    if not value["events"]:
        yield "event", "none"
    yield from ((name, _place(held)) for name, held in value["user"].items())


def _things(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, held in value.items():
        looks = "" if "lost" in held else "" if held["in_view"] and held["visible"] else ", out of view" if held["visible"] else ", hidden"
        yield printable(name), _place(held) + looks


def _place(held: Mapping[str, Any]) -> str:
    if "at" in held:
        return metres(held["at"])
    return str(held["lost"]) if "lost" in held else f"{held['amount']:.2f}"
