"""What the SDK knows of the room's surfaces, as boxes round its planes, beside what the headset says of them."""

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import on_surface
from playproof_xr.geometry import Matrix, Vector

NEAR = 0.02


def box_of(plane):
    """Middle and size of the box round a plane of the headset, in the session's frame."""
    pose = Matrix.of(plane["matrix"]).pose
    corners = [pose.at(Vector(x, 0.0, z)) for x, z in plane["polygon"]]
    low, high = (Vector(*(way(getattr(one, axis) for one in corners) for axis in "xyz")) for way in (min, max))
    return (low + high) * 0.5, high - low


def known(xr):
    """The planes that the headset tells of."""
    return xr.scene().value["planes"]


def told(xr):
    """The boxes that the app drew round the planes of the SDK."""
    return [one for one in xr.scene().value["objects"] if (one["name"] or "").startswith("helper-") and one["visible"]]


def drawn(xr, plane):
    """The box that an app drew round this plane, of all with its label the one nearest to where it should be; None where there is none."""
    middle, _ = box_of(plane)
    found = [one for one in told(xr) if one["name"] == f"helper-{plane['label']}"]
    return min(found, key=lambda one: (Matrix.of(one["matrix"]).pose.position - middle).length, default=None)


def expect_known(xr, plane, what):
    """The SDK has this plane where the headset has it, and as large."""
    middle, size = box_of(plane)
    found = drawn(xr, plane)
    xr.expect(found is not None, f"whether the SDK knows {what}").equals(True)
    low, high = Vector(*found["box"][:3]), Vector(*found["box"][3:])
    xr.expect(list((low + high) * 0.5), f"the middle of {what}").close_to(list(middle), NEAR)
    xr.expect(list(high - low), f"the size of {what}, along the axes").close_to(list(size), NEAR)


def expect_all(xr):
    planes = known(xr)
    xr.expect(len(told(xr)), "how many planes the SDK knows").equals(len(planes))
    for plane in planes:
        expect_known(xr, plane, plane["id"])


def table(xr):
    return next(one for one in known(xr) if one["id"] == "table")


@check("p0-planes-that-come-late", priority="P0", rooms=["living-room", "office"], surfaces_after=2.0,
       title="planes that the headset finds after two seconds are known, and what was to be placed meanwhile stands on one of them")
def late(xr):
    xr.wait(seconds(1))
    xr.expect(len(told(xr)), "planes before the headset has found any").equals(0)
    xr.wait(seconds(1.3))
    expect_all(xr)
    xr.wait(seconds(0.5))
    xr.expect(xr.find(name="told")["text"], "what the SDK answered to the wish for a place within six seconds").contains("placed true")
    foot, flat = xr.find(name="cube").position.value[1] - 0.05, [one for one in known(xr) if one["orientation"] == "horizontal"]
    away = min(abs(foot - Matrix.of(one["matrix"]).pose.position.y) for one in flat)
    xr.expect(away, "from the foot of the cube to the height of a surface").at_most(0.02)


@check("p0-planes-that-move", priority="P0", title="a table that is moved and turned is known where it is now, lying as it lies")
def moved(xr):
    xr.wait(seconds(0.3))
    expect_known(xr, table(xr), "the table at the start")
    xr.surroundings.move("table", by=(0.25, 0.12, -0.1), turn=25)
    xr.wait(frames(6))
    expect_known(xr, table(xr), "the table after it was moved")
    xr.surroundings.move("table", by=(-0.1, -0.05, 0.1), ticks=seconds(0.5))
    xr.wait(frames(6))
    expect_known(xr, table(xr), "the table after it was moved once more")
    xr.expect_no_exceptions()


@check("p0-planes-that-grow", priority="P0", title="a table whose outline the headset learns bit by bit is as large as that, and lies flat")
def grown(xr):
    xr.wait(seconds(0.3))
    for half in (0.2, 0.45):
        xr.surroundings.outline("table", [(-half, -0.2), (half, -0.2), (half, 0.2), (-half, 0.2)])
        xr.wait(frames(6))
        expect_known(xr, table(xr), f"the table with an outline of {2 * half} m")


@check("p1-planes-that-change-places", priority="P1",
       title="planes are known from the start, and when one goes and another comes in the same frame")
def swapped(xr):
    xr.wait(seconds(0.5))
    expect_all(xr)
    xr.expect(on_surface(xr.find(name="cube"), "table", tolerance=0.02))
    xr.surroundings.forget("couch")
    xr.wait(seconds(0.3))
    expect_all(xr)
    xr.surroundings.forget("table")
    xr.surroundings.find_again("couch")
    xr.wait(frames(6))
    left = [one["id"] for one in known(xr) if one["id"] in ("couch", "table")]
    xr.expect(left, "what the headset knows of the two").equals(["couch"])
    expect_all(xr)
    xr.expect_no_exceptions()
