"""The game as it is talked over: what the sides say, what is put to the referee, what it rules.

Nothing in here knows the board or the time. What a player says at the wrong moment changes nothing.
"""

import random
from typing import Final, TypeAlias

from companion.table.events import Event, RankAsked
from companion.table.private_words import PrivateWords
from companion.table.sayings import OfferDraw, OfferTakeBack, Saying
from engine.play.actions import (
    Action,
    AgreeDraw,
    AnswerCannotMove,
    AnswerGuess,
    Attack,
    CannotMove,
    Correct,
    Declare,
    Forfeit,
    Insist,
    Mistake,
    Move,
    Override,
    Resign,
    SettleDispute,
    TakeBack,
)
from engine.play.moment import Phase
from engine.play.referee import Referee
from engine.play.rulings import Contradiction, Reason, Ruling, refuses
from engine.play.views import PublicView, public_view
from engine.ranks import Rank, ranks_in
from engine.rulebook.violation import Violation
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square

Refused: TypeAlias = Move | Attack
"""What an arbiter may let stand."""
TURN_PHASES: Final = (Phase.PLAY, Phase.SHOWING)
"""When a side makes a move or attack on the board."""


class Conversation:
    """Two sides and their referee."""

    def __init__(self, referee: Referee, seed: int) -> None:
        """Talk before a referee; `seed` shuffles the tiles of the declarations."""
        self.referee = referee
        self.violation: Violation | None = None
        """The rule that the latest gesture breaks, until the board shows something else."""
        self.contradiction: Contradiction | None = None
        """What is wrong with the latest declaration or answer, for the eyes of its owner."""
        self.draw_offer: Side | None = None
        self.take_back_offer: Side | None = None
        """Who asks to take the latest ply back."""
        self.refused: Refused | None = None
        """What the standing violation refuses."""
        self._seed = seed
        self._view: tuple[int, PublicView] | None = None
        """What everybody may see, and after how many actions."""
        self._private_words = PrivateWords(referee)
        self._actions: list[Action] = []
        self._events: list[Event] = []

    @property
    def view(self) -> PublicView:
        """What everybody may see: all that screens, terminal and lamps read of the game."""
        accepted = len(self.referee.actions)
        if self._view is None or self._view[0] != accepted:
            self._view = accepted, public_view(self.referee)
        return self._view[1]

    @property
    def is_running(self) -> bool:
        """Whether the armies stand and nobody has won yet."""
        return self.referee.phase not in (Phase.SETUP, Phase.OVER)

    @property
    def can_take_back(self) -> bool:
        """Whether there is something that both sides may agree to take back.

        That is a ply, an open attack or guess, the word that a side cannot move, or an end. Time
        that has run out does not come back.
        """
        if self.referee.outcome:
            return self.referee.outcome.reason is not Reason.TIME
        return self.is_running and bool(self.referee.plies or self.referee.phase is not Phase.PLAY)

    @property
    def can_let_stand(self) -> bool:
        """Whether there is a refused move or attack that an arbiter may let stand."""
        if self.refused is None or self.referee.phase is not Phase.PLAY:
            return False
        way = self.refused.source, self.refused.target
        return bool(self.referee.find_violation(*way)) and self.referee.position.can_stand(*way)

    def can_correct(self, mistake: Mistake) -> bool:
        """Whether an arbiter can set this right."""
        return self.referee.can_correct(mistake)

    def private_word(self, side: Side) -> Contradiction | None:
        """What a turn of a side has disproved of what it had declared in silence.

        It is shown to its owner while that declares again, and nobody may see that there is such
        a word.
        """
        return self._private_words.of(side)

    @property
    def question(self) -> RankAsked | None:
        """The declaration that is awaited next, for the eyes of its owner."""
        attack = self.referee.open_attack
        if attack is None or attack.disputed or not attack.awaited:
            return None
        owner = attack.awaited[0]
        tiles = list(ranks_in(attack.possible[owner]))
        random.Random(f"{self._seed} {self.referee.plies} {owner.value}").shuffle(tiles)
        return RankAsked(owner, attack.square(owner), tuple(tiles))

    @property
    def declared(self) -> tuple[Side, ...]:
        """The sides that have declared a rank in the open attack."""
        attack = self.referee.open_attack
        return tuple(attack.declared) if attack else ()

    @property
    def can_withdraw(self) -> bool:
        """Whether the open attack may still turn out to be none."""
        attack = self.referee.open_attack
        return attack is not None and not (attack.declared or attack.disputed)

    def _hear(self, said: Action | Saying) -> None:
        """Take what a player or the arbiter says, if it fits the moment."""
        match said:
            case OfferDraw() if self.is_running:
                self._take_draw_offer(said)
            case OfferTakeBack() if self.can_take_back:
                self._take_take_back_offer(said)
            case (
                Declare()
                | Insist()
                | SettleDispute()
                | AnswerGuess()
                | Override()
                | Correct()
                | CannotMove()
                | AnswerCannotMove()
                | Resign()
                | Forfeit()
            ) if self._fits(said):
                self._attempt(said)

    def _fits(self, said: Action) -> bool:
        """Whether it is the moment for what somebody says."""
        phase = self.referee.phase
        match said:
            case Declare():
                return self.question is not None and self.question.owner is said.rank.owner
            case Insist():
                return self._is_contradicted(said.rank)
            case SettleDispute():
                return phase is Phase.DISPUTE
            case AnswerGuess():
                return phase is Phase.GUESS
            case Override():
                refused = self.refused
                return self.can_let_stand and refused is not None and _way(said) == _way(refused)
            case Correct():
                return self.can_correct(said.mistake)
            case CannotMove():
                return phase is Phase.PLAY
            case AnswerCannotMove():
                # Who shows a move may still find that there is none, and not the other way round.
                is_shown = phase is Phase.SHOWING and not said.able
                return phase is Phase.STANDSTILL or is_shown
            case _:
                return self.is_running

    def _tell(self, *events: Event) -> None:
        self._events.extend(events)

    def _is_contradicted(self, declared: Secret[Rank]) -> bool:
        found = self.contradiction
        if found is None or self.referee.open_attack is None:
            return False
        return declared == Secret(found.owner, found.proof.rank)

    def _take_draw_offer(self, offer: OfferDraw) -> None:
        if self.draw_offer is offer.side.other:
            self._attempt(AgreeDraw())
        elif self.draw_offer is None:
            self.draw_offer = offer.side
            self._tell(offer)

    def _take_take_back_offer(self, offer: OfferTakeBack) -> None:
        if self.take_back_offer is offer.side.other:
            self._attempt(TakeBack())
        elif self.take_back_offer is None:
            self.take_back_offer = offer.side
            self._tell(offer)

    def _attempt(self, action: Action) -> tuple[Ruling, ...]:
        """Put an action to the referee, take the consequences of the answer, and return it."""
        plies, turn = self.referee.plies, self._turn
        rulings = self.referee.apply(action)
        self.violation = self.contradiction = self.refused = None
        if refuses(rulings):
            self._tell(*rulings)
            self._take_refusal(action, rulings[0])
        else:
            # A contradiction after a turn is not even told to be there.
            self._tell(*(each for each in rulings if not isinstance(each, Contradiction)))
            self._actions.append(action)
            self._private_words.take(action, rulings)
        if self.referee.plies != plies or self.referee.outcome:
            self.draw_offer = None
        if self._turn != turn:
            self.take_back_offer = None
        if self.question:
            self._tell(self.question)
        return rulings

    @property
    def _turn(self) -> tuple[int, bool, bool]:
        """What would be taken back: the latest ply, one that is still being made, or the end."""
        referee = self.referee
        return referee.plies, referee.phase is Phase.PLAY, referee.outcome is not None

    def _take_refusal(self, action: Action, ruling: Ruling) -> None:
        if isinstance(ruling, Violation):
            self.violation = ruling
            self.refused = action if isinstance(action, Move | Attack) else None
        if isinstance(ruling, Contradiction):
            self.contradiction = ruling


def _way(turn: Move | Attack | Override) -> tuple[Square, Square]:
    return turn.source, turn.target
