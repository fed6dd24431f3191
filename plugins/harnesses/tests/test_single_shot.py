"""One request and the files of its reply: what a model is shown, what is written, and how it ends."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from playproof.drivers import build
from playproof.interfaces import Job, Services
from playproof.model import Budget, Ended, Ending, Ref
from playproof_judges.testing import Fail, Server, Turn

PAGE = '<file path="index.html">\n<h1>hi</h1>\n</file>\nand <file path="src/a.js">\nlet a = 1;\n\n</file>'
Generate = Callable[..., tuple[Ending, Path, Server]]


@pytest.fixture
def generate(tmp_path: Path) -> Generate:
    def run(*steps: Any, files: dict[str, bytes] | None = None) -> tuple[Ending, Path, Server]:
        workspace = tmp_path / "workspace"
        for name, content in {"brief/instruction.md": b"Make it.", **(files or {})}.items():
            (workspace / name).parent.mkdir(parents=True, exist_ok=True)
            (workspace / name).write_bytes(content)
        with Server(list(steps)) as provider, ExitStack() as exits:
            options = {"driver": "openai", "model": "m", "options": {"base_url": provider.url + "/v1", "retries": 0}}
            services = Services(tmp_path / "cache", exits)
            job = Job("tiny", "Make it.", workspace, build("sandbox", Ref("process"), services), Budget(), 7, lambda _, __: None)
            return build("harness", Ref("single-shot", options), services).generate(job), workspace, provider

    return run


def test_files_of_the_reply_are_written_and_counted(generate: Generate) -> None:
    ending, workspace, _ = generate(Turn(PAGE))
    assert (ending.ended, ending.message) == (Ended.COMPLETED, "2 files")
    assert (workspace / "index.html").read_text() == "<h1>hi</h1>\n" and (workspace / "src" / "a.js").read_text() == "let a = 1;\n\n"
    assert (ending.usage.requests, ending.usage.input_tokens, ending.usage.output_tokens) == (1, 16, 20)


def test_it_is_shown_what_an_agent_would_find(generate: Generate) -> None:
    png = b"\x89PNG\r\n\x1a\n" + b"0" * 20
    files = {"brief/spec.json": b"{}", "brief/front.png": png, "a.blend": b"\0\1", "big.txt": b"x" * 500_000}
    _, _, provider = generate(Turn(PAGE), files=files)
    asked = provider.asked[0]
    assert asked.texts[0] == "Make it." and '<file path="brief/spec.json">\n{}\n</file>' in asked.text
    assert "a.blend: 2 bytes, not shown" in asked.text and "big.txt: 500000 bytes, not shown" in asked.text
    assert asked.pictures == [png] and "Reply with the complete contents" in asked.system


@pytest.mark.parametrize("name", ["../out.html", "/etc/out.html", "brief/../../out.html"])
def test_a_file_outside_is_told_and_not_written(generate: Generate, tmp_path: Path, name: str) -> None:
    ending, _, _ = generate(Turn(f'<file path="{name}">\nx\n</file>'))
    assert ending.ended is Ended.FAILED and f"outside of the workspace: {name}" in ending.message
    assert not list(tmp_path.rglob("out.html"))


def test_a_link_out_is_no_way_out(generate: Generate, tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "out").symlink_to(tmp_path)
    ending, _, _ = generate(Turn('<file path="out/there.html">\nx\n</file>'))
    assert ending.ended is Ended.FAILED and not (tmp_path / "there.html").exists()


@pytest.mark.parametrize(("step", "ended"), [
    (Turn("I would rather not."), Ended.FAILED), (Turn("I will not.", stop="refused"), Ended.REFUSED),
    (Turn(PAGE, stop="length"), Ended.TOKENS),
    (Fail(401, "no"), Ended.AUTH), (Fail(500, "no"), Ended.PROVIDER), (Fail(400, "too odd"), Ended.FAILED),
])
def test_how_it_ends(generate: Generate, step: Turn | Fail, ended: Ended) -> None:
    assert generate(step)[0].ended is ended


@pytest.mark.parametrize("text", ['<file path="brief">\nx\n</file>', f'<file path="{"a" * 300}">\nx\n</file>',
                                  '<file path="a">\nx\n</file><file path="a/b">\nx\n</file>', '<file path="a\0b">\nx\n</file>'])
def test_a_file_that_cannot_be_is_told(generate: Generate, text: str) -> None:
    ending, _, _ = generate(Turn(text))
    assert ending.ended is Ended.FAILED and "cannot be written" in ending.message and ending.usage.requests == 1
