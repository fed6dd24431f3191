"""One driver by name, through stevedore. Listing imports nothing; a driver is imported when it is asked for."""

from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from typing import Any, TypeVar

from attrs import frozen

from playproof.canonical import structure
from playproof.errors import DriverNotFound, InterfaceMismatch, NameClash, PluginError, TaskError
from playproof.interfaces import Services
from playproof.model import Options, Ref

T = TypeVar("T")

INTERFACES = dict.fromkeys(("runtime", "examiner", "actor", "assertion", "judge", "model", "harness", "sandbox", "command",
                            "mutator", "diagnosis", "exhibit", "listener"), 1)
"""Every interface with its major version; a breaking change of one raises its number alone."""

ROOT = "playproof"
"""The root distribution, whose extras say which distribution brings which drivers."""


@frozen
class Installed:
    """A driver that an installed distribution offers; `version` is its distribution's."""

    interface: str
    name: str
    group: str
    value: str
    distribution: str
    version: str

    @property
    def speaks(self) -> bool:
        """Whether it is offered for the version of the interface that this core speaks."""
        return self.group == group(self.interface)


def group(interface: str) -> str:
    return f"{ROOT}.{interface}.v{INTERFACES[interface]}"


def installed(interface: str | None = None) -> Iterator[Installed]:
    """What is offered, in order of interface and name, other versions of an interface included."""
    found = []
    for family in entry_points().groups:
        root, kind, *version = family.split(".") if family.startswith(f"{ROOT}.") else ("", "")
        if root == ROOT and len(version) == 1 and kind in INTERFACES and interface in (None, kind):
            found += [_described(kind, point) for point in entry_points(group=family)]
    return iter(sorted(set(found), key=lambda one: (one.interface, one.name, one.distribution)))


def _described(interface: str, point: EntryPoint) -> Installed:
    home = point.dist
    name, version = (home.name, home.version) if home else ("unknown", "")
    return Installed(interface, point.name, point.group, point.value, name, version)


def names(interface: str) -> Sequence[str]:
    return tuple(dict.fromkeys(one.name for one in installed(interface) if one.speaks))


def load(interface: str, name: str) -> Any:
    """The factory behind a name. Raises DriverNotFound, InterfaceMismatch, NameClash, or PluginError when its import fails."""
    offers = [one for one in installed(interface) if one.name == name]
    ours = [one for one in offers if one.speaks]
    if len(ours) > 1:
        raise NameClash(interface, name, [one.distribution for one in ours])
    if offers and not ours:
        raise InterfaceMismatch(name, offers[0].group, group(interface))
    if not ours:
        raise DriverNotFound(interface, name, names(interface), _remedy(interface, name))
    from stevedore.driver import DriverManager

    def blame(manager: Any, point: Any, fault: BaseException) -> None:
        raise PluginError(f"{interface} {name!r} of {ours[0].distribution} {ours[0].version} does not load: {fault}") from fault

    class Chosen(DriverManager):  # type: ignore[type-arg] # older versions of stevedore are not generic
        """Loads what was found above. stevedore's own listing is cached on disk by times that it rounds to two minutes, so
        that it can miss a plugin which came a moment ago."""

        def list_entry_points(self) -> list[EntryPoint]:
            return [EntryPoint(name, ours[0].value, group(interface))]

    return Chosen(group(interface), name, on_load_failure_callback=blame).driver


def build(interface: str, ref: Ref, services: Services) -> Any:
    """The driver itself: its factory called with the options and what core lends it."""
    return load(interface, ref.driver)(ref.options, services)


def settings(kind: type[T], options: Options, driver: str) -> T:
    """A driver's options as its own attrs class. Raises TaskError with the path of each fault."""
    try:
        return structure(dict(options), kind)
    except ValueError as fault:
        raise TaskError(f"options of {driver!r}: {fault}") from None


def missing(interface: str, name: str) -> str:
    """Why there is no such driver, with the extra that would bring it; "" where one is installed."""
    known = names(interface)
    return "" if name in known else str(DriverNotFound(interface, name, known, _remedy(interface, name)))


def _remedy(interface: str, name: str) -> str:
    """Which extra would bring a missing driver, by its prefix: `garden.pond` is in the extra `garden`. One without a prefix is in the
    extra that is named after its interface: a judge is in `judges`."""
    try:
        extras = distribution(ROOT).metadata.get_all("Provides-Extra") or []
    except PackageNotFoundError:
        return ""
    prefix, dot, _ = name.partition(".")
    named = [one for one in ((prefix,) if dot else (prefix, f"{interface}s")) if one in extras]
    return f"pip install '{ROOT}[{named[0]}]'" if named else ""
