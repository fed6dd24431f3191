"""Runs to rate, written by hand through the store, and somebody who opens pages without a browser."""

import http.client
import json
import re
import shutil
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from attrs import frozen

from playproof.canonical import plain
from playproof.evidence import Record
from playproof.exhibits import installed_exhibitors
from playproof.interfaces import Services
from playproof.judging import with_opinions
from playproof.model import Case, Check, Ended, Ending, Observer, Outcome, RatingRef, Reason, Submission, Task, Verdict
from playproof.opinion import By
from playproof.plan import PlannedExaminer, Survey
from playproof.run import Request, Run, stored
from playproof.store import Store
from playproof.testing import fake_task
from playproof.trial import Subject, Trial
from playproof_judges.people.desk import Desk
from playproof_judges.people.door import Door, Token
from playproof_judges.people.gallery import Gallery
from playproof_judges.people.items import items, shuffled
from playproof_judges.people.labels import Labels
from playproof_judges.people.rating_site import RatingSite
from playproof_judges.people.veil import veil

STACKS = ("agent-alpha", "agent-beta")


def png(red: int, width: int = 120, height: int = 80) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    row = b"\0" + bytes((red, 90, 140)) * width
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b""))


@frozen
class Seen:
    """A piece of evidence to be recorded."""

    kind: str
    blob: bytes | None = None
    media_type: str = "application/json"
    value: Any = None


def picture(red: int = 10, **size: int) -> Seen:
    return Seen("image.png/1", png(red, **size), "image/png")


CHECKS = (Check("opens", "python", "the door opens"), Check("shuts", "python", "the door shuts"))


def made_task(folder: Path, *, id: str = "door", title: str = "A door", brief: str = "# A door\n\nMake a door that opens and shuts.\n",
              scale: str = "") -> Task:
    ratings = [RatingRef(scale, ["image.png/1"])] if scale else []
    task = fake_task(folder / f"task-{id}", id=id, title=title, ratings=ratings)
    (task.root / "brief" / "instruction.md").write_text(brief)
    return task


def made_run(folder: Path, *, stacks: Sequence[str] = STACKS, samples: int = 1, checks: Sequence[Check] = CHECKS,
             seen: Mapping[str, Sequence[Seen]] | None = None, tasks: Sequence[Task] = (), outcome: Outcome = Outcome.PASS,
             files: Mapping[str, bytes] | None = None) -> Path:
    """A run's folder, in which every stack did every task: each check passed (or what `outcome` says), and cites what `seen` has for
    its stack, or else a picture of its own colour. `files` are what each delivered."""
    store = Store(folder / "run")
    trials = []
    for task in tasks or [made_task(folder)]:
        survey = Survey([PlannedExaminer("python", False, True, 1, checks)], {one.id: [Case()] for one in checks}, 1, "fake 1", "held")
        for number, stack in enumerate(stacks):
            for sample in range(samples):
                trial = Trial(task, survey, Subject(stack, {"stack": {"model": f"{stack}-model"}}), "view", folder / "cache", sample)
                shown = (seen or {}).get(stack, [picture((40 * number + 7 * sample) % 256)])
                _graded(store, trial, checks, shown, folder / "work", outcome, files or {"index.html": stack.encode()})
                trials.append(trial)
    store.plan(Run(Request([], [], folder / "cache"), trials).facts())
    return store.folder


