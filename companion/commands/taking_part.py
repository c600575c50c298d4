"""The option by which a table takes part in a hall."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands import CommandError

if TYPE_CHECKING:  # few tables stand in a hall
    from companion.hall.publisher.line import HallLine


def add_hall(parser: argparse.ArgumentParser) -> None:
    """Let the user take part in a hall."""
    parser.add_argument(
        "--hall",
        type=Path,
        metavar="FILE",
        help="tell the hall of this file what happens at the table; see “boomboard hall”",
    )


@contextmanager
def taking_part(file: Path | None, games: Path, origin: str) -> Iterator["HallLine | None"]:
    """Tell the hall of a file, if one is named, what is kept of the games of an origin."""
    if file is None:
        yield None
        return
    from companion.hall.publisher.hall_file import HallFileError, read_hall_file  # noqa: PLC0415
    from companion.hall.publisher.line import HallLine  # noqa: PLC0415 (opens a port)

    try:
        line = HallLine(read_hall_file(file), games, origin)
    except HallFileError as error:
        raise CommandError(str(error)) from error
    line.start()
    try:
        yield line
    finally:
        line.close()
