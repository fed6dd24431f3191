"""A certificate for this machine's addresses, made for one session and forgotten with it.

Made by the `openssl` program: it is on every machine that a headset is tested from, where a cryptography package would be the
largest thing that this distribution installs, for one command of many."""

import hashlib
import ipaddress
import shutil
import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from playproof.errors import InfrastructureError, UsageError

DAYS = 3


@frozen
class Certificate:
    """`context` speaks TLS with it. `fingerprint` is its SHA-256, as browsers show it: what a person compares."""

    context: ssl.SSLContext
    fingerprint: str


def self_signed(folder: Path, names: Sequence[str]) -> Certificate:
    """A fresh certificate for these names and addresses; its key stays in `folder`, which only its owner can read.

    Raises UsageError where there is no openssl, InfrastructureError with its words where it fails."""
    program = shutil.which("openssl")
    if program is None:
        raise UsageError("--lan needs the program openssl, to make a certificate: apt-get install openssl")
    folder.chmod(0o700)
    key, chain = folder / "key.pem", folder / "certificate.pem"
    command = [program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256",
               "-days", str(DAYS), "-subj", "/CN=Playproof", "-addext", f"subjectAltName={','.join(map(_alternative, names))}",
               "-keyout", str(key), "-out", str(chain)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise InfrastructureError(f"openssl could not make a certificate: {done.stderr.strip()[-500:]}")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(chain, key)
    seen = hashlib.sha256(ssl.PEM_cert_to_DER_cert(chain.read_text())).hexdigest().upper()
    return Certificate(context, ":".join(seen[at : at + 2] for at in range(0, len(seen), 2)))


def _alternative(name: str) -> str:
    try:
        return f"IP:{ipaddress.ip_address(name)}"
    except ValueError:
        return f"DNS:{name}"
