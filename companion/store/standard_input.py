"""Standard input, named ``-`` wherever a file may be named."""

import sys
from io import BufferedReader
from pathlib import Path
from typing import Final

STDIN: Final = Path("-")


def open_binary(path: Path) -> BufferedReader:
    """Open a file, or standard input, in binary mode; OSError or ValueError if that fails."""
    if path == STDIN:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    return path.open("rb")


def called(path: Path) -> str:
    """Return the name of a file for messages."""
    return "The input" if path == STDIN else str(path)
