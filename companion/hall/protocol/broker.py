"""Address and credentials of the MQTT broker that connects the tables to the hall."""

from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import urlsplit

from companion.codec import checked

PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883


def join_address(host: str, port: int) -> str:
    """Return ``host:port`` for a URL, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        has_port = parts.port != 0
    except ValueError:  # the port is not a number up to 65535, or a bracket is missing
        return False
    return parts.scheme in ("mqtt", "mqtts") and bool(parts.hostname) and has_port


@dataclass(frozen=True)
class Broker:
    """Address and credentials of the MQTT broker."""

    address: Annotated[str, checked(str, _is_address, "an address such as mqtts://host:port")]
    """``mqtts://host:port``. Unencrypted ``mqtt://host:port`` is only for a broker on the same
    computer."""
    user: str
    password: str
    authority: str = ""
    """The broker's CA certificate as PEM text, or empty to use the system's trust store."""
    certificate: str = ""
    """Path of the client's own certificate, for a broker that requires one. `key` is the path of
    its key."""
    key: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.address).hostname or ""

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or (TLS_PORT if self.is_encrypted else PLAIN_PORT)

    @property
    def is_encrypted(self) -> bool:
        return urlsplit(self.address).scheme == "mqtts"
