"""A real bench over real model drivers and the protocol server, evidence in a real record, and pictures drawn on the spot."""

import io
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen
from PIL import Image, ImageDraw

from playproof.bench import LiveBench
from playproof.drivers import build
from playproof.evidence import Record
from playproof.interfaces import Exhibitor, Judge, Model, Services
from playproof.model import Evidence, Observer, Ref
from playproof.opinion import Opinion, Question
from playproof_judges.testing import Server, Turn


@frozen
class Court:
    """Judges before a table of evidence. `server` speaks for the models; `exhibitors` are by kind."""

    folder: Path
    server: Server
    services: Services
    record: Record
    exhibitors: dict[str, Exhibitor] = field(factory=dict)
    models: dict[tuple[str, str], Model] = field(factory=dict)

    @staticmethod
    def drawn(colour: str = "red", size: tuple[int, int] = (320, 200), words: str = "", kind: str = "PNG", **options: Any) -> bytes:
        """A picture with a square of that colour in its middle."""
        image = Image.new("RGB", size, "white")
        pen = ImageDraw.Draw(image)
        pen.rectangle((size[0] * 0.3, size[1] * 0.3, size[0] * 0.7, size[1] * 0.7), fill=colour)
        if words:
            pen.text((10, 10), words, fill="black")
        out = io.BytesIO()
        image.save(out, kind, **options)
        return out.getvalue()

    @staticmethod
    def animated(frames: int, kind: str = "GIF", ms: int = 100) -> bytes:
        """Frames that differ, of 64 x 48 pixels: from black to red."""
        images = [Image.new("RGB", (64, 48), (min(255, number * 12), 0, 0)) for number in range(frames)]
        out = io.BytesIO()
        images[0].save(out, kind, save_all=True, append_images=images[1:], duration=ms)
        return out.getvalue()

    @staticmethod
    def opened(data: bytes) -> Image.Image:
        image = Image.open(io.BytesIO(data))
        image.load()
        return image

    @staticmethod
    def said(holds: bool, *cites: str, issues: Sequence[str] = (), tampering: Sequence[str] = (), why: str = "Seen.") -> Turn:
        """What a model replies that gives a verdict."""
        return Turn(data={"reasoning": why, "verdict": holds, "cites": list(cites), "issues": list(issues), "tampering": list(tampering)})

    def see(self, kind: str, value: Any = None, *, tick: int = 0, observer: Observer = Observer.OUTSIDE, source: str = "",
            blob: bytes | None = None, media_type: str = "application/json") -> Evidence:
        return self.record.add(kind, observer, tick=tick, source=source, value=value, blob=blob, media_type=media_type)

    def picture(self, data: bytes, *, tick: int = 0, source: str = "camera", observer: Observer = Observer.OUTSIDE,
                media_type: str = "image/png") -> Evidence:
        return self.see("image.png/1", tick=tick, source=source, blob=data, media_type=media_type, observer=observer)

    def bench(self, driver: str = "openai", names: tuple[str, ...] = ("default",), **settings: Any) -> LiveBench:
        for name in names:
            if (driver, name) not in self.models:
                self.models[driver, name] = build("model", self.server.ref(driver, model=name), self.services)
        models = {name: self.models[driver, name] for name in names}
        return LiveBench(models, self.exhibitors.get, self.folder / "cache", self.blob, **settings)

    def blob(self, address: str) -> bytes:
        return (self.folder / "record" / "blobs" / address).read_bytes()

    def judge(self, name: str, **options: Any) -> Judge:
        made: Judge = build("judge", Ref(name, options), self.services)
        return made

    def verdict(self, name: str, *shown: Evidence, text: str = "The square is red.", driver: str = "openai", **options: Any) -> Opinion:
        return self.judge(name, **options).judge(Question("task/check", text), {"submission": shown}, self.bench(driver))


@pytest.fixture
def court(tmp_path: Path, server: Server) -> Any:
    with ExitStack() as exits:
        record = Record(tmp_path / "record")
        exits.callback(record.close)
        yield Court(tmp_path, server, Services(tmp_path / "services", exits, secret=lambda name: "a key"), record)

