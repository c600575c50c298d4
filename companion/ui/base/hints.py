"""Answers requests for hints and counts them."""

from companion.session.game_host import GameHost
from companion.session.hints import GameHints, HintLimit, possible_ranks, threatened
from companion.session.settings import Settings
from companion.ui.drawing.rank_symbol import number
from companion.ui.drawing.translator import _
from engine.board.geometry import Side, Square, name, squares_in
from engine.board.ranks import ranks_in
from engine.game.game_state import Phase


class HintController:
    """Answers the side to move, and counts its hints in the settings file."""

    def __init__(self, host: GameHost, settings: Settings) -> None:
        self._host, self._settings = host, settings
        self._answered: set[tuple[int, Square | None]] = set()
        """Questions answered in this run, by ply and square. Repeating one uses no hint."""

    @property
    def agreed(self) -> GameHints | None:
        """The hints of the current game, None if it is played without hints."""
        hints = self._settings.hints
        return hints if hints and hints.game == self._host.number else None

    @property
    def can_agree(self) -> bool:
        """Whether hints can be allowed now: for one player always, for two only at the start."""
        table = self._host.table
        if table is None or self.agreed or self._host.number is None:
            return False
        is_alone = self._host.players.alone is not None
        return table.view.phase is Phase.PLAY and (is_alone or table.view.plies == 0)

    @property
    def can_ask(self) -> bool:
        """Whether the side to move is a person who has a hint left."""
        table = self._host.table
        if table is None or not self.agreed or table.view.phase is not Phase.PLAY:
            return False
        alone = self._host.players.alone
        return alone in (None, table.view.to_move) and self.left != 0

    @property
    def left(self) -> int | None:
        """Number of hints that the side to move has left; None if there is no limit."""
        assert self.agreed
        return self.agreed.left(self._side)

    @property
    def _side(self) -> Side:
        assert self._host.table
        return self._host.table.view.to_move

    def agree(self, limit: HintLimit) -> None:
        """Allow hints in the current game."""
        assert self._host.number is not None
        self._settings.hints = GameHints(self._host.number, limit)

    def ask_danger(self) -> tuple[str, int]:
        """Return which pieces of the side to move can be attacked: a sentence and the squares."""
        assert self._host.table
        found = threatened(self._host.table.referee.position, self._side)
        self._count(None)
        if not found:
            return _("None of your pieces can be attacked."), 0
        squares = ", ".join(map(name, squares_in(found)))
        return _("Your pieces that can be attacked: {squares}", squares=squares), found

    def ask_rank(self, square: Square) -> str:
        """Return the ranks that an opposing piece can still have, as a sentence."""
        assert self._host.table
        ranks = reversed([*ranks_in(possible_ranks(self._host.table.referee.position, square))])
        self._count(square)
        signs = ", ".join(number(rank) or _.language.rank(rank) for rank in ranks)
        return _("{square} can still be: {ranks}", square=name(square), ranks=signs)

    def _count(self, square: Square | None) -> None:
        hints, table = self.agreed, self._host.table
        assert hints
        assert table
        question = table.view.plies, square
        if question not in self._answered:
            self._answered.add(question)
            self._settings.hints = hints.used_by(self._side)
