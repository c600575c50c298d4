"""Firmware images, and flashing a board over USB with avrdude.

The command shows avrdude's output. The touchscreen flashes the board in a thread and shows the
progress. Every error message includes a remedy. An interrupted attempt leaves incomplete firmware
on the board but can be repeated, because avrdude does not change the boot loader.
"""

import hashlib
import re
import select
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from shutil import which
from typing import Final, Self

from companion.diagnostics.report import ENGLISH
from companion.speech.i18n import N_, Language
from firmware_bridge.link import LinkError, LinkErrorKind
from firmware_bridge.wire import Hello

# Firmware images.

SOURCES: Final = Path(__file__).parents[2] / "hardware" / "firmware"
BUILT: Final = SOURCES / "build" / "boomboard.hex"
"""Output of “make firmware”."""
SHIPPED: Final = Path(__file__).parent / "shipped" / "boomboard.hex"
"""Firmware image shipped with the program, built by “make hex”. It is the same for every board."""
SUMS: Final = "SHA256SUMS"

_LABEL: Final = re.compile(rb"Boomboard (\d+)\.(\d+)\.(\d+) ([0-9a-f]{8})\0")
"""Version label in the format of hardware/firmware/src/build_id.c."""
_DATA: Final = "00"
"""Type of the data records in the Intel hex format. Records of other types contain no data."""


@dataclass(frozen=True, slots=True)
class Firmware:
    """Version label of a firmware image."""

    version: tuple[int, int, int]
    build: int
    """Build number, which is the first 32 bits of the SHA-256 of the sources."""

    @classmethod
    def in_hex(cls, text: str) -> Self | None:
        """Find the label in an Intel hex file. Return None if there is no label.

        The label must not span a gap in the image; compilers leave no such gaps. Raise ValueError
        if the text has another format.
        """
        program = bytearray()
        for record in text.split():
            if not record.startswith(":"):
                raise ValueError("expected a hex record that begins with a colon")
            data = bytes.fromhex(record[1:])
            if record[7:9] == _DATA:
                program += data[4:-1]
        label = _LABEL.search(program)
        if not label:
            return None
        major, minor, patch, build = (word.decode() for word in label.groups())
        return cls((int(major), int(minor), int(patch)), int(build, 16))

    def __str__(self) -> str:
        return f"firmware {self.number}"

    @property
    def number(self) -> str:
        """Version and build number, written the same way in every language."""
        return f"{'.'.join(map(str, self.version))} ({self.build:08x})"


def is_whole(path: Path) -> bool:
    """Whether a shipped file has its original checksum."""
    return sum_line(path) in (path.parent / SUMS).read_text(encoding="ascii").splitlines()


def sum_line(path: Path) -> str:
    """Return the line for a file in `SUMS`, in the format of “sha256sum”."""
    return f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}"


def built_at(path: Path) -> str:
    """Return the modification time of a file, in local time."""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().strftime("%Y-%m-%d %H:%M")


def is_stale(path: Path, sources: Path = SOURCES) -> bool:
    """Whether any source file of the firmware is newer than the built file."""
    built = path.stat().st_mtime
    return any(
        source.stat().st_mtime > built for source in (sources / "Makefile", *sources.glob("src/*"))
    )


# Flashing.

OLD_SPEED: Final = 57_600
"""Baud rate of the boot loader on Nanos sold until 2018, and on clones that are still sold."""
SPEEDS: Final = (115_200, OLD_SPEED)
"""Baud rates of the boot loaders on a Nano, current one first."""
ATTEMPTS: Final = 3
"""Number of attempts by avrdude to reach a boot loader, each lasting six seconds. The default of
ten would be too many, because avrdude is run once for each baud rate."""
SILENT_SECONDS: Final = 30.0
"""Maximum time without output from avrdude, in seconds. Without this limit, avrdude would wait
forever after the cable is pulled."""
LOOK_SECONDS: Final = 0.1

NO_AVRDUDE: Final = N_(
    "avrdude is not installed; install it with “sudo apt install avrdude” and flash again."
)
UNREADABLE: Final = N_("Cannot read {path}. Install Boomboard again.")
DAMAGED: Final = N_(
    "{path} has been changed since Boomboard was installed. Install Boomboard again."
)
OTHER_CHIP: Final = N_(
    "The chip on {port} is not an ATmega328P, which this firmware needs. Nothing was written."
)
NO_BOOT_LOADER: Final = N_(
    "No boot loader answers on {port}. Unplug the board and plug it in again, and check "
    "that this is the right device. If the board is new and empty, first burn the boot "
    "loader of an Arduino Nano."
)
PULLED: Final = N_(
    "{port} was disconnected during flashing, and the board has only part of the firmware. "
    "Plug the cable in and flash again: the boot loader is still there."
)
BROKEN_OFF: Final = N_(
    "The board stopped responding during flashing and has only part of the firmware. Flash "
    "again with another USB cable and without a hub: the boot loader is still there."
)
MISMATCH: Final = N_(
    "The firmware on the board differs from what was written. Flash again with another USB "
    "cable and without a hub. If it fails again, the microcontroller is worn out."
)
OTHER: Final = N_("avrdude could not write to {port}. Unplug the board and flash again.")

_OUT_OF_SYNC: Final = ("not in sync", "not responding", "getsync")
_MISMATCHES: Final = ("verification mismatch", "verification error")
_WRONG_CHIP: Final = "xpected signature"
_HAS_BEGUN: Final = "Writing |"
_BARS: Final = re.compile(r"Writing \| (#*)(?:.*?Reading \| (#*))?", re.DOTALL)
_WHOLE_BAR: Final = 50
"""Number of characters in a full progress bar."""
_WRITING: Final = 0.6
"""Fraction of the total time taken by writing. Verification takes the rest."""


