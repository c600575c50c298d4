"""Create self-signed certificates with openssl."""

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class SelfSigned:
    chain: Path
    key: Path


def make_certificate(folder: Path, host: str = "localhost") -> SelfSigned:
    """Write a certificate for `host`, and its key. Return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    made = SelfSigned(folder / "chain.pem", folder / "key.pem")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-keyout", made.key, "-out", made.chain, "-days", "1"),
            *("-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host},IP:127.0.0.1"),
        ],
        check=True,
        capture_output=True,
    )
    return made
