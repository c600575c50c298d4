"""Whether the board needs the firmware that comes with the program, and what is said of it then."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from companion.maintenance.firmware import SHIPPED, Firmware
from firmware_bridge.link import Trouble, TroubleKind
from firmware_bridge.wire import Hello

FLASHABLE: Final = (TroubleKind.NO_ANSWER, TroubleKind.GARBAGE, TroubleKind.WRONG_FIRMWARE)
"""What flashing may mend at once; all else keeps avrdude from the board too."""
_MENDED: Final = (*FLASHABLE, TroubleKind.SILENT)
"""Of a board in these troubles it is not known what is in it, and flashing may mend that."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The firmware that comes with the program can be put on what is on a port."""

    port: str
    there: Firmware | None
    """What is in the board, None if it does not say so."""
    coming: Firmware


@cache
def shipped_firmware() -> Firmware | None:
    """What comes with the program, by its label; None if the file is not there or damaged."""
    try:
        return Firmware.in_hex(SHIPPED.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def offer_for_board(port: str, hello: Hello) -> Offer | None:
    """Offer it to a board that has another build of it, unless that is of a newer version."""
    coming, there = shipped_firmware(), Firmware(hello.firmware, hello.build)
    if coming is None or there == coming or there.version > coming.version:
        return None
    return Offer(port, there, coming)


def offer_in_trouble(trouble: Trouble | None) -> Offer | None:
    """Offer it to what is on a port and cannot be understood, or says nothing."""
    coming = shipped_firmware()
    if coming is None or trouble is None or trouble.port is None or trouble.kind not in _MENDED:
        return None
    return Offer(trouble.port, None, coming)
