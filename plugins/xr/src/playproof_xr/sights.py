"""What is there, and shown: predicates of a moment."""

from collections.abc import Callable, Sequence

from playproof_xr.predicates import Predicate, Stated
from playproof_xr.targets import Followed, target
from playproof_xr.time.track import Nothing, Placed, Track


def there(a: Followed) -> Predicate:
    """Whether it is there at all, and has finite numbers: true or false, never neither."""
    whose = target(a)
    return Stated(f"{whose.name} is there", frozenset({whose}), lambda track: [isinstance(one, Placed) for one in whose.column(track)],
                  lambda track, index: _there(whose.column(track)[index], whose.name))  # fmt: skip


def visible(a: Followed) -> Predicate:
    """Shown by the app (itself and all that it is in), whether or not somebody looks that way."""
    return _looks("visible", a, lambda one: one.visible)


def in_view(a: Followed) -> Predicate:
    """Visible, and within what the eye sees; other things may stand before it."""
    return _looks("in view", a, lambda one: one.in_view)


def _looks(word: str, a: Followed, take: Callable[[Placed], bool]) -> Predicate:
    whose = target(a)

    def asked(track: Track) -> Sequence[bool | Nothing]:
        return [one if isinstance(one, Nothing) else take(one) for one in whose.column(track)]

    return Stated(f"{whose.name} is {word}", frozenset({whose}), asked, lambda track, index: _word(asked(track)[index], whose.name, word))


def _word(found: bool | Nothing, name: str, word: str) -> str:
    return f"{name} is {'' if found is True else 'not '}{word}"


def _there(found: Placed | Nothing, name: str) -> str:
    return f"{name} is there" if isinstance(found, Placed) else f"{name} {found.why}"
