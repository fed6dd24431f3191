"""What the documents say is so: every hook, driver, interface, command and option is named there, and their code runs."""

import re
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest

from playproof import hookspecs
from playproof.checks import ScriptCheck
from playproof.cli import COMMANDS, cli
from playproof.drivers import INTERFACES, build
from playproof.examiners.rubric import RubricExaminer
from playproof.interfaces import Services
from playproof.model import Check, Outcome, Reason, Ref
from playproof.testing import fake_task

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MEMBERS = [ROOT / "core", *sorted(place.parent for place in (ROOT / "plugins").glob("*/pyproject.toml"))]


def text_of(*names: str) -> str:
    return "\n".join((ROOT / name).read_text() for name in names)


ALL = "\n".join(page.read_text() for page in PAGES)
PLUGIN_AUTHORS = text_of("docs/plugin-authors.md")


def blocks(language: str) -> list[tuple[str, str]]:
    """(place, code) of every fenced block in a language."""
    found = []
    for page in PAGES:
        text = page.read_text()
        for block in re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            found.append((f"{page.name}:{text[: block.start()].count(chr(10)) + 1}", block[1]))
    return found


def each(language: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("code", [pytest.param(code, id=place) for place, code in blocks(language)])


# --- everything is named ---


def test_every_hook_and_interface_is_documented() -> None:
    hooks = [name for name in vars(hookspecs) if hasattr(getattr(hookspecs, name), "playproof_spec")]
    assert len(hooks) == 6 and not [name for name in hooks if f"`{name}`" not in PLUGIN_AUTHORS]
    assert not [name for name, version in INTERFACES.items() if f"`playproof.{name}.v{version}`" not in PLUGIN_AUTHORS]


def test_every_driver_is_documented() -> None:
    offered = [(group, name) for member in MEMBERS
               for group, rows in tomllib.loads((member / "pyproject.toml").read_text())["project"].get("entry-points", {}).items()
               for name in rows]
    assert offered and not [one for one in offered if f"`{one[1]}`" not in PLUGIN_AUTHORS]


def test_every_command_is_documented_and_every_documented_one_is_there() -> None:
    readme = text_of("README.md")
    rows = re.findall(r"^\| ((?:`[a-z ]+`(?:, )?)+) \|", readme, re.MULTILINE)
    named = {name.split()[0] for row in rows for name in re.findall(r"`([a-z ]+)`", row)}
    offered = [tomllib.loads((member / "pyproject.toml").read_text())["project"].get("entry-points", {}) for member in MEMBERS]
    assert named == set(COMMANDS) | {name for one in offered for name in one.get("playproof.command.v1", {})}


def test_every_reason_and_outcome_is_documented() -> None:
    guide = text_of("docs/user-guide.md")
    assert not [one for one in Reason if f"`{one}`" not in guide] and not [one for one in Outcome if f"`{one}`" not in guide]


def test_exit_codes_are_documented() -> None:
    guide = text_of("docs/user-guide.md")
    assert re.findall(r"^\| (\d+) \|", guide, re.MULTILINE) == ["0", "1", "2", "3", "4", "70", "130"]


def test_every_contract_is_documented() -> None:
    from playproof import testing

    assert not [name for name in testing.__all__ if name.startswith("check_") and f"`{name}`" not in PLUGIN_AUTHORS]


def test_links_lead_somewhere() -> None:
    lost = [f"{page.name}: {link}" for page in PAGES for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text())
            if "://" not in link and not (page.parent / link).exists()]
    assert not lost


# --- what is shown works ---


def commands(code: str) -> Iterator[Sequence[str]]:
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words and words[0] == "playproof":
            yield words[1:]


def lines() -> list[Sequence[str]]:
    inline = [f"playproof {one}" for one in re.findall(r"`playproof ([a-z][^`]*)`", ALL.replace("\n", " "))]
    return [words for code in [code for _, code in blocks("sh")] + inline for words in commands(code)]


