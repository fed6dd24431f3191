"""What the gateway adds to an agent's request: the same requests to a scripted provider, straight and through it, by turns in one run.

    python benchmarks/gateway.py [--requests 200]

Prints milliseconds of wall time for a request, the middle of all, and of CPU of this process, which holds client, gateway and provider;
asserts nothing.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from playproof_harnesses.gateway.exchanges import Exchanges
from playproof_harnesses.gateway.ledger import Ledger
from playproof_harnesses.gateway.server import Gateway, Upstream
from playproof_judges.testing import Server, Turn

TARGET_MS = 5.0
BODY = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "x" * 20_000}],
        "tools": [{"name": "Write", "input_schema": {}}]}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--requests", type=int, default=200)
    count = options.parse_args().requests
    with tempfile.TemporaryDirectory() as folder, Server(lambda asked: Turn("word " * 200, pieces=40)) as provider:
        ledger, log = Ledger(), Exchanges(Path(folder, "log.jsonl"))
        with Gateway(Path(folder, "socket"), Upstream(provider.url, {"x-api-key": "k"}), ledger, log, ["m"]) as gateway:
            straight = httpx.Client(base_url=provider.url, timeout=20)
            through = httpx.Client(transport=httpx.HTTPTransport(uds=str(gateway.socket)), base_url="http://gateway", timeout=20)
            ways: dict[str, Callable[[], httpx.Response]] = {
                "straight": lambda: straight.post("/v1/messages", json=BODY), "through": lambda: through.post("/v1/messages", json=BODY)}
            walls: dict[str, list[float]] = {name: [] for name in ways}
            spent = dict.fromkeys(ways, 0.0)
            for _ in range(count):
                for name, ask in ways.items():
                    begun, cpu = time.perf_counter(), time.process_time()
                    ask().raise_for_status()
                    walls[name].append(time.perf_counter() - begun)
                    spent[name] += time.process_time() - cpu
            assert ledger.spent.requests == count
    middle = {name: 1000 * statistics.median(found) for name, found in walls.items()}
    added = middle["through"] - middle["straight"]
    print(f"straight {middle['straight']:.2f} ms, through the gateway {middle['through']:.2f} ms: {added:.2f} ms more "
          f"(target {TARGET_MS:g}), {1000 * (spent['through'] - spent['straight']) / count:.2f} ms of CPU more")


if __name__ == "__main__":
    main()
