"""Drivers by name: what is missing, claimed twice, of another version or broken is told with whose it is."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from playproof.drivers import build, group, installed, load, missing, names, settings
from playproof.errors import DriverNotFound, InterfaceMismatch, NameClash, PluginError, TaskError
from playproof.interfaces import Services
from playproof.model import Ref

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install distributions as pip would leave them: `install("name", {group: {driver: target}}, module source)`. Each goes to a
    folder of its own on the path, because entry points are read once for a path."""

    def put(name: str, offers: dict[str, dict[str, str]], source: str = "", version: str = "1.2.3", metadata: str = "") -> None:
        site = tmp_path / f"site-{name}"
        described = site / f"{name.replace('-', '_')}-{version}.dist-info"
        described.mkdir(parents=True)
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{metadata}")
        points = [f"[{family}]\n" + "".join(f"{driver} = {target}\n" for driver, target in rows.items()) for family, rows in offers.items()]
        (described / "entry_points.txt").write_text("\n".join(points))
        if source:
            (site / f"{name.replace('-', '_')}.py").write_text(source)
        monkeypatch.syspath_prepend(str(site))

    return put


RUNTIME = group("runtime")
GOOD = "class Driver:\n    def __init__(self, options, services):\n        self.options = options\n"


def test_a_driver_is_built_from_its_options(install: Install, tmp_path: Path) -> None:
    install("acme-good", {RUNTIME: {"acme.good": "acme_good:Driver"}}, GOOD)
    made = build("runtime", Ref("acme.good", {"a": 1}), Services(tmp_path))
    assert made.options == {"a": 1}
    assert "acme.good" in names("runtime")


def test_a_missing_driver_names_what_there_is(install: Install) -> None:
    install("acme-good", {RUNTIME: {"acme.good": "acme_good:Driver"}}, GOOD)
    with pytest.raises(DriverNotFound, match=r"no runtime named 'acme\.goood'; installed: .*acme\.good"):
        load("runtime", "acme.goood")


def test_a_missing_driver_names_the_extra_of_the_root_distribution(install: Install) -> None:
    install("playproof", {}, version="9.9", metadata="Provides-Extra: webthing\nProvides-Extra: other\n")
    with pytest.raises(DriverNotFound, match=r"pip install 'playproof\[webthing\]'"):
        load("runtime", "webthing.page")
    with pytest.raises(DriverNotFound) as fault:
        load("runtime", "unheard.of")
    assert "pip install" not in str(fault.value)


def test_a_missing_driver_without_a_prefix_is_in_the_extra_of_its_interface(install: Install) -> None:
    install("playproof", {}, version="9.9", metadata="Provides-Extra: judges\n")
    with pytest.raises(DriverNotFound, match=r"no judge named 'stern'; installed: .*; pip install 'playproof\[judges\]'"):
        load("judge", "stern")
    assert missing("judge", "stern").endswith("; pip install 'playproof[judges]'") and "pip install" not in missing("runtime", "stern")
    install("acme-judges", {group("judge"): {"stern": "acme_judges:Driver"}}, GOOD)
    assert missing("judge", "stern") == ""


def test_a_name_claimed_twice_is_an_error_when_it_is_used(install: Install) -> None:
    install("acme-one", {RUNTIME: {"acme.same": "acme_one:Driver", "acme.mine": "acme_one:Driver"}}, GOOD)
    install("acme-two", {RUNTIME: {"acme.same": "acme_two:Driver"}}, GOOD)
    with pytest.raises(NameClash, match=r"runtime 'acme\.same' is claimed by acme-one and acme-two; uninstall one of them"):
        load("runtime", "acme.same")
    load("runtime", "acme.mine")


def test_another_version_of_the_interface_is_named_as_such(install: Install) -> None:
    install("acme-next", {"playproof.runtime.v2": {"acme.next": "acme_next:Driver"}}, GOOD)
    with pytest.raises(InterfaceMismatch, match=r"'acme\.next' is offered as playproof\.runtime\.v2, but this core speaks playproof\.runt"):
        load("runtime", "acme.next")
    assert "acme.next" not in names("runtime")
    assert next(one for one in installed("runtime") if one.name == "acme.next").speaks is False


def test_a_driver_offered_for_two_versions_loads_as_ours(install: Install) -> None:
    install("acme-both", {RUNTIME: {"acme.both": "acme_both:Driver"}, "playproof.runtime.v2": {"acme.both": "acme_both:Lost"}}, GOOD)
    assert load("runtime", "acme.both").__name__ == "Driver"


@pytest.mark.parametrize(("source", "target", "cause"), [
    ("import no_such_library\n", "Driver", "no_such_library"),
    ("raise RuntimeError('at import')\n", "Driver", "at import"),
    ("x = 1\n", "Driver", "Driver"),
    ("def broken(:\n", "Driver", "syntax"),
], ids=["a missing library", "an exception", "a missing name", "a syntax error"])
def test_a_load_failure_names_the_distribution(install: Install, source: str, target: str, cause: str) -> None:
    install("acme-broken", {RUNTIME: {"acme.broken": f"acme_broken:{target}"}}, source, version="4.5")
    with pytest.raises(PluginError, match=r"runtime 'acme\.broken' of acme-broken 4\.5 does not load") as fault:
        load("runtime", "acme.broken")
    assert cause in str(fault.value)
    assert fault.value.__cause__ is not None
    sys.modules.pop("acme_broken", None)


def test_listing_imports_nothing(install: Install) -> None:
    install("acme-heavy", {RUNTIME: {"acme.heavy": "acme_heavy:Driver"}}, "raise RuntimeError('imported')\n")
    found = next(one for one in installed("runtime") if one.name == "acme.heavy")
    assert (found.distribution, found.version, found.value) == ("acme-heavy", "1.2.3", "acme_heavy:Driver")
    assert "acme_heavy" not in sys.modules


def test_a_group_of_nobody_is_passed_over(install: Install) -> None:
    install("acme-odd", {"playproof.nonsense.v1": {"x": "y:z"}, "playproof": {"x": "y:z"}, "playproof.runtime": {"x": "y:z"},
                         "playproofs.runtime.v1": {"x": "y:z"}})
    assert not [one for one in installed() if one.distribution == "acme-odd"]


def test_a_plugin_that_came_a_moment_ago_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """stevedore keeps what it lists, in the process and on disk; an offer on a path that it has listed must be found all the same."""
    described = tmp_path / "acme_fresh-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-fresh\nVersion: 1\n")
    (tmp_path / "acme_fresh.py").write_text("class First: pass\nclass Second: pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    points = f"[{RUNTIME}]\n"
    for target in ("First", "Second"):
        points += f"acme.{target} = acme_fresh:{target}\n"
        (described / "entry_points.txt").write_text(points)
        assert load("runtime", f"acme.{target}").__name__ == target


@frozen
class Options:
    hz: int = 10
    name: str = ""


def test_options_are_refused_with_their_path() -> None:
    assert settings(Options, {"hz": 20}, "acme.good") == Options(20)
    with pytest.raises(TaskError, match=r"options of 'acme\.good': unknown key 'herz' @ \$"):
        settings(Options, {"herz": 20}, "acme.good")
    with pytest.raises(TaskError, match=r"options of 'acme\.good': expected int, not str @ \$\.hz"):
        settings(Options, {"hz": "20"}, "acme.good")
