"""The states of a game at its board: exactly one at a time, with all the data that belongs to it.

Screens, lamps, terminal and clock read the state and derive nothing themselves. Transitions between
states are defined in `transitions`. Whether the board can be read is independent: what is open
stays open while it cannot.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias

from companion.table.question import NOTHING_ASKED, Question
from engine.board.geometry import Side, Square
from engine.game.actions import Amend, Attack, Move
from engine.game.rulings import Combat
from engine.rules.violations import Violation
from firmware_bridge.image import Difference

NO_DIFFERENCE: Final = Difference(missing=0, surplus=0)
Refused: TypeAlias = Move | Attack
"""A move or attack that an arbiter may allow."""


class State:
    """Base class of the states below; properties that do not apply to a state are empty.

    A field that a state must be given is declared with ``field()``; otherwise the property would be
    its default.
    """

    __slots__ = ()

    name: ClassVar[str]
    """The state's name for a program that drives the table, see docs/commands.md."""
    time_runs: ClassVar[bool] = False
    """Whether the side to move has to act, on its own clock time."""

    @property
    def difference(self) -> Difference:
        """The changes that the board needs before the game goes on."""
        return NO_DIFFERENCE

    @property
    def lifted(self) -> Square | None:
        """The square of origin of a lifted piece, if one is lifted."""
        return None

    @property
    def asked(self) -> Question:
        """The question to the players about their hands."""
        return NOTHING_ASKED

    @property
    def violation(self) -> Violation | None:
        """The rule that was broken, until the board shows something else."""
        return None

    @property
    def refused(self) -> Refused | None:
        """The move or attack that this rule forbids."""
        return None

    @property
    def reveal(self) -> Combat | None:
        """The combat whose result the board does not show yet."""
        return None

    @property
    def waits_for_board(self) -> bool:
        """Whether the board has to be changed, or cleared of losers, before the game goes on."""
        return bool(self.difference)


@dataclass(frozen=True, slots=True)
class SettingUp(State):
    """The armies are set up. Each side reports when its own is complete."""

    name = "setting-up"


@dataclass(frozen=True, slots=True)
class ToMove(State):
    """A side is to move; the board is correct except for what a hand is doing."""

    name = "turn"
    time_runs = True

    lifted: Square | None = None
    asked: Question = NOTHING_ASKED
    """Attacks that may have been meant; nothing waits for an answer."""
    is_off: bool = False
    """Whether a misplaced piece was reported, and not yet that it is back. A piece that was only
    lifted was never misplaced."""


@dataclass(frozen=True, slots=True)
class WrongMove(State):
    """A piece is where no rule allows it, or an illegal turn was tried on the screen.

    It is put back, or an arbiter allows it, or both sides agree that the board is right.
    """

    name = "wrong-move"
    time_runs = True

    violation: Violation = field()
    refused: Refused | None = field()
    difference: Difference = NO_DIFFERENCE
    """Empty if nothing has to go back, as nothing was moved."""
    out_of_turn: Side | None = None
    """The side whose time runs, if it was not that side's turn."""


@dataclass(frozen=True, slots=True)
class LossLooms(State):
    """A bomb or flag was moved; the game is lost if it is not put back within a few seconds."""

    name = "disturbed"

    difference: Difference = field()


@dataclass(frozen=True, slots=True)
class Asked(State):
    """Several courses of events explain the board.

    The players say which is right, or that all are wrong; or the hands show it, or both sides agree
    that the board is right.
    """

    name = "who-attacks"

    asked: Question = field()
    difference: Difference = field()

    @property
    def attackers(self) -> Mapping[Side, Attack | Amend]:
        """The attacks in question, by side; empty if anything else is in question too."""
        return self.asked.attackers


@dataclass(frozen=True, slots=True)
class Disturbed(State):
    """No course of events explains the board.

    All misplaced pieces go back, or both sides agree that the board is right or take something
    back, or a sensor is ignored.
    """

    name = "disturbed"

    difference: Difference = field()


@dataclass(frozen=True, slots=True)
class _Talk(State):
    """A declaration or an answer is awaited; until then the board may be disturbed."""

    difference: Difference = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class AttackOpen(_Talk):
    """An attack is open. Ranks are declared; before the first it can be denied."""

    name = "attack-open"


@dataclass(frozen=True, slots=True)
class InDispute(_Talk):
    """An impossible rank is upheld. An arbiter, or both sides, settle whether it counts."""

    name = "dispute"


@dataclass(frozen=True, slots=True)
class Guessing(_Talk):
    """An infiltrator has guessed a rank. The other side answers whether it is right."""

    name = "guess"


@dataclass(frozen=True, slots=True)
class Standstill(_Talk):
    """A side claims that it cannot move. The other one answers whether it can."""

    name = "standstill"


@dataclass(frozen=True, slots=True)
class Clearing(State):
    """The losers of a combat or a right guess have to be removed, or it is taken back.

    If the board shows something else, both sides may agree that it is right.
    """

    name = "clearing"
    waits_for_board = True

    reveal: Combat | None = field()
    """None after a guess."""
    difference: Difference = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class Restoring(State):
    """The position from before a pause or a take-back has to be restored on the board.

    Or more is taken back, or both sides agree that the board is right as it is.
    """

    name = "restoring"
    waits_for_board = True

    difference: Difference = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class Over(State):
    """The game has ended. Both sides may take its end back, unless time has run out."""

    name = "over"


STATES: Final = (
    SettingUp,
    ToMove,
    WrongMove,
    LossLooms,
    Asked,
    Disturbed,
    AttackOpen,
    InDispute,
    Guessing,
    Standstill,
    Clearing,
    Restoring,
    Over,
)
"""All states."""
