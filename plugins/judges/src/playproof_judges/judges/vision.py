"""`vision`: one binary criterion on pictures or sampled frames (BlenderWorld, section 4.1; GenXR-Bench, section 3.4)."""

from typing import Any

from playproof.opinion import Question, Value
from playproof_judges.judges.asking import Said
from playproof_judges.judges.exhibits import Shown
from playproof_judges.judges.fence import clean
from playproof_judges.judges.prompted import PromptedJudge
from playproof_judges.judges.schemas import FLAG, TEXTS, Schema, lines, record, text

VERDICT = record(reasoning=text("what each decisive exhibit shows"), verdict=FLAG, cites=TEXTS, issues=TEXTS, tampering=TEXTS)


class VisionJudge(PromptedJudge):
    name = "vision"
    form = "verdict"

    def schema(self, question: Question) -> Schema:
        return VERDICT

    def told(self, question: Question) -> str:
        return self.prompt.part("question", question=clean(question.text))

    def understand(self, question: Question, data: Any, shown: Shown) -> Said:
        return verdict_said(data, shown)


def verdict_said(data: Any, shown: Shown) -> Said:
    """A verdict with what it cites. Raises ValueError for citations that do not exist, and for a pass that rests on nothing seen."""
    cites = shown.evidence(data["cites"])
    if data["verdict"] and not shown.proves(data["cites"]):
        raise ValueError("the verdict is true, and cites no exhibit that is more than a claim or a reference")
    return Said(Value(verdict=data["verdict"]), cites, lines(data["issues"]), lines(data["tampering"]), data["reasoning"].strip()[:2000])
