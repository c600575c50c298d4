"""Firmware images: the one shipped with the program, and the label inside a hex file."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Self

SOURCES: Final = Path(__file__).parents[2] / "hardware" / "firmware"
BUILT: Final = SOURCES / "build" / "boomboard.hex"
"""Output of “make firmware”."""
SHIPPED: Final = Path(__file__).parent / "shipped" / "boomboard.hex"
"""Image shipped with the program, built by “make hex”: the same for every board."""
SUMS: Final = "SHA256SUMS"

_LABEL: Final = re.compile(rb"Boomboard (\d+)\.(\d+)\.(\d+) ([0-9a-f]{8})\0")
"""Label, as hardware/firmware/src/label.c writes it."""
_DATA: Final = "00"
"""Type of the data records in Intel's hex format; other types close the file."""


@dataclass(frozen=True, slots=True)
class Firmware:
    """Version label of a firmware image."""

    version: tuple[int, int, int]
    build: int
    """Build number: the first 32 bits of the SHA-256 of its sources."""

    @classmethod
    def in_hex(cls, text: str) -> Self | None:
        """Find the label in an Intel hex file; None without a label, ValueError for another format.

        The label is found where the image has no gaps, as compilers write it.
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
        """Return version and build in words."""
        return f"firmware {self.number}"

    @property
    def number(self) -> str:
        """Version and build without words, the same in every language."""
        return f"{'.'.join(map(str, self.version))} ({self.build:08x})"


def is_whole(path: Path) -> bool:
    """Whether a shipped file has its original checksum."""
    return sum_line(path) in (path.parent / SUMS).read_text(encoding="ascii").splitlines()


def sum_line(path: Path) -> str:
    """Return a file's line for `SUMS`, in the format of “sha256sum”."""
    return f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}"


def built_at(path: Path) -> str:
    """Return the build time of a file, in local time."""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().strftime("%Y-%m-%d %H:%M")


def is_stale(path: Path, sources: Path = SOURCES) -> bool:
    """Whether a source of the firmware is newer than the built file."""
    built = path.stat().st_mtime
    return any(
        source.stat().st_mtime > built for source in (sources / "Makefile", *sources.glob("src/*"))
    )
