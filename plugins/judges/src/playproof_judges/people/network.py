"""By which addresses this machine can be reached, and how a person takes one of them to another device."""

import ipaddress
import re
import socket
from collections.abc import Sequence
from contextlib import suppress

from playproof.errors import UsageError

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")


def addresses() -> Sequence[str]:
    """This machine's own IPv4 addresses in its networks, the one that leads out first. Nothing is sent to find them."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("192.0.2.1", 9))  # an address for documentation: connecting a datagram socket only picks a route
        found.append(asked.getsockname()[0])
    with suppress(OSError):
        found += [str(row[4][0]) for row in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return list(dict.fromkeys(one for one in found if not ipaddress.ip_address(one).is_loopback and one != "0.0.0.0"))


def checked(name: str) -> str:
    """A host name or IPv4 address as it may stand in an address. Raises UsageError."""
    if not _NAME.fullmatch(name.lower()) or len(name) > 253:
        raise UsageError(f"--address {name!r} is no host name or IPv4 address")
    return name.lower()


def code(text: str) -> str:
    """A QR code for a terminal, two rows of modules in a line."""
    import io

    import segno

    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
