"""Finds mounted USB sticks and writes files to them.

A stick is a removable drive that the desktop or the user has mounted. The module reads the state of
drives from /proc and /sys, or from other folders in tests.
"""

import errno
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

MOUNTS: Final = Path("/proc/mounts")
BLOCKS: Final = Path("/sys/block")
SYSTEM: Final = frozenset(map(Path, ("/", "/media/root-ro", "/opt/boomboard")))
"""Mount points of the system's own drives: the root, a read-only root, and the games folder of a
dedicated board computer."""
FOLDER: Final = "boomboard"
"""Folder on the stick in which files are saved."""
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True)
class UsbDrive:
    """A mounted stick."""

    path: Path
    is_read_only: bool

    @property
    def name(self) -> str:
        return self.path.name


class UsbErrorKind(Enum):
    """Reasons why writing to a stick can fail."""

    FULL = "full"
    READ_ONLY = "read-only"
    GONE = "gone"
    """The stick was removed or is damaged."""


class UsbError(Exception):
    """The files could not be written to the stick."""

    def __init__(self, kind: UsbErrorKind) -> None:
        super().__init__(kind.value)
        self.kind = kind


@dataclass(frozen=True)
class _Mount:
    drive: str
    stick: UsbDrive


def find_usb_drives(mounts: Path = MOUNTS, blocks: Path = BLOCKS) -> list[UsbDrive]:
    """List the mounted sticks, excluding the drives that hold the system and the program."""
    found = list(_mounted(mounts, blocks))
    system = {mount.drive for mount in found if mount.stick.path in SYSTEM}
    return [
        mount.stick
        for mount in found
        if mount.drive not in system and _is_removable(blocks / mount.drive)
    ]


def _mounted(mounts: Path, blocks: Path) -> Iterator[_Mount]:
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return  # there is no /proc/mounts on this system
    for line in lines:
        device, place, _kind, options, *_ = line.split(" ")
        drive = _drive(Path(device).name, blocks)
        if drive:
            path = Path(_ESCAPED.sub(lambda found: chr(int(found[1], 8)), place))
            yield _Mount(drive, UsbDrive(path, "ro" in options.split(",")))


def _drive(device: str, blocks: Path) -> str:
    """Return the drive of a device such as ``sdb1``, or an empty string for an unknown device."""
    if (blocks / device).exists():
        return device
    return next((block.parent.name for block in blocks.glob(f"*/{device}")), "")


def _is_removable(block: Path) -> bool:
    """Whether a drive is removable. Always true for a USB drive, whatever the drive reports."""
    try:
        is_marked = (block / "removable").read_text().strip() == "1"
    except OSError:
        is_marked = False
    return is_marked or any(part.startswith("usb") for part in block.resolve().parts)


def write_to_usb_drive(stick: UsbDrive, files: Mapping[str, bytes]) -> None:
    """Write files, and return when it is safe to remove the stick. Raise UsbError on failure.

    Writing can take seconds, so do not call this from the UI thread.
    """
    folder = stick.path / FOLDER
    try:
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            _write(folder / name, content)
        for place in (folder, stick.path):
            _flush_folder(place)
    except OSError as error:
        raise UsbError(_ERRORS.get(error.errno or 0, UsbErrorKind.GONE)) from error


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Flush a folder's directory entries to the stick."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


_ERRORS: Final[Mapping[int, UsbErrorKind]] = {
    errno.ENOSPC: UsbErrorKind.FULL,
    errno.EDQUOT: UsbErrorKind.FULL,
    errno.EROFS: UsbErrorKind.READ_ONLY,
    errno.EACCES: UsbErrorKind.READ_ONLY,
    errno.EPERM: UsbErrorKind.READ_ONLY,
}
