"""Built firmware: what comes with the program, and what a hex file says of itself."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Self

SOURCES: Final = Path(__file__).parents[2] / "hardware" / "firmware"
BUILT: Final = SOURCES / "build" / "boomboard.hex"
"""Where “make firmware” leaves it."""
SHIPPED: Final = Path(__file__).parent / "shipped" / "boomboard.hex"
"""What comes with the program, built by “make hex”: the same for every board."""
SUMS: Final = "SHA256SUMS"

_LABEL: Final = re.compile(rb"Boomboard (\d+)\.(\d+)\.(\d+) ([0-9a-f]{8})\0")
"""As hardware/firmware/src/label.c writes it."""
_DATA: Final = "00"
"""The type of those records of Intel's hex format that hold the program; others close it."""


@dataclass(frozen=True, slots=True)
class Firmware:
    """What a program of ours for the board says that it is."""

    version: tuple[int, int, int]
    build: int
    """From which sources it was built: the first 32 bits of their SHA-256."""

    @classmethod
    def in_hex(cls, text: str) -> Self | None:
        """Find the label in an Intel hex file; None if there is none; ValueError if it is no such.

        The label is found where a program follows itself without gaps, as compilers leave it.
        """
        program = bytearray()
        for record in text.split():
            if not record.startswith(":"):
                raise ValueError("a record of an Intel hex file begins with a colon")
            data = bytes.fromhex(record[1:])
            if record[7:9] == _DATA:
                program += data[4:-1]
        label = _LABEL.search(program)
        if not label:
            return None
        major, minor, patch, build = (word.decode() for word in label.groups())
        return cls((int(major), int(minor), int(patch)), int(build, 16))

    def __str__(self) -> str:
        """Say it in words."""
        return f"firmware {self.number}"

    @property
    def number(self) -> str:
        """Version and build, in no language."""
        return f"{'.'.join(map(str, self.version))} ({self.build:08x})"


def is_whole(path: Path) -> bool:
    """Whether a file that came with the program is as it was when it came."""
    return sum_line(path) in (path.parent / SUMS).read_text(encoding="ascii").splitlines()


def sum_line(path: Path) -> str:
    """Return the line of a file for `SUMS`, as “sha256sum” writes it."""
    return f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}"


def built_at(path: Path) -> str:
    """Return when a file was built, in local time."""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().strftime("%Y-%m-%d %H:%M")


def is_stale(path: Path, sources: Path = SOURCES) -> bool:
    """Whether a source of the firmware was changed after it was built."""
    built = path.stat().st_mtime
    return any(
        source.stat().st_mtime > built for source in (sources / "Makefile", *sources.glob("src/*"))
    )
