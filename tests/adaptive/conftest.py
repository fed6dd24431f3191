"""A player by rule: it looks at pictures, finds things by their colours, and decides; it is asked over the wire. And its matches."""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from PIL import Image, ImageChops

from playproof.bench import LiveBench
from playproof.drivers import build
from playproof.evidence import Evidences
from playproof.examiners.python import PythonExaminer
from playproof.interfaces import Bench, Services
from playproof.model import Verdict
from playproof.testing import fake_grading
from playproof_judges.testing import Asked, Fail, Server, Turn
from playproof_webgame.runtime import PageRuntime

Mind = Callable[[Asked], Turn | Fail]

Box = tuple[int, int, int, int]
Spot = tuple[int, int]

RED, GREEN, ORANGE, BLUE, YELLOW = "#e02020", "#20b040", "#ff8000", "#2060ff", "#ffd400"
GRAIN = 4
"""Things are found in every fourth pixel: none is smaller than ten."""


def spots(picture: bytes, colour: str) -> set[Spot]:
    """Where a picture has a colour, in steps of GRAIN."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image = image.resize((image.width // GRAIN, image.height // GRAIN), Image.Resampling.NEAREST)
    red, green, blue = ImageChops.difference(image, Image.new("RGB", image.size, colour)).split()
    far = ImageChops.lighter(ImageChops.lighter(red, green), blue).tobytes()
    return {(at % image.width, at // image.width) for at, how in enumerate(far) if how < 24}


def things(picture: bytes, colour: str) -> Sequence[Box]:
    """The bounds of what hangs together in a colour, in pixels: left, top, right, bottom."""
    left, found = spots(picture, colour), list[Box]()
    while left:
        edge, whole = [left.pop()], set[Spot]()
        while edge:
            x, y = edge.pop()
            whole.add((x, y))
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= near
            edge += near
        xs, ys = [x for x, _ in whole], [y for _, y in whole]
        if len(whole) >= 6:
            found.append((GRAIN * min(xs), GRAIN * min(ys), GRAIN * (max(xs) + 1), GRAIN * (max(ys) + 1)))
    return found


def middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def decide(asked: Asked) -> Turn:
    """The next call, from the latest pictures alone."""
    view = asked.pictures[-1]
    if len(asked.pictures) > 2 and len(set(asked.pictures[-3:])) == 1:
        return ends(False, "two acts have changed nothing")
    if disks := things(view, RED):
        return click(disks[0], "I see a red disk.")
    lamps = len(things(view, YELLOW))
    if len(asked.pictures) > 1 and lamps < len(things(asked.pictures[-2], YELLOW)):
        return ends(False, "there are fewer lamps than before")
    [block], [frame] = things(view, ORANGE), things(view, BLUE)
    if not (frame[0] < block[0] and block[2] < frame[2] and frame[1] < block[1] and block[3] < frame[3]):
        start, end = middle(block), middle(frame)
        way = {"from_x": start[0], "from_y": start[1], "to_x": end[0], "to_y": end[1], "seconds": 0.4}
        return Turn("The block lies outside.", calls=[("drag", way)])
    if lamps >= 3:
        return ends(True, f"{lamps} lamps burn")
    return click(things(view, GREEN)[0], f"{lamps} lamps burn.")


def click(box: Box, said: str) -> Turn:
    x, y = middle(box)
    return Turn(said, calls=[("click", {"x": x, "y": y})])


def ends(reached: bool, claim: str) -> Turn:
    return Turn(calls=[("done", {"reached": reached, "claim": claim})])


# --- playing a page ---------------------------------------------------------------------------------------------------

TASK = Path(__file__).parent / "lamps"
PAGES = {"wide": TASK / "reference" / "index.html", "tall": TASK / "accepted" / "tall" / "index.html"}


def page(folder: Path, name: str, edits: Sequence[tuple[str, str]]) -> Path:
    """One of the two layouts in a folder of its own, with each edit (what, with what) made once."""
    html = PAGES[name].read_text()
    for old, new in edits:
        assert html.count(old) == 1, old
        html = html.replace(old, new)
    folder.mkdir(parents=True)
    (folder / "index.html").write_text(html)
    return folder


class Bout:
    """One check of one page, and what was seen in it."""

    def __init__(self, verdict: Verdict, evidence: Evidences) -> None:
        self.verdict, self.evidence = verdict, evidence

    @property
    def ruling(self) -> tuple[str, str]:
        return self.verdict.outcome.value, self.verdict.reason.value

    @property
    def tools(self) -> list[str | None]:
        return [entry.value["tool"] for entry in self.evidence.of("adaptive.turn/1")]

    @property
    def end(self) -> Any:
        [entry] = self.evidence.of("adaptive.end/1")
        return entry.value

    @property
    def ids(self) -> list[str]:
        """What was seen and done, but for how long the page took to load."""
        return [entry.id for entry in self.evidence if entry.kind != "page.load/1"]


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageRuntime]:
    with ExitStack() as exits:
        yield PageRuntime({}, Services(tmp_path_factory.mktemp("runtime"), exits))


@pytest.fixture
def bout(tmp_path: Path, runtime: PageRuntime) -> Iterator[Callable[..., Bout]]:
    """`bout(page, (old, new), ..., mind=...)`: the task's check of the page with these edits, played by `mind` behind a server,
    or with the bench given. Replies are cached for the whole test."""
    count, minds = iter(range(9)), list[Mind]()

    def answer(asked: Asked) -> Turn | Fail:
        return minds[0](asked)

    def play(name: str, *edits: tuple[str, str], mind: Mind = decide, driver: str = "anthropic", bench: Bench | None = None) -> Bout:
        minds[:] = [mind]
        folder = tmp_path / str(next(count))
        grading = fake_grading(folder, runtime=runtime, task=TASK, submission=page(folder / "site", name, edits))
        examiner = PythonExaminer({"files": ["*.py"]}, grading.services)
        [check] = examiner.checks(grading.task)
        model = build("model", server.ref(driver), grading.services)
        live = LiveBench({"player": model}, lambda kind: None, tmp_path / "cache", lambda blob: b"")
        [verdict] = examiner.examine([check], runtime.cases(check)[0], evolve(grading, bench=bench or live))
        return Bout(verdict, grading.record.sealed())

    with Server(answer) as server:
        yield play


@pytest.fixture
def rules() -> Mind:
    return decide
