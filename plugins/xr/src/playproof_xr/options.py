"""What a task and a check may say to the runtime `xr.webxr`."""

from collections.abc import Sequence

from attrs import field, frozen, validators

from playproof.errors import TaskError
from playproof_xr.backends import BACKENDS, SIMULATOR
from playproof_xr.sdk import Sdk

HANDS = ("right", "left")


@frozen
class Settings:
    """Options of the runtime in task.toml. Wall seconds: `load_s` for a load, `call_s` for any one call into the page; `ready_s`
    in seconds of the app's own time, until its session is entered. `entry` is the page; `enter` a CSS selector of the app's own
    way in, where it cannot be guessed; `packages` is what is served beside the submission: sets of ours (three, xrblocks, babylonjs,
    aframe; profiles: models of hands and controllers) by name, and the task's own by their lock files
    ("packages/package-lock.json"); `video` films every session, which takes many times as long as the session itself; `backend` is what
    stands in for a headset: "iwer", for every WebXR app, or "xrblocks-sim", the simulator that XR Blocks has of its own; `sdk` is for a
    submission that is the source of a package, and is played by held-out pages."""

    load_s: float = field(default=60.0, validator=validators.gt(0))
    call_s: float = field(default=20.0, validator=validators.gt(0))
    ready_s: float = field(default=20.0, validator=validators.gt(0))
    entry: str = "index.html"
    enter: str | None = None
    packages: Sequence[str] = ("three",)
    video: bool = False
    backend: str = field(default=BACKENDS[0], validator=validators.in_(BACKENDS))
    sdk: Sdk | None = None


@frozen
class CheckOptions:
    """What a check may say (keywords of `@check`). `rooms`, `hands` and `modifiers` make a case for each combination; `rate` is
    frames a second; `mode` what one points with: bare hands, controllers, or the gaze and a button on the headset; `cancels` whether an
    interrupted pinch gets its end event; `surfaces_after` how many seconds of the session the headset takes to find the room's planes,
    meshes and hits; `page` another page of the submission than the runtime's, or the same with a query ("index.html?debug=1"); `draws`
    whether frames are drawn that nobody looks at; `backend` another stand-in for a headset than the runtime's."""

    rooms: Sequence[str] = ()
    hands: Sequence[str] = field(default=(), validator=validators.deep_iterable(validators.in_(HANDS)))
    modifiers: Sequence[str] = ()
    rate: int = field(default=60, validator=validators.in_((24, 30, 50, 60, 72, 90, 120)))
    viewport: tuple[int, int] = (640, 480)
    mode: str = field(default="hand", validator=validators.in_(("hand", "controller", "gaze")))
    cancels: bool = True
    surfaces_after: float = field(default=0.0, validator=validators.ge(0))
    page: str | None = None
    draws: str = field(default="wanted", validator=validators.in_(("wanted", "always")))
    backend: str | None = field(default=None, validator=validators.optional(validators.in_(BACKENDS)))


@frozen
class CaseOptions:
    """One case of a check."""

    room: str = "living-room"
    hand: str = "right"
    modifier: str = "none"
    rate: int = 60
    viewport: tuple[int, int] = (640, 480)
    mode: str = "hand"
    cancels: bool = True
    surfaces_after: float = 0.0
    page: str | None = None
    draws: str = "wanted"
    backend: str | None = None


def check_backend(backend: str, options: CheckOptions | CaseOptions, where: str) -> None:
    """Raises TaskError on what a case asks of a back end that cannot do it."""
    if backend != SIMULATOR:
        return
    asked = {"mode": options.mode != "hand", "cancels": not options.cancels, "surfaces_after": options.surfaces_after > 0}
    if refused := [name for name, is_asked in asked.items() if is_asked]:
        raise TaskError(f"options of {where!r}: the back end {SIMULATOR} has bare hands that are always seen, in a room that is there from "
                        f"the start: no {', '.join(refused)}")  # fmt: skip
