"""In the sandbox: a port of its own loopback that leads to the gateway's socket, and the agent, which knows the port alone.

    python relay.py SOCKET PORT -- PROGRAM ARGUMENTS...

The standard library alone, on any Python from 3.8. It ends with the agent, as the agent ended.
"""

import contextlib
import os
import socket
import subprocess
import sys
import threading


def pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65536):
            target.sendall(chunk)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def answer(asked: socket.socket, place: str) -> None:
    way = socket.socket(socket.AF_UNIX)
    try:
        way.connect(place)
    except OSError:
        asked.close()
        return
    back = threading.Thread(target=pump, args=(way, asked), daemon=True)
    back.start()
    pump(asked, way)
    back.join()
    for end in (asked, way):
        end.close()


def serve(listener: socket.socket, place: str) -> None:
    while True:
        asked, _ = listener.accept()
        asked.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=answer, args=(asked, place), daemon=True).start()


def main() -> int:
    place, port, _, *command = sys.argv[1:]
    listener = socket.create_server(("127.0.0.1", int(port)), backlog=64)
    threading.Thread(target=serve, args=(listener, place), daemon=True).start()
    try:
        ended = subprocess.run(command, check=False).returncode
    except OSError as fault:
        print(f"{command[0]}: {fault.strerror}", file=sys.stderr)  # noqa: T201 - it stands beside what the agent says
        return 127
    return ended if ended >= 0 else 128 - ended


if __name__ == "__main__":
    os._exit(main())
