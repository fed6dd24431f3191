"""Foreign text marked as data: between tags that it cannot close, in characters that cannot hide."""

import re
from collections.abc import Iterable

from attrs import frozen

from playproof.canonical import digest

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Characters that show nothing, turn the direction of writing, smuggle text (tags, selectors) or cannot be sent (lone surrogates)."""


def clean(text: str) -> str:
    """The text with hidden characters spelled out (`\\u200b`): a model and a person then read the same."""
    return _HIDDEN.sub(lambda found: _spelled(found[0]), text.replace("\r\n", "\n"))


def _spelled(character: str) -> str:
    point = ord(character)
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def hidden(text: str) -> str:
    """What Unicode's tag characters spell, which a model reads and a person does not see."""
    return "".join(chr(ord(one) - 0xE0000) for one in text if 0xE0020 <= ord(one) <= 0xE007E)


@frozen
class Fence:
    """Tags for one request. They come from the content itself, so that the same content always gives the same request, and no
    content can hold its own."""

    token: str

    @property
    def opening(self) -> str:
        return f"<data-{self.token}>"

    @property
    def closing(self) -> str:
        return f"</data-{self.token}>"

    def around(self, text: str) -> str:
        return f"{self.opening}\n{text}\n{self.closing}"


def fence(texts: Iterable[str]) -> Fence:
    """A fence for these texts, none of which contains its token."""
    whole = "\n".join(texts)
    lowered, token, turn = whole.lower(), "", 0
    while not token or token in lowered:
        token, turn = digest([whole, turn])[:16], turn + 1
    return Fence(token)