class FlashError(Exception):
    """The firmware was not written, or only part of it was."""

    def __init__(self, message: str, detail: str = "", **values: object) -> None:
        """`values` fill the placeholders; `detail` is an error from the system or avrdude."""
        super().__init__(message)
        self.detail = detail
        self._message, self._values = message, values

    def text(self, language: Language = ENGLISH) -> str:
        """Return the problem and its remedy in the given language."""
        return language.text(self._message, **self._values)


def find_avrdude() -> str:
    """Return the path of avrdude. Raise FlashError if it is not installed."""
    path = which("avrdude")
    if path is None:
        raise FlashError(NO_AVRDUDE)
    return path


def shipped(path: Path = SHIPPED) -> Path:
    """Return the path of the shipped image. Raise FlashError if it is missing or damaged."""
    try:
        if is_whole(path):
            return path
    except OSError as error:
        raise FlashError(UNREADABLE, path=path, detail=str(error)) from error
    raise FlashError(DAMAGED, path=path)


def share_done(output: str) -> float:
    """Return avrdude's progress (0 to 1), as shown by its output."""
    bars = _BARS.search(output)
    if bars is None:
        return 0.0
    written, read = (len(bar or "") / _WHOLE_BAR for bar in bars.groups())
    return _WRITING * written + (1 - _WRITING) * read


def flash(avrdude: str, port: str, path: Path, report: Callable[[str], None]) -> int:
    """Write a hex file and verify it. Return the baud rate to which the boot loader responded.

    `report` is called with progress messages and with avrdude's output as it arrives. Raise
    FlashError on failure.
    """
    for speed in SPEEDS:
        report(f"Writing the firmware at {speed} baud.\n")
        output = _write(avrdude, port, speed, path, report)
        if output is None:
            return speed
        if _HAS_BEGUN in output or not any(sign in output for sign in _OUT_OF_SYNC):
            raise _error_for(output, port)
        report("The boot loader does not answer at this speed.\n")
    raise FlashError(NO_BOOT_LOADER, port=port)


def _error_for(output: str, port: str) -> FlashError:
    """Derive the error from avrdude's output."""
    if _WRONG_CHIP in output:
        return FlashError(OTHER_CHIP, port=port)
    if _HAS_BEGUN in output and share_done(output) < 1:
        return FlashError(BROKEN_OFF)
    if any(sign in output for sign in _MISMATCHES):
        return FlashError(MISMATCH)
    last = next((line for line in reversed(output.splitlines()) if "error" in line), output.strip())
    return FlashError(OTHER, port=port, detail=last)


def _write(
    avrdude: str, port: str, speed: int, path: Path, report: Callable[[str], None]
) -> str | None:
    """Run avrdude to write the firmware and verify it.

    Return its output on failure, or None on success.
    """
    command = [
        avrdude,
        *("-p", "atmega328p"),
        *("-c", "arduino"),
        *("-x", f"attempts={ATTEMPTS}"),
        *("-b", str(speed)),
        *("-P", port),
        "-D",  # do not erase the chip first, because a boot loader erases page by page
        *("-U", f"flash:w:{path}:i"),
    ]
    output: list[str] = []
    # avrdude draws its progress bar on stderr, character by character and without newlines.
    with subprocess.Popen(  # noqa: S603 (avrdude was found by its name, and no shell is used)
        command, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stderr
        latest = time.monotonic()
        while True:
            if select.select([process.stderr], [], [], LOOK_SECONDS)[0]:
                part = process.stderr.read(64)
                if not part:
                    break
                latest = time.monotonic()
                output.append(part.decode(errors="replace"))
                report(output[-1])
            elif not Path(port).exists():
                process.kill()
                raise FlashError(PULLED, port=port)
            elif time.monotonic() - latest > SILENT_SECONDS:
                process.kill()
                raise FlashError(BROKEN_OFF)
    return None if process.returncode == 0 else "".join(output)


# Update offers.

FLASHABLE: Final = (LinkErrorKind.NO_ANSWER, LinkErrorKind.GARBAGE, LinkErrorKind.WRONG_FIRMWARE)
"""Link errors that flashing may fix. After other errors, avrdude cannot reach the board either."""
_CURABLE: Final = (*FLASHABLE, LinkErrorKind.SILENT)
"""Link errors that flashing may fix and that leave the board's firmware unknown."""


@dataclass(frozen=True, slots=True)
class UpdateOffer:
    """An offer to flash the shipped firmware to the board on a port."""

    port: str
    there: Firmware | None
    """Current firmware of the board, or None if unknown."""
    coming: Firmware
    """The shipped firmware."""


@cache
def shipped_firmware() -> Firmware | None:
    """Return the label of the shipped firmware, or None if the file is missing or damaged."""
    try:
        return Firmware.in_hex(SHIPPED.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def offer_for_board(port: str, hello: Hello) -> UpdateOffer | None:
    """Return an update offer if the board has an older version or another build, otherwise None."""
    coming, there = shipped_firmware(), Firmware(hello.firmware, hello.build)
    if coming is None or there == coming or there.version > coming.version:
        return None
    return UpdateOffer(port, there, coming)


def offer_after_error(error: LinkError | None) -> UpdateOffer | None:
    """Return an offer after a link error that flashing may fix, or None."""
    coming = shipped_firmware()
    if coming is None or error is None or error.port is None or error.kind not in _CURABLE:
        return None
    return UpdateOffer(error.port, None, coming)
