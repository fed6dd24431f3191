"""What docs/xr.md says of rooms, hands and modifiers is what the package has."""

import re
import tomllib
from pathlib import Path

from attrs import fields

from playproof_xr.body import MODIFIERS, pose_names
from playproof_xr.rooms import find_room, library, parse_room, planes_of
from playproof_xr.rooms.picture import plan_of

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "xr.md").read_text()


def rows() -> dict[str, list[str]]:
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| `")]
    return {row[0].strip("`"): row[1:] for row in cells}


def test_every_room_stands_in_the_table_as_it_is() -> None:
    for name in library():
        room = find_room(name)
        size, planes, tables, places = rows()[name]
        (left, far), (right, near) = room.shell.polygon.bounds
        assert int(planes) == len(planes_of(room)) and f"{room.shell.height:g} high" in size
        assert all(f"{length:g}" in size for length in (right - left, near - far)) or name == "long-corridor"
        told = {one.split(" ")[0]: float(one.split(" ")[1]) for one in tables.split(", ")}
        assert told == {piece.id: piece.surface for piece in room.furniture if piece.label in ("table", "desk")}
        assert re.findall(r"`([\w-]+)`", places) == [place.id for place in room.places]


def test_the_pictures_are_of_the_rooms_as_they_are() -> None:
    """By size and by where their walls are; letters are drawn a little otherwise by other versions of the library."""
    from PIL import Image, ImageChops

    for name in library():
        shown, drawn = Image.open(DOCS / "rooms" / f"{name}.png").convert("RGB"), plan_of(find_room(name))
        assert shown.size == drawn.size, f"draw {name} again: plan_of(find_room({name!r})).save(...)"
        apart = ImageChops.difference(shown.resize((90, 90)), drawn.resize((90, 90))).convert("L")
        differ = sum(apart.histogram()[40:])
        assert differ < 90 * 90 * 0.01, f"draw {name} again"


def test_every_modifier_and_option_stands_in_the_table_with_its_default() -> None:
    for name, kind in MODIFIERS.items():
        options = rows()[name][1]
        for one in fields(kind):
            shown = f"{one.default:g}" if isinstance(one.default, float) else one.default
            assert f"`{one.name}` = {shown}" in options, f"{name}: `{one.name}` = {shown}"
        assert set(re.findall(r"`(\w+)`", options)) == {one.name for one in fields(kind)}


def test_every_pose_is_named() -> None:
    line = next(line for line in PAGE.replace("\n", " ").split(". ") if line.strip().startswith("The poses are") or "The poses are" in line)
    assert set(re.findall(r"`([\w-]+)`", line.split("The poses are")[1])) == set(pose_names())


def test_the_room_that_is_shown_is_one() -> None:
    written = tomllib.loads(re.findall(r"```toml\n(schema.*?)```", PAGE, re.DOTALL)[0])
    room = parse_room(written, "docs/xr.md")
    assert room.id == "cellar" and len(planes_of(room)) == 8
