"""EEPROM contents of boards whose hardware settings have been configured."""

from functools import cache
from pathlib import Path
from typing import Final

from firmware_bridge.wire import Configure, Configured, ConfigureResult
from hardware.emulator.board import EmulatedBoard

STEP_US: Final = 20_000
PATIENCE_US: Final = 1_000_000


@cache
def configured(elf: Path, wish: Configure) -> bytes:
    """Configure a new board, and return its EEPROM; ValueError if the board refuses.

    Args:
        elf: The firmware.
        wish: The hardware settings of the board.
    """
    with EmulatedBoard(elf) as board:
        board.power_on()
        board.run(STEP_US)
        board.send(wish)
        for _ in range(0, PATIENCE_US, STEP_US):
            for heard in board.run(STEP_US):
                if isinstance(heard.message, Configured):
                    if heard.message.result is not ConfigureResult.CONFIGURED_SO:
                        raise ValueError(f"refused: {heard.message.result.name}")
                    return board.eeprom
    raise ValueError(f"no answer to {wish}")
