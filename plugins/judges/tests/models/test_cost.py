"""Prices are dated data; an estimate is a bound that no reply exceeds; identity is what decides answers."""

import io
import re
from datetime import date
from typing import Any

import pytest
from PIL import Image

from playproof.canonical import canonical
from playproof.dialogue import Message, Opaque, Picture, Request, Result, Text, Tokens, Tool, user
from playproof.drivers import load
from playproof.interfaces import Services
from playproof_judges.models import prices, sizes
from playproof_judges.models.prices import Price
from playproof_judges.testing import Server, Turn, Used

ASK = Request([user("?")])
HOME_MODELS = {"anthropic": "claude-sonnet-4-5-20250929", "openai": "gpt-4o", "openai-responses": "gpt-5-mini-2025-08-07",
               "gemini": "gemini-2.5-flash"}


# --- prices ---


def test_the_table_is_dated_and_sourced() -> None:
    table = prices.table()
    assert date.fromisoformat(table.as_of) <= date.today()
    assert set(table.sources) == set(table.providers) == {"anthropic", "openai", "gemini"}
    for own in table.providers.values():
        assert own and all(0 < one.input < one.output and (one.cache_read or 0) < one.input for one in own.values())
        assert all((one.cache_write or one.input) >= one.input for one in own.values())


def test_a_snapshot_costs_what_its_model_costs() -> None:
    for provider, named, plain in (
        ("anthropic", "claude-haiku-4-5-20251001", "claude-haiku-4-5"), ("anthropic", "claude-opus-4-1@20250805", "claude-opus-4-1"),
        ("openai", "gpt-4o-2024-08-06", "gpt-4o"), ("gemini", "models/gemini-2.5-pro", "gemini-2.5-pro"),
    ):
        assert prices.known(provider, named) == prices.known(provider, plain) is not None
    assert prices.known("openai", "gpt-4o-mini") != prices.known("openai", "gpt-4o")
    assert prices.known("openai", "gpt-4o-audio") is prices.known("nobody", "gpt-4o") is None


def test_a_price_is_per_million_tokens() -> None:
    price = Price(input=3, output=15, cache_read=0.3, cache_write=3.75)
    assert price.of(Tokens(1_000_000, 100_000, 10_000, 1_000, 50_000)).usd == pytest.approx(3 + 1.5 + 0.003 + 0.00375)
    assert Price(input=3, output=15).of(Tokens(0, 0, 1_000_000, 1_000_000)).usd == pytest.approx(6)
    assert price.at_most(Tokens(1_000_000, 0)).usd == pytest.approx(3.75)


def test_long_requests_cost_more_from_the_first_token_on() -> None:
    price = Price(input=2, output=10, cache_read=0.2, above=1000, input_times=2, output_times=1.5)
    assert price.of(Tokens(600, 100, 400)).usd == pytest.approx((600 * 2 + 400 * 0.2 + 1000) / 1e6)
    assert price.of(Tokens(600, 100, 401)).usd == pytest.approx(((600 * 2 + 401 * 0.2) * 2 + 1000 * 1.5) / 1e6)


def test_the_table_holds_at_home_alone(driver: str, make: Any, services: Services) -> None:
    name = HOME_MODELS[driver]
    home = load("model", driver)({"model": name}, services)
    assert (home.estimate(ASK).usd or 0) > 0
    assert make(driver, model=name).estimate(ASK).usd is None  # whoever serves it there, at whatever price
    assert load("model", driver)({"model": "unheard-of"}, services).estimate(ASK).usd is None
    own = load("model", driver)({"model": name, "price": {"input": 0, "output": 0}}, services)
    assert own.estimate(ASK).usd == 0.0


def test_an_unknown_price_is_absent_and_not_nothing(driver: str, make: Any, server: Server) -> None:
    server.script(Turn("ok"), Turn("ok"))
    assert make(driver).ask(ASK).tokens.usd is None
    assert make(driver, price={"input": 1, "output": 1}).ask(ASK).tokens.usd == pytest.approx(36 / 1e6)


# --- estimates ---

# Tokens of the tokenizer that Anthropic published (of Claude 2).
COUNTED = {
    "The quick brown fox jumps over the lazy dog. " * 40: 401, "漢字が読めます。" * 20: 180, "🦊🎮✨🔥" * 20: 200, "": 0,
    '{"name": "Leg.001", "min": [-0.4125, 0.0, 1.2008], "vertices": 1284, "hidden": false}' * 20: 720,
    "def advance(self, ticks: int) -> None:\n    self._now += ticks\n" * 20: 380, "Geschwindigkeitsbegrenzung " * 20: 182,
}


@pytest.mark.parametrize(("text", "tokens"), COUNTED.items())
def test_text_is_not_counted_too_low(text: str, tokens: int) -> None:
    assert tokens <= sizes.text_tokens(text) <= 2 * tokens


def picture(width: int, height: int) -> Picture:
    out = io.BytesIO()
    Image.new("RGB", (width, height)).save(out, "PNG")
    return Picture(out.getvalue())


