"""Two sets of opinions on the same exhibits: a judge before and after a change of its prompt, model or settings."""

from collections.abc import Mapping, Sequence
from statistics import median

from attrs import frozen

from playproof.scoring.compare import Overlap
from playproof_stats.agreement.preferences import majority
from playproof_stats.calibration.answers import Judged, Key, Said
from playproof_stats.calibration.values import Change, Row, Section, spoken
from playproof_stats.figures import Figure, Resampling, Undefined
from playproof_stats.resample import clustered_t, share

NONE = "no question was answered in both sets on the same exhibits"


@frozen
class Shared:
    """What both sets answered on the same exhibits: key -> before, after. `elsewhere` counts questions that both were asked on other
    exhibits, `alone` those that one set lacks."""

    pairs: Mapping[Key, tuple[Said, Said]]
    elsewhere: int
    alone: int


def shared(before: Sequence[Judged], after: Sequence[Judged]) -> Shared:
    old, new = _pooled(before), _pooled(after)
    both = [key for key in old if key in new]
    same = [key for key in both if old[key][1] == new[key][1]]
    pairs = {key: (a, b) for key in same if (a := _one(key, old[key][0])) is not None and (b := _one(key, new[key][0])) is not None}
    return Shared(pairs, len(both) - len(same), len(old) + len(new) - 2 * len(both))


def _pooled(judges: Sequence[Judged]) -> Mapping[Key, tuple[Sequence[Said | None], frozenset[str]]]:
    found: dict[Key, tuple[Sequence[Said | None], frozenset[str]]] = {}
    for judge in judges:
        for key, said in judge.said.items():
            known, shown = found.get(key, ((), frozenset[str]()))
            found[key] = ([*known, *said], shown | judge.exhibits.get(key, frozenset()))
    return found


def _one(key: Key, said: Sequence[Said | None]) -> Said | None:
    """What the votes amount to: a strict majority of all that were asked, or the median rating."""
    given = [one for one in said if one is not None]
    if 2 * len(given) <= len(said):
        return None
    if key.form == "rating":
        return float(median(float(one) for one in given))
    if key.form == "preference":
        return majority(given)  # type: ignore[arg-type] # preferences are texts of three kinds
    return next((value for value in (True, False) if 2 * given.count(value) > len(said)), None)


def drift_section(met: Shared, names: tuple[str, str], tasks: Mapping[str, str], how: Resampling) -> Section:
    """A row for each form that both sets answered."""
    rows = []
    for form, name in (("verdict", "verdicts"), ("rating", "ratings"), ("preference", "preferences")):
        pairs = {key: pair for key, pair in met.pairs.items() if key.form == form}
        own = [tasks[key.trials[0]] for key in pairs]
        if pairs:
            same = share("same", [int(a == b) for a, b in pairs.values()], [1] * len(pairs), own, how, NONE)
            rows.append(Row(name, [same, *_further(form, list(pairs.values()), own, how)]))
    return Section("drift", names[1], names[0], rows or [Row("all", [Figure("same", None, 0, why=NONE)])])


def _further(form: str, pairs: Sequence[tuple[Said, Said]], own: Sequence[str], how: Resampling) -> Sequence[Figure]:
    if form == "verdict":
        found = [pairs.count(one) for one in ((True, True), (True, False), (False, True), (False, False))]
        met = Overlap(*found)
        turned = met.only_a + met.only_b
        ones = [1] * len(pairs)
        return [share("passed_before", [int(a is True) for a, _ in pairs], ones, own, how, NONE),
                share("passed_after", [int(b is True) for _, b in pairs], ones, own, how, NONE),
                Figure("to_pass", met.only_b / len(pairs), len(pairs), met.only_b),
                Figure("to_fail", met.only_a / len(pairs), len(pairs), met.only_a),
                Figure("mcnemar_p", float(met.p) if turned else None, turned, why="" if turned else "no verdict has changed")]
    if form == "rating":
        gaps = [float(b) - float(a) for a, b in pairs]
        within = share("within_1_point", [int(abs(gap) <= 1) for gap in gaps], [1] * len(gaps), own, how, NONE)
        middle = sum(gaps) / len(gaps)
        try:
            found_t = clustered_t(gaps, own, how.level)
        except Undefined as lack:
            return [within, Figure("shift", middle, len(gaps), interval=f"no interval: {lack}")]
        return [within, Figure("shift", middle, len(gaps), low=found_t.low, high=found_t.high, interval=found_t.method)]
    return []


def changes(met: Shared) -> Sequence[Change]:
    return [Change(key.about, key.question, spoken(a), spoken(b)) for key, (a, b) in met.pairs.items() if a != b]
