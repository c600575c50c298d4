"""An automatic opponent on the simulated board, for a single player.

An opponent sees only what a player of its side may see, and acts as people do: with hands on the
board and commands on the screen, after a short pause. A `Mind` chooses the turns; the only one so
far is `Chance`.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

from companion.core import Table
from companion.core.inputs import CommandInput, Input, OfferDraw, OfferUndo, Ready, Saying
from companion.core.state import (
    AttackOpen,
    Clearing,
    Disturbed,
    GuessOpen,
    Restoring,
    SettingUp,
    StalemateOpen,
    ToMove,
    WrongMove,
)
from engine.board.board import Piece
from engine.board.geometry import NEIGHBOURS, Side, Square
from engine.board.ranks import IMMOBILE, Rank
from engine.board.visibility import Secret
from engine.game.actions import (
    Action,
    AnswerGuess,
    AnswerStalemate,
    Attack,
    ClaimStalemate,
    Declare,
    Infiltrate,
    Move,
)
from engine.game.views import PlayerView, player_view

PAUSE: Final = 1.0
"""Delay before it acts, in seconds, so that a person can follow."""
Turn: TypeAlias = Move | Attack


class Mind(Protocol):
    """The strategy of an opponent."""

    def choose(self, view: PlayerView, turns: Sequence[Turn]) -> Turn:
        """Choose one of the turns that the pieces can make; at least one is given."""


class Chance:
    """A mind that chooses at random."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def choose(self, _view: PlayerView, turns: Sequence[Turn]) -> Turn:
        return self._dice.choice(turns)


class OpponentHands(Protocol):
    """The operations on the simulated board, and the pieces beside it, that the opponent uses."""

    def rank_of(self, piece: Piece) -> Rank:
        """Return the rank printed on a piece of the game."""

    def carry(self, source: Square, target: Square) -> None:
        """Move the piece on a square to an empty one."""

    def tidy(self) -> None:
        """Arrange the pieces as the table expects, unless a person is holding a piece."""


class Opponent:
    """An automatic player for one side of one game. Time is passed in."""

    def __init__(
        self,
        table: Table,
        side: Side,
        hands: OpponentHands,
        mind: Mind,
        give: Callable[[Input], object],
    ) -> None:
        """Play a side at a table."""
        self._table, self._side, self._hands = table, side, hands
        self._mind, self._give = mind, give
        self._moment: object = None
        self._since = 0.0
        self._has_declined = False

    @property
    def declines_draw(self) -> bool:
        """Whether the person's draw offer is declined, until the offer ends."""
        return self._has_declined and self._is_offered_draw

    @property
    def _is_offered_draw(self) -> bool:
        return self._table.conversation.draw_offer is self._side.other

    @property
    def _is_ahead(self) -> bool:
        """Whether the person has lost more pieces, which is visible to both sides."""
        captured = self._table.view.captured
        return len(captured[self._side.other]) > len(captured[self._side])

    def tick(self, now: float) -> None:
        """Perform the action that is due, if the situation has been stable for long enough."""
        table = self._table
        self._has_declined = self.declines_draw
        if table.is_paused:
            return
        self._declare(now)
        if isinstance(table.state, AttackOpen) or not table.is_connected:
            return
        seen = table.observed
        moment = (len(table.referee.actions), table.state, table.ready, table.setup, seen)
        if moment != self._moment:
            self._moment, self._since = moment, now
        elif now - self._since >= PAUSE:
            self._since = now
            self._act(now)
            self._declare(now)

    def _act(self, now: float) -> None:
        table, asks_back = self._table, self._table.conversation.take_back_offer
        is_mine = table.view.to_move is self._side
        if asks_back is self._side.other:
            self._say(now, OfferUndo(self._side))
            return
        if self._is_offered_draw and not self._has_declined:
            self._answer_draw(now)
            return
        match table.state:
            case SettingUp() if self._side not in table.ready and self._stands:
                self._say(now, Ready(self._side))
            case ToMove() if is_mine and table.observed == table.expected:
                self._make_turn(now)
            case GuessOpen() if not is_mine and table.view.opened:
                target = table.view.opened[1]
                right = self._rank_at(target) is table.view.guess
                self._say(now, AnswerGuess(right=right))
            case StalemateOpen() if table.view.stuck is self._side.other:
                self._say(now, AnswerStalemate(able=bool(self._turns(self._side))))
            case Clearing() | Restoring():
                self._hands.tidy()
            case WrongMove() | Disturbed() if is_mine:
                self._hands.tidy()

    def _answer_draw(self, now: float) -> None:
        """Accept a draw unless ahead. Declining does not take a turn and needs no input."""
        if self._is_ahead:
            self._has_declined = True
        else:
            self._say(now, OfferDraw(self._side))

    @property
    def _stands(self) -> bool:
        setup = self._table.setup
        standing = setup.red if self._side is Side.RED else setup.blue
        return standing == self._table.view.edition.army.size and not setup.astray

    def _declare(self, now: float) -> None:
        """Declare the requested rank before a screen can ask for it: all ranks are known here."""
        for _ in Side:
            question = self._table.conversation.question
            if question:
                rank = self._rank_at(question.square)
                self._say(now, Declare(Secret(question.owner, rank)))

    def _make_turn(self, now: float) -> None:
        turns = self._turns(self._side)
        if not turns:
            self._say(now, ClaimStalemate())
            return
        referee = self._table.referee
        own = referee.position.board.standing(self._side)
        ranks = {piece: self._hands.rank_of(piece) for piece in own}
        turn = self._mind.choose(player_view(referee, self._side, ranks), turns)
        if isinstance(turn, Move):
            self._hands.carry(turn.source, turn.target)
        else:
            self._say(now, turn)

    def _turns(self, side: Side) -> list[Turn]:
        """Return the turns that a side can make, given the true ranks of its pieces."""
        if self._table.view.to_move is not side:
            return []
        legal = self._table.referee.legal_moves()
        return [turn for turn in legal if not isinstance(turn, Infiltrate) and self._can(turn)]

    def _can(self, turn: Turn) -> bool:
        rank = self._rank_at(turn.source)
        is_step = turn.target in NEIGHBOURS[turn.source]
        return not IMMOBILE >> rank & 1 and (is_step or rank is Rank.SCOUT)

    def _rank_at(self, square: Square) -> Rank:
        return self._hands.rank_of(self._table.view.board.piece_at(square))

    def _say(self, now: float, what: Action | Saying) -> None:
        self._give(CommandInput(now, what))
