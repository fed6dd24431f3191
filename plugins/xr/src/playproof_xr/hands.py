"""The user's two hands, bare or with a controller in each: what a check script does with them."""

from collections.abc import Sequence

from playproof.model import seconds
from playproof_xr.acting import Owner, Target, change, hold, perform, point_of
from playproof_xr.body import Arm, eased, pinch, reach, shape, standing
from playproof_xr.geometry import Pose, Quaternion, Vector
from playproof_xr.targets import TrackedPoint, TrackedPose, tracked_point, tracked_pose

CLOSE = seconds(0.15)
"""How long it takes to close or open the fingers, or to press a button."""


class Hand:
    """One hand. Points are in the session's frame, metres; times in ticks. Every verb but `lose`, `regain` and `stick` takes
    time, in steps of at most a frame."""

    def __init__(self, owner: Owner, side: str) -> None:
        self._owner, self.side = owner, side

    @property
    def arm(self) -> Arm:
        return self._owner.body.arm(self.side)

    @property
    def pinch_point(self) -> TrackedPoint:
        """Half way between the tips of thumb and index finger."""
        return tracked_point(f"{self.side}.pinch_point", self.arm.pinch_point)

    @property
    def palm(self) -> TrackedPose:
        """The middle of the palm's skin; the palm looks along -y."""
        return tracked_pose(f"{self.side}.palm", self.arm.palm)

    def joint(self, name: str) -> TrackedPose:
        """By its name in the WebXR Hand Input specification: "wrist", "index-finger-tip", ... Raises KeyError on another."""
        return tracked_pose(f"{self.side}.{name}", self.arm.joints[name])

    @property
    def ray(self) -> TrackedPose:
        """The target ray: its origin and, along -z, its direction."""
        return tracked_pose(f"{self.side}.ray", self.arm.ray)

    # --- moving ---

    def reach(self, target: Target, ticks: int = seconds(0.6), part: str = "aim") -> None:
        """Bring the hand to the middle of a thing, or to a point: with "aim" so that a pinch closes there, with "palm", or with
        a joint ("index-finger-tip"). The hand points from the shoulder to the target."""
        point = point_of(target)
        away = point - self._owner.body.shoulder(self.side)
        turn = Quaternion.facing(away) if away.length > 0.05 else self.arm.wrist.orientation
        self._travel(self.arm.wrist_for(part, point, turn), ticks)

    def move_to(self, point: Target, ticks: int = seconds(0.5), part: str = "aim") -> None:
        """The same, but turned as it is: what is held goes along."""
        self._travel(self.arm.wrist_for(part, point_of(point)), ticks)

    def move_by(self, by: Vector | Sequence[float], ticks: int = seconds(0.5), frame: str = "session") -> None:
        """By so much, in the session's frame or, with "viewer", as the user sees it: right, up, back."""
        way = by if isinstance(by, Vector) else Vector.of(list(by))
        if frame == "viewer":
            way = Quaternion.yaw(self._owner.body.head.orientation.heading).rotate(way)
        elif frame != "session":
            raise ValueError(f"a frame is 'session' or 'viewer', not {frame!r}")
        self._travel(self.arm.wrist.moved(way), ticks)

    def turn(self, degrees: float, axis: Vector | Sequence[float] = (0.0, 1.0, 0.0), ticks: int = seconds(0.5)) -> None:
        """About the point where a pinch closes, counter-clockwise as seen from the axis's tip."""
        along = axis if isinstance(axis, Vector) else Vector.of(list(axis))
        ray, wrist = self.arm.ray, self.arm.wrist
        spin = Quaternion.turn(along, degrees * 3.141592653589793 / 180)

        def become(share: float) -> Pose:
            turned = Quaternion().slerp(spin, eased(share))
            return Pose(ray.position + turned.rotate(wrist.position - ray.position), turned * wrist.orientation)

        change(self._owner, ticks, lambda share: self._owner.body.changed(self.side, wrist=become(share)))

    def point_at(self, target: Target, ticks: int = seconds(0.4)) -> None:
        """Turn the hand so that its ray goes to the target."""
        ray = self.arm.ray
        turn = Quaternion.facing(point_of(target) - ray.position)
        self._travel(self.arm.wrist_for("aim", ray.position, turn), ticks)

    def show_palm(self, target: Target, at: Target | None = None, ticks: int = seconds(0.5)) -> None:
        """Turn the hand so that its palm looks at the target, the fingers as far up as that lets them (ahead, where it looks straight
        up or down); the middle of the palm comes to `at`, or stays where it is. Nothing asks whether a wrist can do that."""
        point = point_of(at) if at is not None else self.arm.palm.position
        out = (point_of(target) - point).unit
        ahead = self._owner.body.trunk.orientation.rotate(Vector(0.0, 0.0, -1.0))
        wanted = ahead if abs(out.y) > 0.95 else Vector(0.0, 1.0, 0.0)
        fingers = (wanted - out * out.dot(wanted)).unit
        leaning = self.arm.palm.orientation.inverse * self.arm.wrist.orientation  # a palm is not quite level with its wrist
        turn = Quaternion.axes(fingers.cross(-out), -out, -fingers) * leaning
        self._travel(self.arm.wrist_for("palm", point, turn), ticks)

    def rest(self, ticks: int = seconds(0.5)) -> None:
        """Back to where hands are held that do nothing."""
        body = self._owner.body
        self._travel(standing(body.head).arm(self.side).wrist, ticks)

    def _travel(self, wrist: Pose, ticks: int) -> None:
        perform(self._owner, reach(self._owner.body, self.side, wrist, ticks))

    # --- fingers and buttons ---

    def pose(self, name: str, ticks: int = seconds(0.25)) -> None:
        """Bring the fingers into a pose of the library: "open", "point", "fist", "thumbs-up", ..."""
        perform(self._owner, shape(self._owner.body, self.side, name, ticks))

    def pinch(self, ticks: int = CLOSE, strength: float = 1.0) -> None:
        """Close thumb and index finger, and keep them closed; with a controller, press the trigger. A device takes 0.8 or more
        for an action."""
        self._close("trigger", strength, ticks)

    def release(self, ticks: int = CLOSE) -> None:
        self._close("trigger", 0.0, ticks)

    def select(self, ticks: int = seconds(0.2)) -> None:
        """A short pinch, as one clicks."""
        self.pinch()
        hold(self._owner, ticks)
        self.release()

    def press(self, button: str, ticks: int = CLOSE, strength: float = 1.0) -> None:
        """Press a controller's button and keep it pressed: trigger, squeeze, thumbstick, a-button, b-button, x-button, y-button."""
        start = self.arm.buttons.get(button, 0.0)

        def become(share: float) -> dict[str, float]:
            value = strength if share >= 1 else start + (strength - start) * share
            analog = button in ("trigger", "squeeze")
            return {**self.arm.buttons, button: value if analog else float(strength > 0)}

        change(self._owner, ticks, lambda share: self._owner.body.changed(self.side, buttons=become(share)))

    def let_go(self, button: str, ticks: int = CLOSE) -> None:
        self.press(button, ticks, 0.0)

    def stick(self, x: float, y: float) -> None:
        """Hold the thumbstick there from now on: x to the right, y back, -1 to 1."""
        self._owner.become(self._owner.body.changed(self.side, stick=(x, y)))

    def _close(self, button: str, strength: float, ticks: int) -> None:
        if self._owner.body.mode == "controller":
            self.press(button, ticks, strength)
        else:
            perform(self._owner, pinch(self._owner.body, self.side, strength, ticks))

    # --- tracking ---

    def lose(self) -> None:
        """The headset no longer sees the hand."""
        self._owner.become(self._owner.body.changed(self.side, tracked=False))

    def regain(self) -> None:
        self._owner.become(self._owner.body.changed(self.side, tracked=True))
