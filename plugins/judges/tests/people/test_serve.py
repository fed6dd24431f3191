"""`serve`: a submission's files on one origin, the page for labels on another, a certificate, and what the labels are about."""

import hashlib
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from playproof.errors import UsageError
from playproof.judging import with_opinions
from playproof.model import Outcome
from playproof.opinion import By
from playproof.opinions import read_lines
from playproof.run import stored
from playproof.store import Store
from playproof_judges.people.certificate import self_signed
from playproof_judges.people.desk import Desk
from playproof_judges.people.device_site import DeviceSite
from playproof_judges.people.door import Door, Token
from playproof_judges.people.items import requirement
from playproof_judges.people.labels import Labels
from playproof_judges.people.network import addresses
from playproof_judges.people.serve import LETTERS, chosen
from playproof_judges.people.submission_site import SubmissionSite, media_type

from .programs import Refused, program
from .runs import Visitor, made_run


@pytest.fixture
def files(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    (root / "sub").mkdir(parents=True)
    for name, content in {"index.html": "<h1>home</h1>", "sub/index.html": "sub", "a b&c.js": "1", "film.webm": "0123456789"}.items():
        (root / name).write_text(content)
    (tmp_path / "secret.txt").write_text("secret")
    (root / "out").symlink_to("../secret.txt")
    (root / "away").symlink_to("..")
    (root / "in").symlink_to("sub")
    return root


@pytest.fixture
def visitor(files: Path) -> Iterator[Visitor]:
    door = Door("127.0.0.1", 0, SubmissionSite(files), Token())
    door.start()
    inside = Visitor(door)
    assert inside.enter().text == "<h1>home</h1>"
    yield inside
    door.stop()


def test_files_are_served_as_they_are(visitor: Visitor) -> None:
    assert visitor.get("/sub").text == "sub" and visitor.here == "/sub/"
    assert visitor.get("/in/").text == "sub", "a link that stays inside is followed"
    script = visitor.get("/a%20b&c.js?v=1")
    assert (script.text, script.headers["Content-Type"]) == ("1", "text/javascript; charset=utf-8")
    part = visitor.ask("GET", "/film.webm", headers={"Range": "bytes=3-5"})
    assert (part.status, part.body, part.headers["Content-Type"]) == (206, b"345", "video/webm")


@pytest.mark.parametrize("path", [
    "/../secret.txt", "/sub/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/sub/%2e%2e/%2e%2e/secret.txt", "/out", "/away/",
    "/away/secret.txt", "/index.html%00.js", "/missing", "/%ff", "/sub/index.html/", "/" + "x" * 4000, "/" + "a/" * 900,
])
def test_nothing_else_is_served(visitor: Visitor, path: str) -> None:
    got = visitor.get(path)
    assert got.status in (400, 403, 404) and b"secret" not in got.body


def test_a_submission_is_only_read_and_has_no_network(visitor: Visitor) -> None:
    assert visitor.post("/", {}).status == 405 and visitor.ask("PUT", "/index.html").status == 405
    policy = visitor.get("/").headers["Content-Security-Policy"]
    assert "default-src 'self' data: blob:" in policy and "http" not in policy and "*" not in policy


@pytest.mark.parametrize(("name", "kind"), [
    ("a.mjs", "text/javascript; charset=utf-8"), ("a.WASM", "application/wasm"), ("a.glb", "model/gltf-binary"),
    ("a.json", "application/json"),
    ("a.css", "text/css; charset=utf-8"), ("a.svg", "image/svg+xml"), ("a.mp4", "video/mp4"), ("a.woff2", "font/woff2"),
    ("a.unknown", "application/octet-stream"), ("a", "application/octet-stream"), ("a.html", "text/html; charset=utf-8"),
])
def test_types_go_by_suffix(name: str, kind: str) -> None:
    assert media_type(Path(name)) == kind


# --- the page for labels ---


@contextmanager
def labelling(run: Path) -> Iterator[Visitor]:
    store = Store(run, reading=True)
    done = chosen(with_opinions(stored(store), store), "alpha")
    desk = Desk([requirement(done, check) for check in done.trial.survey.checks], Labels(run / "labels.jsonl"),
                By("person", "ann", {"page": "serve/1"}), lambda item: {"submission": ()})
    token = Token()
    door = Door("127.0.0.1", 0, DeviceSite(desk, token.form, "https://192.168.1.20:1/?token=x"), token)
    door.start()
    try:
        yield Visitor(door)
    finally:
        door.stop()


def ids(page: str) -> list[str]:
    return re.findall(r'name="item" value="(\w+)"', page)


def test_what_holds_is_noted_and_compared_with_the_verifier_afterwards(tmp_path: Path) -> None:
    run = made_run(tmp_path, outcome=Outcome.FAIL)
    with labelling(run) as visitor:
        page = visitor.enter().text
        opens, shuts = ids(page)
        assert "alpha" not in page and "as the verifier sees it" not in page and "Make a door" in page
        assert visitor.post("/reveal", {}).status == 409 and visitor.post("/explain", {"item": opens, "cause": "device"}).status == 409
        assert visitor.get("/compare").text.startswith("<!doctype") and visitor.here == "/playproof"
        visitor.post("/label", {"item": opens, "value-0": "pass", "note-0": "on the <b>device</b>"}, **{"User-Agent": "Headset/1"})
        assert "See where the verifier differs" in visitor.post("/label", {"item": shuts, "value-0": "fail"}).text
        compared = visitor.post("/reveal", {}).text
        assert "1 of 2 differ" in compared and "as the verifier sees it" in compared and "&lt;b&gt;device" in compared
        assert visitor.post("/label", {"item": opens, "value-0": "fail"}).status == 409, "own labels stay blind"
        assert visitor.post("/explain", {"item": opens, "cause": "nonsense"}).status == 400
        assert "Record again" in visitor.post("/explain", {"item": opens, "cause": "device", "note": "it tracks hands"}).text
    with labelling(run) as visitor:
        assert "Your labels are closed." in visitor.enter().text, "in the next session, too"
    first, second = read_lines(run / "labels.jsonl")
    assert first.trial == "door/agent-alpha/0" and first.opinion.question.id == "door/opens" and second.opinion.value.verdict is False
    assert (first.opinion.value.verdict, first.opinion.message) == (True, "it tracks hands")
    assert first.opinion.by.settings == {"page": "serve/1", "device": "Headset/1", "cause": "device"}


def test_the_device_is_noted(tmp_path: Path) -> None:
    with labelling(made_run(tmp_path)) as visitor:
        opens, _ = ids(visitor.enter().text)
        visitor.post("/label", {"item": opens, "value-0": "pass"}, **{"User-Agent": "Headset/1"})
    (line,) = read_lines(tmp_path / "run" / "labels.jsonl")
    assert line.opinion.by.settings["device"] == "Headset/1"


def test_a_trial_is_named_by_a_part_that_is_unique(tmp_path: Path) -> None:
    done = stored(Store(made_run(tmp_path), reading=True))
    assert chosen(done, "beta").trial.id == chosen(done, "door/agent-beta/0").trial.id == "door/agent-beta/0"
    for part in ("agent", "gamma"):
        with pytest.raises(UsageError, match="there are: door/agent-"):
            chosen(done, part)


# --- the program ---


def test_a_certificate_is_for_the_names_it_is_made_for(tmp_path: Path) -> None:
    made = self_signed(tmp_path, ["192.168.7.9", "headset.example", "127.0.0.1"])
    known = ssl._ssl._test_decode_cert(str(tmp_path / "certificate.pem"))
    assert known["subjectAltName"] == (("IP Address", "192.168.7.9"), ("DNS", "headset.example"), ("IP Address", "127.0.0.1"))
    der = ssl.PEM_cert_to_DER_cert((tmp_path / "certificate.pem").read_text())
    assert made.fingerprint.replace(":", "").lower() == hashlib.sha256(der).hexdigest()
    assert (tmp_path.stat().st_mode & 0o077) == 0


def test_without_openssl_the_remedy_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="apt-get install openssl"):
        self_signed(tmp_path, ["127.0.0.1"])


