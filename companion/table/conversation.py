"""The game as it is talked over: what the sides say, what is put to the referee, what it rules.

Nothing in here knows the board or the time. What a player says at the wrong moment changes nothing.
"""

import random

from companion import inputs
from companion.events import DrawOpened, Event, RankAsked, TakeBackOpened
from companion.inputs import Input
from engine.actions import (
    Action,
    AgreeDraw,
    AnswerGuess,
    CannotMove,
    CorrectRank,
    Declare,
    Forfeit,
    Insist,
    Move,
    OpenAttack,
    Override,
    Resign,
    SettleDispute,
    TakeBack,
)
from engine.position import Phase
from engine.ranks import Rank, ranks_in
from engine.referee import Referee
from engine.rulings import Contradiction, Reason, Ruling, Violation, refuses
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square


class Conversation:
    """Two sides and their referee."""

    def __init__(self, referee: Referee, seed: int) -> None:
        """Talk before a referee; `seed` shuffles the tiles of the declarations."""
        self.referee = referee
        self.violation: Violation | None = None
        """The rule that the latest gesture breaks, until the board shows something else."""
        self.contradiction: Contradiction | None = None
        """What is wrong with the latest declaration, for the eyes of its owner."""
        self.draw_offer: Side | None = None
        self.take_back_offer: Side | None = None
        """Who asks to take the latest ply back."""
        self._seed = seed
        self._refused: Move | OpenAttack | None = None
        """The action that the standing violation refuses."""
        self._actions: list[Action] = []
        self._events: list[Event] = []

    @property
    def is_running(self) -> bool:
        """Whether the armies stand and nobody has won yet."""
        return self.referee.phase not in (Phase.SETUP, Phase.OVER)

    @property
    def can_take_back(self) -> bool:
        """Whether there is a ply, an open attack or an end that both sides may agree to take back.

        Time that has run out does not come back.
        """
        if self.referee.outcome:
            return self.referee.outcome.reason is not Reason.TIME
        return self.is_running and bool(self.referee.plies or self.referee.phase is not Phase.PLAY)

    @property
    def can_let_stand(self) -> bool:
        """Whether there is a refused move or attack that an arbiter may let stand."""
        if self._refused is None:
            return False
        way = self._refused.source, self._refused.target
        return bool(self.referee.find_violation(*way)) and self.referee.can_stand(*way)

    def can_correct(self, square: Square) -> bool:
        """Whether an arbiter can set the rank of the piece on a square right."""
        board = self.referee.board
        if self.referee.phase is not Phase.PLAY or board.side_at(square) is None:
            return False
        return self.referee.can_correct(board.piece_at(square))

    @property
    def question(self) -> RankAsked | None:
        """The declaration that is awaited next, for the eyes of its owner."""
        attack = self.referee.attack
        if attack is None or attack.disputed or not attack.awaited:
            return None
        owner = attack.awaited[0]
        tiles = list(ranks_in(attack.possible[owner]))
        random.Random(f"{self._seed} {self.referee.plies} {owner.value}").shuffle(tiles)
        square = attack.source if owner is self.referee.to_move else attack.target
        return RankAsked(owner, square, tuple(tiles))

    def _hear(self, given: Input) -> None:
        """Take what a player or the arbiter says."""
        phase = self.referee.phase
        match given:
            case inputs.RankDeclared() if self._is_asked(given.rank.owner):
                self._attempt(Declare(given.rank))
            case inputs.Insisted() if self._is_contradicted(given.rank):
                self._attempt(Insist(given.rank))
            case inputs.DisputeSettled() if phase is Phase.DISPUTE:
                self._attempt(SettleDispute(given.accepted))
            case inputs.GuessAnswered() if phase is Phase.GUESS:
                self._attempt(AnswerGuess(given.right))
            case inputs.LetStand() if self.can_let_stand:
                assert self._refused
                self._attempt(Override(self._refused.source, self._refused.target))
            case inputs.RankCorrection() if self.can_correct(given.square):
                piece = self.referee.board.piece_at(given.square)
                self._attempt(CorrectRank(piece, given.rank))
            case inputs.CannotMove() if phase is Phase.PLAY:
                self._attempt(CannotMove())
            case inputs.Resigned() if self.is_running:
                self._attempt(Resign(given.side))
            case inputs.Forfeited() if self.is_running:
                self._attempt(Forfeit(given.side))
            case inputs.DrawOffered() if self.is_running:
                self._take_draw_offer(given.side)
            case inputs.TakeBackOffered() if self.can_take_back:
                self._take_take_back_offer(given.side)

    def _tell(self, *events: Event) -> None:
        self._events.extend(events)

    def _is_asked(self, side: Side) -> bool:
        return self.question is not None and self.question.owner is side

    def _is_contradicted(self, declared: Secret[Rank]) -> bool:
        found = self.contradiction
        return found is not None and declared == Secret(found.owner, found.proof.rank)

    @property
    def _can_withdraw(self) -> bool:
        attack = self.referee.attack
        return attack is not None and not (attack.declared or attack.disputed)

    def _take_draw_offer(self, side: Side) -> None:
        if self.draw_offer is side.other:
            self._attempt(AgreeDraw())
        elif self.draw_offer is None:
            self.draw_offer = side
            self._tell(DrawOpened(side))

    def _take_take_back_offer(self, side: Side) -> None:
        if self.take_back_offer is side.other:
            self._attempt(TakeBack())
        elif self.take_back_offer is None:
            self.take_back_offer = side
            self._tell(TakeBackOpened(side))

    def _attempt(self, action: Action) -> tuple[Ruling, ...]:
        """Put an action to the referee, take the consequences of the answer, and return it."""
        plies, turn = self.referee.plies, self._turn
        rulings = self.referee.apply(action)
        self._tell(*rulings)
        self.violation = self.contradiction = self._refused = None
        if refuses(rulings):
            self._take_refusal(action, rulings[0])
        else:
            self._actions.append(action)
        if self.referee.plies != plies:
            self.draw_offer = None
        if self._turn != turn:
            self.take_back_offer = None
        if self.question:
            self._tell(self.question)
        return rulings

    @property
    def _turn(self) -> tuple[int, bool]:
        """What would be taken back: the latest ply, or one that is still being made."""
        return self.referee.plies, self.referee.phase is Phase.PLAY

    def _take_refusal(self, action: Action, ruling: Ruling) -> None:
        if isinstance(ruling, Violation):
            self.violation = ruling
            self._refused = action if isinstance(action, Move | OpenAttack) else None
        if isinstance(ruling, Contradiction):
            self.contradiction = ruling
