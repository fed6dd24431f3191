"""What the agent was asked for, as raters read it: the instruction as text, references as pictures and films."""

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from playproof.model import Task
from playproof.report.run import clean

LONGEST = 200_000
MEDIA = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
         "mp4": "video/mp4", "webm": "video/webm", "ogv": "video/ogg"}


@frozen
class Brief:
    """`media` are references that can be shown, `others` the names of further files. `text` is empty where the task is gone."""

    text: str
    media: Sequence[tuple[Path, str]]
    others: Sequence[str]


def brief_of(task: Task) -> Brief:
    folder = task.root / "brief"
    try:
        text = (folder / "instruction.md").read_text("utf-8", errors="replace")
        files = sorted(one for one in folder.rglob("*") if one.is_file() and not one.is_symlink() and one.name != "instruction.md")
    except OSError:
        return Brief("", (), ())
    media = [(one, kind) for one in files if (kind := MEDIA.get(one.suffix.lower().removeprefix(".")))]
    shown = {place for place, _ in media}
    return Brief(clean(text, LONGEST), media, [one.relative_to(folder).as_posix() for one in files if one not in shown])
