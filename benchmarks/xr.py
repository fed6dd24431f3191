"""XR sessions beside their targets: a frame without draws, an interaction script over rooms and hands, memory. Prints; asserts nothing.

A frame's CPU is that of the page's main thread, as the browser counts it; its wall time suffers from whatever else runs here."""

import os
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from attrs import evolve

from playproof.evidence import Record
from playproof.interfaces import Grading, Services
from playproof.model import Ask, case, seconds
from playproof.stage import stage
from playproof.testing import fake_grading
from playproof_xr.runtime import SETS, WebXRRuntime
from playproof_xr.session import XRSession

APPS = Path(__file__).parents[1] / "plugins" / "xr" / "tests" / "apps"
PAGES = {"three.js": "cube.html", "XR Blocks": "blocks.html", "Babylon.js": "babylon.html", "A-Frame": "aframe.html"}
TARGET_FRAME_MS = 2.0
TARGET_SCRIPT_S = 60.0
TARGET_MB = 700
FRAMES, ROUNDS = 120, 5


def cpu_ms(xr: XRSession) -> float:
    """Milliseconds of CPU that the page's main thread has used."""
    found = xr.tab.cdp.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in found if one["name"] == "ThreadTime")) * 1000


def frame_costs(xr: XRSession) -> tuple[float, float]:
    """Median milliseconds of wall time and of the page's CPU for one frame, nobody looking and nobody moving."""
    xr.tab.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
    xr.wait(seconds(1))
    walls, cpus = [], []
    for _ in range(ROUNDS):
        cpu, wall = cpu_ms(xr), time.perf_counter()
        xr.wait(FRAMES * xr.frame)
        walls.append((time.perf_counter() - wall) * 1000 / FRAMES)
        cpus.append((cpu_ms(xr) - cpu) / FRAMES)
    return statistics.median(walls), statistics.median(cpus)


def interact(xr: XRSession) -> None:
    """Thirty seconds of a person: reach, pinch, carry, let go, look about."""
    hand, end = xr.dominant_hand, seconds(30)
    while xr.clock.now < end:
        hand.reach(xr.find(name="cube"))
        hand.pinch()
        hand.move_by((0.1, 0.1, -0.1))
        hand.move_by((-0.1, -0.1, 0.1))
        hand.release()
        xr.head.turn(20)
        xr.head.turn(-20)


def resident_mb() -> float:
    """Proportional memory of everything below this process."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    ours, total = {os.getpid()}, 0
    while fresh := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= fresh
    for pid in ours - {os.getpid()}:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1000


def fresh(grading: Grading, folder: Path) -> Grading:
    return evolve(grading, record=Record(folder / f"record-{len(list(folder.iterdir()))}"))


def main() -> None:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof"
    with ExitStack() as exits, tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        runtime = WebXRRuntime({"packages": SETS[:4]}, Services(cache, exits))
        grading = fake_grading(folder / "grading", runtime=runtime, submission=APPS)
        records = folder / "records"
        records.mkdir()
        for engine, page in PAGES.items():
            begun = time.perf_counter()
            with stage(fresh(grading, records), case(page=page)) as staged:
                opened = time.perf_counter() - begun
                wall, cpu = frame_costs(staged.session)
                print(f"{engine}: {wall:.2f} ms a frame, {cpu:.2f} ms of the page's CPU (target < {TARGET_FRAME_MS:g}); "
                      f"opened in {opened:.1f} s; {resident_mb():.0f} MB (target < {TARGET_MB})")
        begun = time.perf_counter()
        for room in ("living-room", "office"):
            for hand in ("right", "left"):
                with stage(fresh(grading, records), case(page="cube.html", room=room, hand=hand)) as staged:
                    interact(staged.session)
        print(f"30 s of interaction in 2 rooms with 2 hands: {time.perf_counter() - begun:.1f} s, openings included "
              f"(target < {TARGET_SCRIPT_S:g})")
        with stage(fresh(grading, records), case(page="cube.html", viewport=[640, 360])) as staged:
            staged.session.wait(seconds(2))
            begun = time.perf_counter()
            films = staged.session.observe(Ask("xr.video/1"))
            size = sum(len(staged.evidence.open(film)) for film in films) / 1000
            print(f"2 s on video, first and third person, 640x360, 12 frames a second: {time.perf_counter() - begun:.1f} s, {size:.0f} kB")


if __name__ == "__main__":
    main()
