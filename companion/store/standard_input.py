"""What comes in over a pipe, named ``-`` wherever a file may be named."""

import sys
from io import BufferedReader
from pathlib import Path
from typing import Final

STDIN: Final = Path("-")


def open_binary(path: Path) -> BufferedReader:
    """Open a file, or what comes in, for its bytes; OSError or ValueError if it cannot be."""
    if path == STDIN:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    return path.open("rb")


def called(path: Path) -> str:
    """The name of a file in a sentence for people."""
    return "The input" if path == STDIN else str(path)
