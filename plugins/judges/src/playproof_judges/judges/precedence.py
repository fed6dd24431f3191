"""What a piece of evidence is worth where two of them disagree.

Verifier probes outrank pictures, and pictures outrank what a submission or an actor says (GenXR-Bench, appendix J). Among pictures,
media that the submission exported take precedence over our renders (BlenderWorld, section 4.1)."""

from collections.abc import Sequence
from enum import IntEnum

from playproof.model import Evidence, Observer

EXPORTED_BY_SUBMISSION = "exported:"
"""How the source of evidence begins that is a file which the submission exported: `exported:renders/front.png`."""

SAID_BY_ACTOR = "actor:"
"""How the source of evidence begins that is an actor's act or word: an attempt or a claim, never proof."""

PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif")
"""Media types that are shown as pictures without an exhibitor's help."""


class Rank(IntEnum):
    """From the strongest to the weakest. A reference is what the task gave to compare with: it outranks all, and proves nothing of
    the submission."""

    REFERENCE = 0
    PROBE = 1
    EXPORTED = 2
    SEEN = 3
    CLAIM = 4


PROOF = frozenset({Rank.PROBE, Rank.EXPORTED, Rank.SEEN})
"""What a pass may rest on."""


def rank(evidence: Evidence, *, picture: bool | None = None) -> Rank:
    """`picture` says whether it is shown as one, where its media type does not tell."""
    if evidence.observer is Observer.HELD:
        return Rank.REFERENCE
    if evidence.observer in (Observer.MAIN, Observer.INSIDE) or evidence.source.startswith(SAID_BY_ACTOR):
        return Rank.CLAIM
    if evidence.source.startswith(EXPORTED_BY_SUBMISSION):
        return Rank.EXPORTED
    shown = evidence.media_type.startswith(("image/", "video/")) if picture is None else picture
    return Rank.SEEN if shown else Rank.PROBE


IN_WORDS = {
    Rank.REFERENCE: "reference, given by the task", Rank.PROBE: "probe of the verifier", Rank.EXPORTED: "exported by the submission",
    Rank.SEEN: "picture taken by the verifier", Rank.CLAIM: "claim of the submission or of an actor",
}
"""The ranks as models are told of them."""


def proves(ranks: Sequence[Rank]) -> bool:
    return any(one in PROOF for one in ranks)
