"""Tests for the edge lamps, from an illegal move by hand to the outputs of the real firmware."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.core.inputs import CommandInput, Ready
from companion.devices.live_board import LiveBoard
from companion.session.game_host import GameHost
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side, square, squares_in
from engine.game.game_state import Phase
from engine.rules.editions import DEFAULT
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.wire import ResetCause
from hardware.drawing.lamps import LAMPS
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.port import EmulatedPort

FRAME_MS = 20


class Table:
    """Table with an emulated board, both running in simulated time."""

    def __init__(self, firmware: Path, folder: Path, opened: ExitStack) -> None:
        self.pieces = SimulatedBoard()
        self.board = EmulatedBoard(firmware)
        self.port = EmulatedPort(self.pieces, self.board)
        opened.callback(self.port.close)
        self._now = 0.0
        live = opened.enter_context(LiveBoard(str(self.port.path), clock=lambda: self._now))
        journals = opened.enter_context(closing(JournalProvider(folder / "games.sqlite")))
        self.host = GameHost(journals, live, clock=lambda: self._now, draw=lambda: 1)

    def begin(self) -> None:
        self.host.begin(DEFAULT)
        for side in Side:
            for each in squares_in(side.home):
                self.pieces.stand(side, each)
        table = self.host.table
        assert table
        self.wait_until(lambda: table.setup.red == table.setup.blue == 40)
        for side in Side:
            self.host.submit(CommandInput(self._now, Ready(side)))
        self.wait_until(lambda: table.referee.phase is Phase.PLAY)

    def move(self, source: str, target: str) -> None:
        self.pieces.place(self.pieces.lift(square(source)), square(target))

    def lit(self) -> list[str]:
        return [lamp for n, lamp in enumerate(LAMPS) if self.board.lamps >> n & 1]

    def wait_until_lit(self, *lamps: str) -> None:
        self.wait_until(lambda: self.lit() == [*lamps])

    def wait_until(self, wanted: Callable[[], bool]) -> None:
        while not wanted():
            self.port.advance(FRAME_MS)
            self._now += FRAME_MS / 1000
            self.host.poll()


@pytest.fixture
def table(firmware_elf: Path, tmp_path: Path) -> Iterator[Table]:
    with ExitStack() as opened:
        table = Table(firmware_elf, tmp_path, opened)
        table.begin()
        yield table


def test_illegal_move_is_guided_by_lamps(table: Table) -> None:
    table.wait_until_lit()
    table.move("a4", "b5")
    table.wait_until_lit("b", "5")
    piece = table.pieces.lift(square("b5"))
    table.wait_until_lit("a", "4")
    table.pieces.place(piece, square("a4"))
    table.wait_until_lit()
    table.move("a4", "a5")
    table.wait_until_lit("a", "4", "5")


def test_lamps_are_sent_again_after_a_restart(table: Table) -> None:
    table.move("k4", "k5")
    table.wait_until_lit("k", "4", "5")
    table.port.restart(ResetCause.WATCHDOG)
    table.wait_until_lit()
    table.wait_until_lit("k", "4", "5")
