"""Which builds of a program fit this machine."""

import platform
from collections.abc import Mapping
from typing import TypeVar

from playproof.errors import InfrastructureError

T = TypeVar("T")

X64_ALONE = {"x86_64": "x64"}
"""For a program of which only that build is pinned."""


def build_for(name: str, builds: Mapping[str, T]) -> T:
    """Of builds by machine the one for this. Raises InfrastructureError where none is pinned."""
    if (found := builds.get(platform.machine())) is None:
        raise InfrastructureError(f"{name} is pinned for {', '.join(builds)}, and this machine is {platform.machine()}")
    return found
