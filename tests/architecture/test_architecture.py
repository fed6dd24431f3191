"""What keeps core small, free of domains and quick to start: broken by a change, not by a review."""

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core" / "src" / "playproof"
PLUGINS = sorted(place for place in (ROOT / "plugins").iterdir() if (place / "pyproject.toml").is_file())
MODULES = sorted(CORE.rglob("*.py"))
SOURCES = [*MODULES, *(place for plugin in PLUGINS for place in sorted((plugin / "src").rglob("*.py")))]
BESIDE = ("author", "report", "testing")
"""Folders beside core: nothing of core needs them."""

FILE_LINES, FUNCTION_LINES, TYPICAL_LINES, CORE_LINES = 300, 40, 25, 3000


def named(place: Path) -> str:
    return place.relative_to(ROOT).as_posix()


def lines_of(name: str) -> list[str]:
    text = (Path(__file__).parent / name).read_text()
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


# --- domains ---


def test_core_contains_no_domain_word() -> None:
    words = re.compile(rf"(?<![\w.])({'|'.join(re.escape(word) for word in lines_of('domain_words.txt'))})(?![\w])", re.IGNORECASE)
    allowed = {tuple(part.strip() for part in line.split(" : ")[:2]) for line in lines_of("domain_words_allowed.txt")}
    used = set()
    found = []
    for place in MODULES:
        for number, line in enumerate(place.read_text().splitlines(), 1):
            for word in words.findall(line):
                key = (place.relative_to(CORE).as_posix(), word.lower())
                used.add(key)
                if key not in allowed:
                    found.append(f"{named(place)}:{number}: {word}")
    assert not found, "\n".join(found)
    assert allowed <= used, f"these exceptions are no longer needed: {allowed - used}"


def imported(place: Path) -> Iterator[str]:
    """The modules that a file imports, wherever the import stands in it."""
    for node in ast.walk(ast.parse(place.read_text())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(place)}: imports are absolute"
            yield from (f"{node.module}.{one.name}" for one in node.names)


def test_nothing_in_core_imports_what_stands_beside_it() -> None:
    for place in MODULES:
        home = place.relative_to(CORE).parts[0]
        if home == "cli":
            continue
        for module in imported(place):
            part = module.split(".")
            if part[0] == "playproof" and len(part) > 1 and part[1] in BESIDE:
                assert home == part[1] or (home, part[1]) == ("author", "report"), f"{named(place)} imports {module}"
            assert not (part[:2] == ["playproof", "cli"] and home not in ("author", "report")), f"{named(place)} imports {module}"


def test_the_nouns_import_nothing_of_ours() -> None:
    for name in ("model", "errors"):
        assert not [module for module in imported(CORE / f"{name}.py") if module.startswith("playproof")]


@pytest.mark.parametrize("plugin", PLUGINS, ids=lambda plugin: plugin.name)
def test_a_plugin_imports_core_itself_and_what_it_depends_on(plugin: Path) -> None:
    """What domains share is no domain: the browser library, and models and judges, which are an extra and do without."""
    project = tomllib.loads((plugin / "pyproject.toml").read_text())["project"]
    own = project["name"].replace("-", "_")
    needs = {re.split(r"[<>=~! ;\[]", line)[0].replace("-", "_") for line in project["dependencies"]}
    optional = [line for lines in project.get("optional-dependencies", {}).values() for line in lines]
    extras = {re.split(r"[<>=~! ;\[]", line)[0].replace("-", "_") for line in optional}
    others = {place.name for other in PLUGINS for place in (other / "src").iterdir()}
    for place in sorted((plugin / "src").rglob("*.py")):
        for module in imported(place):
            top = module.split(".")[0]
            if top in others and top != own:
                shared = needs & {"playproof_browser"} | extras & {"playproof_judges"}
                assert top in shared, f"{named(place)} imports {module}"
    assert "playproof_core" in needs


def test_core_needs_no_plugin() -> None:
    ours = {place.name for plugin in PLUGINS for place in (plugin / "src").iterdir()}
    assert not [(named(place), module) for place in MODULES for module in imported(place) if module.split(".")[0] in ours]


# --- start-up ---


def loaded(script: str) -> set[str]:
    script += "\nimport sys\nprint(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


HEAVY = {"rich", "jinja2", "playwright", "PIL", "docker", "numpy", "scipy", "httpx", "asyncio", "hypothesis", "pytest"}


@pytest.mark.parametrize("module", ["playproof.cli", "playproof.model", "playproof.interfaces", "playproof.checks", "playproof.drivers",
                                    "playproof.worker", "playproof.phase", "playproof.trial"])
