"""What the README shows of models works."""

import re
import tomllib
from pathlib import Path

from attrs import fields

from playproof.drivers import build
from playproof.interfaces import Services
from playproof.model import Ref
from playproof_judges.models.settings import Settings

README = (Path(__file__).parents[2] / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_shown_models_are_built(services: Services) -> None:
    tables = tomllib.loads(blocks("toml")[0])
    built = {name: build("model", Ref(table.pop("driver"), table), services) for name, table in tables.items()}
    assert built["recorded"].identity == {"driver": "anthropic", "model": "claude-sonnet-5-5", "schema": "native"}
    assert len({str(one.identity) for one in built.values()}) == len(tables)


def test_shown_python_runs() -> None:
    for code in blocks("python"):
        exec(compile(code, "README", "exec"), {"__name__": "shown"})


def test_every_option_is_told() -> None:
    assert not [one.name for one in fields(Settings) if f"`{one.name}`" not in README]
