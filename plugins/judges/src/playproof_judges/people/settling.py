"""After the labels: raters see where they differ, from each other and from the verifier, and settle it by one more label."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from playproof_judges.people.answers import Answer, Query, moved, refuse
from playproof_judges.people.desk import Desk
from playproof_judges.people.disputes import Dispute, against, disputes, turned
from playproof_judges.people.forms import answers
from playproof_judges.people.gallery import Gallery
from playproof_judges.people.items import Item
from playproof_judges.people.labels import UNDECIDED

MOST = 100
"""Cards of one kind on a page; the widest apart come first."""


@frozen
class Settling:
    desk: Desk
    gallery: Gallery

    def reveal(self) -> Answer:
        """Close the rater's own labels, and show the others'."""
        if self.desk.finished < len(self.desk.items):
            refuse(409, "Others' labels are shown to those who have labelled everything.")
        self.desk.closed = True
        return moved("/disputes")

    def settle(self, at: int, form: Query) -> Answer:
        if not self.desk.closed:
            refuse(409, "Label what is left before you settle what others see differently.")
        item = self.desk.items[at]
        self.desk.settle(item, answers(item, form, None), list(self.desk.labels.raters(item)))
        return moved(f"/disputes?saved=1#{self.desk.id(at)}")

    def shown(self) -> Mapping[str, Any]:
        """What the page shows."""
        desk = self.desk
        places = {item.key: at for at, item in enumerate(desk.items)}
        differ, wrong = disputes(desk.items, desk.labels), against(desk.items, desk.labels)
        return {"disputes": [self._card(one, places) for one in differ[:MOST]], "counts": [len(differ), len(wrong)],
                "against": [self._card(one, places) for one in wrong[:MOST]], "raters": desk.labels.names}

    def _card(self, one: Dispute, places: Mapping[str, int]) -> Mapping[str, Any]:
        item, veil = one.item, self.gallery.veil
        settled = one.settled.opinion if one.settled else None
        title = item.scale.item(one.question.item).title if item.scale and one.question.item else item.heading
        return {
            "id": self.desk.id(places[item.key]), "number": item.questions.index(one.question), "task": veil.text(item.task.title),
            "title": veil.text(title), "text": veil.text(one.question.text) if one.question.text != title else "",
            "said": [(name, turned(item, line), line.opinion.message) for name, line in one.said.items()],
            "verdict": one.verdict.outcome.value if one.verdict else "", "reason": veil.text(one.verdict.message) if one.verdict else "",
            "settled": turned(item, one.settled) if one.settled else "", "note": settled.message if settled else "",
            "cause": settled.by.settings.get("cause", "") if settled else "", "majority": one.majority,
            "walls": [(key, self.gallery.wall(side)) for key, side in item.sides.items()], "answers": values(item),
            "proposed": turned(item, one.settled) if one.settled else one.majority,
        }


def values(item: Item) -> Sequence[str]:
    """Every answer that an item takes."""
    if item.scale:
        return [*(str(value) for value in range(item.scale.low, item.scale.high + 1)), UNDECIDED]
    return ["pass", "fail", UNDECIDED] if item.form == "verdict" else ["a", "tie", "b", UNDECIDED]
