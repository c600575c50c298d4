"""How to reach the broker through which tables and hall talk, and as whom."""

from dataclasses import dataclass, fields
from typing import Final
from urllib.parse import urlsplit

PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883


@dataclass(frozen=True)
class Broker:
    """How to reach the broker, and as whom."""

    address: str
    """``mqtts://host:port``, or ``mqtt://`` without encryption, on one computer."""
    user: str
    password: str
    authority: str = ""
    """The certificate by which the broker's own is checked, as text; else the system's count."""
    certificate: str = ""
    """Where the client's own certificate and its key lie, for a broker that asks for one."""
    key: str = ""

    @property
    def host(self) -> str:
        """The broker's name or number."""
        return urlsplit(self.address).hostname or ""

    @property
    def port(self) -> int:
        """The broker's port."""
        return urlsplit(self.address).port or (TLS_PORT if self.is_encrypted else PLAIN_PORT)

    @property
    def is_encrypted(self) -> bool:
        """Whether TLS is used."""
        return urlsplit(self.address).scheme == "mqtts"


def read_broker(plain: dict[str, str]) -> Broker:
    """Return how to reach a broker; ValueError or TypeError if that is not said."""
    broker = Broker(**plain)
    if not all(isinstance(getattr(broker, each.name), str) for each in fields(broker)):
        raise ValueError("everything that is said of a broker is a text")
    if urlsplit(broker.address).scheme not in ("mqtt", "mqtts") or not broker.host:
        raise ValueError(f"{broker.address!r} is no address of a broker")
    return broker
