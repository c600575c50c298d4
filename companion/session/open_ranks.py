"""Ranks that the referee sees during setup: of a person who plays alone, and of an open army.

The referee keeps them with the setup of the game, and so rules on these pieces by their true ranks.
The computer may also play with blank pieces (`BlankArmy`), whose ranks only the program knows.
"""

from collections.abc import Callable, Mapping

from companion.core.inputs import MoveDecided, RanksSeen
from companion.opponent.computer_player import ComputerPlayer
from companion.session.game_host import GameHost
from companion.session.local_commitments import LocalCommitments
from companion.session.session import Session
from companion.session.tabletop import Tabletop, standing_setup
from companion.setups.setup import Setup
from engine.board.board import Piece
from engine.board.geometry import Side, Square
from engine.board.ranks import Rank
from engine.game.actions import Move
from engine.game.game_state import Phase


class RankReporter:
    """Reports the ranks of the open pieces to the referee whenever they change during setup."""

    def __init__(self, host: GameHost, read: Callable[[Side], Mapping[Square, Rank]]) -> None:
        """`read` returns the ranks of a side by board square; empty if they are not known."""
        self._host, self._read = host, read
        self._game: Session | None = None
        self._seen: dict[Side, Mapping[Square, Rank]] = {}
        """The ranks of each side as last reported in the current game."""

    def tick(self, now: float) -> None:
        """Report the ranks that have changed."""
        if self._game is not self._host.session:
            self._game, self._seen = self._host.session, {}
        table = self._host.table
        if table is None or table.view.phase is not Phase.SETUP:
            return
        for side in {self._host.players.alone, table.view.edition.open_side} - {None}:
            assert side
            ranks = self._read(side)
            if ranks != self._seen.get(side, {}):
                self._seen[side] = ranks
                self._host.submit(RanksSeen(now, side, ranks))


class OpenTabletop:
    """A simulated board that shows an open army, and whose open ranks the referee sees."""

    def __init__(self, host: GameHost, tabletop: Tabletop) -> None:
        self._host, self._tabletop = host, tabletop
        self._reporter = RankReporter(host, self._standing)

    def tick(self, now: float) -> None:
        """Show the open army of the current game, and report its ranks."""
        table = self._host.table
        self._tabletop.show_open(table.view.edition.open_side if table else None)
        self._reporter.tick(now)

    def _standing(self, side: Side) -> Mapping[Square, Rank]:
        return standing_setup(self._tabletop.board, side).on_squares_of(side)


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
