"""A person who plays alone on the simulated board, and who plays the other side."""

import random

from companion.screens.base.board_host import BoardHost
from companion.screens.caretaker import stand_again
from companion.simulator.opponent import Chance, Opponent
from companion.simulator.standing import standing_setup
from companion.simulator.tabletop import Tabletop
from companion.store.session import Session
from companion.table.inputs import RanksSeen
from engine.legality.board import Piece
from engine.play.moment import Phase
from engine.ranks import SYMBOLS, Rank
from engine.squares import Square, set_of, squares_in
from firmware_bridge.virtual.board import Piece as Wood


class Alone:
    """Watches whether the game is one of a person alone, and lets an opponent play it then."""

    def __init__(self, host: BoardHost, tabletop: Tabletop) -> None:
        self._host, self._tabletop = host, tabletop
        self._game: Session | None = None
        self._opponent: Opponent | None = None
        self._pieces: dict[Piece, Wood] = {}
        self._seen: dict[Square, Rank] = {}
        """The ranks that the referee was last given."""

    def tick(self, now: float) -> None:
        """Let the opponent of the game that is played do what is due."""
        if self._game is not self._host.session:
            self._game = self._host.session
            self._sit_down()
        table = self._host.table
        if self._opponent is None or table is None or self._host.unsaved:
            return
        if table.view.phase is Phase.SETUP:
            self._show_ranks(now)
        elif not self._pieces:
            self._learn()
        else:
            self._keep_in_place()
        self._opponent.tick(now)

    @property
    def declines_draw(self) -> bool:
        """Whether the opponent has declined the draw that is offered."""
        return self._opponent is not None and self._opponent.declines_draw

    def _show_ranks(self, now: float) -> None:
        """Give the referee the ranks of the person's pieces; they are drawn on the screen too."""
        person = self._host.players.alone
        assert person
        ranks = standing_setup(self._tabletop.board, person).on_squares_of(person)
        if ranks != self._seen:
            self._seen = ranks
            self._host.give(RanksSeen(now, person, ranks))

    def _keep_in_place(self) -> None:
        """Undo an exchange of pieces, which no sensor sees, and let no finger lift the opponent's.

        A piece would otherwise show another rank than the one that the referee judges it by.
        """
        tabletop, table, person = self._tabletop, self._host.table, self._host.players.alone
        assert table
        assert person
        wanted = self._wanted()
        right = set_of(at for at, wood in wanted.items() if tabletop.board.at(at) is wood)
        is_played = table.view.phase is not Phase.OVER
        tabletop.fixed = right & table.view.board.of(person.other) if is_played else 0
        is_exchanged = tabletop.standing == table.expected and right.bit_count() < len(wanted)
        if is_exchanged and not tabletop.is_held:
            tabletop.arrange(wanted)

    def _wanted(self) -> dict[Square, Wood]:
        """The piece of every occupied square."""
        assert self._host.table
        board = self._host.table.view.board
        return {at: self._pieces[board.piece_at(at)] for at in squares_in(board.occupied)}

    def _sit_down(self) -> None:
        table, person = self._host.table, self._host.players.alone
        self._pieces, self._opponent, self._seen = {}, None, {}
        self._tabletop.alone, self._tabletop.fixed = person if table else None, 0
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
        self._tabletop.arrange(self._wanted())
