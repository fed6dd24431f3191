"""What core itself spends on a trial, beside the trial's own processes (design, section 8). Prints; asserts nothing.

The same trials are carried out twice: the parent's CPU time beside that of all its children, over a number of trials of
the example domain. A second pass over the finished run shows what it costs to find everything done."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TARGET_MS = 10
SAMPLES = 20
ROOT = Path(__file__).parents[1]


def spent(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", str(site),
                        str(ROOT / "tests" / "toy")], check=True)
        os.environ["PYTHONPATH"] = str(site)
        sys.path.insert(0, str(site))
        from playproof.events import Events
        from playproof.run import Request, carry_out, plan
        from playproof.store import Store

        lamp = ROOT / "tests" / "toy" / "tasks" / "night-lamp"
        planned = plan(Request([lamp], ["reference"], Path(folder) / "cache", SAMPLES, workers=1))
        for name in ("carried out", "found done"):
            began, own, below = time.perf_counter(), spent(resource.RUSAGE_SELF), spent(resource.RUSAGE_CHILDREN)
            carry_out(planned, Store(Path(folder) / "run"), Events(), 1)
            own, below = spent(resource.RUSAGE_SELF) - own, spent(resource.RUSAGE_CHILDREN) - below
            print(f"{name}: {own / SAMPLES * 1000:.1f} ms CPU a trial in the parent (target < {TARGET_MS}), "
                  f"{below / SAMPLES * 1000:.0f} ms in its processes, {(time.perf_counter() - began) / SAMPLES * 1000:.0f} ms wall; "
                  f"share {own / max(own + below, 1e-9):.1%}")


if __name__ == "__main__":
    main()
