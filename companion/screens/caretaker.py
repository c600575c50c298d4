"""Restoring the simulated board between games: a resumed game gets back the position it had."""

from companion.screens.base.board_host import BoardHost
from companion.simulator.tabletop import Tabletop
from companion.store.session import Session
from engine.board.geometry import Side, squares_in
from engine.game.game_state import Phase


class Caretaker:
    """Restores the pieces of a saved game after a restart, a set-up or a calibration."""

    def __init__(self, host: BoardHost, tabletop: Tabletop) -> None:
        self._host, self._tabletop = host, tabletop
        self._game: Session | None = None
        self._was_calibrating = False

    def tick(self) -> None:
        """Check whether another game has started or a calibration has ended."""
        if self._game is not self._host.session:
            if self._game and self._game.table.view.phase is Phase.SETUP:
                self._tabletop.clear()
            self._game = self._host.session
            self._take_up()
        is_calibrating = self._host.calibrating is not None
        if self._was_calibrating and not is_calibrating:
            self._tabletop.clear()
        self._was_calibrating = is_calibrating

    def _take_up(self) -> None:
        """Place the expected pieces if the board is empty."""
        table = self._host.table
        if table is None or table.view.phase is Phase.SETUP or self._tabletop.standing.occupied:
            return
        stand_again(self._tabletop, self._host)


def stand_again(tabletop: Tabletop, host: BoardHost) -> None:
    """Place the pieces of the game on their squares, with the ranks printed on them."""
    assert host.table
    tabletop.clear()
    board = host.table.view.board
    for side in Side:
        ranks = host.printed(side)
        at = {square: ranks[board.piece_at(square)] for square in squares_in(board.of(side))}
        tabletop.stand(side, at)
