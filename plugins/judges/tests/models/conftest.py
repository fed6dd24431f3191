"""Models that ask the server of the test, and wait for nothing."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from playproof.drivers import load
from playproof.interfaces import Services
from playproof_judges.testing import DRIVERS, Server

Make = Callable[..., Any]


@pytest.fixture(params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> str:
    """Each provider in turn: what holds for one holds for all."""
    name: str = request.param
    return name


@pytest.fixture
def keys() -> dict[str, str]:
    """The environment, as models see it."""
    return {}


@pytest.fixture
def services(tmp_path: Path, keys: dict[str, str]) -> Iterator[Services]:
    with ExitStack() as exits:
        yield Services(tmp_path, exits, keys.get)


@pytest.fixture
def waits() -> list[float]:
    """The seconds that a model would have waited between tries."""
    return []


@pytest.fixture
def make(server: Server, services: Services, waits: list[float]) -> Make:
    """make(driver, **options): a model of that driver which asks `server`."""

    def made(driver: str, **options: Any) -> Any:
        return load("model", driver)(server.ref(driver, **options).options, services, waits.append)

    return made
