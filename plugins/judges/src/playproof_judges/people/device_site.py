"""The label page of `serve`: the task's requirements as a list for a phone or a headset, then where person and verifier differ."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from playproof.opinion import By
from playproof_judges.people.answers import Answer, Query, moved, refuse
from playproof_judges.people.brief import brief_of
from playproof_judges.people.desk import Desk
from playproof_judges.people.disputes import VERDICT
from playproof_judges.people.forms import NOTE, answers, last
from playproof_judges.people.items import Item
from playproof_judges.people.labels import CAUSES, UNDECIDED
from playproof_judges.people.pages import page, static

HOME = "/playproof"


@frozen
class DeviceSite:
    """`form_token` stands in every form; see `door`. `submission` is where the submission itself is served."""

    desk: Desk
    form_token: str
    submission: str

    def get(self, path: str, query: Query, device: str) -> Answer:
        if path in ("/", HOME):
            task, rows = self.desk.items[0].task, [self._row(at) for at in range(len(self.desk.items))]
            return page("device.html", **self._common(), saved=last(query, "saved"), rows=rows, brief=brief_of(task).text,
                        title=task.title, submission=self.submission)
        if path == "/compare":
            if not self.desk.closed:
                return moved(HOME)
            return page("compare.html", **self._common(), saved=last(query, "saved"), rows=self._differences(), judged=self._judged())
        return static(path)

    def post(self, path: str, form: Query, device: str) -> Answer:
        if path == "/reveal":
            return self._reveal()
        if path not in ("/label", "/explain"):
            refuse(404, "There is no such form.")
        at = self.desk.place(last(form, "item"))
        item = self.desk.items[at]
        if path == "/explain":
            return self._explain(at, form)
        if self.desk.closed:
            refuse(409, "Your labels are closed: you have seen what the verifier says.")
        self.desk.put(item, answers(item, form, None), by=self._signed(device))
        return moved(f"{HOME}?saved=1#{self.desk.id(at)}")

    def _explain(self, at: int, form: Query) -> Answer:
        if not self.desk.closed or last(form, "cause") not in CAUSES:
            refuse(409 if not self.desk.closed else 400, "Not saved: choose a cause, once everything is labelled.")
        self.desk.explain(self.desk.items[at], last(form, "cause"), last(form, "note").strip()[:NOTE])
        return moved(f"/compare?saved=1#{self.desk.id(at)}")

    def _reveal(self) -> Answer:
        if self.desk.finished < len(self.desk.items):
            refuse(409, "What the verifier says is shown when everything is labelled.")
        self.desk.closed = True
        return moved("/compare")

    def _signed(self, device: str) -> By:
        return evolve(self.desk.by, settings={**self.desk.by.settings, "device": device})

    def _common(self) -> Mapping[str, Any]:
        desk = self.desk
        return {"token": self.form_token, "rater": desk.by.name, "finished": desk.finished, "of": len(desk.items), "closed": desk.closed,
                "causes": CAUSES}

    def _row(self, at: int) -> Mapping[str, Any]:
        item = self.desk.items[at]
        lines = self.desk.labels.of(item, self.desk.by.name)
        note = next((line.opinion.message for line in lines.values()), "")
        return {"id": self.desk.id(at), "title": item.title, "text": item.text, "note": note, "check": item.check.id if item.check else "",
                "said": next(iter(self.desk.said(item).values()), "")}

    # --- the verifier's word ---

    def _judged(self) -> int:
        """How many of the person's decided labels the verifier decided, too."""
        return sum(self._verdict(item) in VERDICT.values() and self._said(item) not in ("", UNDECIDED) for item in self.desk.items)

    def _differences(self) -> Sequence[Mapping[str, Any]]:
        rows = []
        for at, item in enumerate(self.desk.items):
            said, verdict = self._said(item), self._verdict(item)
            if said in ("", UNDECIDED) or verdict in ("", said):
                continue
            found = item.sides["submission"].done.result().verdicts[item.check.id if item.check else ""]
            line = next(iter(self.desk.labels.of(item, self.desk.by.name).values()))
            rows.append({**self._row(at), "verdict": verdict, "reason": found.message,
                         "cause": line.opinion.by.settings.get("cause", "")})
        return rows

    def _said(self, item: Item) -> str:
        return next(iter(self.desk.said(item).values()), "")

    def _verdict(self, item: Item) -> str:
        verdicts = item.sides["submission"].done.result().verdicts
        found = verdicts.get(item.check.id) if item.check else None
        return VERDICT.get(found.outcome, "") if found else ""
