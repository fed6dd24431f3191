"""A run's truth is its records: the first one stands, a bundle is its content, and a full disk loses nothing."""

import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from playproof.bundle import unpack
from playproof.errors import InfrastructureError, UsageError
from playproof.store import Store, identity


def test_the_first_record_stands(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.record("grading", "a") is None
    assert store.commit("grading", "a", {"value": 1})["value"] == 1
    assert store.commit("grading", "a", {"value": 2})["value"] == 1
    assert Store(tmp_path).record("grading", "a") == {"schema": 1, "id": "a", "value": 1}


def commit(folder: Path, value: int, barrier: object, answers: object) -> None:
    store = Store(folder)
    barrier.wait()  # type: ignore[attr-defined]
    answers.put([store.commit("grading", f"id-{number}", {"value": value})["value"] for number in range(20)])  # type: ignore[attr-defined]


def test_stores_that_race_agree_on_one(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    barrier, answers = fork.Barrier(3), fork.Queue()
    racers = [fork.Process(target=commit, args=(tmp_path, value, barrier, answers)) for value in range(3)]
    for racer in racers:
        racer.start()
    said = [answers.get(timeout=60) for _ in racers]
    for racer in racers:
        racer.join()
    assert said[0] == said[1] == said[2] == [Store(tmp_path).record("grading", f"id-{number}")["value"] for number in range(20)]  # type: ignore[index]
    assert not [place for place in tmp_path.rglob(".*") if place.is_file()]


def test_a_record_that_cannot_be_read_says_where(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (tmp_path / "records" / "grading" / "a.json").write_text("{")
    with pytest.raises(InfrastructureError, match=r"records/grading/a\.json: not a record; move it away and run again"):
        store.record("grading", "a")


def test_two_runs_in_one_folder(tmp_path: Path) -> None:
    with Store(tmp_path).locked():
        with pytest.raises(UsageError, match="another run is at work in this folder"), Store(tmp_path).locked():
            pass
    with Store(tmp_path).locked():
        pass


def test_tries_are_numbered_and_kept(tmp_path: Path) -> None:
    store = Store(tmp_path)
    first, second = store.open_try("x"), store.open_try("x")
    store.close_try(first, {"trouble": "no room"})
    store.close_try(first, {"wall_s": 1.0})
    told = [(one.get("trouble"), one.get("wall_s"), "closed" in one) for one in store.tries("x")]
    assert told == [("no room", 1.0, True), (None, None, False)]
    assert second.name == "0001.json" and store.tries("unheard") == []


def test_turns_are_taken_one_by_one(tmp_path: Path) -> None:
    store, inside, most = Store(tmp_path), [0], [0]

    def work() -> None:
        with store.turn("same"):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            tmp_path.stat()
            inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


# --- bundles ---


def filled(folder: Path, order: list[str]) -> Path:
    for name in order:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "a" / "link").symlink_to("one.txt")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "empty").mkdir(exist_ok=True)
    return folder


def test_the_same_content_is_the_same_bundle(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    first = filled(tmp_path / "first", ["a/one.txt", "b/two.txt", "ü.txt"])
    second = filled(tmp_path / "second", ["ü.txt", "b/two.txt", "a/one.txt"])
    os.utime(second / "a" / "one.txt", (1, 1))
    (second / "b" / "two.txt").chmod(0o600)
    address = store.seal(first)
    assert store.seal(second) == address and [place.name for place in (tmp_path / "store" / "bundles").iterdir()] == [f"{address}.zip"]
    (second / "b" / "two.txt").write_text("other")
    assert store.seal(second) != address
    with zipfile.ZipFile(store.bundle(address)) as packed:
        assert {entry.compress_type for entry in packed.infolist()} == {zipfile.ZIP_STORED}
        assert packed.namelist() == sorted(packed.namelist())


def test_a_bundle_unpacks_as_it_was(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    folder = filled(tmp_path / "folder", ["a/one.txt", "b/two.txt"])
    out = tmp_path / "out"
    unpack(store.bundle(store.seal(folder)), out)
    assert store.seal(out) == store.seal(folder)
    assert (out / "a" / "link").readlink() == Path("one.txt") and os.access(out / "run.sh", os.X_OK) and (out / "empty").is_dir()
    unpack(store.bundle(store.seal(folder)), tmp_path / "part", "a")
    assert sorted(place.name for place in (tmp_path / "part").iterdir()) == ["link", "one.txt"]


def test_a_bundle_cannot_write_outside(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as packed:
        packed.writestr("../outside", "x")
    with pytest.raises(InfrastructureError, match="leaves the bundle"):
        unpack(tmp_path / "bad.zip", tmp_path / "out")
    assert not (tmp_path / "outside").exists()


def test_a_bundle_cannot_write_through_its_own_link(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as packed:
        link = zipfile.ZipInfo("way")
        link.external_attr = (0o120000 | 0o777) << 16
        packed.writestr(link, "../elsewhere")
        packed.writestr("way/file", "x")
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(InfrastructureError, match="leaves the bundle"):
        unpack(tmp_path / "bad.zip", tmp_path / "out")
    assert not list((tmp_path / "elsewhere").iterdir())


def test_identities_are_of_content() -> None:
    assert identity(a=1, b=[2]) == identity(b=[2], a=1) != identity(a=1, b=[3]) and len(identity(a=1)) == 32


# --- a full disk ---

FULL = """
import json, resource, signal, sys
from pathlib import Path
from playproof.errors import InfrastructureError
from playproof.store import Store
store, big = Store(Path(sys.argv[1])), Path(sys.argv[2])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
opened = store.open_try("x")
told = []
for act in (lambda: store.seal(big), lambda: store.commit("grading", "b", {"text": "x" * 9000}), lambda: store.plan({"text": "x" * 9000}),
            lambda: store.close_try(opened, {"text": "x" * 9000})):
    try:
        act()
        told.append("nothing")
    except InfrastructureError as fault:
        told.append(str(fault))
print(json.dumps(told))
"""


def test_no_room_is_nobodys_fault_and_loses_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "run")
    store.plan({"kept": True})
    store.commit("grading", "a", {"value": 1})
    big = tmp_path / "big"
    big.mkdir()
    (big / "blob").write_bytes(b"x" * 10_000)
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path / "run"), str(big)], capture_output=True, text=True, check=False)
    told = json.loads(done.stdout)
    assert [line.split(":")[0].split(" /")[0] for line in told] == ["cannot seal big", *["cannot write"] * 3], done.stderr
    assert store.record("grading", "a") == {"schema": 1, "id": "a", "value": 1} and store.record("grading", "b") is None
    assert json.loads((tmp_path / "run" / "run.json").read_text())["kept"] is True
    assert "closed" not in store.tries("x")[0] and not list((tmp_path / "run" / "bundles").iterdir())
    assert store.commit("grading", "b", {"value": 2})["value"] == 2
    assert len(store.seal(big)) == 64


def test_a_full_file_system_is_the_same(tiny_disk: Path, tmp_path: Path) -> None:
    store = Store(tiny_disk / "run")
    store.commit("grading", "a", {"value": 1})
    big = tmp_path / "big"
    big.mkdir()
    (big / "blob").write_bytes(b"x" * (16 << 20))
    with pytest.raises(InfrastructureError, match="No space left"):
        store.seal(big)
    assert store.record("grading", "a") == {"schema": 1, "id": "a", "value": 1}
    shutil.rmtree(big)
    (big / "small").mkdir(parents=True)
    assert len(store.seal(big)) == 64
