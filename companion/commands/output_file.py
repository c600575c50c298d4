"""Output of a command into a named file or to standard output."""

import argparse
import sys
from pathlib import Path

from companion.commands import CommandError


def add_out(parser: argparse.ArgumentParser) -> None:
    """Add the options for the output file and for overwriting it."""
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="write to this file")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def write_out(data: bytes, options: argparse.Namespace) -> None:
    """Write the output as the options demand; CommandError if that fails."""
    if not options.out:
        sys.stdout.buffer.write(data)
        return
    try:
        with options.out.open("wb" if options.force else "xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise CommandError(
            f"{options.out} is there already; name another file, or write over it with --force."
        ) from error
    except OSError as error:
        raise CommandError(
            f"{options.out} cannot be written ({error.strerror}); name another file with --out."
        ) from error
