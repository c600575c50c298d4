"""A hall given by its broker's address, for a table without a hall file."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote, urlsplit

from companion.hall.broker import Broker
from companion.hall.publisher.hall_file import HallFile

SCHEME: Final = "mqtts://"
VARIABLE: Final = "BOOMBOARD_HALL_PASSWORD"
"""Environment variable for the password: a command line is visible to every user of the
computer."""


class HallAddressError(Exception):
    """An unusable hall address; the message is one plain sentence with a way out."""


def read_hall_address(address: str, environment: Mapping[str, str]) -> HallFile:
    """Parse ``mqtts://TABLE@HOST:PORT#KEY``; HallAddressError if it cannot be used.

    KEY is the value of `signed_by` in a table's hall file. The broker's certificate must be one
    that the system trusts.
    """
    password = environment.get(VARIABLE, "")
    try:
        parts = urlsplit(address)
        table, broker = unquote(parts.username or ""), parts.netloc.rpartition("@")[2]
        if parts.port == 0 or not parts.hostname or parts.path or parts.query:
            raise ValueError("it is no address of a broker")
        hall = HallFile(table, Broker(SCHEME + broker, table, password), parts.fragment)
    except ValueError as error:
        raise HallAddressError(
            "This is no address of a hall; take mqtts://TABLE@HOST:PORT#KEY, with what stands in "
            "the table's file."
        ) from error
    if parts.password is not None or not password:
        raise HallAddressError(
            f"The password of {table} belongs in the variable {VARIABLE}, and not in the address."
        )
    return hall
