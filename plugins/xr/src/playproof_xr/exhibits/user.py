"""Head, hands and events in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from playproof.interfaces import Exhibit, Query, Services
from playproof.model import Evidence, Options
from playproof_xr.body import SIDES
from playproof_xr.exhibits.spelling import Read, cut, metres, opened, printable, schema, table, text_of
from playproof_xr.targets import PARTS, anchor_told, is_anchor
from playproof_xr.time.track import spelled_time

TOLD = ("pinch_point", "palm", "index-finger-tip", "wrist")


class UserExhibitor:
    """Implements `Exhibitor` and `Queried` for `xr.user/1`."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        user = opened(evidence, read)
        rows = list(_rows(user))
        lines = [f"{name}: {place}, {more}" for name, place, more in rows]
        return Exhibit(table(["part", "place (m)", "more"], rows), text=cut(["the user, as the headset tells; metres, y up", *lines]))

    def queries(self, evidence: Evidence, read: Read) -> Sequence[Query]:
        user = opened(evidence, read)

        def part(arguments: Mapping[str, Any]) -> Any:
            name = text_of(arguments, "part") or ""
            if not is_anchor(name):
                raise ValueError(f"a part is head, or left. or right. and one of pinch, {', '.join(PARTS)}")
            return anchor_told(name, user)

        asked = {"type": "string", "description": "head, left.palm, right.index-finger-tip, right.pinch_point, ..."}
        told = "Where a part of the user's body is: its matrix, column by column."
        return [Query("part_of_the_body", told, schema(["part"], part=asked), part)]


def _rows(user: Mapping[str, Any]) -> Sequence[tuple[str, str, str]]:
    found = [("head", _place(anchor_told("head", user)), "")]
    for side in SIDES:
        hand = user["hands"][side]
        if not hand["tracked"]:
            found.append((f"{side} hand", "not tracked", ""))
            continue
        found += [(f"{side}.{part}", _place(anchor_told(f"{side}.{part}", user)), f"pinched {hand['pinch']:.2f}") for part in TOLD]
    for one in user["inputs"]:
        buttons = ", ".join(f"{value:.2g}" for value in one["buttons"])
        found.append((f"{one['handedness']} {one['kind']}", metres(one["ray"][12:15]), f"buttons {buttons or 'none'}"))
    return found


def _place(value: Mapping[str, Any]) -> str:
    return metres(value["matrix"][12:15]) if "matrix" in value else str(value.get("lost", ""))


class EventsExhibitor:
    """Implements `Exhibitor` for `xr.events/1`."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Read) -> Exhibit:
        events = opened(evidence, read)
        rows = [(spelled_time(one["tick"]), one["kind"], one.get("handedness", ""), printable(one.get("detail", ""))) for one in events]
        lines = [" ".join(word for word in row if word) for row in rows]
        moments = [(one["tick"], " ".join(word for word in row[1:3] if word)) for one, row in zip(events, rows, strict=True)]
        told = cut(["events that the app was given", *lines])
        return Exhibit(table(["at", "event", "hand", "more"], rows), text=told, moments=moments)
