"""A table's hall file, which contains everything that the table needs to connect to its hall.

`boomboard hall broker-config` writes this file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from companion.codec import from_plain, to_plain
from companion.hall.protocol.broker import Broker
from companion.hall.protocol.messages import check_name
from companion.jsonl.untrusted import read_object


class HallFileError(Exception):
    """The hall file is unusable. The message is one plain sentence that includes a remedy."""


@dataclass(frozen=True)
class HallFile:
    """A table's name, and the address and public key of its hall."""

    table: str
    broker: Broker
    signed_by: str
    """The hall's public key, in hexadecimal."""

    def __post_init__(self) -> None:
        """Validate the fields. Raise ValueError if a field is invalid."""
        check_name(self.table)
        if len(bytes.fromhex(self.signed_by)) != 32:
            raise ValueError("the hall's key must be 32 bytes long")

    @property
    def hall(self) -> str:
        """Identifier of the hall. It changes only if the key that signs orders changes."""
        return self.signed_by[:12].lower()


def write_hall_file(file: HallFile) -> str:
    return json.dumps(to_plain(file), indent=2) + "\n"


def read_hall_file(path: Path) -> HallFile:
    """Read a table's hall file. Raise HallFileError if the file is unusable."""
    try:
        file: HallFile = from_plain(read_object(path.read_bytes()), HallFile, "the file")
    except OSError as error:
        raise HallFileError(
            f"{path} cannot be read ({error.strerror}); check the path given with --hall."
        ) from error
    except ValueError as error:
        raise HallFileError(
            f"{path} is not a hall file ({error}); use the one that “boomboard hall "
            "broker-config” has written for this table."
        ) from error
    return file


# A table without a hall file can be given the address of the hall's broker.

SCHEME: Final = "mqtts://"
VARIABLE: Final = "BOOMBOARD_HALL_PASSWORD"
"""Environment variable for the password. A password on the command line would be visible to every
user of the computer."""


class HallAddressError(Exception):
    """The hall's address is unusable. The message is one plain sentence that includes a remedy."""


def read_hall_address(address: str, environment: Mapping[str, str]) -> HallFile:
    """Parse ``mqtts://TABLE@HOST:PORT#KEY``.

    KEY is the value of `signed_by` in a table's hall file. The system must trust the broker's
    certificate. Raise HallAddressError if the address is unusable.
    """
    password = environment.get(VARIABLE, "")
    try:
        parts = urlsplit(address)
        table, broker = unquote(parts.username or ""), parts.netloc.rpartition("@")[2]
        if parts.port == 0 or not parts.hostname or parts.path or parts.query:
            raise ValueError("it is not a broker's address")
        hall = HallFile(table, Broker(SCHEME + broker, table, password), parts.fragment)
    except ValueError as error:
        raise HallAddressError(
            "This is not a hall's address; use mqtts://TABLE@HOST:PORT#KEY, with the values in the "
            "table's file."
        ) from error
    if parts.password is not None or not password:
        raise HallAddressError(
            f"Give the password of {table} in the variable {VARIABLE}, not in the address."
        )
    return hall