def test_others_are_let_in_over_https_when_it_is_asked_for(tmp_path: Path) -> None:
    made_run(tmp_path, files={"index.html": b"the submission of alpha"})
    with program("serve", "run", "--lan", "--trial", "alpha", "--address", "127.0.0.1", cwd=tmp_path, lines=4) as (_, said):
        assert said[0].startswith("0 of 2 labelled by ") and said[3].startswith("the certificate is this session's own, SHA-256 ")
        own = [re.search(r"https://127\.0\.0\.1:\S+", line) for line in said[1:3]]
        submission, labels = (found[0] for found in own if found)
        for other in addresses():
            assert f"https://{other}:" in said[1], "every address of this machine is told"
        port = int(submission.split(":")[2].split("/")[0])
        pem = ssl.get_server_certificate(("127.0.0.1", port), timeout=10)
        assert hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest().upper() == said[3].split()[7].replace(":", "").rstrip(":")
        client = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()),
                                             urllib.request.HTTPSHandler(context=ssl.create_default_context(cadata=pem)))
        client.open(submission, timeout=10).read()
        assert client.open(submission.partition("?")[0], timeout=10).read() == b"the submission of alpha"
        with pytest.raises(urllib.error.HTTPError, match="403"):
            client.open(labels.partition("?")[0], timeout=10)
        client.open(labels, timeout=10).read()
        assert b"the door opens" in client.open(labels.partition("?")[0], timeout=10).read()
        tokens = {one.partition("token=")[2] for one in (submission, labels)}
        assert len(tokens) == 2 and all(len(one) == 12 and set(one) <= set(LETTERS) for one in tokens)


