"""Address and credentials of the MQTT broker that connects tables and hall."""

from dataclasses import dataclass, fields
from typing import Final
from urllib.parse import urlsplit

PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883


@dataclass(frozen=True)
class Broker:
    """Address and credentials of the MQTT broker."""

    address: str
    """``mqtts://host:port``, or ``mqtt://`` without encryption, on one computer."""
    user: str
    password: str
    authority: str = ""
    """PEM text of the CA certificate for the broker; empty for the system's trust store."""
    certificate: str = ""
    """Paths of the client's own certificate and key, for a broker that requires them."""
    key: str = ""

    @property
    def host(self) -> str:
        """The broker's host name or IP address."""
        return urlsplit(self.address).hostname or ""

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or (TLS_PORT if self.is_encrypted else PLAIN_PORT)

    @property
    def is_encrypted(self) -> bool:
        """Whether TLS is used."""
        return urlsplit(self.address).scheme == "mqtts"


def read_broker(plain: dict[str, str]) -> Broker:
    """Return the broker that these fields describe; ValueError or TypeError if they do not."""
    broker = Broker(**plain)
    if not all(isinstance(getattr(broker, each.name), str) for each in fields(broker)):
        raise ValueError("everything that is said of a broker is a text")
    if urlsplit(broker.address).scheme not in ("mqtt", "mqtts") or not broker.host:
        raise ValueError(f"{broker.address!r} is no address of a broker")
    return broker