@pytest.mark.parametrize(("rule", "size", "tokens"), [
    (sizes.anthropic_picture, (1000, 1000), 1296), (sizes.anthropic_picture, (28, 28), 1), (sizes.anthropic_picture, (8000, 8000), 4784),
    (sizes.openai_picture("gpt-4o"), (1024, 1024), 765), (sizes.openai_picture("gpt-4.1-2025-04-14"), (2048, 4096), 1105),
    (sizes.openai_picture("gpt-4o-mini"), (1024, 1024), 25501), (sizes.openai_picture("gpt-4.1-mini"), (1024, 1024), 1762),
    (sizes.openai_picture("gpt-5-nano"), (9000, 9000), 3779), (sizes.openai_picture("gpt-6-sol"), (1024, 1024), 1229),
    (sizes.openai_picture("gpt-6.1-sol"), (9000, 9000), 12_000), (sizes.openai_picture("gpt-5.4"), (320, 320), 120),
    (sizes.gemini_picture, (100, 100), 1120), (sizes.gemini_picture, (960, 540), 1548), (sizes.gemini_picture, (3000, 3000), 258 * 16),
    (sizes.open_picture, (100, 100), 3328), (sizes.open_picture, (2800, 2800), 10_002),
])
def test_pictures_cost_what_is_documented(rule: sizes.PictureTokens, size: tuple[int, int], tokens: int) -> None:
    """765 and 1,105 are OpenAI's own examples of tiles, 1,548 is Google's of six."""
    assert rule(*size) == tokens


def test_a_picture_that_cannot_be_read_is_counted_large() -> None:
    request = Request([user(Picture(b"no picture at all"))])
    assert sizes.request_tokens(request, sizes.anthropic_picture) >= sizes.UNREAD


def test_everything_in_a_request_counts() -> None:
    def tokens(**changes: Any) -> int:
        return sizes.request_tokens(Request(**{"messages": [user("?")], **changes}), sizes.anthropic_picture)

    least = tokens()
    long = "a long text that counts " * 10
    for more in ({"system": long}, {"messages": [user("?", long)]}, {"messages": [user("?"), user("?")]}, {"schema": {"description": long}},
                 {"tools": [Tool("t", long, {})]}, {"tools": [Tool("t", "", {"description": long})]},
                 {"messages": [user("?", Result("1", [Text(long)]))]}, {"messages": [user("?", Result("1", [picture(500, 500)]))]},
                 {"messages": [user("?"), Message("assistant", [Opaque("x", {"thought": long})])]},
                 {"messages": [user("?", picture(500, 500))]}, {"messages": [user("?", Picture(picture(28, 28).data, caption=long))]}):
        assert tokens(**more) > least + 7, more


def test_an_estimate_is_the_greatest_cost(driver: str, make: Any, server: Server) -> None:
    """Of a reply that takes all the room there is, at the dearest kind of input."""
    model = make(driver, price={"input": 3, "output": 15, "cache_read": 0.3, "cache_write": 3.75})
    request = Request([user("Look at this.", picture(1280, 800))], system="You judge.", max_tokens=2000)
    estimate = model.estimate(request)
    written = 0 if driver == "gemini" else 1350
    server.script(Turn("ok", used=Used(input=1350 - written, output=2000, cache_read=0, cache_write=written)))
    used = model.ask(request).tokens
    assert used.cache_write == written and estimate.output == 2000 and estimate.input >= 1350 and estimate.usd >= used.usd
    assert make(driver, max_tokens=9000).estimate(request).output == 9000


# --- identity ---


def test_identity_is_what_decides_answers(driver: str, make: Any, server: Server, services: Services) -> None:
    def identity(**options: Any) -> Any:
        return make(driver, **options).identity

    plain = identity()
    assert plain == {"driver": driver, "model": "test-model", "schema": "native", "base_url": server.ref(driver).options["base_url"]}
    same = [{"key": "K"}, {"idle_s": 9}, {"wall_s": 9}, {"retries": 1}, {"patience_s": 9}, {"limit": 9},
            {"price": {"input": 1, "output": 1}}]
    assert all(identity(**one) == plain for one in same)
    other = [{"model": "another"}, {"temperature": 0}, {"max_tokens": 9}, {"effort": "low"}, {"schema": "prompt"}]
    assert len({canonical(identity(**one)) for one in [{}, *other]}) == len(other) + 1
    home = load("model", driver)({"model": "m"}, services)
    assert "base_url" not in home.identity
    assert load("model", driver)({"model": "m", "base_url": home.home.url + "/"}, services).identity == home.identity


def test_sources_say_no_price_of_nothing() -> None:
    """A price of 0 in the table would be spent without a word."""
    text = prices.files("playproof_judges.models").joinpath("prices.toml").read_text()
    assert not re.search(r"= 0[,} ]", text)


def test_a_server_that_counts_nothing_is_charged_what_was_estimated(make: Any, server: Server) -> None:
    """A budget in USD must fill, whoever forgets to count."""
    server.script(Turn("a word", used=Used(0, 0, 0, 0, 0)))
    model, request = make("openai", price={"input": 1.0, "output": 2.0}), Request([user("one word?")], max_tokens=50)
    assert model.ask(request).tokens == model.estimate(request) and (model.estimate(request).usd or 0) > 0
