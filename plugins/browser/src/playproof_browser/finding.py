"""Finding a browser: an installed Chrome or Chromium counts only after it has opened a page, in the box that it will run in."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from attrs import asdict, frozen
from playwright.sync_api import Error

from playproof.errors import InfrastructureError
from playproof_browser.box import Box, BoxOptions, said
from playproof_browser.box_mounts import why_no_bubblewrap
from playproof_browser.driver import playwright

VARIABLE = "PLAYPROOF_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PROGRAMS = ("/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser", "/usr/lib64/chromium-browser/chromium-browser",
            "/opt/google/chrome/chrome", "/opt/chromium.org/chromium/chrome")  # fmt: skip
PROBE = "<!doctype html><title>playproof</title>"


@frozen
class Found:
    """A browser that has opened a page: its program (no launcher script) and its version, as in "156.0.7000.1"."""

    program: str
    version: str

    @property
    def path(self) -> Path:
        return Path(self.program)

    @property
    def major(self) -> int:
        return int(self.version.partition(".")[0])


class NoBrowser(InfrastructureError):
    """No installed browser opened a page; the text names each that was tried, with what became of it."""

    def __init__(self, tried: Mapping[str, str]) -> None:
        self.tried = dict(tried)
        words = "; ".join(f"{path}: {why}" for path, why in tried.items())
        super().__init__(f"no browser opened a page ({words or 'none is installed'})")


def find(cache: Path, environment: Mapping[str, str]) -> Found:
    """The first browser that opens a page: PLAYPROOF_CHROMIUM of `environment` and no other when it is set, else the usual
    places, else Playwright's own download. What was found is remembered in the folder `cache` by path, time and size.

    Raises NoBrowser. Takes about two seconds for each browser tried, and next to nothing when one is remembered."""
    tried: dict[str, str] = {}
    for candidate in candidates(environment):
        program = program_of(candidate)
        if program is None:
            tried[str(candidate)] = "no such program"
        elif str(program) not in tried:
            try:
                return remembered(cache, program) or remember(cache, program, open_page(program))
            except (InfrastructureError, Error) as error:
                tried[str(program)] = said(error)
    raise NoBrowser(tried)


def candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    if named := environment.get(VARIABLE):
        yield Path(shutil.which(named) or named)
        return
    yield from (Path(place) for place in PROGRAMS if Path(place).is_file())
    yield from (Path(place) for name in NAMES if (place := shutil.which(name)))
    if (own := Path(playwright().chromium.executable_path)).is_file():
        yield own


def program_of(found: Path) -> Path | None:
    """The program itself: a launcher script would add flags and settings of its own."""
    real = found.resolve()
    if not real.is_file():
        return None
    for place in (real, real.parent / "chrome", *(Path(lib) / real.name / real.name for lib in ("/usr/lib", "/usr/lib64"))):
        if place.is_file() and os.access(place, os.X_OK):
            with place.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    return place.resolve()
    return None


def open_page(program: Path) -> Found:
    """Open a page in a box of this browser; raises InfrastructureError or Playwright's Error."""
    with tempfile.TemporaryDirectory(prefix="playproof-") as scratch:
        site = Path(scratch) / "probe"
        site.mkdir()
        (site / "index.html").write_text(PROBE)
        with Box(site, Path(scratch), program, BoxOptions()) as box:
            page = box.browser.new_page()
            page.goto(box.origin, timeout=30_000)
            if page.title() != "playproof":
                raise InfrastructureError(f"it opened a page, but showed {page.title()!r}")
            return Found(str(program), box.browser.version)


def record_of(cache: Path, program: Path) -> Path:
    """Where a browser is remembered: the name changes with the program, and with the way in which it is boxed."""
    now = program.stat()
    identity = f"{program}|{now.st_mtime_ns}|{now.st_size}|{os.geteuid()}|{why_no_bubblewrap()}"
    return cache / "browsers" / f"{hashlib.sha256(identity.encode()).hexdigest()[:24]}.json"


def remembered(cache: Path, program: Path) -> Found | None:
    try:
        return Found(**json.loads(record_of(cache, program).read_text()))
    except (OSError, ValueError, TypeError):
        return None


def remember(cache: Path, program: Path, found: Found) -> Found:
    record = record_of(cache, program)
    with suppress(OSError):  # a full disk: then it is looked for again next time
        record.parent.mkdir(parents=True, exist_ok=True)
        fresh = record.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(asdict(found)))
        fresh.replace(record)
    return found
