"""`npm run check`, which an agent is lent: it starts an app headless in an emulated headset, and says what went wrong."""

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
