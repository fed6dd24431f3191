"""Text in a submission that speaks to its judge, found by rule: a model that fell for it would not report it.

What is found is reported and changes no verdict by itself, so a false alarm costs a glance."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from playproof_judges.judges.fence import clean, hidden

MOST_CHARACTERS = 200_000
MOST_SIGNS = 5
AROUND = 60
"""Characters quoted on each side of a sign."""

_JUDGE = (r"(?:ai |vlm |llm |visual |automated )?"
          r"(?:judge|grader|evaluator|assessor|examiner|verifier|language model|ai model|vlm|llm|ai assistant)s?")
_SIGNS = [re.compile(pattern) for pattern in (
    r"\b(?:ignore|disregard|override|bypass)\b[^.!?]{0,40}\b(?:instruction|prompt|rubric|criteri|guideline|directive|system message)",
    r"\b(?:ignore|disregard|forget)\b[^.!?]{0,20}\b(?:previous|prior|above|earlier|preceding)\b",
    r"\b(?:dear|attention|note to|notice to|message to|instructions? (?:to|for)|hello|hey|hi|if you are)"
    rf" (?:the |an? |any |all )?{_JUDGE}\b",
    rf"\b{_JUDGE}\b[^.!?]{{0,40}}\b(?:must|should|shall|please|has to|have to|is to|are to|will)\b[^.!?]{{0,40}}"
    r"\b(?:pass|true|approve|accept|score|rate|rating|award|grade|mark|full|maximum|highest|perfect|ignore)",
    r"\b(?:mark|grade|judge|evaluate|rate|score|report|return|answer|respond|output|reply|verdict)\b[^.!?]{0,30}"
    r"\b(?:as|with|is|=|:)\s*\W{0,3}(?:pass(?:ed|ing)?|true|10/10|5/5|full marks|maximum score|highest rating|perfect score)\b",
    r"\b(?:this|the) (?:submission|criterion|requirement|check|test|application|scene)\b[^.!?]{0,20}"
    r"\b(?:must|should|has to|is to|shall) (?:be )?(?:pass|mark|rate|score|grade|judge|accept|consider)",
    r"\bverdict\W{1,6}(?:true|pass)\b",
    r"\b(?:system prompt|developer message|new instructions?:|end of (?:data|exhibits?|evidence))",
    r"<\|?(?:im_start|im_end|system|assistant|endoftext|eot_id|start_header_id)\|?>|\[/?inst\]|</?data-[0-9a-f]{4,}|<</?sys>>",
)]
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOINTS = re.compile(r"(?<=\w)[_\-.]+(?=\w)")
_SPACES = re.compile(r"\s+")


@lru_cache(maxsize=64)
def signs(text: str) -> Sequence[str]:
    """Quotations of what speaks to a judge, MOST_SIGNS at most, each cut and without hidden characters."""
    cut = text[:MOST_CHARACTERS]
    found: dict[str, None] = {}
    if smuggled := hidden(cut):
        found[f"hidden characters spell: {clean(smuggled)[: 2 * AROUND]}"] = None
    for one in _readings(cut):
        for sign in _SIGNS:
            for match in sign.finditer(one):
                found[_quoted(one, match)] = None
                if len(found) >= MOST_SIGNS:
                    return tuple(found)
    return tuple(found)


def _readings(text: str) -> Iterator[str]:
    """The text as it stands, and as its names would be read aloud: `IgnoreAllRules_judge` has words, too."""
    plain = _SPACES.sub(" ", unicodedata.normalize("NFKC", _seen(text)))
    yield plain.lower()
    spoken = _JOINTS.sub(" ", _CAMEL.sub(" ", plain)).lower()
    if spoken != plain.lower():
        yield spoken


def _seen(text: str) -> str:
    """Without the characters that stand between letters and show nothing."""
    return "".join(one for one in text if unicodedata.category(one) not in ("Cf", "Cs"))


def _quoted(text: str, match: re.Match[str]) -> str:
    start, end = max(0, match.start() - AROUND), min(len(text), match.end() + AROUND)
    return clean(f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}")
