"""What a command makes, into a file that is named or to where the output goes."""

import argparse
import sys
from pathlib import Path

from companion.commands import CommandError


def add_out(parser: argparse.ArgumentParser) -> None:
    """Let the user name a file, and say that it may be written over."""
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="write to this file")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def write_out(data: bytes, options: argparse.Namespace) -> None:
    """Write where the options say; CommandError if that cannot be."""
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
