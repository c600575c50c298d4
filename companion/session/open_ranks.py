"""Ranks that the referee sees during setup: of a person who plays alone, and of an open army.

The referee keeps them with the setup of the game, and so rules on these pieces by their true ranks.
"""

from collections.abc import Callable, Mapping

from companion.core.inputs import RanksSeen
from companion.session.game_host import GameHost
from companion.session.session import Session
from companion.session.tabletop import Tabletop, standing_setup
from engine.board.geometry import Side, Square
from engine.board.ranks import Rank
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
