"""What a box is given on disk: a copy of the submission, the keeper with its configuration, the wrapper script."""

import itertools
import json
import os
import shutil
import stat
from pathlib import Path

from playproof_browser import box_mounts, wrapper
from playproof_browser.box_options import BoxOptions

HOST, PORT = "127.0.0.1", 8000
"""The submission's origin: the same in every box, so that nothing that a page sees or stores depends on the machine."""

FIRST_UID, UIDS = 61184, 2160
"""Pairs of ids that no account has: systemd keeps 61184 to 65519 for passing services."""

PROGRAM = ("__init__.py", "served.py", "box_keeper.py")
_boxes = itertools.count()


def fill(folder: Path, submission: Path, chromium: Path, options: BoxOptions, home: Path | None) -> Path:
    """Fill `folder` and return the executable to give to Playwright. Without bubblewrap the browser needs a `home` outside."""
    root, boxed = os.geteuid() == 0, home is None
    first = FIRST_UID + 2 * ((os.getpid() * 7 + next(_boxes)) % UIDS)
    server, browser = (first, first + 1) if root else (None, None)
    copy_files(submission, folder / "site")
    program = folder / "lib" / "playproof_browser"
    program.mkdir(parents=True)
    for name in PROGRAM:
        (program / name).write_bytes((Path(__file__).parent / name).read_bytes())
    for name in ("passwd", "group"):
        tail = ":0::/:/bin/false\n" if name == "passwd" else ":\n"
        (folder / name).write_text("".join(f"u{uid}:x:{uid}{tail}" for uid in (0, server or os.geteuid(), browser) if uid is not None))
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "DBUS_SESSION_BUS_ADDRESS": "disabled:"}
    if options.headed and options.display:
        environment["DISPLAY"] = options.display
    place = "/box" if boxed else str(folder)
    shelves = {name: f"/box/shelf-{index}" if boxed else str(shelf) for index, (name, shelf) in enumerate(options.shelves.items())}
    config = {
        "site": f"{place}/site", "shelves": shelves, "address": HOST, "host": options.host, "port": PORT, "boxed": boxed,
        "home": str(home or "/tmp"), "server_uid": server, "browser_uid": browser,
        "chromium": str(chromium), "memory": options.memory, "process_memory": options.process_memory, "env": environment,
    }  # fmt: skip
    if options.headed and options.xauthority:
        config["xauthority"] = f"{place}/xauthority"
        (folder / "xauthority").write_bytes(options.xauthority.read_bytes())
    (folder / "config.json").write_text(json.dumps(config))
    for made in (folder / "passwd", folder / "group", folder / "config.json", *folder.glob("lib/**/*"), folder / "lib"):
        made.chmod(0o755 if made.is_dir() else 0o644)
    command = wrapper.keeper(box_mounts.interpreter(), f"{place}/lib", f"{place}/config.json")
    if boxed:
        shown = ["--info-fd", "8", *(box_mounts.display(folder) if options.headed else ()), *box_mounts.shelves(options.shelves.values())]
        command = [*box_mounts.command(folder, chromium, root=root, shown=shown, hidden=options.hidden), *command]
    return wrapper.write(folder, command)


def copy_files(source: Path, target: Path) -> None:
    """Copy the regular files below `source`, readable by all; links and whatever else is no file are left behind."""
    target.mkdir()
    target.chmod(0o755)
    for entry in os.scandir(source):
        into = target / entry.name
        if entry.is_dir(follow_symlinks=False):
            copy_files(Path(entry.path), into)
        elif stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
            shutil.copyfile(entry.path, into, follow_symlinks=False)
            into.chmod(0o644)
