"""EBML (RFC 8794): the form in which WebM and Matroska files are written: nested elements of an id, a size and their content."""

import struct
from collections.abc import Iterator


def element(identity: int, content: bytes) -> bytes:
    """One element; ids are written as they are in the specifications, with their length marker."""
    return identity.to_bytes((identity.bit_length() + 7) // 8) + size(len(content)) + content


def size(number: int) -> bytes:
    """A length as a variable-size integer. All ones would mean an unknown length, and is passed over."""
    octets = 1
    while number >= (1 << 7 * octets) - 1:
        octets += 1
    return (number | 1 << 7 * octets).to_bytes(octets)


def unsigned(identity: int, number: int, octets: int | None = None) -> bytes:
    """`octets` fixes the length of the number, where a size must be known before the number is."""
    return element(identity, number.to_bytes(octets or max(1, (number.bit_length() + 7) // 8)))


def real(identity: int, number: float) -> bytes:
    return element(identity, struct.pack(">d", number))


def text(identity: int, words: str) -> bytes:
    return element(identity, words.encode())


def elements(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The ids and contents of a row of elements. Raises ValueError on what is torn, or of unknown length."""
    at = 0
    while at < len(content):
        identity, at = _variable(content, at, marked=True)
        length, at = _variable(content, at, marked=False)
        if at + length > len(content):
            raise ValueError(f"an element of {length} bytes where {len(content) - at} are left")
        yield identity, content[at : at + length]
        at += length


def _variable(content: bytes, at: int, *, marked: bool) -> tuple[int, int]:
    """A variable-size integer at a place, with its length marker or without; and the place behind it."""
    octets = 9 - content[at].bit_length() if at < len(content) else 9
    if octets > 8 or at + octets > len(content):
        raise ValueError("a torn element")
    number = int.from_bytes(content[at : at + octets])
    return number if marked else number & ~(1 << 7 * octets), at + octets
