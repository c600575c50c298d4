"""Answers requests for hints, and counts the hints used."""

from companion.session.game_host import GameHost
from companion.session.hints import GameHints, HintLimit, possible_ranks, threatened
from companion.session.settings import Settings
from companion.ui.drawing.rank_symbol import number
from companion.ui.drawing.translator import _
from engine.board.geometry import Side, Square, name, squares_in
from engine.board.ranks import ranks_in
from engine.game.game_state import Phase


class HintController:
    """Gives hints to the side to move, and counts them in the settings file."""

    def __init__(self, host: GameHost, settings: Settings) -> None:
        self._host, self._settings = host, settings
        self._answered: set[tuple[object, Square | None]] = set()
        """Questions answered since the program started, each given by its moment and square.
        Repeating one of them does not use up a hint."""

    @property
    def moment(self) -> object:
        """The current position of the current game. An answer belongs to one moment."""
        assert self._host.table
        return self._host.number, self._host.seed, self._host.table.referee.to_text()

    @property
    def agreed(self) -> GameHints | None:
        """The hint settings of the current game, or None if it is played without hints."""
        hints = self._settings.hints
        if hints and (hints.game, hints.seed) == (self._host.number, self._host.seed):
            return hints
        return None

    @property
    def can_agree(self) -> bool:
        """Whether hints can be allowed now.

        A person who plays alone can allow hints at any time, and two players only before the first
        move. A game that is not saved has no hints.
        """
        table = self._host.table
        if table is None or self.agreed or self._host.number is None:
            return False
        is_alone = self._host.players.alone is not None
        return table.view.phase is Phase.PLAY and (is_alone or table.view.plies == 0)

    @property
    def has_hints(self) -> bool:
        """Whether the side to move is a person who plays with hints, even if none is left."""
        table = self._host.table
        if table is None or not self.agreed or table.view.phase is not Phase.PLAY:
            return False
        return self._host.players.alone in (None, table.view.to_move)

    @property
    def can_ask(self) -> bool:
        """Whether the side to move is a person with at least one hint left."""
        return self.has_hints and self.left != 0

    @property
    def left(self) -> int | None:
        """Number of hints left to the side to move, or None if there is no limit."""
        assert self.agreed
        return self.agreed.left(self._side)

    @property
    def _side(self) -> Side:
        assert self._host.table
        return self._host.table.view.to_move

    def agree(self, limit: HintLimit) -> None:
        assert self._host.number is not None
        self._settings.hints = GameHints(self._host.number, limit, seed=self._host.seed)

    def ask_danger(self) -> tuple[str, int]:
        """Return a sentence that lists which pieces of the side to move can be attacked.

        Also return the squares of these pieces, as a bit set.
        """
        assert self._host.table
        found = threatened(self._host.table.referee.position, self._side)
        self._count(None)
        if not found:
            return _("None of your pieces can be attacked."), 0
        squares = ", ".join(map(name, squares_in(found)))
        return _("Your pieces that can be attacked: {squares}", squares=squares), found

    def ask_rank(self, square: Square) -> str:
        """Return a sentence that lists the possible ranks of an opposing piece.

        The answer uses up a hint only if it excludes a rank of the piece's army.
        """
        assert self._host.table
        possible = possible_ranks(self._host.table.referee.position, square)
        army = self._host.table.view.edition.army_of(self._side.other)
        if {*ranks_in(possible)} != {rank for rank, count in army.counts.items() if count}:
            if not self.can_ask and (self.moment, square) not in self._answered:
                return _("No hints left")
            self._count(square)
        ranks = reversed([*ranks_in(possible)])
        signs = ", ".join(number(rank) or _.language.rank(rank) for rank in ranks)
        return _("{square} can still be: {ranks}", square=name(square), ranks=signs)

    def _count(self, square: Square | None) -> None:
        hints, question = self.agreed, (self.moment, square)
        assert hints
        if question not in self._answered:
            self._answered.add(question)
            self._settings.hints = hints.used_by(self._side)
