"""`npm run check`, which an agent is lent: it starts an app headless in an emulated headset, and says what went wrong."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from playproof.packages import lay_in, npm
from playproof_xr.injection import LOCK

pytestmark = pytest.mark.heavy
SCAFFOLD = Path(str(files("playproof_xr"))) / "scaffold"
APP = """<!doctype html><button>Enter AR</button><canvas></canvas><script type="module">
const gl = document.querySelector("canvas").getContext("webgl2", { xrCompatible: true });
document.querySelector("button").addEventListener("click", async () => {
  const session = await navigator.xr.requestSession("immersive-ar", { requiredFeatures: ["local-floor", "hand-tracking"] });
  session.updateRenderState({ baseLayer: new XRWebGLLayer(session, gl) });
  session.addEventListener("selectstart", () => { EXTRA });
  const draw = () => session.requestAnimationFrame(draw);
  draw();
});
</script>"""


@pytest.fixture
def check(tmp_path: Path, cache: Path) -> Callable[[str], subprocess.CompletedProcess[str]]:
    shutil.copytree(SCAFFOLD, tmp_path, dirs_exist_ok=True)
    modules = lay_in(LOCK, cache) / "node_modules"
    (tmp_path / "check" / "iwer").mkdir()
    for name in ("iwer/build/iwer.min.js", "@iwer/sem/build/iwer-sem.min.js", "@iwer/sem/captures/living_room.json"):
        shutil.copyfile(modules / name, tmp_path / "check" / "iwer" / Path(name).name)

    def run(page: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "index.html").write_text(page)
        program = npm()
        assert program is not None
        node_first = os.pathsep.join([str(Path(program[0]).parent), os.environ["PATH"]])
        env = {**os.environ, "PATH": node_first, "CHECK_SECONDS": "1"}
        return subprocess.run([*program, "run", "--silent", "check"], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120,
                              check=False)

    return run


def test_an_app_that_starts(check: Callable[[str], subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    said = check(APP.replace("EXTRA", ""))
    assert said.returncode == 0 and said.stdout.startswith("immersive-ar: "), said
    assert " 2 hands; picture: check/screenshot.png" in said.stdout and "nothing went wrong" in said.stdout
    assert (tmp_path / "check" / "screenshot.png").read_bytes().startswith(b"\x89PNG")


def test_what_goes_wrong_is_said(check: Callable[[str], subprocess.CompletedProcess[str]]) -> None:
    said = check(APP.replace("EXTRA", "throw new Error('at the pinch')").replace("</script>", "</script><script src='lost.js'></script>"))
    assert said.returncode == 1
    for line in ("  ! missing file: /lost.js", "  ! uncaught: Error: at the pinch", "2 to mend"):
        assert line in said.stdout, said


def test_an_app_that_never_enters(check: Callable[[str], subprocess.CompletedProcess[str]]) -> None:
    said = check(APP.replace("local-floor", "no-such-space"))
    assert said.returncode == 1 and "not in XR" in said.stdout and "the session was refused: " in said.stdout, said


CDN = "https://cdn.jsdelivr.net"
LENT = {
    "kit/package.json": '{"exports": {".": {"import": "./dist/kit.js"}}}',
    "kit/dist/kit.js": 'export { part } from "./part.js";',
    "kit/dist/part.js": "export const part = 1;",
    "@toys/box/package.json": '{"module": "box.mjs"}',
    "@toys/box/box.mjs": "export const box = 2;",
    "xrblocks/package.json": "{}",
    "xrblocks/build/xrblocks.js": "export const blocks = 3;",
}
MAP = {
    "kit": f"{CDN}/npm/kit@9/dist/kit.min.js", "kit-whole": f"{CDN}/npm/kit@9/+esm", "kit/": f"{CDN}/npm/kit@9/",
    "box": f"{CDN}/npm/@toys/box", "xrblocks": f"{CDN}/gh/google/xrblocks@build/xrblocks.js",
}  # fmt: skip
IMPORTS = """import { part } from "kit"; import * as whole from "kit-whole"; import { part as again } from "kit/dist/part.js";
import { box } from "box"; import { blocks } from "xrblocks";
if (part + whole.part + again + box + blocks !== 8) throw new Error("another package than the one that is lent");
"""


def test_import_maps_lead_to_what_is_lent(check: Callable[[str], subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    packages = tmp_path / "check" / "packages"
    for name, text in LENT.items():
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_text(text)
    page = APP.replace("EXTRA", "").replace("<canvas>", f'<script type="importmap">{json.dumps({"imports": MAP})}</script><canvas>')
    page = page.replace('<script type="module">', f'<script type="module">{IMPORTS}')
    said = check(page)
    assert said.returncode == 0 and "nothing went wrong" in said.stdout, said
    (packages / "@toys" / "box" / "package.json").unlink()
    said = check(page)
    assert said.returncode == 1 and f"  ! asked the network, which it will not have: {CDN}/npm/@toys/box" in said.stdout, said
