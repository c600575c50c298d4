"""Tries something with a copy of an image of an SD card, and tells what comes of it."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

from hardware.pi.card import run
from hardware.pi.checks import CheckError
from hardware.pi.emulated import MEMORY_MB, ComputerError
from hardware.pi.shell import Shell, ShellError


def tried(made: Path, what: Callable[[Path, TextIO], None]) -> int:
    """Try something with a copy of an image, and return with what the program is to end.

    Args:
        made: The image; it stays as it is.
        what: Gets the copy, and a file for what the computer says, which is kept beside the image.
    """
    copy, told = made.with_suffix(".tried"), made.with_suffix(".log")
    say(f"Booting {made.name} with {MEMORY_MB} MB ...")
    try:
        run("cp", "--sparse=always", str(made), str(copy))
        with told.open("w") as log:
            what(copy, log)
    except (CheckError, ComputerError, ShellError) as error:
        print(f"The image is not as it must be. {error}", file=sys.stderr)
        print(f"What the system has said is in {told}.", file=sys.stderr)
        return 1
    finally:
        copy.unlink(missing_ok=True)
    return 0


def check(what: Callable[[Shell], str], shell: Shell) -> None:
    """Make one check and say what comes of it."""
    say(what.__name__.replace("_", " "), what(shell))


def say(what: str, figure: str = "") -> None:
    """Print a line with the seconds that have gone by."""
    print(f"{time.monotonic() - _BEGUN:5.0f}s  {what}{figure and ': '}{figure}", flush=True)


_BEGUN: Final = time.monotonic()
