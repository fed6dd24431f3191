"""Addresses of packages, as pages give them, and the pinned files that they lead to."""

import json
from pathlib import Path

import pytest

from playproof_xr.runtime import OURS, SETS
from playproof_xr.serving import Library, Packages, is_module, prepare, reexport


@pytest.fixture
def library(tmp_path: Path) -> Library:
    def package(folder: str, name: str, manifest: dict[str, object], *files: str) -> None:
        for file in files:
            place = tmp_path / folder / "node_modules" / name / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(f"export default {file!r};")
        (tmp_path / folder / "node_modules" / name / "package.json").write_text(json.dumps({"version": "1.2.3", **manifest}))

    package("one", "three", {"exports": {".": {"import": "./build/three.module.js"}}}, "build/three.module.js", "build/three.module.min.js",
            "examples/jsm/x/Y.js")
    package("one", "@scope/ui", {"module": "dist/index.js"}, "dist/index.js", "dist/wasm.mjs")
    package("two", "three", {"main": "other.js"}, "other.js")
    package("two", "xrblocks", {"main": "build/xrblocks.js"}, "build/xrblocks.js", "build/addons/a.js")
    return Library([Packages(tmp_path / "one" / "node_modules", "@one"), Packages(tmp_path / "two" / "node_modules", "@two")])


@pytest.mark.parametrize(
    ("address", "local", "asked"),
    [
        ("https://cdn.jsdelivr.net/npm/three@0.160.0/build/three.module.js", "/@one/three/build/three.module.js", "0.160.0"),
        ("https://cdn.jsdelivr.net/npm/three/build/three.module.min.js", "/@one/three/build/three.module.min.js", None),
        ("https://unpkg.com/three@^0.1/build/three.module.js?module", "/@one/three/build/three.module.js", "^0.1"),
        ("https://unpkg.com/three", "/@one/three/build/three.module.js", None),
        ("https://cdn.jsdelivr.net/npm/three@latest/+esm", "/@one/three/build/three.module.js", "latest"),
        ("https://esm.sh/three@0.160.0/examples/jsm/x/Y.js", "/@one/three/examples/jsm/x/Y.js", "0.160.0"),
        ("https://esm.sh/three@0.160.0/examples/jsm/x/Y", "/@one/three/examples/jsm/x/Y.js", "0.160.0"),
        ("https://ga.jspm.io/npm:three@0.1.0/build/three.module.js", "/@one/three/build/three.module.js", "0.1.0"),
        ("https://cdn.jsdelivr.net/npm/@scope/ui@1/dist/index.min.js", "/@one/@scope/ui/dist/index.js", "1"),
        ("https://cdn.jsdelivr.net/npm/@scope/ui@1/wasm.mjs", "/@one/@scope/ui/dist/wasm.mjs", "1"),
        ("https://cdn.jsdelivr.net/gh/google/xrblocks@build/addons/a.js", "/@two/xrblocks/build/addons/a.js", "build"),
        ("../../node_modules/xrblocks/build/xrblocks.js", "/@two/xrblocks/build/xrblocks.js", None),
    ],
)
def test_addresses_lead_to_the_pinned_package(library: Library, address: str, local: str, asked: str | None) -> None:
    found = library.at(address)
    assert found is not None and (found.address, found.asked) == (local, asked) and found.file.is_file() and found.version == "1.2.3"


@pytest.mark.parametrize("address", [
    "https://cdn.jsdelivr.net/npm/four@1/x.js", "https://cdn.jsdelivr.net/npm/three@1/gone.js", "https://example.com/three",
    "https://cdn.jsdelivr.net/npm/three@1/../@scope/ui/dist/index.js", "https://cdn.jsdelivr.net/gh/somebody/three@main/x.js",
    "https://unpkg.com.example/three", "./three.js",
])  # fmt: skip
def test_everything_else_leads_nowhere(library: Library, address: str) -> None:
    assert library.at(address) is None


def test_import_maps_are_rewritten_and_nothing_else(library: Library, tmp_path: Path) -> None:
    written = {
        "imports": {"three": "https://unpkg.com/three@1/build/three.module.js", "three/": "https://unpkg.com/three@1/examples/jsm/",
                    "own": "./own.js", "kept": "/node_modules/three/other.js", "gone": "./node_modules/three/build/three.module.js",
                    "far": "https://example.com/x.js", "odd": 7},
        "scopes": {"/a/": {"three": "https://esm.sh/three"}},
    }  # fmt: skip
    site = tmp_path / "site"
    (site / "node_modules" / "three").mkdir(parents=True)
    (site / "node_modules" / "three" / "other.js").write_text("1")
    (site / "own.js").write_text("1")
    page = f"<html><script type='importmap' id=a>{json.dumps(written)}</script><script type=importmap>not json</script><p>"
    (site / "index.html").write_text(page)
    (site / "link.html").symlink_to("index.html")
    out = prepare(site, tmp_path / "out", library)
    changed = (out / "index.html").read_text()
    start, end = changed.index("{"), changed.index("</script>")
    assert json.loads(changed[start:end]) == {
        "imports": {**written["imports"], "three": "/@one/three/build/three.module.js", "three/": "/@one/three/examples/jsm/",
                    "gone": "/@one/three/build/three.module.js"},
        "scopes": {"/a/": {"three": "/@one/three/build/three.module.js"}},
    }  # fmt: skip
    assert changed[:start] == page[: page.index("{")] and "not json" in changed
    assert (out / "own.js").read_text() == "1" and not (out / "link.html").exists()
    assert (site / "index.html").read_text() == page


def test_modules_are_told_from_scripts() -> None:
    assert is_module(b"/* x */\nimport a from 'b';") and is_module(b"const a = 1;\nexport { a };")
    assert not is_module(b"!function(){ var important = 1; import('x') }();") and not is_module(b"// nothing\nvar exported = 1;")
    assert b"export * from \"http://localhost/a.js\"" in reexport("http://localhost/a.js")


@pytest.mark.parametrize("name", [*SETS, "emulator"])
def test_our_sets_pin_contents_and_no_address(name: str) -> None:
    manifest, lock = (json.loads((OURS / name / file).read_text()) for file in ("package.json", "package-lock.json"))
    held = {place.removeprefix("node_modules/"): one for place, one in lock["packages"].items() if place}
    assert all("integrity" in one and "resolved" not in one for one in held.values())
    assert {wanted: held[wanted]["version"] for wanted in manifest["dependencies"]} == manifest["dependencies"]
