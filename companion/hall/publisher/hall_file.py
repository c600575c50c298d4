"""The file by which a table finds its hall; `boomboard hall broker-config` writes one a table."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from urllib.parse import urlsplit

from companion.hall.words import check_name

PLAIN_PORT = 1883
TLS_PORT = 8883


class HallFileError(Exception):
    """A hall's file cannot be used; the message is one plain sentence with a way out."""


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


@dataclass(frozen=True)
class HallFile:
    """What a table knows of its hall."""

    hall: str
    """Which hall it is: the same as long as its orders are signed by the same key."""
    table: str
    broker: Broker
    signed_by: str
    """The hall's public key, in hexadecimal digits."""


def write_hall_file(file: HallFile) -> str:
    """Return the file as it is written."""
    return json.dumps(asdict(file), indent=2) + "\n"


def read_hall_file(path: Path) -> HallFile:
    """Read a table's file; HallFileError if it cannot be used."""
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        broker = read_broker(plain.pop("broker"))
        file = HallFile(broker=broker, **plain)
        check_name(file.table)
        if len(bytes.fromhex(file.signed_by)) != 32:
            raise ValueError("the hall's key is no key")
    except OSError as error:
        raise HallFileError(f"{path} cannot be read ({error.strerror}).") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise HallFileError(
            f"{path} is no file of a hall; take the one that “boomboard hall broker-config” has "
            "written for this table."
        ) from error
    return file


def read_broker(plain: dict[str, str]) -> Broker:
    """Return how to reach a broker; ValueError or TypeError if that is not said."""
    broker = Broker(**plain)
    if not all(isinstance(getattr(broker, each.name), str) for each in fields(broker)):
        raise ValueError("everything that is said of a broker is a text")
    if urlsplit(broker.address).scheme not in ("mqtt", "mqtts") or not broker.host:
        raise ValueError(f"{broker.address!r} is no address of a broker")
    return broker
