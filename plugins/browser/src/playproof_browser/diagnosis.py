"""What this machine lacks for browser domains, and the remedy."""

import os
import platform
import shutil
import sys
from collections.abc import Sequence

from playproof.errors import UsageError
from playproof.interfaces import Lack, Services
from playproof.model import Options
from playproof_browser.box_mounts import why_no_bubblewrap
from playproof_browser.finding import NoBrowser, find

APT_S = 900.0
DOWNLOAD_S = 60.0
"""How long a download of Playwright's own may take: where its host is out of reach, it would try for many minutes."""

APT_BROWSER = ("apt-get", "install", "-y", "chromium")
APT_BUBBLEWRAP = ("apt-get", "install", "-y", "bubblewrap")


class BrowserDiagnosis:
    """The `browser` diagnosis driver. It takes no options."""

    def __init__(self, options: Options, services: Services) -> None:
        if options:
            raise UsageError(f"the diagnosis 'browser' takes no options; given: {', '.join(sorted(options))}")
        self._cache = services.cache

    def lacks(self) -> Sequence[Lack]:
        return [*self._bubblewrap(), *self._browser()]

    def _bubblewrap(self) -> Sequence[Lack]:
        if not (why := why_no_bubblewrap()):
            return []
        what = "bubblewrap (without it the browser is not boxed, and a proxy alone keeps pages from the network)"
        if shutil.which("bwrap"):
            return [Lack(what, why, "allow namespaces: run as root, or set the sysctl kernel.apparmor_restrict_unprivileged_userns to 0")]
        if can_apt():
            return [Lack(what, why, " ".join(APT_BUBBLEWRAP), APT_BUBBLEWRAP)]
        return [Lack(what, why, "as root: apt-get install -y bubblewrap")]

    def _browser(self) -> Sequence[Lack]:
        try:
            find(self._cache, os.environ)
        except NoBrowser as error:
            packaged = can_apt() and "ubuntu" not in distribution()
            command = APT_BROWSER if packaged else playwright_browser()
            patience_s = APT_S if packaged else DOWNLOAD_S
            return [Lack("a browser (Chrome or Chromium)", str(error), " ".join(command), command, patience_s)]
        return []


def can_apt() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def distribution() -> str:
    """The distribution's id and kin. Ubuntu's package of Chromium is a snap, which runs in no box."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return ""
    return f"{release.get('ID', '')} {release.get('ID_LIKE', '')}"


def playwright_browser() -> Sequence[str]:
    """Playwright's own download, with the system libraries that it needs where we may install them."""
    return (sys.executable, "-m", "playwright", "install", *(["--with-deps"] if can_apt() else []), "chromium")
