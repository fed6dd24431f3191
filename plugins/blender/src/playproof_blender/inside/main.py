"""The first thing that runs inside Blender: reads the job, opens the project without running what is in it, runs one stage, and seals.

A job is {"stage", "project" | null, "options", "out"}. A stage is judged by what it sealed: each seal is a line of `seals.jsonl`, written when
what it names is whole on disk. The last line is {"name": "end"}; without it the stage did not come to its end.
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
            line |= {"file": file, "sha256": hashlib.sha256((self.out / file).read_bytes()).hexdigest()}
        self.lines.write(json.dumps(line) + "\n")
        self.lines.flush()
        os.fsync(self.lines.fileno())


def main(place: str) -> None:
    job = json.loads(Path(place).read_text("utf-8"))
    seal = Seals(Path(job["out"]))
    try:
        if job["project"] is not None and not opened(job["project"], seal):
            return
        importlib.import_module(job["stage"]).run(job["options"], Path(job["out"]), seal)
    except Exception:  # whatever it is, the parent must be told: it alone can say whose fault it was
        seal("error", {"traceback": traceback.format_exc()[-4000:]})
        return
    seal("end")


def opened(project: str, seal: Seals) -> bool:
    """Whether the file is open now, with its scripts and drivers in Python off. What Blender said of it is sealed as `opened`."""
    import bpy

    try:
        bpy.ops.wm.open_mainfile(filepath=project, load_ui=False, use_scripts=False)
    except RuntimeError as fault:
        seal("refused", {"why": str(fault).strip()[:1000]})
        return False
    if bpy.data.filepath != project:  # a failed open leaves the scene of before
        seal("refused", {"why": "Blender did not open the file"})
        return False
    seal("opened", {"blocked": bool(bpy.app.autoexec_fail), "why": bpy.app.autoexec_fail_message[:300],
                    "release": ".".join(map(str, bpy.app.version)), "written": list(bpy.data.version)})
    return True


main(sys.argv[sys.argv.index("--") + 1])
