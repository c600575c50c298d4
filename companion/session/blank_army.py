"""An army of blank pieces on a real board, whose ranks only the program knows.

Before the game the program seals its setup, so that anyone can check afterwards that it has never
changed a rank. The ranks are saved only with the openings of the seals. A person places and moves
the blank pieces, as the screen and the lamps show.
"""

from collections.abc import Mapping

from companion.core.inputs import MoveDecided
from companion.opponent.computer_player import ComputerPlayer
from companion.session.game_host import GameHost
from companion.session.local_commitments import LocalCommitments
from companion.session.open_ranks import RankReporter
from companion.setups.setup import Setup
from engine.board.board import Piece
from engine.board.geometry import Side, Square
from engine.board.ranks import Rank
from engine.game.actions import Move
from engine.game.game_state import Phase


class BlankArmy:
    """The pieces of the computer, which a person moves."""

    def __init__(self, host: GameHost, seals: LocalCommitments, player: ComputerPlayer) -> None:
        """Use blank pieces in the current game; in a new game, `player` provides the setup."""
        self._host, self._seals, self._player, self._side = host, seals, player, player.side
        self._reporter = RankReporter(host, self._open_ranks)

    def begin(self) -> None:
        """Seal the setup of a new game."""
        table = self._host.table
        if table and table.view.phase is Phase.SETUP:
            self._seals.draw_up(self._side, Setup.of(self._side, self._player.setup))
            self._seals.seal(self._side)

    def tick(self, now: float) -> None:
        """Report the ranks if the army is open, and open the seals after the game."""
        self._reporter.tick(now)
        if self._seals.can_prove(self._side):
            self._seals.prove(self._side)

    def _open_ranks(self, side: Side) -> Mapping[Square, Rank]:
        """Return the ranks of the computer's army; a person's ranks are not known."""
        return self.ranks if side is self._side else {}

    @property
    def ranks(self) -> Mapping[Piece, Rank]:
        """The sealed ranks; empty if the openings of the seals are lost."""
        setup = self._seals.sealed(self._side)
        return setup.on_squares_of(self._side) if setup else {}

    def rank_of(self, piece: Piece) -> Rank | None:
        """Return the rank of one of the computer's pieces; a person's ranks are not known."""
        return self.ranks.get(piece)

    @property
    def is_set_up(self) -> bool:
        """Whether a blank piece is on every square of the setup, and no piece is misplaced."""
        table = self._host.table
        assert table
        is_sealed = self._side in table.sealed
        is_complete = not table.unsealed(self._side) and not table.setup.astray
        return is_sealed and is_complete

    def move(self, now: float, move: Move) -> None:
        """Make a move, which the person has to make on the board."""
        self._host.submit(MoveDecided(now, move.source, move.target))

    def tidy(self) -> None:
        """Do nothing: only the person can correct the board."""
