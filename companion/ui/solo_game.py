"""Games of a single player against the program on the simulated board."""

import random

from companion.core.inputs import RanksSeen
from companion.session.game_host import GameHost
from companion.session.session import Session
from companion.session.tabletop import Tabletop, standing_setup
from companion.simulator.opponent import Chance, Opponent
from engine.board.board import Piece
from engine.board.geometry import Side, Square, set_of, squares_in
from engine.board.ranks import SYMBOLS, Rank
from engine.game.game_state import Phase
from firmware_bridge.simulated_board.board import PhysicalPiece as Wood


class PieceRestorer:
    """Puts the pieces of the current game back after a restart, a setup or a calibration.

    A resumed game continues from the position that it had.
    """

    def __init__(self, host: GameHost, tabletop: Tabletop) -> None:
        self._host, self._tabletop = host, tabletop
        self._game: Session | None = None
        self._was_calibrating = False

    def tick(self) -> None:
        """Check whether another game has started or a calibration has ended."""
        if self._game is not self._host.session:
            if self._game and self._game.table.view.phase is Phase.SETUP:
                self._tabletop.clear()
            self._game = self._host.session
            self._restore()
        is_calibrating = self._host.calibrating is not None
        if self._was_calibrating and not is_calibrating:
            self._tabletop.clear()
        self._was_calibrating = is_calibrating

    def _restore(self) -> None:
        """Place the expected pieces if the board is empty."""
        table = self._host.table
        if table is None or table.view.phase is Phase.SETUP or self._tabletop.standing.occupied:
            return
        stand_again(self._tabletop, self._host)


def stand_again(tabletop: Tabletop, host: GameHost) -> None:
    """Place the pieces of the game on their squares, with the ranks printed on them."""
    assert host.table
    tabletop.clear()
    board = host.table.view.board
    for side in Side:
        ranks = host.printed(side)
        at = {square: ranks[board.piece_at(square)] for square in squares_in(board.of(side))}
        tabletop.stand(side, at)


class SoloGame:
    """Starts the automatic opponent when the current game is played by one person."""

    def __init__(self, host: GameHost, tabletop: Tabletop) -> None:
        self._host, self._tabletop = host, tabletop
        self._game: Session | None = None
        self._opponent: Opponent | None = None
        self._pieces: dict[Piece, Wood] = {}
        self._seen: dict[Square, Rank] = {}
        """The ranks of the person's pieces as last passed to the referee."""

    def tick(self, now: float) -> None:
        """Run the opponent's actions that are due, if there is an opponent."""
        if self._game is not self._host.session:
            self._game = self._host.session
            self._start_opponent()
        table = self._host.table
        if self._opponent is None or table is None or self._host.unsaved:
            return
        if table.view.phase is Phase.SETUP:
            self._show_ranks(now)
        elif not self._pieces:
            self._identify_pieces()
        else:
            self._keep_in_place()
        self._opponent.tick(now)

    @property
    def declines_draw(self) -> bool:
        """Whether the opponent has declined the pending draw offer."""
        return self._opponent is not None and self._opponent.declines_draw

    def _show_ranks(self, now: float) -> None:
        """Pass the ranks of the person's pieces to the referee; the screen draws them too."""
        person = self._host.players.alone
        assert person
        ranks = standing_setup(self._tabletop.board, person).on_squares_of(person)
        if ranks != self._seen:
            self._seen = ranks
            self._host.submit(RanksSeen(now, person, ranks))

    def _keep_in_place(self) -> None:
        """Undo swaps of pieces, which no sensor detects, and make the opponent's pieces immovable.

        Otherwise a piece could show a rank other than the rank by which the referee judges it.
        """
        tabletop, table, person = self._tabletop, self._host.table, self._host.players.alone
        assert table
        assert person
        wanted = self._expected_pieces()
        right = set_of(at for at, wood in wanted.items() if tabletop.board.at(at) is wood)
        is_played = table.view.phase is not Phase.OVER
        tabletop.fixed = right & table.view.board.of(person.other) if is_played else 0
        is_exchanged = tabletop.standing == table.expected and right.bit_count() < len(wanted)
        if is_exchanged and not tabletop.is_held:
            tabletop.arrange(wanted)

    def _expected_pieces(self) -> dict[Square, Wood]:
        """The piece of every occupied square."""
        assert self._host.table
        board = self._host.table.view.board
        return {at: self._pieces[board.piece_at(at)] for at in squares_in(board.occupied)}

    def _start_opponent(self) -> None:
        table, person = self._host.table, self._host.players.alone
        self._pieces, self._opponent, self._seen = {}, None, {}
        self._tabletop.alone, self._tabletop.fixed = person if table else None, 0
        if table is None or person is None:
            return
        if table.view.phase is Phase.SETUP:
            self._tabletop.set_up(table.view.edition.army, self._host.seed)
        mind = Chance(random.Random(self._host.seed))
        self._opponent = Opponent(table, person.other, self, mind, self._host.submit)

    def _identify_pieces(self) -> None:
        """Identify the physical pieces of the game; restore the board first if it differs."""
        table = self._host.table
        assert table
        if self._tabletop.standing != table.expected:
            stand_again(self._tabletop, self._host)
        board = table.view.board
        for square in squares_in(board.occupied):
            wood = self._tabletop.board.at(square)
            assert wood
            self._pieces[board.piece_at(square)] = wood

    # Actions of the opponent's hands

    def rank_of(self, piece: Piece) -> Rank:
        """Return the rank that is printed on a piece of the game."""
        return SYMBOLS[self._pieces[piece].label]

    def carry(self, source: Square, target: Square) -> None:
        """Move the piece on a square to an empty square."""
        self._tabletop.move(source, target)

    def tidy(self) -> None:
        """Restore the expected board, unless the person is holding a piece."""
        table = self._host.table
        if table is None or self._tabletop.is_held:
            return
        self._tabletop.arrange(self._expected_pieces())
