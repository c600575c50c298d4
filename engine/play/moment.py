"""State of a game: the position and the pending decision."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from engine.play.matters import Matter, OpenedAttack, OpenedInfiltration, Standstill
from engine.play.position import Position
from engine.play.rulings import CanYouMove, Ruling


class Phase(Enum):
    """Kind of action that the game is waiting for."""

    SETUP = "setup"
    PLAY = "play"
    ATTACK = "attack"
    """Ranks are being declared."""
    DISPUTE = "dispute"
    """A dispute has to be decided."""
    GUESS = "guess"
    """An infiltrator's guess has to be answered."""
    STANDSTILL = "standstill"
    """A side cannot move; the other one has to say whether it can."""
    SHOWING = "showing"
    """The side to move has answered that it can move, and proves it by a legal move."""
    OVER = "over"

    @property
    def is_turn(self) -> bool:
        """Whether a side is to make a turn on the board."""
        return self in (Phase.PLAY, Phase.SHOWING)


@dataclass(frozen=True)
class Moment:
    """State of a game. Immutable: updates return another object."""

    position: Position
    matter: Matter | None = None

    @property
    def phase(self) -> Phase:
        """Kind of action expected next."""
        if self.position.outcome:
            return Phase.OVER
        match self.matter:
            case OpenedAttack(disputed=None):
                return Phase.ATTACK
            case OpenedAttack():
                return Phase.DISPUTE
            case OpenedInfiltration():
                return Phase.GUESS
            case Standstill(showing=False):
                return Phase.STANDSTILL
            case Standstill():
                return Phase.SHOWING
        return Phase.PLAY if self.position.own else Phase.SETUP


Judgement: TypeAlias = tuple[Moment, tuple[Ruling, ...]]
"""State after an action, and the rulings on it. A refused action leaves the state unchanged."""


class OutOfPhaseError(Exception):
    """The action is not valid in this phase: an error of the program, not of a player."""


def settled(position: Position) -> Judgement:
    """Return the state after a turn, and the rulings in addition to those of the turn itself.

    The game may be over; or its end depends on the opponent, who is asked whether it can move.
    """
    if position.outcome:
        return Moment(position), (position.outcome,)
    stuck = position.stuck
    if stuck:
        return Moment(position, Standstill(stuck)), (CanYouMove(stuck.other),)
    return Moment(position), ()
