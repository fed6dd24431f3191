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
from typing import IO, Any

from playproof.errors import InfrastructureError, SessionError, SessionHung, SessionLost
from playproof_browser.markup import Markup

RULE_S = 5.0
"""Wall seconds that one rule may take."""

START_S = 30.0
MEMORY = 2 << 30
READY = b"ready\n"

AROUND = 200
"""Characters on each side of a match in which `exclude_in` is looked for."""

Rule = Mapping[str, Any]


def run_rules(rules: Sequence[Rule], html: str, text: str) -> Sequence[str | SessionError]:
    """For each rule what is wrong, or nothing. A rule that takes longer than RULE_S, or ends its child, gives the error that
    says so: whose fault that is, a control must tell. The others still run."""
    answers: list[str | SessionError] = []
    while len(answers) < len(rules):
        answers += _until_stuck(rules[len(answers) :], html, text)
    return answers


def _until_stuck(rules: Sequence[Rule], html: str, text: str) -> Sequence[str | SessionError]:
    """Answers in order, up to and with the first rule that takes too long or takes its child with it.

    Raises InfrastructureError when the child itself does not come to its feet: no rule has been tried then."""
    child = subprocess.Popen([sys.executable, "-P", "-m", "playproof_webgame.static_rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None and child.stdout is not None
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    reader = threading.Thread(target=_pass_on, args=(child.stdout, lines), daemon=True)
    reader.start()
    answers: list[str | SessionError] = []
    try:
        _begin(child.stdin, lines, json.dumps({"html": html, "text": text, "rules": list(rules)}).encode())
        for _ in rules:
            line = lines.get(timeout=RULE_S)
            if not line.endswith(b"\n"):
                return [*answers, SessionLost("the process that applied its patterns to this text died")]
            answers.append(json.loads(line))
    except queue.Empty:
        return [*answers, SessionHung(f"its patterns took longer than {RULE_S:g} s on this text")]
    finally:
        child.kill()
        child.wait()
        reader.join()
        child.stdout.close()
    return answers


def _begin(stdin: IO[bytes], lines: "queue.SimpleQueue[bytes]", asked: bytes) -> None:
    try:
        with stdin:
            stdin.write(asked)
        if lines.get(timeout=START_S) == READY:
            return
    except (OSError, queue.Empty):
        pass  # said below
    raise InfrastructureError("the process that applies the static rules did not become ready")


def _pass_on(out: IO[bytes], lines: "queue.SimpleQueue[bytes]") -> None:
    for line in out:
        lines.put(line)
    lines.put(b"")


# --- in the child ---


class _Tags(Markup):
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
    sys.stdout.flush()
    for rule in asked["rules"]:
        sys.stdout.write(json.dumps(RULES[rule["type"]](rule, asked["html"], asked["text"])) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
