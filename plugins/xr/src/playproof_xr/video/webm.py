"""WebM with one track of VP8: what a browser has encoded, as a file that browsers play and can seek in.

Own, and small: the one kept pure-Python library (ebmlite) reads Matroska and needs its schemas to write what is four nested elements.
A key frame of VP8 is, octet for octet, the picture of a lossy WebP: so the frames that begin a cluster can be looked at without
a video decoder (`Film.stills`)."""

import struct
from collections.abc import Iterator, Sequence

from attrs import frozen

from playproof_xr.video.ebml import element, elements, real, size, text, unsigned

EBML, SEGMENT, INFO, TRACKS, CUES, CLUSTER = 0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B, 0x1C53BB6B, 0x1F43B675
TRACK, VIDEO, CUE, CUE_POSITIONS, CLUSTER_TIME, BLOCK = 0xAE, 0xE0, 0xBB, 0xB7, 0xE7, 0xA3
DURATION, WIDTH, HEIGHT, CODEC = 0x4489, 0xB0, 0xBA, 0x86
KEY = 0x80
LONGEST_CLUSTER_MS = 30_000
"""A block's time is 16 bits, signed, from that of its cluster."""


@frozen
class Frame:
    """An encoded frame; `at_ms` from the beginning. A key frame can be decoded without those before it."""

    at_ms: int
    key: bool
    encoded: bytes


@frozen
class Film:
    """A video; `duration_ms` until its last frame has been seen."""

    width: int
    height: int
    frames: Sequence[Frame]
    duration_ms: int

    @property
    def stills(self) -> Sequence[tuple[int, bytes]]:
        """The key frames as WebP pictures, with their times in milliseconds."""
        return [(frame.at_ms, webp(frame.encoded)) for frame in self.frames if frame.key]


def muxed(film: Film) -> bytes:
    """The film as a WebM file. Raises ValueError where it does not begin with a key frame, or goes back in time."""
    if not film.frames or not film.frames[0].key:
        raise ValueError("a film begins with a key frame")
    if any(one.at_ms > other.at_ms for one, other in zip(film.frames, film.frames[1:], strict=False)):
        raise ValueError("a film's frames are in the order of their times")
    clusters = [(group[0].at_ms, _cluster(group)) for group in _groups(film.frames)]
    ahead = _info(film) + _tracks(film)
    at, places = len(ahead) + len(_cues([(start, 0) for start, _ in clusters])), []
    for start, cluster in clusters:
        places.append((start, at))
        at += len(cluster)
    content = ahead + _cues(places) + b"".join(cluster for _, cluster in clusters)
    head = [unsigned(0x4286, 1), unsigned(0x42F7, 1), unsigned(0x42F2, 4), unsigned(0x42F3, 8), text(0x4282, "webm"), unsigned(0x4287, 2),
            unsigned(0x4285, 2)]  # fmt: skip
    return element(EBML, b"".join(head)) + SEGMENT.to_bytes(4) + size(len(content)) + content


def _info(film: Film) -> bytes:
    by = text(0x4D80, "playproof") + text(0x5741, "playproof")
    return element(INFO, unsigned(0x2AD7B1, 1_000_000) + real(DURATION, film.duration_ms) + by)


def _tracks(film: Film) -> bytes:
    picture = element(VIDEO, unsigned(WIDTH, film.width) + unsigned(HEIGHT, film.height))
    track = unsigned(0xD7, 1) + unsigned(0x73C5, 1) + unsigned(0x83, 1) + unsigned(0x9C, 0) + text(CODEC, "V_VP8") + picture
    return element(TRACKS, element(TRACK, track))


def _cues(places: Sequence[tuple[int, int]]) -> bytes:
    """Where each cluster lies, so that a player finds a time; of a length that does not depend on the places."""
    positions = ((start, element(CUE_POSITIONS, unsigned(0xF7, 1) + unsigned(0xF1, at, 8))) for start, at in places)
    return element(CUES, b"".join(element(CUE, unsigned(0xB3, start, 8) + position) for start, position in positions))


def _groups(frames: Sequence[Frame]) -> Iterator[Sequence[Frame]]:
    """Frames by cluster: from each key frame to the next."""
    group: list[Frame] = []
    for frame in frames:
        if group and (frame.key or frame.at_ms - group[0].at_ms > LONGEST_CLUSTER_MS):
            yield group
            group = []
        group.append(frame)
    yield group


def _cluster(group: Sequence[Frame]) -> bytes:
    start = group[0].at_ms
    blocks = (element(BLOCK, b"\x81" + (frame.at_ms - start).to_bytes(2) + bytes([KEY * frame.key]) + frame.encoded) for frame in group)
    return element(CLUSTER, unsigned(CLUSTER_TIME, start) + b"".join(blocks))


# --- reading back what `muxed` wrote ---


def film_of(webm: bytes) -> Film:
    """Raises ValueError on anything that `muxed` does not write."""
    segment = dict(elements(webm)).get(SEGMENT)
    if segment is None:
        raise ValueError("no segment")
    width = height = 0
    duration, frames = 0.0, list[Frame]()
    for identity, content in elements(segment):
        if identity == INFO:
            duration = _real(dict(elements(content)).get(DURATION, b""))
        elif identity == TRACKS:
            track = dict(elements(dict(elements(content)).get(TRACK, b"")))
            if track.get(CODEC) != b"V_VP8":
                raise ValueError("a track that is not VP8")
            picture = dict(elements(track.get(VIDEO, b"")))
            width, height = (int.from_bytes(picture.get(side, b"")) for side in (WIDTH, HEIGHT))
        elif identity == CLUSTER:
            frames += _frames(content)
    return Film(width, height, frames, round(duration))


def _real(content: bytes) -> float:
    if len(content) != 8:
        raise ValueError("a duration is 8 bytes long")
    return float(struct.unpack(">d", content)[0])


def _frames(cluster: bytes) -> Iterator[Frame]:
    start = 0
    for identity, content in elements(cluster):
        if identity == CLUSTER_TIME:
            start = int.from_bytes(content)
        elif identity == BLOCK and len(content) > 4:
            yield Frame(start + int.from_bytes(content[1:3]), bool(content[3] & KEY), content[4:])


def webp(key_frame: bytes) -> bytes:
    """A key frame of VP8 as a WebP picture."""
    padded = key_frame + b"\0" * (len(key_frame) % 2)
    chunk = b"VP8 " + len(key_frame).to_bytes(4, "little") + padded
    return b"RIFF" + (4 + len(chunk)).to_bytes(4, "little") + b"WEBP" + chunk
