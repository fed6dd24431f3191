"""What a rater's form says."""

from collections.abc import Mapping, Sequence

from playproof_judges.people.answers import Query, refuse
from playproof_judges.people.gallery import Gallery
from playproof_judges.people.items import Item
from playproof_judges.people.labels import CAUSES, Said

NOTE = 4000
"""Characters of a note."""


def number_of(said: str) -> int:
    """A place in a list. Refuses what is no small number."""
    if not (said.isascii() and said.isdecimal() and len(said) < 6):
        refuse(404, "There is nothing of that number.")
    return int(said)


def answers(item: Item, form: Query, gallery: Gallery | None) -> Mapping[str, Said]:
    """Question id -> what a form answers: `value-N` and `note-N` belong to the item's question N, `cause` to all. Refuses a form
    without any answer."""
    cause = last(form, "cause")
    if cause and cause not in CAUSES:
        refuse(400, "Not saved: that is no known cause.")
    cites = _cites(item, form, gallery) if gallery else ()
    found = {question.id: Said(value, last(form, f"note-{number}").strip()[:NOTE], cause, cites)
             for number, question in enumerate(item.questions) if (value := last(form, f"value-{number}"))}
    if not found:
        refuse(400, "Not saved: there is no answer in this form.")
    return found


def last(form: Query, name: str) -> str:
    return form.get(name, [""])[-1]


def _cites(item: Item, form: Query, gallery: Gallery) -> Sequence[str]:
    """The evidence that the rater marked as decisive, as SIDE-NUMBER."""
    marked = set(form.get("cite", ()))
    return [entry.id for key, side in item.sides.items() if marked
            for number, entry in enumerate(gallery.entries(side)) if f"{key}-{number}" in marked]
