"""A game at one moment of its conversation: the position, and what is open."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from engine.play.matters import Matter, OpenedAttack, OpenedInfiltration, Standstill
from engine.play.position import Position
from engine.play.rulings import CanYouMove, Ruling


class Phase(Enum):
    """What kind of action the game is waiting for."""

    SETUP = "setup"
    PLAY = "play"
    ATTACK = "attack"
    """Ranks are being declared."""
    DISPUTE = "dispute"
    """A declaration has to be decided about."""
    GUESS = "guess"
    """An infiltrator's guess has to be answered."""
    STANDSTILL = "standstill"
    """A side cannot move; the other one has to say whether it can."""
    SHOWING = "showing"
    """The side to move has said that it can, and shows it by a legal move."""
    OVER = "over"

    @property
    def is_turn(self) -> bool:
        """Whether a side is to make a turn on the board."""
        return self in (Phase.PLAY, Phase.SHOWING)


@dataclass(frozen=True)
class Moment:
    """Where a game stands. It never changes; what goes on returns another one."""

    position: Position
    matter: Matter | None = None

    @property
    def phase(self) -> Phase:
        """What kind of action is due."""
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
"""Where an action has led, and what is ruled on it. What is refused leads nowhere else."""


class OutOfPhaseError(Exception):
    """The action makes no sense in this phase: a mistake of the program, not of a player."""


def settled(position: Position) -> Judgement:
    """Return where the game stands after a turn, and what is ruled besides the turn itself.

    The game may be over; or the end hangs on the other side, which is asked whether it can move.
    """
    if position.outcome:
        return Moment(position), (position.outcome,)
    stuck = position.stuck
    if stuck:
        return Moment(position, Standstill(stuck)), (CanYouMove(stuck.other),)
    return Moment(position), ()
