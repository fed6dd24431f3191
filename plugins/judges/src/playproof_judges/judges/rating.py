"""`rating`: the items of a declared scale, all in one request (GenXR-Bench, section 3.5; BlenderWorld, section C).

Each item is a question of its own, and each sends the same request: the bench's cache answers all but the first."""

from collections.abc import Mapping, Sequence
from typing import Any

from playproof.errors import UsageError
from playproof.opinion import Question, Scale, Value
from playproof_judges.judges.asking import Said
from playproof_judges.judges.exhibits import Shown
from playproof_judges.judges.fence import clean
from playproof_judges.judges.prompted import LongAsks, PromptedJudge
from playproof_judges.judges.schemas import TEXTS, WHOLE, Schema, choice, fits, lines, many, record, text


class RatingJudge(PromptedJudge):
    """The question's own text is not sent: the scale says all, and the request is the same for each of its items."""

    name = "rating"
    form = "rating"
    options_type = LongAsks

    def schema(self, question: Question) -> Schema:
        return record(ratings=many(_item(_scale(question))), tampering=TEXTS)

    def outer(self, question: Question) -> Schema:
        """An item is held against its own form when it is asked for: a fault in one spoils no other."""
        return record(ratings=many({"type": "object"}), tampering=TEXTS)

    def told(self, question: Question) -> str:
        scale = _scale(question)
        anchors = "\n".join(f"- {value}: {words}" for value, words in sorted(scale.anchors.items(), key=lambda one: int(one[0])))
        items = "\n".join(f"- {one.id} ({one.title}): {one.text}" for one in scale.items)
        notes = [self.prompt.part("note", note=one) for one in scale.notes]
        if scale.advise_below is not None:
            notes.append(self.prompt.part("advice", advise_below=scale.advise_below))
        return self.prompt.part("question", name=scale.name, low=scale.low, high=scale.high, anchors=anchors, items=items,
                                notes="\n".join(notes))

    def understand(self, question: Question, data: Any, shown: Shown) -> Said:
        scale, item = _scale(question), question.item
        found = [one for one in data["ratings"] if one.get("item") == item]
        if len(found) != 1:
            raise ValueError(f"it has {len(found)} ratings of the item {item!r}, not one")
        fits(found[0], _item(scale), str(item))
        return _rated(found[0], scale, shown, lines(data["tampering"]))


def _scale(question: Question) -> Scale:
    """Raises UsageError for a rating without a scale, or of an item that is not on it."""
    scale = question.scale
    if scale is None or question.item not in [one.id for one in scale.items]:
        raise UsageError(f"{question.id!r} asks for a rating, and names no item of a scale")
    return scale


def _item(scale: Scale) -> Schema:
    return record(item=choice(*(one.id for one in scale.items)), issues=TEXTS, rating=WHOLE, cites=TEXTS,
                  change=many(text("one step")))


def _rated(data: Mapping[str, Any], scale: Scale, shown: Shown, tampering: Sequence[str]) -> Said:
    name, rating = data["item"], data["rating"]
    if not scale.low <= rating <= scale.high:
        raise ValueError(f"{name} is rated {rating}, and the scale goes from {scale.low} to {scale.high}")
    cites, issues, steps = shown.evidence(data["cites"]), lines(data["issues"]), lines(data["change"])
    if not cites:
        raise ValueError(f"{name} cites no exhibit")
    if rating < scale.high and not issues:
        raise ValueError(f"{name} is rated {rating} of {scale.high}, and no issue says why it is not more")
    wanted = scale.advise_below is not None and rating < scale.advise_below
    if wanted and not steps:
        raise ValueError(f"{name} is rated {rating}, below {scale.advise_below}, and no change says how to raise it")
    advice = "to raise it: " + " ".join(f"{number}. {clean(step)}" for number, step in enumerate(steps, 1)) if wanted else ""
    return Said(Value(rating=rating), cites, issues, tampering, advice)