def test_a_plain_folder_is_labelled_as_a_run_of_it_would_be_named(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "machine.json").write_text("{}")
    with program("serve", "mine", "--task", toy / "night-lamp", "--rater", "ann", cwd=tmp_path, lines=3) as (_, said):
        assert said[0] == "0 of 7 labelled by ann; labels go to labels.jsonl" and "https" not in said[1]
        address = said[2].split("  ")[-1]
        client = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        client.open(address, timeout=10).read()
        page = client.open(address.partition("?")[0], timeout=10).read().decode()
        assert "the switch lights a dark lamp" in page
        token = page.split('name="token" value="')[1].split('"')[0]
        client.open(address.partition("/playproof")[0] + "/label", f"token={token}&item={ids(page)[0]}&value-0=pass".encode(), timeout=10)
    (line,) = read_lines(tmp_path / "labels.jsonl")
    assert re.fullmatch(r"night-lamp/replay-[0-9a-f]{8}/0", line.trial)


@pytest.mark.parametrize(("arguments", "words"), [
    (["run"], "--trial '' means several trials"), (["run", "--trial", "x"], "means no trial"), (["run", "--task", "task-door"], "is a run"),
    (["plain", "--trial", "x"], "is no run's folder"), (["leaves"], "is a link that leaves the submission"),
    (["plain", "--task", "plain"], "task.toml"), (["plain", "--address", "a b"], "--address 'a b'"),
    (["plain", "--rater", "consensus"], "--rater"),
])
def test_what_cannot_be_served_is_refused(refused: Refused, tmp_path: Path, arguments: list[str], words: str) -> None:
    made_run(tmp_path)
    for name in ("plain", "leaves"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text("x")
    (tmp_path / "leaves" / "out").symlink_to("/etc/passwd")
    assert words in refused("serve", *arguments)
