"""Scores 100,000 stored verdicts again, from their JSON, and prints the CPU time beside the target."""

import json
import time

from playproof.canonical import plain, structure
from playproof.model import Check, Outcome, Priority, Reason, Verdict
from playproof.scoring import TrialResult, conjunction, scores

TARGET_S = 2.0
VERDICTS = 100_000
CHECKS = [Check(f"s{i}", "static", "", layer="L1") for i in range(6)]
CHECKS += [Check(f"p{i}", "python", "", priority=list(Priority)[i % 3]) for i in range(14)]


def stored() -> list[str]:
    """One JSON line for each trial: 20 checks, every seventh verdict a fail."""
    lines, made = [], 0
    while made < VERDICTS:
        verdicts = []
        for check in CHECKS:
            failed = made % 7 == 0
            outcome, reason = (Outcome.FAIL, Reason.FAIL) if failed else (Outcome.PASS, Reason.OK)
            verdicts.append(Verdict(check.id, "default", outcome, reason, "seen and wanted", "3", "4", cites=["0" * 64], wall_ms=120))
            made += 1
        lines.append(json.dumps(plain(verdicts)))
    return lines


def trials(lines: list[str]) -> list[TrialResult]:
    read = [conjunction(structure(json.loads(line), list[Verdict])) for line in lines]
    return [TrialResult(f"task-{i % 50}", f"stack-{i // 50 % 10}", i // 500, checks=CHECKS, verdicts=found) for i, found in enumerate(read)]


def main() -> None:
    lines = stored()
    started = time.process_time()
    read = trials(lines)
    between = time.process_time()
    rules = [{"rule": "strict"}, {"rule": "pass_at_k", "k": 1}, {"rule": "pass_at_k", "k": 5}]
    found = scores(read, {f"task-{i}": rules for i in range(50)})
    ended = time.process_time()
    count = sum(len(own) for own in found.values())
    print(f"{VERDICTS:,} verdicts, {len(lines):,} trials, {count} scores: {ended - started:.2f} s CPU (target < {TARGET_S:.0f} s)")
    print(f"  read {between - started:.2f} s, scored {ended - between:.2f} s")


if __name__ == "__main__":
    main()
