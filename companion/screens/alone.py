"""A person who plays alone on the simulated board, and who plays the other side."""

import random

from companion.screens.base.board_host import BoardHost
from companion.screens.caretaker import stand_again
from companion.simulator.opponent import Chance, Opponent
from companion.simulator.tabletop import Tabletop
from companion.store.session import Session
from engine.legality.board import Piece
from engine.play.moment import Phase
from engine.ranks import SYMBOLS, Rank
from engine.squares import Square, squares_in
from firmware_bridge.virtual.board import Piece as Wood


class Alone:
    """Watches whether the game is one of a person alone, and lets an opponent play it then."""

    def __init__(self, host: BoardHost, tabletop: Tabletop) -> None:
        self._host, self._tabletop = host, tabletop
        self._game: Session | None = None
        self._opponent: Opponent | None = None
        self._pieces: dict[Piece, Wood] = {}

    def tick(self, now: float) -> None:
        """Let the opponent of the game that is played do what is due."""
        if self._game is not self._host.session:
            self._game = self._host.session
            self._sit_down()
        table = self._host.table
        if self._opponent is None or table is None or self._host.unsaved:
            return
        if not self._pieces and table.view.phase is not Phase.SETUP:
            self._learn()
        self._opponent.tick(now)

    @property
    def declines_draw(self) -> bool:
        """Whether the opponent has declined the draw that is offered."""
        return self._opponent is not None and self._opponent.declines_draw

    def _sit_down(self) -> None:
        table, person = self._host.table, self._host.players.alone
        self._pieces, self._opponent = {}, None
        self._tabletop.alone = person if table else None
        if table is None or person is None:
            return
        if table.view.phase is Phase.SETUP:
            self._tabletop.set_up(table.view.edition.army, self._host.seed)
        mind = Chance(random.Random(self._host.seed))
        self._opponent = Opponent(table, person.other, self, mind, self._host.give)

    def _learn(self) -> None:
        """Learn which piece is which; a board that does not stand as it should is set up so."""
        table = self._host.table
        assert table
        if self._tabletop.standing != table.expected:
            stand_again(self._tabletop, self._host)
        board = table.view.board
        for square in squares_in(board.occupied):
            wood = self._tabletop.board.at(square)
            assert wood
            self._pieces[board.piece_at(square)] = wood

    # What the opponent's hands do

    def rank_of(self, piece: Piece) -> Rank:
        """What is printed on a piece of the game."""
        return SYMBOLS[self._pieces[piece].label]

    def carry(self, source: Square, target: Square) -> None:
        """Move what stands on a square to an empty one."""
        self._tabletop.move(source, target)

    def tidy(self) -> None:
        """Let the board show what has to stand, unless a person has a piece in the hand."""
        table = self._host.table
        if table is None or self._tabletop.is_held:
            return
        wanted = {
            square: self._pieces[table.view.board.piece_at(square)]
            for square in squares_in(table.view.board.occupied)
        }
        self._tabletop.arrange(wanted)
