"""Which builds of a program fit this machine."""

import platform

from playproof.errors import InfrastructureError


def x64_alone(name: str) -> None:
    """For a program of which only that build is pinned. Raises InfrastructureError elsewhere."""
    if platform.machine() != "x86_64":
        raise InfrastructureError(f"{name} is pinned for x86_64 alone, and this machine is {platform.machine()}")
