"""Start-up and weight of core, beside the targets of the design (section 8). Prints; asserts nothing."""

import resource
import statistics
import subprocess
import sys
from importlib.metadata import distribution, requires
from pathlib import Path

from packaging.requirements import Requirement

TARGET_CPU_S = 0.15
TARGET_DISTRIBUTIONS = 15
TARGET_MB = 30
RUNS = 15


def cpu_of(argv: list[str]) -> float:
    """User and system seconds of one run, as the kernel counts them."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def closure(name: str, seen: set[str]) -> set[str]:
    """The distribution and everything that it requires here."""
    if name not in seen:
        seen.add(name)
        for line in requires(name) or ():
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                closure(wanted.name, seen)
    return seen


def megabytes(name: str) -> float:
    home = distribution(name)
    return sum(Path(str(home.locate_file(file))).stat().st_size for file in home.files or ()
               if Path(str(home.locate_file(file))).is_file() and ".." not in str(file)) / 1e6


def main() -> None:
    program = str(Path(sys.executable).with_name("playproof"))
    cpu_of([program, "--help"])
    ours = [cpu_of([program, "--help"]) for _ in range(RUNS)]
    bare = [cpu_of([sys.executable, "-c", "pass"]) for _ in range(RUNS)]
    parts = closure("playproof-core", set())
    print(f"playproof --help: {statistics.median(ours):.3f} s CPU, median of {RUNS} (target < {TARGET_CPU_S}); "
          f"{statistics.median(ours) / statistics.median(bare):.1f} x a bare interpreter in the same run")
    print(f"core installed: {len(parts)} distributions (target < {TARGET_DISTRIBUTIONS}), "
          f"{sum(map(megabytes, parts)):.1f} MB (target < {TARGET_MB})")


if __name__ == "__main__":
    main()
