"""How many tokens a request could be at most, before it is sent: text by its characters, pictures by their pixels."""

import io
import math
import re
from collections.abc import Callable
from functools import partial

from PIL import Image, UnidentifiedImageError

from playproof.canonical import canonical
from playproof.dialogue import Call, Message, Opaque, Part, Picture, Request, Result, Text

PART_TOKENS, MESSAGE_TOKENS, TOOL_TOKENS = 8, 8, 64
"""What the provider's own framing of each takes, rounded up."""

TOOLS_TOKENS = 1200
"""What a provider says to the model about tools, once: 290 to 1,050 in Anthropic's tables, where forcing one is dearest."""

UNREAD = 5000
"""Of a picture whose size cannot be read."""

PictureTokens = Callable[[int, int], int]
"""(width, height) in pixels to tokens."""


LONG_WORD = re.compile(r"[A-Za-z]{13,}")


def text_tokens(text: str) -> int:
    """At most: words three characters a token, with one more for a long word; a digit or a sign one each; other scripts three
    for four bytes.

    Against the tokenizer that Anthropic published (Claude 2): 1.4 to 1.8 times what English, code and scenes in JSON have, 1.1
    in German, 2 in Chinese. A third of the characters alone is 0.8 times what JSON has, and 0.4 times Chinese."""
    words = sum(one.isascii() and (one.isalpha() or one.isspace()) for one in text)
    signs = sum(one.isascii() for one in text) - words
    others = len(text.encode("utf-8", "surrogatepass")) - words - signs
    return -(-words // 3) + len(LONG_WORD.findall(text)) + signs + -(-others * 3 // 4)


def request_tokens(request: Request, of_picture: PictureTokens) -> int:
    """The whole input, at most. A schema counts, wherever it is put."""
    known = text_tokens(request.system) + sum(_message(one, of_picture) for one in request.messages)
    tools = sum(text_tokens(one.name + one.description) + _json_tokens(one.schema) + TOOL_TOKENS for one in request.tools)
    schema = _json_tokens(request.schema) + TOOLS_TOKENS if request.schema is not None else 0
    return known + tools + schema + (TOOLS_TOKENS if request.tools else 0) + 64


def _message(message: Message, of_picture: PictureTokens) -> int:
    return MESSAGE_TOKENS + sum(_part(one, of_picture) + PART_TOKENS for one in message.parts)


def _part(part: Part, of_picture: PictureTokens) -> int:
    match part:
        case Text():
            return text_tokens(part.text)
        case Picture():
            return text_tokens(part.caption) + _picture(part, of_picture)
        case Call():
            return text_tokens(part.name + part.id) + _json_tokens(part.arguments)
        case Result():
            return text_tokens(part.id) + sum(_part(one, of_picture) for one in part.content)
        case Opaque():
            return _json_tokens(part.data)


def _json_tokens(value: object) -> int:
    return text_tokens(canonical(value).decode("utf-8", "surrogatepass"))


def _picture(picture: Picture, of_picture: PictureTokens) -> int:
    try:
        with Image.open(io.BytesIO(picture.data)) as opened:
            return of_picture(*opened.size)
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return UNREAD


def cells(width: int, height: int, side: int) -> int:
    return -(-width // side) * -(-height // side)


def anthropic_picture(width: int, height: int) -> int:
    """28 x 28 pixels a token; a larger picture is scaled down to 4,784 tokens, or fewer with older models."""
    return min(cells(width, height, 28), 4784)


def openai_picture(model: str) -> PictureTokens:
    """Older models count tiles, the others patches of 32 x 32 pixels: at most 1,536 (small ones of their time) or 10,000, times a
    factor that only the small ones have published."""
    if TILED.match(model):
        return partial(_tiles, *((2833, 5667) if model.startswith("gpt-4o-mini") else (85, 170)))
    most = 1536 if SMALL.match(model) else 10_000
    return partial(_patches, most, 2.46 if "nano" in model else 1.72 if "mini" in model else 1.2)


TILED = re.compile(r"(gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|gpt-5\.1|o1|o3)(?!\.\d|-mini|-nano)|gpt-4o-mini")
SMALL = re.compile(r"(gpt-4\.1|gpt-5|o4)-(mini|nano)")


def _tiles(base: int, tile: int, width: int, height: int) -> int:
    """Scaled into 2048 x 2048, then the shorter side to 768; so much for each tile of 512 x 512."""
    scale = min(1.0, 2048 / max(width, height, 1))
    scale *= 768 / max(1.0, min(width, height) * scale)
    return base + tile * cells(round(width * scale), round(height * scale), 512)


def _patches(most: int, factor: float, width: int, height: int) -> int:
    return math.ceil(min(cells(width, height, 32), most) * factor)


def open_picture(width: int, height: int) -> int:
    """Of models that anybody serves: 28 x 28 pixels a token (Qwen), or 13 tiles of 256 tokens (InternVL)."""
    return max(cells(width, height, 28) + 2, 3328)


def gemini_picture(width: int, height: int) -> int:
    """258 tokens for each tile, whose side is two thirds of the shorter side, from 256 to 768; from Gemini 3 on, 1,120 at most."""
    side = min(768, max(256, int(min(width, height) / 1.5)))
    return max(1120, 258 * cells(width, height, side))
