"""What an endpoint's errors mean for us: try again, ask with less, or never."""

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from attrs import frozen

from playproof.canonical import short
from playproof.errors import ModelError, ModelUnavailable, NotAllowed, RequestRejected, TooLarge
from playproof_judges.models.patience import Passing
from playproof_judges.models.secret import Secret

PASSING = frozenset({408, 409, 425, 429, 529})
"""Statuses below 500, and 529 (overloaded), that pass. 409 is a lock that timed out: both vendors' own clients try it again."""

KINDS = {
    "overloaded_error": 529, "api_error": 500, "timeout_error": 504, "rate_limit_error": 429, "server_error": 500, "internal_error": 500,
    "rate_limit_exceeded": 429, "internal_server_error": 500, "service_unavailable": 503, "vector_store_timeout": 504,
    "invalid_request_error": 400, "authentication_error": 401, "permission_error": 403, "not_found_error": 404, "request_too_large": 413,
    "invalid_prompt": 400, "invalid_image": 400, "image_too_large": 413, "image_parse_error": 400, "context_length_exceeded": 413,
}
"""What an error in the middle of a stream would have had for a status. An unknown kind passes."""

LARGE = re.compile(
    r"request_too_large|image_too_large|context_length_exceeded|string_above_max_length|exceed_context_size|content too large"
    r"|(prompt|image|picture|request|payload|input|message|body)\b[^.]{0,80}\b(too (large|long|big|many)|exceed)"
    r"|too many (images|pictures|tokens)|maximum context length|exceeds? (the )?(available )?context|token count[^.]{0,60}exceed",
    re.IGNORECASE)
SMALL = re.compile(r"max_\w*tokens\W{1,3}(is|must|should)\b", re.IGNORECASE)
"""What sounds like it and is not: too many tokens asked for."""

EMPTY_PURSE = re.compile(r"insufficient_quota|billing_(hard_limit|not_active)|credit balance is too low", re.IGNORECASE)
"""Passes when somebody pays, and not by trying. Gemini says "exceeded your current quota" of a limit by the minute, too."""


REFUSAL = re.compile(r"content_filter|content filtering policy|policy_violation|flagged as potentially violating|invalid_prompt",
                     re.IGNORECASE)
"""A provider that will not hear the question says so with a status. To us that is a reply like any other refusal."""

class Refused(Exception):
    """The endpoint refuses what is in the request, in an error's form."""


Fault = Passing | ModelError | Refused


@frozen
class Who:
    """Whom we speak to, for the words of an error."""

    driver: str
    model: str
    url: str
    key: Secret

    def __str__(self) -> str:
        return f"{self.driver} {self.model!r} at {self.url}"


def of_answer(who: Who, status: int, headers: Mapping[str, str], body: str) -> Fault:
    """The fault behind an answer that is no 200."""
    kind, words = _error(body)
    after_s = retry_after_s(headers, body)
    return _judged(who, status, kind, who.key.hide(words), after_s, str(status), headers.get("location", ""))


def of_event(who: Who, kind: str, words: str, status: int | None = None) -> Fault:
    """The fault behind an error that came in the middle of a stream. `status` is what the event itself says, if it does."""
    given = KINDS.get(kind, 500) if status is None else status
    return _judged(who, given, kind, who.key.hide(words), None, "in the stream", "")


def _judged(who: Who, status: int, kind: str, words: str, after_s: float | None, where: str, location: str) -> Fault:
    told = f"{where} {kind}".strip() + (f": {short(words, 300)}" if words else "")
    if status < 500 and REFUSAL.search(f"{kind} {words}"):
        return Refused(told)
    if EMPTY_PURSE.search(f"{kind} {words}"):
        return ModelUnavailable(f"{who}: the account behind {who.key.variable or 'it'} has nothing left to spend ({told})")
    if status in PASSING or status >= 500:
        return Passing(told, after_s)
    if status == 413 or (status in (400, 422) and LARGE.search(f"{kind} {words}") and not SMALL.search(words)):
        return TooLarge(f"{who}: the request is too large ({told})")
    kind_of = NotAllowed if status in (401, 403, 404) or 300 <= status < 400 else RequestRejected
    return kind_of(f"{who}: {_why(who, status, location)} ({told})")


def _why(who: Who, status: int, location: str) -> str:
    if status in (401, 403):
        return f"the key in {who.key.variable} is not accepted" if who.key else "no key was sent; name its environment variable in `key`"
    if status == 404:
        return f"there is no model {who.model!r}, or nothing at this address"
    if 300 <= status < 400:
        return f"it sends us elsewhere, where no key is taken: {short(who.key.hide(location), 200)}"
    return "it does not take the request"


def _error(body: str) -> tuple[str, str]:
    """(kind, words) of an error's JSON, in the spelling of any provider; else the beginning of whatever it is."""
    try:
        found: Any = json.loads(body)
    except ValueError:
        return "", re.sub(r"<[^>]*>|\s+", " ", body).strip()
    found = found[0] if isinstance(found, list) and found else found
    error = found.get("error", found) if isinstance(found, dict) else found
    if not isinstance(error, dict):
        return "", str(error)
    kind = error.get("code") if isinstance(error.get("code"), str) else error.get("type") or error.get("status") or ""
    return str(kind), str(error.get("message") or error.get("detail") or "")


def retry_after_s(headers: Mapping[str, str], body: str = "", now: float | None = None) -> float | None:
    """Seconds that an answer asks us to wait: `retry-after-ms`, `retry-after` (seconds or a date), or Gemini's retryDelay."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = headers.get(name, "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", said):
            return float(said) * scale
    if (date := headers.get("retry-after")) is not None:
        try:
            return max(0.0, parsedate_to_datetime(date).timestamp() - (time.time() if now is None else now))
        except ValueError:
            return None
    found = re.search(r'"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"', body)
    return float(found[1]) if found else None