@pytest.mark.parametrize("words", lines(), ids=" ".join)
def test_a_shown_command_line_is_understood(words: Sequence[str]) -> None:
    command: click.Command | None = cli
    context = click.Context(cli)
    rest = list(words)
    while isinstance(command, click.Group) and rest:
        name = rest.pop(0)
        command = command.get_command(context, name)
        assert command is not None, f"there is no command {name}"
    assert command is not None
    options = {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help"}
    assert not [word for word in rest if word.startswith("-") and word.split("=")[0] not in options]


def test_make_targets_are_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    shown = {target for _, code in blocks("sh") for target in re.findall(r"^make ([a-z-]+)", code, re.MULTILINE)}
    assert shown and shown <= targets


@each("python")
def test_shown_python_runs(code: str) -> None:
    made: dict[str, object] = {"__name__": "shown"}
    exec(compile(code, "docs", "exec"), made)
    assert "@check" not in code or any(isinstance(value, ScriptCheck) for value in made.values())


@each("toml")
def test_shown_toml_is_read(code: str, toy: Path, tmp_path: Path) -> None:
    data = tomllib.loads(code)
    if "criteria" in data:
        task = fake_task(tmp_path)
        (task.root / "checks" / "r.toml").write_text(code)
        examiner = RubricExaminer({"files": ["*.toml"]}, Services(tmp_path))
        found = examiner.checks(task)
        assert found and examiner.reads(found)
        assert all(build("judge", check.asks.judge, Services(tmp_path)).forms == {"verdict"} for check in found if check.asks)
    elif "must_fail" in data:
        from playproof.author.expected import read_expected

        (tmp_path / "task" / "broken" / "shown").mkdir(parents=True)
        (tmp_path / "task" / "broken" / "shown" / "expected.toml").write_text(code)
        checks = [Check(name, "python", "x") for name in (*data["must_fail"], *(one["check"] for one in data.get("may_fail", [])))]
        assert read_expected(fake_task(tmp_path / "task"), "shown", checks).must_fail
    elif "ratings" in data:
        from playproof.canonical import structure
        from playproof.model import RatingRef
        from playproof.scales import scale

        assert all(scale(one.scale).items for one in (structure(row, RatingRef) for row in data["ratings"]))
    elif "cast" in data:
        assert all(build("actor", Ref(one["driver"], one["options"]), Services(tmp_path)).models for one in data["cast"])
    elif "default" in data:
        assert build("model", Ref(data["default"].pop("driver"), data["default"]), Services(tmp_path)).limit
    elif "mutants" in data:
        from playproof.canonical import structure
        from playproof.model import MutatorRef

        assert structure(data["mutants"], MutatorRef).equivalent
    elif "lay_in" in data or "examiners" in data:
        from playproof.canonical import structure
        from playproof.model import ExaminerRef, LayIn
        from playproof_xr.options import Settings

        laid = [structure(row, LayIn) for row in data.get("lay_in", ())]
        examiners = [structure(row, ExaminerRef) for row in data.get("examiners", ())]
        assert laid or examiners
        assert all(build("examiner", Ref(one.driver, one.options), Services(tmp_path)).opens is False for one in examiners)
        if "runtime" in data:
            assert structure(data["runtime"]["options"], Settings).sdk
    elif "observe" in data:
        from playproof_blender.runtime import ProjectRuntime

        assert set(data["observe"]) <= ProjectRuntime.observes
    elif "shell" in data:
        from playproof_xr.rooms import parse_room

        assert parse_room(data, "shown").furniture
    elif "scoring" in data:
        from playproof.scoring import load

        assert len(load(data["scoring"])) > len(data["scoring"].get("rules", []))
    else:
        from playproof.canonical import structure
        from playproof.examiners.criteria import Rubric
        from playproof.sources import Recipe

        assert structure({"criteria": [], **data}, Rubric).unchecked if "unchecked" in data else structure(data, Recipe)


def test_the_worked_example_says_what_it_has(toy: Path, tmp_path: Path) -> None:
    example = text_of("tests/toy/README.md")
    assert not [name for name in re.findall(r"`(src/[\w/.]+|pyproject\.toml)`", example) if not (ROOT / "tests" / "toy" / name).is_file()]
    project = tomllib.loads(text_of("tests/toy/pyproject.toml"))["project"]
    services = Services(tmp_path)
    for group, rows in project["entry-points"].items():
        for name in rows:
            options = {"toy.presser": {"button": "x"}, "toy.parrot": {"model": "grey"}}.get(name, {})
            assert build(group.split(".")[1], Ref(name, options), services) is not None