def test_heavy_libraries_are_loaded_on_use_alone(module: str) -> None:
    assert not loaded(f"import {module}") & HEAVY


def test_help_needs_click_alone() -> None:
    script = "import sys\nsys.argv = ['playproof', '--help']\nfrom playproof.cli import _guarded\n_guarded()"
    assert not loaded(script) & (HEAVY | {"attr", "attrs", "cattrs", "stevedore", "pluggy", "structlog"})


def test_importing_does_nothing(tmp_path: Path) -> None:
    """No print, no folder, no look at the environment or for plugins."""
    names = [".".join(place.relative_to(CORE.parent).with_suffix("").parts).removesuffix(".__init__") for place in MODULES]
    script = "import os, importlib.metadata as m\n"
    script += "def no(*a, **k): raise AssertionError('looked for plugins')\nm.entry_points = no\n"
    script += f"import importlib\nfor name in {names!r}:\n    importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not list(tmp_path.iterdir())


# --- size ---


def code_lines(text: str) -> int:
    """Lines with code on them: no blank lines, comments or docstrings."""
    strings = {line for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
               and isinstance(node.value.value, str) for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    silent = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    coded = {line for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in silent
             for line in range(token.start[0], token.end[0] + 1)}
    return len(coded - strings)


def test_core_is_small(capsys: pytest.CaptureFixture[str]) -> None:
    size: dict[str, int] = {}
    for place in MODULES:
        home, *rest = place.relative_to(CORE).parts
        size[home if rest else "."] = size.get(home if rest else ".", 0) + code_lines(place.read_text())
    core = sum(lines for home, lines in size.items() if home not in BESIDE)
    with capsys.disabled():
        print(f"\ncore: {core} lines of code ({', '.join(f'{home} {lines}' for home, lines in size.items())})")
    reason = re.search(r"core[^\n]* at most ([\d,]+) lines of code", (ROOT / "CHANGELOG.md").read_text(), re.IGNORECASE)
    limit = int(reason[1].replace(",", "")) if reason else CORE_LINES
    assert core <= limit, f"core has {core} lines; beyond {limit} the CHANGELOG must say why ('core has at most N lines of code: ...')"


def test_files_are_short() -> None:
    reasons = dict(line.split(" : ", 1) for line in lines_of("long_files.txt"))
    long = {named(place): len(place.read_text().splitlines()) for place in [*SOURCES, *sorted(ROOT.glob("**/tests/**/*.py"))]
            if not {".venv", "build", "node_modules"} & set(place.relative_to(ROOT).parts)}
    long = {name: lines for name, lines in long.items() if lines > FILE_LINES}
    assert not set(long) - set(reasons), {name: lines for name, lines in long.items() if name not in reasons}


def functions() -> Mapping[str, int]:
    return {f"{named(place)}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1 for place in SOURCES
            for node in ast.walk(ast.parse(place.read_text())) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_functions_are_short() -> None:
    found = functions()
    assert not {name: lines for name, lines in found.items() if lines > FUNCTION_LINES}
    assert sorted(found.values())[int(len(found) * 0.9)] <= TYPICAL_LINES


# --- words ---


def test_every_module_says_what_it_is() -> None:
    assert not [named(place) for place in SOURCES if not ast.get_docstring(ast.parse(place.read_text()))]


def test_no_module_is_a_drawer() -> None:
    drawers = {"utils", "util", "helpers", "helper", "manager", "handler", "handlers", "data", "info", "common", "misc"}
    assert not [named(place) for place in SOURCES if {place.stem, *place.relative_to(ROOT).parts[:-1]} & drawers]


def test_nothing_is_left_to_do() -> None:
    words = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError|\bassert False\b")
    assert not [f"{named(place)}: {line.strip()}" for place in SOURCES for line in place.read_text().splitlines() if words.search(line)]


def test_broad_exceptions_have_a_reason() -> None:
    for place in SOURCES:
        for number, line in enumerate(place.read_text().splitlines(), 1):
            if re.search(r"except (Exception|BaseException)\b", line) and "testing" not in place.parts:
                assert "#" in line or "raise" in "\n".join(place.read_text().splitlines()[number : number + 5]), f"{named(place)}:{number}"


def test_the_hooks_are_six_and_the_groups_are_known() -> None:
    from playproof.drivers import INTERFACES

    for place in [ROOT / "core", *PLUGINS, ROOT / "tests" / "toy"]:
        for group in tomllib.loads((place / "pyproject.toml").read_text())["project"].get("entry-points", {}):
            root, interface, version = group.split(".")
            assert root == "playproof" and INTERFACES[interface] == int(version[1:]), f"{named(place)}: {group}"
