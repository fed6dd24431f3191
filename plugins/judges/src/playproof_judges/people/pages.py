"""The pages that people see, from templates: every text escaped, no script but a file of ours, which they do not need."""

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from playproof.report.run import clean
from playproof_judges.people.answers import Answer, refuse

STATIC = {"/people.css": "text/css; charset=utf-8", "/people.js": "text/javascript; charset=utf-8"}
LONGEST = 250_000


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("playproof_judges.people", "page"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: clean(value, LONGEST) if isinstance(value, str) and not isinstance(value, Markup) else value,
    )


def page(name: str, **shown: Any) -> Answer:
    return Answer(_templates().get_template(name).render(**shown).encode())


def static(path: str) -> Answer:
    """A file of ours. Refuses every other path."""
    if path == "/favicon.ico":
        return Answer(status=204)
    if path not in STATIC:
        refuse(404, "There is no such page.")
    return Answer(files("playproof_judges.people").joinpath("page", path[1:]).read_bytes(), STATIC[path])
