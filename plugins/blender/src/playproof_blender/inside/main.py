"""The first thing that runs inside Blender: reads the job, opens the project without running what is in it, runs one stage, and seals.

A job is {"stage", "root", "project" | null, "options", "out"}. A stage is judged by what it sealed: each seal is a line of `seals.jsonl`,
written when what it names is whole on disk. The last line is {"name": "end"}; without it the stage did not come to its end.
"""

import hashlib
import importlib
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))


class Seals:
    def __init__(self, out: Path) -> None:
        self.out = out
        self.lines = (out / "seals.jsonl").open("a", encoding="utf-8")

    def __call__(self, name: str, value: Any = None, file: str | None = None) -> None:
        """Say that something is whole: a JSON value, or a file in the folder `out`."""
        line: dict[str, Any] = {"name": name, "value": value}
        if file is not None:
            with (self.out / file).open("rb") as whole:
                line |= {"file": file, "sha256": hashlib.file_digest(whole, "sha256").hexdigest()}
        self.lines.write(json.dumps(line) + "\n")
        self.lines.flush()
        os.fsync(self.lines.fileno())


def main(place: str) -> None:
    job = json.loads(Path(place).read_text("utf-8"))
    seal = Seals(Path(job["out"]))
    try:
        if job["project"] is not None:
            opening = importlib.import_module("opening")
            if not opening.opened(job["project"], job["root"], seal):
                return
        importlib.import_module(job["stage"]).run(job["options"], Path(job["out"]), seal)
    except Exception:  # noqa: BLE001 - whatever it is, the parent must be told: it alone can say whose fault it was
        seal("error", {"traceback": traceback.format_exc()[-4000:]})
        return
    seal("end")


main(sys.argv[sys.argv.index("--") + 1])
