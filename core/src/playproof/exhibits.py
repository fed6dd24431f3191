"""The installed exhibitors, each built when the first evidence of its kind is shown."""

from collections.abc import Callable

from playproof.drivers import build, names
from playproof.interfaces import Exhibitor, Services
from playproof.model import Ref

Exhibitors = Callable[[str], Exhibitor | None]


def installed_exhibitors(services: Services) -> Exhibitors:
    """Evidence kind -> the installed driver that shows it, or None."""
    known, made = set(names("exhibit")), dict[str, Exhibitor]()

    def find(kind: str) -> Exhibitor | None:
        if kind in known and kind not in made:
            made[kind] = build("exhibit", Ref(kind), services)
        return made.get(kind)

    return find
