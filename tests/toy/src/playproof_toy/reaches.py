"""The assertion `toy.reaches`: whether a machine ever showed something, from its recorded history alone."""

import json
from typing import Any

from attrs import Factory, frozen

from playproof.canonical import short
from playproof.drivers import settings
from playproof.errors import SubmissionFault
from playproof.evidence import Evidences
from playproof.interfaces import Services
from playproof.model import Options, Outcome, Reason, Verdict, seconds
from playproof_toy.lamp import HISTORY


@frozen
class _Settings:
    """`shows`: the keys that must be seen together; `within_s` and `never` narrow it and turn it round."""

    shows: dict[str, Any] = Factory(dict)
    within_s: float | None = None
    never: bool = False


class Reaches:
    reads = frozenset({HISTORY})
    grading_version = 1

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(_Settings, options, "toy.reaches")

    def check(self, evidence: Evidences) -> Verdict:
        entry = evidence.last(HISTORY)
        if entry is None:
            raise SubmissionFault("history", "nothing was seen")
        wanted = self._settings
        limit = None if wanted.within_s is None else seconds(wanted.within_s)
        history = json.loads(evidence.open(entry))
        met = [one for one in history if _matches(one["shows"], wanted.shows) and (limit is None or one["tick"] <= limit)]
        holds = bool(met) != wanted.never
        seen = f"first at {met[0]['tick']} ticks" if met else f"never among {len(history)} states"
        verb = "never " if wanted.never else ""
        return Verdict("", "", Outcome.PASS if holds else Outcome.FAIL, Reason.OK if holds else Reason.FAIL,
                       f"{verb}shows {short(wanted.shows)}: {seen}", seen, f"{verb}{short(wanted.shows)}", (entry.id,))


def _matches(shown: Any, wanted: dict[str, Any]) -> bool:
    return isinstance(shown, dict) and all(key in shown and shown[key] == value for key, value in wanted.items())
