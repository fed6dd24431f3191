"""Chance that can be asked again: numbers that depend on a key and a tick alone, the same on every machine and Python."""

import math
from collections.abc import Iterator
from hashlib import blake2b
from struct import unpack


def uniform(key: str, tick: int, count: int) -> Iterator[float]:
    """`count` numbers above 0 and at most 1."""
    found = 0
    block = 0
    while found < count:
        digest = blake2b(f"{key}|{tick}|{block}".encode(), digest_size=64).digest()
        for number in unpack("<8Q", digest)[: count - found]:
            yield ((number >> 11) + 1) / 9007199254740992.0
        found, block = found + 8, block + 1


def gaussian(key: str, tick: int, count: int) -> Iterator[float]:
    """Normal numbers with standard deviation 1 (Box and Muller)."""
    numbers = uniform(key, tick, count + count % 2)
    for index, (one, two) in enumerate(zip(numbers, numbers, strict=True)):
        far, angle = math.sqrt(-2.0 * math.log(one)), 2.0 * math.pi * two
        yield far * math.cos(angle)
        if 2 * index + 1 < count:
            yield far * math.sin(angle)
