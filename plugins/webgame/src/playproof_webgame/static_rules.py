"""Rules about text, in a child process: a pattern that meets the wrong text can take for ever, and only a kill ends it.

    python -m playproof_webgame.static_rules

reads {"html", "text", "rules"} as JSON and writes one line for each rule: what is wrong, or an empty text.
"""

import json
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from html.parser import HTMLParser
from typing import IO, Any

from playproof.errors import InfrastructureError

RULE_S = 5.0
"""Wall seconds that one rule may take."""

START_S = 30.0
MEMORY = 2 << 30
READY = b"ready\n"

AROUND = 200
"""Characters on each side of a match in which `exclude_in` is looked for."""

Rule = Mapping[str, Any]


def run_rules(rules: Sequence[Rule], html: str, text: str, rule_s: float = RULE_S) -> Sequence[str]:
    """For each rule what is wrong, or nothing. A rule that takes longer than `rule_s` has failed; the others still run."""
    answers: list[str] = []
    while len(answers) < len(rules):
        answers += _until_stuck(rules[len(answers) :], html, text, rule_s)
        if len(answers) < len(rules):
            answers.append(f"its patterns took longer than {rule_s:g} s on this text")
    return answers


def _until_stuck(rules: Sequence[Rule], html: str, text: str, rule_s: float) -> list[str]:
    """Answers in order, up to the first rule that takes too long or takes its child with it."""
    child = subprocess.Popen([sys.executable, "-P", "-m", "playproof_webgame.static_rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None and child.stdout is not None
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    reader = threading.Thread(target=_pass_on, args=(child.stdout, lines), daemon=True)
    reader.start()
    answers: list[str] = []
    try:
        child.stdin.write(json.dumps({"html": html, "text": text, "rules": list(rules)}).encode())
        child.stdin.close()
        if lines.get(timeout=START_S) != READY:
            raise InfrastructureError("the child that applies the static rules did not start")
        for _ in rules:
            answers.append(json.loads(lines.get(timeout=rule_s)))
    except (queue.Empty, ValueError):  # too slow; or ended by itself, for instance out of memory
        return answers
    finally:
        child.kill()
        child.wait()
        reader.join()
        child.stdout.close()
    return answers


def _pass_on(out: IO[bytes], lines: "queue.SimpleQueue[bytes]") -> None:
    for line in out:
        lines.put(line)
    lines.put(b"")


# --- in the child ---


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)


def _structure(rule: Rule, html: str, text: str) -> str:
    tags = _Tags()
    tags.feed(html)
    tags.close()
    missing = [tag for tag in rule["required_tags"] if tag.lower() not in tags.seen]
    return f"no <{'>, <'.join(missing)}>" if missing else ""


def _any(rule: Rule, html: str, text: str) -> str:
    return "" if any(re.search(pattern, text) for pattern in rule["patterns"]) else "none of the patterns is found"


def _all(rule: Rule, html: str, text: str) -> str:
    missing = [pattern for pattern in rule["patterns"] if not re.search(pattern, text)]
    return f"not found: {', '.join(missing)}" if missing else ""


def _none(rule: Rule, html: str, text: str) -> str:
    for pattern in rule["patterns"]:
        for match in re.finditer(pattern, text):
            around = text[max(0, match.start() - AROUND) : match.end() + AROUND]
            if not any(excuse in around for excuse in rule["exclude_in"]):
                return f"found {match.group()[:80]!r} at character {match.start()}"
    return ""


def _proximity(rule: Rule, html: str, text: str) -> str:
    most = max(len(re.findall(pattern, text, re.DOTALL)) for pattern in rule["patterns"])
    return "" if most >= rule["min_count"] else f"found {most} times, wanted {rule['min_count']}"


RULES: Mapping[str, Callable[[Rule, str, str], str]] = {
    "html_structure": _structure, "regex_any": _any, "regex_all": _all, "regex_none": _none, "regex_proximity": _proximity,
}  # fmt: skip


def main() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    asked = json.load(sys.stdin)
    sys.stdout.write(READY.decode())
    for rule in asked["rules"]:
        sys.stdout.write(json.dumps(RULES[rule["type"]](rule, asked["html"], asked["text"])) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
