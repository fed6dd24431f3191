"""The pages of `rate`: one item after the other, labelled blind, and afterwards what raters disagree on."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from playproof_judges.people.answers import Answer, Query, moved, refuse
from playproof_judges.people.brief import brief_of
from playproof_judges.people.desk import Desk
from playproof_judges.people.forms import answers, last, number_of
from playproof_judges.people.gallery import Gallery
from playproof_judges.people.items import Item
from playproof_judges.people.labels import CAUSES
from playproof_judges.people.pages import page, static
from playproof_judges.people.settling import Settling

MEDIA = {"Content-Security-Policy": "default-src 'none'; sandbox"}
CHOICES = {
    "verdict": [("pass", "p", "Pass", "✓"), ("fail", "f", "Fail", "✗"), ("unsure", "v", "Cannot tell", "○")],
    "preference": [("a", "a", "A is better", "A"), ("tie", "t", "A tie", "="), ("b", "b", "B is better", "B"),
                   ("unsure", "v", "Cannot tell", "○")],
    "rating": [],
}
"""Value, key, words and sign of each button."""

NAMES = {"rating": "Submission", "preference": "Pair"}


@frozen
class RatingSite:
    """`form_token` stands in every form; see `door`."""

    desk: Desk
    gallery: Gallery
    form_token: str

    def get(self, path: str, query: Query, device: str) -> Answer:
        match path.strip("/").split("/"):
            case [""]:
                answer = self._onward(-1)
            case ["item", id]:
                answer = self._item(self.desk.place(id), last(query, "saved"))
            case ["exhibit", id, side, number]:
                answer = self._exhibit(self.desk.items[self.desk.place(id)], side, number)
            case ["brief", id, number]:
                answer = self._reference(self.desk.items[self.desk.place(id)], number)
            case ["list"]:
                answer = page("list.html", **self._common(), rows=self._rows())
            case ["done"]:
                answer = page("done.html", **self._common())
            case ["disputes"] if self.desk.closed:
                answer = page("disputes.html", **self._common(), **self._settling().shown(), saved=last(query, "saved"))
            case ["disputes"]:
                answer = moved("/")
            case _:
                answer = static(path)
        return answer

    def post(self, path: str, form: Query, device: str) -> Answer:
        if path == "/reveal":
            return self._settling().reveal()
        if path not in ("/label", "/settle"):
            refuse(404, "There is no such form.")
        at = self.desk.place(last(form, "item"))
        if path == "/settle":
            return self._settling().settle(at, form)
        return self._label(at, form)

    def _label(self, at: int, form: Query) -> Answer:
        item = self.desk.items[at]
        self.desk.put(item, answers(item, form, self.gallery))
        if "quiet" in form:  # a script of ours saves each mark of a scale as it is set
            left = len(item.questions) - len(self.desk.said(item))
            told = {"finished": self.desk.finished, "of": len(self.desk.items), "left": left}
            return Answer(json.dumps(told).encode(), "application/json")
        return self._onward(at, "1") if self.desk.done(item) else moved(f"/item/{self.desk.id(at)}?saved=part")

    # --- pages ---

    def _common(self) -> Mapping[str, Any]:
        desk = self.desk
        return {"token": self.form_token, "rater": desk.by.name, "finished": desk.finished, "of": len(desk.items),
                "closed": desk.closed, "form": desk.items[0].form, "causes": CAUSES}

    def _settling(self) -> Settling:
        return Settling(self.desk, self.gallery)

    def _onward(self, after: int, saved: str = "") -> Answer:
        if self.desk.closed:
            return moved("/disputes")
        place = self.desk.open(after)
        if place is None:
            return moved("/done")
        return moved(f"/item/{self.desk.id(place)}" + (f"?saved={saved}" if saved else ""))

    def _item(self, at: int, saved: str) -> Answer:
        desk, item = self.desk, self.desk.items[at]
        brief, veil = brief_of(item.task), self.gallery.veil
        lines, said = desk.labels.of(item, desk.by.name), desk.said(item)
        return page(
            "item.html", **self._common(), item=item, id=desk.id(at), number=at + 1, saved=saved, choices=CHOICES[item.form],
            title=veil.text(item.heading), text=veil.text(item.text), task_title=veil.text(item.task.title),
            brief=brief, brief_text=veil.text(brief.text),
            walls={key: self.gallery.wall(side) for key, side in item.sides.items()},
            said=[said.get(one.id, "") for one in item.questions],
            notes=[lines[one.id].opinion.message if one.id in lines else "" for one in item.questions],
            cites={cite for line in lines.values() for cite in line.opinion.cites},
            back=desk.id(at - 1) if at > 0 else None, next=desk.id(at + 1) if at + 1 < len(desk.items) else None,
        )

    def _rows(self) -> Sequence[Mapping[str, str]]:
        rows = []
        for at, item in enumerate(self.desk.items):
            said, whole = self.desk.said(item), len(item.questions)
            title = item.heading if item.form == "verdict" else f"{NAMES[item.form]} {at + 1}"
            rows.append({"id": self.desk.id(at), "title": self.gallery.veil.text(title),
                         "task": item.task.title,
                         "said": next(iter(said.values()), "") if whole == 1 else "",
                         "part": f"{len(said)} of {whole}" if said and whole > 1 else ""})
        return rows

    def _exhibit(self, item: Item, side: str, number: str) -> Answer:
        if side not in item.sides:
            refuse(404, "There is no such exhibit.")
        try:
            content, kind = self.gallery.media(item.sides[side], number_of(number))
        except LookupError:
            refuse(404, "There is no such exhibit.")
        return Answer(content, kind, headers=MEDIA)

    def _reference(self, item: Item, number: str) -> Answer:
        media = brief_of(item.task).media
        if number_of(number) >= len(media):
            refuse(404, "There is no such file in the brief.")
        place, kind = media[int(number)]
        return Answer(place.read_bytes(), kind, headers=MEDIA)
