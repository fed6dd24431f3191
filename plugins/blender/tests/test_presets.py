"""What ships as data: the protocol of the paper, its dimensions and its categories."""

import tomllib
from importlib.resources import files

from playproof.scales import scale
from playproof.scoring import load, make
from playproof.scoring.rules import Fused

DIMENSIONS = "playproof_blender:scales/dimensions-1.toml"


def test_eight_dimensions() -> None:
    known = scale(DIMENSIONS)
    assert (known.low, known.high, len(known.items)) == (1, 10, 8) and known.anchors["1"].startswith("absent or broken")
    named = {"scene-fidelity", "physical-plausibility", "style-and-colour", "spatial-layout", "lighting-and-materials", "completeness",
             "realism"}
    assert {one.id for one in known.items if not one.ours} == named and known.anchors["10"] == "essentially faithful"


def test_thirteen_categories() -> None:
    found = tomllib.loads(files("playproof_blender").joinpath("scales", "categories-1.toml").read_text("utf-8"))
    ids = [one["id"] for one in found["categories"]]
    assert len(set(ids)) == len(ids) == 13 and found["version"] == 1 and all(one["text"] for one in found["categories"])
    assert [one["id"] for one in found["categories"] if not one.get("ours")] == ["function", "geometry", "material", "physics"]


def test_the_protocol_weighs_rubric_and_dimensions_alike() -> None:
    [table] = load({"preset": "playproof_blender:presets/blenderworld.toml"})
    rule = make(table)
    assert isinstance(rule, Fused) and (rule.scale, rule.items, rule.top, rule.rubric_weight) == (scale(DIMENSIONS).name, 8, 10, 0.5)
