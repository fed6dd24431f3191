"""A play again, without a model: what was said then is said again, so that the same tools are called at the same ticks."""

import json
from collections.abc import Sequence
from typing import Any

from attrs import define

from playproof.canonical import structure
from playproof.dialogue import Reply, Request, Stored, replied
from playproof.errors import InfrastructureError, NotRecorded, UsageError
from playproof.evidence import Evidences
from playproof.interfaces import Bench, Exhibit, Query
from playproof.model import Evidence
from playproof_judges.loop import BEGIN, TURN


@define
class Recorded:
    """Implements `Bench`: gives the replies of one play in their order, whatever is shown. Raises NotRecorded beyond the last."""

    models: Sequence[str]
    replies: Sequence[Reply]
    vote: int = 0
    given: int = 0

    def ask(self, model: str, request: Request) -> Reply:
        if self.given == len(self.replies):
            raise NotRecorded(f"the play was recorded for {len(self.replies)} turns, and another is asked for")
        self.given += 1
        return self.replies[self.given - 1]

    def open(self, evidence: Evidence) -> bytes:
        raise InfrastructureError(f"a recorded play holds no evidence: {evidence.id[:12]}")

    def show(self, evidence: Evidence) -> Exhibit:
        return Exhibit("")

    def queries(self, evidence: Evidence) -> Sequence[Query]:
        return ()

    def revote(self, vote: int) -> Bench:
        return self


def replayed(evidence: Evidences, number: int = 0) -> Bench:
    """The bench with which a loop plays a recorded play again, its mistakes included: `number` counts the plays of the evidence.

    A submission that is still the same gives the same evidence. Raises UsageError where no such play was recorded."""
    begins = list(evidence.of(BEGIN))
    if not 0 <= number < len(begins):
        raise UsageError(f"there is no play {number} in the evidence, which holds {len(begins)}")
    turns = [_value(evidence, entry) for entry in evidence.of(TURN)]
    replies = [replied(structure(turn["reply"], Stored)) for turn in turns if turn["play"] == begins[number].id]
    return Recorded((_value(evidence, begins[number])["model"],), replies)


def _value(evidence: Evidences, entry: Evidence) -> Any:
    return entry.value if entry.blob is None else json.loads(evidence.open(entry))
