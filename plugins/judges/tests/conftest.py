"""What tests of models and judges share: a server on loopback; see `playproof_judges.testing` for how to use it."""

from collections.abc import Iterator

import pytest

from playproof_judges.testing import Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A server without a script: add steps with `server.script(...)`."""
    with Server() as running:
        yield running
