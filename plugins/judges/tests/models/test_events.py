"""Server-sent events and the words of errors, however they are cut and spelled."""

import json
from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from playproof_judges.models import events as module
from playproof_judges.models.events import Event, events
from playproof_judges.models.faults import LARGE, retry_after_s
from playproof_judges.models.patience import Passing

STREAM = (': a comment\n\nevent: first\r\ndata: {"a": "ü"}\r\n\r\ndata:{"b":\ndata: 2}\n\nid: 7\nretry: 3\n\nevent: alone\n\n'
          'data: [DONE]\n\ndata: {"last": true}')
READ = [Event("first", {"a": "ü"}), Event("", {"b": 2}), Event("", None), Event("", {"last": True})]


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=12))
def test_events_are_the_same_however_they_are_cut(cuts: list[int]) -> None:
    raw = STREAM.encode()
    places = [0, *sorted(cuts), len(raw)]
    assert list(events(raw[a:b] for a, b in pairwise(places))) == READ


@given(st.lists(st.dictionaries(st.text(), st.text()), max_size=5))
def test_any_json_comes_through(values: list[dict[str, str]]) -> None:
    raw = "".join(f"data: {json.dumps(value, ensure_ascii=False)}\n\n" for value in values).encode("utf-8", "surrogatepass")
    if "�" not in raw.decode("utf-8", "replace"):
        assert [one.data for one in events([raw])] == values


@pytest.mark.parametrize("text", ["data: {\n\n", "data: 7\n\n", "data: [1]\n\n", "data: <p>\n\n", 'data: {"a": 1'])
def test_what_is_no_object_is_a_fault_that_passes(text: str) -> None:
    with pytest.raises(Passing, match="no JSON object"):
        list(events([text.encode()]))


def test_a_line_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 1000)
    with pytest.raises(Passing, match="an event of more than"):
        list(events(b"x" * 100 for _ in range(100)))


NOW = datetime(2026, 11, 6, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(("headers", "body", "wait"), [
    ({"retry-after": "3"}, "", 3.0), ({"retry-after": "0.5"}, "", 0.5), ({"retry-after-ms": "1500", "retry-after": "9"}, "", 1.5),
    ({"retry-after": format_datetime(NOW.replace(second=42), usegmt=True)}, "", 42.0),
    ({"retry-after": format_datetime(NOW.replace(hour=11), usegmt=True)}, "", 0.0),
    ({"retry-after": "soon"}, "", None), ({"retry-after": "-3"}, "", None), ({}, '{"retryDelay": "34.5s"}', 34.5), ({}, "", None),
])
def test_what_an_endpoint_asks_us_to_wait(headers: dict[str, str], body: str, wait: float | None) -> None:
    assert retry_after_s(headers, body, NOW.timestamp()) == wait


@pytest.mark.parametrize("words", ["temperature: must be at most 1", "messages: roles must alternate", "model: unknown", "Invalid API key",
                                   "thinking.budget_tokens: must be less than max_tokens", "image: could not be decoded"])
def test_other_faults_are_not_too_large(words: str) -> None:
    assert not LARGE.search(words)
