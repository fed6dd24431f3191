"""`playproof rate` as a program: what it refuses before it serves, and a real run judged through it."""

import os
import signal
import sys
import time
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from playproof.cli import _guarded
from playproof.cli.run import execute
from playproof.opinions import read_lines
from playproof.run import Request, plan, stored
from playproof.store import Store
from playproof_judges.people.items import items
from playproof_judges.people.labels import CAUSES
from playproof_judges.people.rating_site import CHOICES

from .programs import Refused, program
from .runs import Visitor, heading, made_run, made_task, rating


@pytest.mark.parametrize(("arguments", "words"), [
    (["--rater", "consensus"], "--rater 'consensus'"), (["--rater", " "], "--rater ''"), (["--rater", "a\nb"], "--rater"),
    (["--mode", "rating"], "the tasks of this run rate on none: name one with --scale"),
    (["--mode", "rating", "--scale", "playproof_judges:none.toml"], "none.toml"),
    (["--only", "no-such-check"], "--only no-such-check matches none of 4, such as door/"),
    (["--labels", "bad.jsonl"], "bad.jsonl:1: not JSON"), (["--labels", "run/opinions/../run.json/x"], "cannot be read"),
])
def test_what_cannot_be_rated_is_refused_at_once(refused: Refused, tmp_path: Path, arguments: list[str], words: str) -> None:
    made_run(tmp_path)
    (tmp_path / "bad.jsonl").write_text("no labels\n\n")
    assert words in refused("rate", "run", "--no-open", *arguments)


def test_a_run_with_nothing_to_rate_is_told(refused: Refused, tmp_path: Path) -> None:
    assert "not a run" in refused("rate", tmp_path, "--no-open")
    made_run(tmp_path, stacks=["one"], seen={"one": []})
    assert "nothing to rate" in refused("rate", "run", "--no-open")


def test_one_stack_cannot_be_compared(refused: Refused, tmp_path: Path) -> None:
    made_run(tmp_path, stacks=["one"], samples=2)
    assert "nothing to compare" in refused("rate", "run", "--mode", "preference")


def test_two_scales_must_be_chosen_from(refused: Refused, toy: Path, tmp_path: Path) -> None:
    made_run(tmp_path, tasks=[made_task(tmp_path, id="door", scale="playproof_toy:scales/manners-1.toml"),
                              made_task(tmp_path, id="gate", scale="playproof_toy:scales/other.toml")])
    said = refused("rate", "run", "--mode", "rating")
    assert "several: choose one with --scale; there are playproof_toy:scales/manners-1.toml, " in said


def test_only_narrows_by_text_and_by_glob(tmp_path: Path) -> None:
    made_run(tmp_path)
    done = stored(Store(tmp_path / "run", reading=True))
    for only, count in (("alpha", 2), ("*/shuts", 2), ("door/agent-beta/0/opens", 1), ("door", 4), ("*/[os]*s", 4)):
        assert len(items(done, "verdict", None, [only])) == count
    assert len(items(done, "verdict", None, ["alpha", "beta/0/opens"])) == 3
    with program("rate", "run", "--no-open", "--only", "*/shuts", "--rater", "ann", cwd=tmp_path) as (_, said):
        assert said[0] == "0 of 2 labelled by ann; labels go to run/labels.jsonl"


def test_a_real_run_is_judged_and_gone_on_with(toy: Path, tmp_path: Path) -> None:
    """A submission of the toy domain, graded by `run`; a program that is killed loses nothing."""
    request = Request([toy / "night-lamp"], ["broken:no-timer"], tmp_path / "cache", only=["timer-darkens", "level"])
    execute(plan(request), tmp_path / "out", 1, quiet=True, verbose=False)
    met = []
    for last in (False, True):
        with program("rate", "out", "--no-open", "--rater", "ann", cwd=tmp_path) as (running, said):
            opened = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
            opened.open(said[1], timeout=10).read()
            page = opened.open(said[1].partition("?")[0], timeout=10).read().decode()
            assert "What was asked for" in page and "no-timer" not in page and "<table>" in page, "the exhibitor of its kind shows it"
            field = {name: page.split(f'name="{name}" value="')[1].split('"')[0] for name in ("token", "item")}
            answer = f"token={field['token']}&item={field['item']}&value-0=pass".encode()
            opened.open(said[1].partition("?")[0] + "label", answer, timeout=10).read()
            met.append(page)
            if not last:
                os.kill(running.pid, signal.SIGKILL)
    lines = read_lines(tmp_path / "out" / "labels.jsonl")
    known = {one.trial.id for one in stored(Store(tmp_path / "out", reading=True))}
    assert len(lines) == 2 and {line.trial for line in lines} <= known and met[0] != met[1]
    assert {line.opinion.question.id.split("/")[0] for line in lines} == {"night-lamp"}




def test_calibrate_reads_the_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """What `rate` writes is what `calibrate` reads, a consensus with its cause included."""
    pytest.importorskip("playproof_stats")
    run = made_run(tmp_path)
    for rater in ("ann", "bob"):
        with rating(run, rater) as door:
            visitor = Visitor(door)
            visitor.enter()
            for _ in range(4):
                shuts = heading(visitor.get(visitor.here)) == "the door shuts"
                visitor.label("fail" if shuts else "pass")
    with rating(run, "carl", closed=True) as door:
        item = next(at for at, one in enumerate(door.site.desk.items) if one.check.id == "shuts")
        visitor = Visitor(door)
        visitor.enter()
        visitor.post("/settle", {"item": door.site.desk.id(item), "value-0": "fail", "cause": "blind", "note-0": "it hangs"})
    monkeypatch.setattr(sys, "argv", ["playproof", "calibrate", str(run), "--labels", str(run / "labels.jsonl"), "--json"])
    assert _guarded() == 0
    said = capfd.readouterr().out
    assert "blind: it hangs" in said and '"ann"' in said and '"bob"' in said


def test_the_guide_names_every_cause_and_key() -> None:
    guide = (Path(__file__).parents[4] / "docs" / "rating.md").read_text()
    assert not [name for name, words in CAUSES.items() if f"| `{name}` | {words} |" not in guide]
    assert not [key for choices in CHOICES.values() for _, key, _, _ in choices if f"`{key}`" not in guide]


def test_a_browser_is_opened_without_telling_everybody_the_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser is started with a file's address, which its owner alone can read, and which leads on."""
    started = tmp_path / "started"
    (tmp_path / "browser").write_text(f"#!/bin/sh\necho \"$1\" > {started}\ncp \"${{1#file://}}\" {tmp_path / 'read'}\n")
    (tmp_path / "browser").chmod(0o755)
    monkeypatch.setenv("BROWSER", str(tmp_path / "browser"))
    monkeypatch.setenv("DISPLAY", ":0")
    made_run(tmp_path)
    with program("rate", "run", "--rater", "ann", cwd=tmp_path) as (_, said):
        limit = time.monotonic() + 20
        while not (tmp_path / "read").exists() and time.monotonic() < limit:
            time.sleep(0.01)
        assert "token" not in started.read_text() and said[1] in (tmp_path / "read").read_text()
        leaf = Path(started.read_text().strip().removeprefix("file://"))
        assert leaf.parent.stat().st_mode & 0o077 == 0
    assert not leaf.exists()
