"""A game may be played by a model only where the distribution of models and judges is; webgame itself does without."""

import sys

import pytest

from playproof.drivers import load
from playproof.errors import PluginError


def test_without_it_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "playproof_webgame.adaptive", raising=False)
    monkeypatch.setitem(sys.modules, "playproof_judges.loop", None)
    with pytest.raises(PluginError, match=r"actor 'webgame\.player' of playproof-webgame .* pip install 'playproof\[judges\]'"):
        load("actor", "webgame.player")
