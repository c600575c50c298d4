"""Built firmware: what comes with the program, and what a hex file says of itself."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Self

from firmware_bridge.frame_text import KINDS
from firmware_bridge.wire import BoardKind

SOURCES: Final = Path(__file__).parents[2] / "hardware" / "firmware"
BUILT: Final = SOURCES / "build" / "boomboard.hex"
"""Where “make firmware” leaves it."""
SHIPPED: Final = Path(__file__).parent / "shipped"
"""What comes with the program, built by “make hex”, and its hashes."""
HEX_OF: Final[Mapping[BoardKind, str]] = {
    BoardKind.COLOURS: "colours.hex",
    BoardKind.PRESENCE: "switches.hex",
}
SUMS: Final = "SHA256SUMS"

_LABEL: Final = re.compile(rb"Boomboard (\d+\.\d+\.\d+) (COLOURS|PRESENCE) (\d+) mV\0")
"""As hardware/firmware/src/label.c writes it."""
_DATA: Final = "00"
"""The type of those records of Intel's hex format that hold the program; others close it."""


@dataclass(frozen=True, slots=True)
class Firmware:
    """What a program of ours for the board is for."""

    version: str
    kind: BoardKind
    band_gap_mv: int
    """The reference that it takes the chip to have, by which it tells the supply."""

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
        version, kind, band_gap = (word.decode() for word in label.groups())
        return cls(version, BoardKind[kind], int(band_gap))

    def __str__(self) -> str:
        """Say it in words."""
        kind = KINDS[self.kind]
        return f"firmware {self.version} for a board that {kind}, band gap {self.band_gap_mv} mV"


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
