"""The file by which a table finds its hall; `boomboard hall broker-config` writes one a table."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.hall.broker import Broker, read_broker
from companion.hall.words import check_name


class HallFileError(Exception):
    """A hall's file cannot be used; the message is one plain sentence with a way out."""


@dataclass(frozen=True)
class HallFile:
    """What a table knows of its hall."""

    table: str
    broker: Broker
    signed_by: str
    """The hall's public key, in hexadecimal digits."""

    def __post_init__(self) -> None:
        """See whether it makes sense; ValueError if not."""
        check_name(self.table)
        if len(bytes.fromhex(self.signed_by)) != 32:
            raise ValueError("the hall's key is no key")

    @property
    def hall(self) -> str:
        """Which hall it is: the same as long as its orders are signed by the same key."""
        return self.signed_by[:12].lower()


def write_hall_file(file: HallFile) -> str:
    """Return the file as it is written."""
    return json.dumps(asdict(file), indent=2) + "\n"


def read_hall_file(path: Path) -> HallFile:
    """Read a table's file; HallFileError if it cannot be used."""
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        broker = read_broker(plain.pop("broker"))
        file = HallFile(broker=broker, **plain)
    except OSError as error:
        raise HallFileError(f"{path} cannot be read ({error.strerror}).") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise HallFileError(
            f"{path} is no file of a hall; take the one that “boomboard hall broker-config” has "
            "written for this table."
        ) from error
    return file
