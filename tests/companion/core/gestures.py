"""Hand gestures over the board of a `TableDriver`, and the table's reactions."""

from typing import Final

from companion.core import events
from companion.core.inputs import BoardSeen
from engine.board.geometry import square
from engine.rules.rules import Violation
from firmware_bridge.image import Image
from firmware_bridge.simulated_board.board import PhysicalPiece
from tests.companion.core.table_driver import FRAME, TableDriver

COMPLAINTS: Final = (events.BoardDiffers, Violation)


def complaints(driver: TableDriver) -> list[object]:
    return [event for kind in COMPLAINTS for event in driver.emitted(kind)]


def in_force(driver: TableDriver) -> list[str]:
    return [str(action) for action in driver.table.referee.in_force[1:]]


def hover(driver: TableDriver, piece: PhysicalPiece, where: str, seconds: float) -> None:
    """Hold a piece over a square, low enough for its sensor to detect it."""
    driver.place(piece, where)
    driver.wait(seconds - FRAME)
    driver.lift(where)


def slide(driver: TableDriver, source: str, target: str, overlap: float = 0.06) -> None:
    """Slide a piece to a square. Both squares report the piece for `overlap` seconds."""
    before = driver.board.image()
    driver.board.place(driver.board.lift(square(source)), square(target))
    after = driver.board.image()
    both = Image(before.red | after.red, before.blue | after.blue)
    until = driver.now + overlap
    while driver.now < until:
        driver.now += FRAME
        driver.submit(BoardSeen(driver.now, both))
    driver.show()
