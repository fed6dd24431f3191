"""The account of calls, and what the tools refuse before any Blender is started."""

import json
from pathlib import Path

import pytest

from playproof.errors import InfrastructureError
from playproof.interfaces import Services
from playproof_blender.backend import Blender
from playproof_blender.tools.calls import Account, Count, Failed, Offer, counts, offers, place_for
from playproof_blender.tools.offered import Tools
from playproof_blender.tools.workshop import opened


def test_calls_are_summed_by_category_with_those_that_failed(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "tools.jsonl"
    account = Account(place)
    with account.call("render_view", "render"):
        pass
    with pytest.raises(Failed), account.call("render_view", "render"):
        raise Failed("too dark")
    with pytest.raises(KeyboardInterrupt), account.call("execute_script", "execution"):
        raise KeyboardInterrupt
    lines = [json.loads(line) for line in place.read_text().splitlines()]
    assert [(one["tool"], one["ok"], one.get("why")) for one in lines] == [
        ("render_view", True, None), ("render_view", False, "too dark"), ("execute_script", False, "KeyboardInterrupt")]  # fmt: skip
    held = counts(place)
    assert (held["render"].calls, held["render"].failed, held["execution"].calls) == (2, 1, 1)
    assert held["media"] == Count()


def test_what_is_no_line_of_an_account_is_left_out(tmp_path: Path) -> None:
    place = tmp_path / "tools.jsonl"
    good = {"category": "retrieval", "ok": True, "duration_s": 0.5}
    place.write_text("\n".join(["{", "[]", json.dumps({**good, "ok": 1}), json.dumps(good), json.dumps(good), '{"category": "retr']))
    assert counts(place)["retrieval"] == Count(2, 0, 1.0)
    assert counts(tmp_path / "none") == dict.fromkeys(("execution", "inspection", "render", "exchange", "retrieval", "media"), Count())


def test_what_was_offered_stands_before_the_calls_and_is_none(tmp_path: Path) -> None:
    account = Account(tmp_path / "tools.jsonl")
    account.offer(["execute_script"], None)
    account.offer(["execute_script", "search_assets"], {"digest": "ab12", "version": "1", "entries": 3})
    with account.call("search_assets", "retrieval"):
        pass
    assert offers(account.place) == [Offer(["execute_script"]), Offer(["execute_script", "search_assets"], "ab12")]
    assert sum(one.calls for one in counts(account.place).values()) == 1
    assert offers(tmp_path / "none") == []


def test_an_account_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InfrastructureError, match="account of tools"), Account(tmp_path / "file" / "log").call("render_view", "render"):
        pass


def test_the_environment_says_where_the_account_is(tmp_path: Path) -> None:
    assert place_for(tmp_path, {"PLAYPROOF_TOOL_LOG": "/var/log/tools.jsonl"}) == Path("/var/log/tools.jsonl")
    assert place_for(tmp_path, {}) == tmp_path / ".playproof" / "tools.jsonl"


@pytest.mark.parametrize(("tool", "arguments", "why"), [
    ("nothing", {}, "no tool 'nothing'; there are execute_script"),
    ("execute_script", {}, "code"),
    ("execute_script", {"code": "pass", "project": "../out.blend"}, "not in the workspace"),
    ("execute_script", {"code": "pass", "project": "thing.glb"}, "no project"),
    ("execute_script", {"code": "pass", "project": "text.blend"}, "no Blender project: its header"),
    ("execute_script", {"code": "pass", "project": "link.blend"}, "is a link"),
    ("scene_summary", {"project": "new.blend"}, "no project new.blend yet"),
    ("query_scene", {"query": "objekt", "project": "text.blend"}, "header"),
    ("render_view", {"position": [0, 0, 0]}, "position and target go together"),
    ("render_view", {"position": [0, 0, 0], "target": [0, 0, 0]}, "stands where it looks at"),
    ("render_view", {"position": [0, 0, float("nan")], "target": [0, 0, 0]}, "finite"),
    ("render_view", {"engine": "eevee"}, "engine"),
    ("render_view", {"size": 5000}, "size"),
    ("import_file", {"path": "text.blend1"}, "of the formats there are .glb"),
    ("import_file", {"path": "none.glb"}, "no file 'none.glb'"),
    ("export_file", {"path": "/etc/passwd.glb"}, "not in the workspace"),
    ("search_assets", {}, "no tool 'search_assets'"),
])  # fmt: skip
def test_what_cannot_be_is_refused_with_why_and_counted(services: Services, tmp_path: Path, tool: str, arguments: object, why: str) -> None:
    (tmp_path / "text.blend").write_text("no project at all")
    (tmp_path / "link.blend").symlink_to("text.blend")
    account = Account(tmp_path / "log.jsonl")
    with opened(tmp_path, Blender(Path("/nowhere"), "4.2.0", True, []), services, 10) as workshop:
        with pytest.raises(Failed, match=why.replace("(", r"\(")):
            Tools(workshop, account).call(tool, arguments)  # type: ignore[arg-type]
    assert sum(one.failed for one in counts(account.place).values()) == 1
