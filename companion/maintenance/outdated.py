"""Firmware updates: whether a board needs the shipped firmware, and the offer to flash it."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from companion.maintenance.firmware import SHIPPED, Firmware
from firmware_bridge.link import Trouble, TroubleKind
from firmware_bridge.wire import Hello

FLASHABLE: Final = (TroubleKind.NO_ANSWER, TroubleKind.GARBAGE, TroubleKind.WRONG_FIRMWARE)
"""Link errors that flashing may cure; all others also keep avrdude from the board."""
_MENDED: Final = (*FLASHABLE, TroubleKind.SILENT)
"""Link errors in which the board's firmware is unknown, and which flashing may cure."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer to flash the shipped firmware to the board on a port."""

    port: str
    there: Firmware | None
    """The board's present firmware, or None if unknown."""
    coming: Firmware


@cache
def shipped_firmware() -> Firmware | None:
    """The label of the shipped firmware; None if the file is missing or damaged."""
    try:
        return Firmware.in_hex(SHIPPED.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def offer_for_board(port: str, hello: Hello) -> Offer | None:
    """Offer an update to a board with another build, unless that has a newer version."""
    coming, there = shipped_firmware(), Firmware(hello.firmware, hello.build)
    if coming is None or there == coming or there.version > coming.version:
        return None
    return Offer(port, there, coming)


def offer_in_trouble(trouble: Trouble | None) -> Offer | None:
    """Offer an update to a board that cannot be understood, or does not answer."""
    coming = shipped_firmware()
    if coming is None or trouble is None or trouble.port is None or trouble.kind not in _MENDED:
        return None
    return Offer(trouble.port, None, coming)