def _graded(store: Store, trial: Trial, checks: Sequence[Check], shown: Sequence[Seen], work: Path, outcome: Outcome,
            files: Mapping[str, bytes]) -> None:
    shutil.rmtree(work, ignore_errors=True)
    for name, content in files.items():
        (work / "made" / "submission" / name).parent.mkdir(parents=True, exist_ok=True)
        (work / "made" / "submission" / name).write_bytes(content)
    ending, submission = Ending(Ended.COMPLETED), Submission(Path("submission"), trial.generation_id, 1, 1, "fake", Ending(Ended.COMPLETED))
    store.commit("generation", trial.generation_id, {"trial": trial.id, "ending": plain(ending), "submission": plain(submission),
                                                     "inputs": {}, "bundle": store.seal(work / "made")})
    record = Record(work / "unit")
    cites = [record.add(one.kind, Observer.OUTSIDE, tick=90_000 * at, source="fake", value=one.value, blob=one.blob,
                        media_type=one.media_type).id for at, one in enumerate(shown)]
    record.close()
    out = work / "out"
    (out / "evidence").mkdir(parents=True)
    shutil.copytree(work / "unit" / "blobs", out / "blobs")
    shutil.copy(work / "unit" / "evidence.jsonl", out / "evidence" / "unit.jsonl")
    unit = {"evidence": "unit", "examiner": 0, "case": plain(Case()), "checks": [one.id for one in checks]}
    (out / "units.json").write_text(json.dumps([unit]))
    reason = {Outcome.PASS: Reason.OK, Outcome.FAIL: Reason.FAIL}[outcome]
    verdicts = [Verdict(one.id, "default", outcome, reason, "as the verifier sees it", cites=cites) for one in checks]
    id = trial.grading_id(submission.digest)
    store.commit("grading", id, {"trial": trial.id, "inputs": {}, "verdicts": plain(verdicts), "problems": [], "bundle": store.seal(out)})


# --- served, and visited ---


@contextmanager
def rating(run: Path, rater: str = "ann", form: Any = "verdict", *, scale: str | None = None, seed: int = 0, closed: bool = False,
           labels: Path | None = None) -> Iterator[Door]:
    """The pages of `rate`, served here; `door.site.desk` is the desk."""
    store = Store(run, reading=True)
    done = with_opinions(stored(store), store)
    gallery = Gallery(store, installed_exhibitors(Services(run / "cache")), veil(done))
    token = Token()
    desk = Desk(shuffled(items(done, form, scale), seed, rater), Labels(labels or run / "labels.jsonl"),
                By("person", rater, {"page": "rate/1", "seed": seed}),
                lambda item: {key: gallery.entries(side) for key, side in item.sides.items()}, closed)
    door = Door("127.0.0.1", 0, RatingSite(desk, gallery, token.form), token)
    door.start()
    try:
        yield door
    finally:
        door.stop()


@frozen
class Got:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Visitor:
    """A client that keeps its cookie, follows where it is sent, and fills in our forms. `enter` uses the address with the token."""

    def __init__(self, door: Door) -> None:
        self.door, self.cookie, self.here = door, "", ""

    def enter(self) -> Got:
        came = self.ask("GET", urlsplit(self.door.address()).path + "?" + urlsplit(self.door.address()).query)
        self.cookie = came.headers.get("Set-Cookie", "").partition(";")[0]
        return self.get("/")

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Got:
        connection = http.client.HTTPConnection("127.0.0.1", self.door.port, timeout=10)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        sent = {"Host": f"127.0.0.1:{self.door.port}", **({"Cookie": self.cookie} if self.cookie else {}),
                **({"Content-Length": str(len(body))} if body is not None else {}), **(headers or {})}
        for name, value in sent.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        got = Got(answer.status, dict(answer.getheaders()), answer.read())
        connection.close()
        return got

    def get(self, path: str) -> Got:
        for _ in range(5):
            self.here = path
            got = self.ask("GET", path)
            if got.status != 303:
                return got
            path = got.headers["Location"]
        raise AssertionError("sent from page to page")

    def post(self, path: str, fields: Mapping[str, Any], **headers: str) -> Got:
        """Send a form with its hidden token and follow."""
        body = urlencode({"token": self.door.token.form, **fields}, doseq=True).encode()
        got = self.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded", **headers})
        return self.get(got.headers["Location"]) if got.status == 303 else got

    def label(self, value: str, **fields: Any) -> Got:
        """Label the item that stands here."""
        return self.post("/label", {"item": self.item, "value-0": value, **fields})

    @property
    def item(self) -> str:
        found = re.match(r"/item/(\w+)", self.here)
        assert found, self.here
        return found[1]


def heading(got: Got) -> str:
    found = re.search(r"<h1>(.*?)</h1>", got.text, re.DOTALL)
    assert found
    return unescape(found[1])
