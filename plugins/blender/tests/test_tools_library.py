"""The library of assets before any Blender is started: its manifest, what is refused, and what a search finds."""

import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from playproof.errors import UsageError
from playproof.interfaces import Services
from playproof_blender.backend import Blender
from playproof_blender.tools.calls import Account, Failed, counts
from playproof_blender.tools.library import Asset, read_library
from playproof_blender.tools.making import make
from playproof_blender.tools.offered import Tools
from playproof_blender.tools.tool import Answer
from playproof_blender.tools.workshop import opened


def png(colour: str = "red", size: tuple[int, int] = (8, 8)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def held(folder: Path, file: str, content: bytes) -> Mapping[str, str]:
    (folder / file).parent.mkdir(exist_ok=True)
    (folder / file).write_bytes(content)
    return {"file": file, "sha256": hashlib.sha256(content).hexdigest()}


@pytest.fixture
def shelf(tmp_path: Path) -> Callable[..., Path]:
    """`shelf(*changes)`: a library of as many textures as there are changes of an entry; `whole` of the manifest."""

    def fill(*changes: Mapping[str, Any], **whole: Any) -> Path:
        folder = tmp_path / "library"
        folder.mkdir()
        entries = []
        for number, change in enumerate(changes):
            entry = {"id": f"cloth-{number}", "title": f"Cloth {number}", "kind": "texture", "licence": "Apache-2.0",
                     **held(folder, f"{number}.png", png())}  # fmt: skip
            entries.append({key: value for key, value in {**entry, **change}.items() if value is not None})
        (folder / "library.json").write_text(json.dumps({"schema": 1, "version": "1", "entries": entries, **whole}))
        return folder

    return fill


@pytest.fixture
def tools(services: Services, tmp_path: Path) -> Iterator[Callable[[Path], Tools]]:
    """`tools(library)`: all tools over it, in a workspace of their own, without a Blender."""
    (workspace := tmp_path / "workspace").mkdir()
    with opened(workspace, Blender(Path("/nowhere"), "4.2.0", True, []), services, 10) as workshop:
        yield lambda folder: Tools(workshop, Account(tmp_path / "log.jsonl"), read_library(folder))


@pytest.mark.parametrize(("change", "why"), [
    ({"sha256": "ab"}, r"library\.json: sha256 is no SHA-256.* @ \$\.entries\[0\]"),
    ({"file": "../0.png"}, r"file '\.\./0\.png' is no path below the folder @ \$\.entries\[0\]"),
    ({"file": "/etc/passwd"}, r"no path below the folder"),
    ({"file": "none.png"}, r"library/none\.png: library\.json names it, and there is no such file"),
    ({"file": "0.exr"}, r"a texture is one of \.png, \.jpg"),
    ({"kind": "sound"}, r"kind.*sound.* @ \$\.entries\[0\]"),
    ({"id": "Cloth One"}, r"id 'Cloth One' is not lower-case"),
    ({"licence": None}, r"missing key 'licence' @ \$\.entries\[0\]"),
    ({"size": [1, 2]}, r"size is three numbers"),
    ({"size": [1, 2, -1]}, r"size is three numbers"),
    ({"hdr": True}, r"unknown key 'hdr' @ \$\.entries\[0\]"),
    ({"thumbnail": {"file": "none.png", "sha256": "0" * 64}}, r"none\.png: library\.json names it"),
])  # fmt: skip
def test_a_bad_entry_is_refused_with_file_and_place(shelf: Callable[..., Path], change: Mapping[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read_library(shelf(change))


def test_a_bad_manifest_is_refused(shelf: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"library\.json: No such file"):
        read_library(tmp_path)
    folder = shelf({}, {"id": "cloth-0"})
    with pytest.raises(UsageError, match=r"id 'cloth-0' @ \$\.entries\[1\] is that of \$\.entries\[0\]"):
        read_library(folder)
    for text, why in (("{", "no JSON"), ("[]", "schema is None"), ('{"schema": 2}', "schema is 2, wanted 1"),
                      ('{"schema": 1, "version": "1", "entries": {}}', "expected a list"), ("[" * 100_000, "no JSON")):  # fmt: skip
        (folder / "library.json").write_text(text)
        with pytest.raises(UsageError, match=why):
            read_library(folder)


def test_a_link_out_of_the_folder_is_no_asset(shelf: Callable[..., Path], tmp_path: Path) -> None:
    folder = shelf({})
    (tmp_path / "secret.png").write_bytes(png())
    (folder / "0.png").unlink()
    (folder / "0.png").symlink_to("../secret.png")
    with pytest.raises(UsageError, match=r"0\.png: a link that leads out of the library"):
        read_library(folder)


def test_what_changed_since_the_manifest_is_not_taken(shelf: Callable[..., Path], tools: Callable[[Path], Tools], tmp_path: Path) -> None:
    folder = shelf({}, {"thumbnail": {"file": "1.png", "sha256": hashlib.sha256(png()).hexdigest()}})
    offered = tools(folder)
    (folder / "0.png").write_bytes(png("blue"))
    with pytest.raises(Failed, match=r"by no fault of yours: .*0\.png: its SHA-256 is .*, and library\.json says"):
        offered.call("import_asset", {"id": "cloth-0"})
    (folder / "1.png").write_bytes(png("blue"))
    with pytest.raises(Failed, match=r"1\.png: its SHA-256"):
        offered.call("search_assets", {})
    (folder / "0.png").unlink()
    with pytest.raises(Failed, match=r"0\.png: library\.json names it, and there is no such file"):
        offered.call("import_asset", {"id": "cloth-0"})
    count = counts(tmp_path / "log.jsonl")["retrieval"]
    assert (count.calls, count.failed) == (3, 3)
    assert not list((tmp_path / "workspace").iterdir())


def test_a_search_gives_what_fits_best_with_a_sheet(shelf: Callable[..., Path], tools: Callable[[Path], Tools]) -> None:
    folder = shelf({"id": "armchair", "title": "Soft chair", "tags": ["seat"]},
                   {"id": "bench", "title": "Bench", "tags": ["chairs", "wood"]},
                   {"id": "oak", "title": "Oak", "size": [1, 1, 0], "tags": ["wood"]}, {})  # fmt: skip
    for number, entry in enumerate((whole := json.loads((folder / "library.json").read_text()))["entries"][:2]):
        entry["thumbnail"] = held(folder, f"small/{number}.png", png(("red", "blue")[number], (300, 200)))
    (folder / "library.json").write_text(json.dumps(whole))
    offered = tools(folder)

    def found(**asked: Any) -> tuple[list[str], Answer]:
        answer = offered.call("search_assets", asked)
        return [line.split(":")[0] for line in answer.text.splitlines()], answer

    names, answer = found(words="wooden chairs")
    assert names == ["armchair", "bench"]
    assert answer.text.splitlines()[0] == "armchair: Soft chair, texture, Apache-2.0; seat"
    [sheet] = answer.pictures
    seen = Image.open(io.BytesIO(sheet)).convert("RGB")
    assert seen.size == (288, 160) and seen.getpixel((70, 60)) == (255, 0, 0) and seen.getpixel((214, 60)) == (0, 0, 255)
    assert found(words="wood")[0] == ["bench", "oak"], "by tags"
    assert found(words="oak wood")[0] == ["oak", "bench"], "the name counts more"
    assert found()[0] == ["armchair", "bench", "oak", "cloth-3"], "all of them, without words"
    assert found(words="oak", most=1)[1].text == "oak: Oak, texture, 1 x 1 x 0 m, Apache-2.0; wood" and not found(words="oak")[1].pictures
    assert found(most=1)[1].text.endswith("and 3 more fit; `most` shows up to 16")
    assert "The library has 4 assets of the kinds texture" in found(words="dragon")[1].text
    assert "Nothing fits 'oak' among the kind world" in found(words="oak", kind="world")[1].text
    with pytest.raises(Failed, match="kind"):
        found(kind="sound")


def test_what_there_is_not_is_refused_with_what_is_near(shelf: Callable[..., Path], tools: Callable[[Path], Tools]) -> None:
    offered = tools(shelf({}))
    with pytest.raises(Failed, match="no asset 'cloth-9'; search_assets finds ids, such as cloth-0"):
        offered.call("import_asset", {"id": "cloth-9"})
    with pytest.raises(Failed, match="only objects and collections have a place"):
        offered.call("import_asset", {"id": "cloth-0", "at": [1, 2, 3]})
    with pytest.raises(Failed, match="not in the workspace"):
        offered.call("import_asset", {"id": "cloth-0", "project": "../out.blend"})


def test_the_digest_is_that_of_all_the_library(shelf: Callable[..., Path]) -> None:
    folder = shelf({})
    before = read_library(folder)
    assert before.told == {"digest": hashlib.sha256((folder / "library.json").read_bytes()).hexdigest(), "version": "1", "entries": 1}
    (folder / "library.json").write_text((folder / "library.json").read_text().replace("Cloth 0", "Cloth"))
    assert read_library(folder).digest != before.digest and isinstance(read_library(folder).get("cloth-0"), Asset)


def test_a_library_is_made_only_where_nothing_is(services: Services, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(UsageError, match="wanted a folder that is new, or empty"):
        make(tmp_path, Blender(Path("/nowhere"), "4.2.0", True, []), services)
