"""What docs/judges.md says of the judges that are shipped: each is there with all its options, and so are ranks and troubles."""

import re
from pathlib import Path

import pytest
from attrs import fields

from playproof.opinion import Trouble
from playproof_judges.judges.inspector import InspectorAsks
from playproof_judges.judges.panel import PanelAsks
from playproof_judges.judges.precedence import Rank
from playproof_judges.judges.prompted import Asks, LongAsks

PAGE = (Path(__file__).parents[1] / "docs" / "judges.md").read_text()


def rows(title: str) -> str:
    """The names in the first column of the table whose first heading is `title`."""
    table = re.search(rf"^\| {title} \|.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    assert table is not None
    return "\n".join(line.split("|")[1] for line in table[0].splitlines()[2:] if line)


@pytest.mark.parametrize("kind", [Asks, LongAsks, InspectorAsks, PanelAsks])
def test_every_option_is_documented(kind: type) -> None:
    assert not [one.name for one in fields(kind) if f"`{one.name}`" not in rows("option")]


def test_every_rank_and_trouble_is_documented() -> None:
    assert [line.strip() for line in rows("rank").splitlines()] == [one.name.lower() for one in Rank]
    assert not [one for one in Trouble if one and f"`{one}`" not in rows("trouble")]
