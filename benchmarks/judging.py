"""Asks 1,000 questions whose replies are in the cache, as a judge would ask them again, and prints the time beside the target."""

import io
import random
import tempfile
import time
from pathlib import Path

from PIL import Image

from playproof.bench import LiveBench
from playproof.dialogue import Picture, Request, user
from playproof.exhibits import installed_exhibitors
from playproof.interfaces import Services
from playproof_judges.models.scripted import ScriptedModel

TARGET_S = 2.0
QUESTIONS = 1000
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "boolean"}, "reason": {"type": "string"}}, "required": ["verdict"]}


def requests() -> list[Request]:
    """Each with two screenshots of about 100 kB, twenty questions to a pair."""
    chance = random.Random(1)
    shots = []
    for _ in range(QUESTIONS // 20 * 2):
        noise = Image.frombytes("RGB", (160, 100), chance.randbytes(48_000)).resize((640, 400), Image.Resampling.NEAREST)
        out = io.BytesIO()
        noise.save(out, "PNG", compress_level=1)
        shots.append(Picture(out.getvalue(), caption="a screenshot"))
    return [Request([user(f"Requirement {n}: the player can move.", *shots[n // 20 * 2 : n // 20 * 2 + 2], "Does it hold?" * 20)],
                    system="You judge one requirement from pictures alone. " * 40, schema=SCHEMA) for n in range(QUESTIONS)]


def main() -> None:
    asked = requests()
    size = sum(len(part.data) for part in asked[0].messages[0].parts if isinstance(part, Picture))
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Path(folder))
        reply = {"data": {"verdict": True, "reason": "The figure stands left of the door, then right of it. " * 10}, "times": 0}
        model = ScriptedModel({"replies": [reply]}, services)
        bench = LiveBench({"eye": model}, installed_exhibitors(services), Path(folder), lambda digest: b"")
        for request in asked:
            bench.ask("eye", request)
        wall, cpu = time.perf_counter(), time.process_time()
        again = [bench.ask("eye", request) for request in asked]
        took, used = time.perf_counter() - wall, time.process_time() - cpu
    assert all(one.cached for one in again) and len(model.asked) == QUESTIONS
    print(f"{QUESTIONS:,} cached replies read again, {size / 1e3:.0f} kB of pictures in each request: {used:.2f} s CPU, "
          f"{took:.2f} s in all (target < {TARGET_S:.0f} s)")


if __name__ == "__main__":
    main()
