"""What the box shows of this machine, as a bubblewrap command line: system libraries, fonts, a bare Python, the browser."""

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from playproof.errors import InfrastructureError

ETC = ("alternatives", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ssl")
WHOLE = ("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev")
TMP_BYTES = 512 << 20
"""Room for the profile and for shared memory, which Playwright's Chromium keeps in /tmp."""


def interpreter() -> Path:
    """The Python that this one's virtual environment stands on: it needs no packages in the box."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def folders(*below: Path) -> Iterator[str]:
    """The folders on the way to places that are shown. Bubblewrap makes missing ones as root's alone (0700, seen in 0.8),
    and the browser is somebody else: without this it finds no fonts."""
    ways = {way for place in below if not place.is_relative_to("/usr") for way in place.parents} - {Path("/")}
    for way in sorted(ways):
        yield from ("--perms", "0755", "--dir", str(way))


def system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        place = Path("/") / name
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.is_dir():
            yield from ("--ro-bind", str(place), str(place))
    for name in ETC:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    yield from ("--ro-bind-try", "/var/cache/fontconfig", "/var/cache/fontconfig")


def python() -> Iterator[str]:
    """The standard library and the program; installed packages are covered, whoever's they are."""
    base = Path(sys.base_prefix).resolve()
    if not base.is_relative_to("/usr"):
        for part in ("bin", "lib"):
            yield from ("--ro-bind", str(base / part), str(base / part))
    packages = base / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    if packages.is_dir():
        yield from ("--tmpfs", str(packages))


def browser(chromium: Path) -> Iterator[str]:
    folder = chromium.resolve().parent
    if not folder.is_relative_to("/usr"):
        if not any(folder.glob("*.pak")):
            raise InfrastructureError(f"{folder} is no browser's own folder (no .pak file); the box cannot show {chromium} alone")
        yield from ("--ro-bind", str(folder), str(folder))


def display(folder: Path) -> Iterator[str]:
    """The way to an X server. By its socket file: the abstract ones belong to the network that the box is cut off from."""
    yield from ("--ro-bind-try", "/tmp/.X11-unix", "/tmp/.X11-unix")
    yield from ("--ro-bind-try", str(folder / "xauthority"), "/box/xauthority")


def shelves(folders: Iterable[Path]) -> Iterator[str]:
    for index, folder in enumerate(folders):
        yield from ("--ro-bind", str(folder.resolve()), f"/box/shelf-{index}")


def isolation(root: bool) -> Iterator[str]:
    """Namespaces and capabilities. Only root keeps three, and only until the keeper's children have dropped their uid."""
    yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--hostname", "box")
    yield from ("--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL")
    if root:
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_KILL")
    else:
        yield "--unshare-user"


def covers(hidden: Sequence[Path]) -> Iterator[str]:
    """Empty folders over what must not be seen, should it lie below something shown (a checkout in /usr/local, say)."""
    for place in hidden:
        if place.is_dir():
            yield from ("--tmpfs", str(place.resolve()))


def command(folder: Path, chromium: Path, *, root: bool, shown: Sequence[str], hidden: Sequence[Path]) -> list[str]:
    """The whole command up to the program. `folder` holds what the box is given: site, lib, config, passwd, group."""
    ways = (Path("/etc/x"), Path("/box/x"), Path("/var/cache/x"), Path(sys.base_prefix).resolve() / "x", chromium.resolve())
    return [
        shutil.which("bwrap") or "bwrap", *isolation(root), *folders(*ways), *system(), *python(), *browser(chromium), *covers(hidden),
        "--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(TMP_BYTES), "--tmpfs", "/tmp",
        "--ro-bind", str(folder / "passwd"), "/etc/passwd", "--ro-bind", str(folder / "group"), "/etc/group",
        "--ro-bind", str(folder / "site"), "/box/site", "--ro-bind", str(folder / "lib"), "/box/lib",
        "--ro-bind", str(folder / "config.json"), "/box/config.json", *shown, "--chdir", "/", "--",
    ]  # fmt: skip


def why_no_bubblewrap() -> str | None:
    """Why no box can be had here, or None when one can. Found out by making an empty one (about 20 ms), once for each
    place where bwrap is: doctor installs it and looks again."""
    found = shutil.which("bwrap")
    return _why_not(found) if found else "bubblewrap is not installed"


@functools.cache
def _why_not(found: str) -> str | None:
    trial = [found, *isolation(os.geteuid() == 0), *WHOLE, "--", "/bin/true"]
    try:
        done = subprocess.run(trial, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run here: {error}"
    return None if done.returncode == 0 else f"bubblewrap makes no namespace here: {done.stderr.strip()[-300:]}"
