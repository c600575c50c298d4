"""State of a game: the position and the decision that is pending between two plies.

A pending decision is an attack, a guess or a stalemate claim. All classes are immutable: updates
return another object.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias

from engine.board.geometry import Side, Square
from engine.board.ranks import Rank, RankSet
from engine.board.visibility import Secret
from engine.game.position import Position
from engine.game.rulings import Ruling, StalemateClaimed


@dataclass(frozen=True)
class PendingAttack:
    """An attack that waits for declarations."""

    attacker: Side
    source: Square
    target: Square
    possible: Mapping[Side, RankSet] = field(repr=False)
    """Ranks that the piece of each side can have, the attacker first; also limited by secret
    declarations."""
    proved: Mapping[Side, Secret[Rank]]
    """Ranks that need no declaration: proved publicly, or declared before by a defender."""
    regular: bool = True
    """Whether its path to the target is legal, so that it proves something about the attacker."""
    declared: Mapping[Side, Secret[Rank]] = field(default_factory=dict)
    disputed: Secret[Rank] | None = None
    """Declaration that a player upholds though it was proved impossible."""
    is_as_sealed: bool | None = None
    """Whether that is the committed rank of the piece; None without a commitment."""
    conceded: frozenset[Side] = frozenset()
    """Sides whose declaration counts by decision of an arbiter or of both players."""

    @property
    def awaited(self) -> tuple[Side, ...]:
        """Sides that still have to declare, the attacker first."""
        answered = {*self.proved, *self.declared}
        return tuple(side for side in self.possible if side not in answered)

    def rank(self, side: Side) -> Rank:
        """Rank of a side's piece, once it is no longer awaited."""
        return (self.declared.get(side) or self.proved[side]).unseal()

    def square(self, side: Side) -> Square:
        """Square of a side's piece in the attack."""
        return self.source if side is self.attacker else self.target

    def hearing(self, declared: Secret[Rank]) -> "PendingAttack":
        """Return the attack with one more declaration."""
        return replace(self, declared={**self.declared, declared.owner: declared})


@dataclass(frozen=True)
class PendingGuess:
    """A guess that waits for its answer."""

    source: Square
    target: Square
    guess: Rank


@dataclass(frozen=True)
class Stalemate:
    """A side cannot move, and the other side is asked whether it can, or proves it."""

    stuck: Side
    showing: bool = False
    """Whether the other side has answered that it can move and has to prove it by its next move."""


Pending: TypeAlias = PendingAttack | PendingGuess | Stalemate


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
class GameState:
    """State of a game. Immutable: updates return another object."""

    position: Position
    matter: Pending | None = None

    @property
    def phase(self) -> Phase:
        """Kind of action expected next."""
        if self.position.outcome:
            return Phase.OVER
        match self.matter:
            case PendingAttack(disputed=None):
                return Phase.ATTACK
            case PendingAttack():
                return Phase.DISPUTE
            case PendingGuess():
                return Phase.GUESS
            case Stalemate(showing=False):
                return Phase.STANDSTILL
            case Stalemate():
                return Phase.SHOWING
        return Phase.PLAY if self.position.own else Phase.SETUP


Judgement: TypeAlias = tuple[GameState, tuple[Ruling, ...]]
"""State after an action, and the rulings on it. A refused action leaves the state unchanged."""


class OutOfPhaseError(Exception):
    """The action is not valid in this phase: an error of the program, not of a player."""


def after_turn(position: Position) -> Judgement:
    """Return the state after a turn, and the rulings in addition to those of the turn itself.

    The game may be over; or its end depends on the opponent, who is asked whether it can move.
    """
    if position.outcome:
        return GameState(position), (position.outcome,)
    stuck = position.stuck
    if stuck:
        return GameState(position, Stalemate(stuck)), (StalemateClaimed(stuck.other),)
    return GameState(position), ()
