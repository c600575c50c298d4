"""Runs a test on a copy of an image of an SD card, and reports the result."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

from hardware.pi.checks import CheckError
from hardware.pi.qemu import MEMORY_MB, ComputerError
from hardware.pi.sd_image import run
from hardware.pi.shell import Shell, ShellError


def on_copy_of_image(image: Path, what: Callable[[Path, TextIO], None]) -> int:
    """Run a test on a copy of an image, and return the exit status of the program.

    Args:
        image: The image; it is not changed.
        what: Called with the copy and a log file for the console output, which is kept beside the
            image.
    """
    copy, log_file = image.with_suffix(".tried"), image.with_suffix(".log")
    say(f"Booting {image.name} with {MEMORY_MB} MB ...")
    try:
        run("cp", "--sparse=always", str(image), str(copy))
        with log_file.open("w") as log:
            what(copy, log)
    except (CheckError, ComputerError, ShellError) as error:
        print(f"A check of the image failed. {error}", file=sys.stderr)
        print(f"The console output is in {log_file}.", file=sys.stderr)
        return 1
    finally:
        copy.unlink(missing_ok=True)
    return 0


def check(what: Callable[[Shell], str], shell: Shell) -> None:
    """Run one check and print its result."""
    say(what.__name__.replace("_", " "), what(shell))


def say(what: str, figure: str = "") -> None:
    """Print a line with the elapsed seconds."""
    print(f"{time.monotonic() - _BEGUN:5.0f}s  {what}{figure and ': '}{figure}", flush=True)


_BEGUN: Final = time.monotonic()
