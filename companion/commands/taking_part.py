"""The option for taking part in a hall."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands import CommandError

if TYPE_CHECKING:  # few tables take part in a hall
    from companion.hall.publisher.line import HallLine


def add_hall(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--hall",
        metavar="FILE",
        help="tell a hall what happens at the table: by the table's file, or by an address, "
        "mqtts://TABLE@HOST:PORT#KEY; see “boomboard hall”",
    )


@contextmanager
def taking_part(named: str | None, games: Path, origin: str) -> Iterator["HallLine | None"]:
    """Report the saved games of an origin to a hall, if one is named."""
    if named is None:
        yield None
        return
    from companion.hall.publisher import hall_address, hall_file  # noqa: PLC0415
    from companion.hall.publisher.line import HallLine  # noqa: PLC0415 (opens a port)

    try:
        if named.startswith(hall_address.SCHEME):
            hall = hall_address.read_hall_address(named, os.environ)
        else:
            hall = hall_file.read_hall_file(Path(named))
        line = HallLine(hall, games, origin)
    except (hall_address.HallAddressError, hall_file.HallFileError) as error:
        raise CommandError(str(error)) from error
    line.start()
    try:
        yield line
    finally:
        line.close()
