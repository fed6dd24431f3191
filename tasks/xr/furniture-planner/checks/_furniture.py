"""What the checks of this task share: the catalogue, a piece on its way over the floor, and how it has to stand."""

import math
import re

from playproof.checks import frames, seconds
from playproof_xr.geometry import Matrix, Vector
from playproof_xr.geometry.planar import segments_gap

SIZES = {"armchair": (0.80, 0.90, 0.80), "bench": (1.40, 0.45, 0.45), "floor-lamp": (0.36, 1.50, 0.36)}
COLOURS = {"armchair": "#8e5b9f", "bench": "#3f7f6e", "floor-lamp": "#d9b44a"}
WRONG = "#e74c3c"
ROOMS = ["living-room", "office"]
HANDS = ["right", "left"]


def start(xr):
    """The catalogue, once it is there, looked at."""
    xr.wait_until(lambda: xr.scene().select(name="catalogue", visible=True), within=seconds(1), what="a visible catalogue")
    catalogue = xr.find(name="catalogue")
    xr.head.look_at(catalogue)
    return catalogue


def shown(xr, name):
    return len(xr.scene().select(name=name, visible=True))


# --- deeds ---


def take(xr, hand, name):
    """Reach for a card of the catalogue and pinch it: the piece, in life size."""
    hand.reach(xr.find(name=f"card-{name}"))
    hand.pinch()
    xr.wait(frames(3))
    xr.expect(shown(xr, name), f"visible objects named {name}, when its card was pinched").equals(1)
    return xr.find(name=name)


def seize(xr, hand, name):
    """Reach into a piece that stands on the floor, and pinch."""
    piece = xr.find(name=name)
    hand.reach(place_of(piece) + Vector(0.0, 0.8 * SIZES[name][1], 0.0))
    hand.pinch()
    xr.wait(frames(3))
    return piece


def bring(xr, hand, piece, x, z):
    """Carry what is held so that its middle comes to a place of the floor."""
    here = place_of(piece)
    hand.move_by((x - here.x, 0.0, z - here.z), seconds(0.8))
    xr.wait(frames(2))


def put(xr, hand, name, x, z):
    piece = take(xr, hand, name)
    bring(xr, hand, piece, x, z)
    hand.release()
    xr.wait(seconds(0.2))
    return piece


def join(xr, hand, other):
    """The other hand pinches beside the one that holds something."""
    side = -1.0 if other.side == "left" else 1.0
    other.reach(hand.pinch_point + Vector(0.3 * side, 0.0, 0.0))
    other.pinch()
    xr.wait(frames(3))


# --- how a piece is ---


def place_of(piece):
    """The middle of its underside."""
    return Vector.of([float(one) for one in piece.position.value])


def axes_of(piece):
    matrix = Matrix.of(piece["matrix"].value)
    return [matrix.column(index) for index in range(3)]


def scale_of(piece):
    return axes_of(piece)[0].length


def yaw_of(piece):
    """Degrees; 0 when its front looks along +z, positive to the left as seen from above."""
    front = axes_of(piece)[2]
    return math.degrees(math.atan2(front.x, front.z))


def turned(after, before):
    return (after - before + 180.0) % 360.0 - 180.0


def expect_on_floor(xr, piece, name, scale=1.0):
    """Upright, its underside on the floor, and as large as it is in life."""
    xr.expect(piece.visible, f"{name}, visible").is_true()
    xr.expect(float(piece.position[1]), f"{name}: height of its underside").close_to(0.0, 0.012)
    axes = axes_of(piece)
    xr.expect(math.degrees(axes[1].angle(Vector(0.0, 1.0, 0.0))), f"{name}: tilt, degrees").at_most(1.5)
    local = [float(one) for one in piece["local"].value]
    size = [(local[3 + index] - local[index]) * axes[index].length for index in range(3)]
    xr.expect(size, f"{name}: its size").close_to([one * scale for one in SIZES[name]], 0.02 + 0.06 * (scale != 1.0))


def expect_at(xr, piece, name, x, z, tolerance=0.03):
    here = place_of(piece)
    xr.expect([here.x, here.z], f"{name}, along the floor").close_to([x, z], tolerance)


def expect_stored(xr, name):
    """In the catalogue, and nowhere else."""
    xr.expect(shown(xr, name), f"visible objects named {name}").equals(0)
    xr.expect(shown(xr, f"card-{name}"), f"visible cards of {name}").equals(1)


def measured(xr):
    """The number on the label, in metres."""
    label = xr.find(name="measure")
    xr.expect(label.visible, "the label with the measure, visible").is_true()
    found = re.search(r"(\d+[.,]\d\d)\s*m\b", str(label["text"]))
    xr.expect(found is not None, f"a number of metres with two decimals in {str(label['text'])!r}").is_true()
    return float(found.group(1).replace(",", ".")) if found else math.nan


def footprint(piece, name):
    """The four corners of its underside, (x, z)."""
    here, (x, _, z) = place_of(piece), axes_of(piece)
    width, _, depth = SIZES[name]
    corners = [here + x * (0.5 * i * width) + z * (0.5 * k * depth) for i, k in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return [(one.x, one.z) for one in corners]


def apart(one, other):
    """Metres along the floor between two pieces, each given with its name; they are not inside one another."""
    a, b = (footprint(piece, name) for name, piece in (one, other))
    return min(segments_gap(a[i - 1], a[i], b[k - 1], b[k]) for i in range(4) for k in range(4))
