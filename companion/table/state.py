"""Where a game at its board is: exactly one of these, with all that belongs to it.

Screens, lamps, terminal and clock read it and derive nothing again. What leads from one state to
another is in `transitions`. Whether the board can be read is another matter: what is open stays
open while it cannot.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias

from companion.table.question import NOTHING_ASKED, Question
from engine.play.actions import Amend, Attack, Move
from engine.play.rulings import Combat
from engine.rulebook.violation import Violation
from engine.sides import Side
from engine.squares import Square
from firmware_bridge.difference import Difference

NO_DIFFERENCE: Final = Difference(missing=0, surplus=0)
Refused: TypeAlias = Move | Attack
"""What an arbiter may let stand."""


class State:
    """One of the states below; what does not belong to it is nothing.

    A field of a state that has to be given says ``field()``, or the property would be its default.
    """

    __slots__ = ()

    name: ClassVar[str]
    """What a program is told that drives the table, see docs/commands.md."""
    time_runs: ClassVar[bool] = False
    """Whether it is for the side to move to go on, in its own time."""

    @property
    def difference(self) -> Difference:
        """What has to be changed on the board before the game goes on."""
        return NO_DIFFERENCE

    @property
    def lifted(self) -> Square | None:
        """Where the piece comes from that is in a hand, if one is."""
        return None

    @property
    def asked(self) -> Question:
        """What the players are asked about their hands."""
        return NOTHING_ASKED

    @property
    def violation(self) -> Violation | None:
        """The rule that was broken, until the board shows something else."""
        return None

    @property
    def refused(self) -> Refused | None:
        """What that rule forbids."""
        return None

    @property
    def reveal(self) -> Combat | None:
        """The combat whose result the board does not show yet."""
        return None

    @property
    def waits_for_board(self) -> bool:
        """Whether something has to be changed, or taken from the board, before the game goes on."""
        return bool(self.difference)


@dataclass(frozen=True, slots=True)
class SettingUp(State):
    """The armies are set up. Each side says when its own stands."""

    name = "setting-up"


@dataclass(frozen=True, slots=True)
class ToMove(State):
    """A side is to move; the board is as it should be, but for what a hand is doing."""

    name = "turn"
    time_runs = True

    lifted: Square | None = None
    asked: Question = NOTHING_ASKED
    """Attacks that may have been meant; nothing waits for an answer."""
    is_off: bool = False
    """Whether it was said that something is not where it should be, and not yet that it is there
    again. A piece that was only taken up was nowhere wrong."""


@dataclass(frozen=True, slots=True)
class WrongMove(State):
    """Something stands where no rule lets it, or was tried on the screen.

    It is put back, or an arbiter lets it stand, or both sides agree that the board is right.
    """

    name = "wrong-move"
    time_runs = True

    violation: Violation = field()
    refused: Refused | None = field()
    difference: Difference = NO_DIFFERENCE
    """Empty if nothing has to go back, as nothing was moved."""
    out_of_turn: Side | None = None
    """Whose time it costs, if that side was not to move."""


@dataclass(frozen=True, slots=True)
class LossLooms(State):
    """A bomb or flag has been moved, and loses the game if it is not put back in a few seconds."""

    name = "disturbed"

    difference: Difference = field()


@dataclass(frozen=True, slots=True)
class Asked(State):
    """It can have come about in several ways.

    The players say in which, or that it was none of them; or they show it with their hands, or
    agree that the board is right.
    """

    name = "who-attacks"

    asked: Question = field()
    difference: Difference = field()

    @property
    def attackers(self) -> Mapping[Side, Attack | Amend]:
        """By side the attacks that are asked about; empty if anything else is asked about too."""
        return self.asked.attackers


@dataclass(frozen=True, slots=True)
class Disturbed(State):
    """Nothing explains what the board shows.

    All that is named goes back, or both sides agree that the board is right or take something back,
    or a sensor is doubted.
    """

    name = "disturbed"

    difference: Difference = field()


@dataclass(frozen=True, slots=True)
class _Talk(State):
    """Something has to be said; meanwhile the board may be disturbed."""

    difference: Difference = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class AttackOpen(_Talk):
    """An attack is open. Ranks are declared; before the first it can be said that it was none."""

    name = "attack-open"


@dataclass(frozen=True, slots=True)
class InDispute(_Talk):
    """A rank is insisted on that cannot be. An arbiter, or both sides, settle whether it counts."""

    name = "dispute"


@dataclass(frozen=True, slots=True)
class Guessing(_Talk):
    """An infiltrator has guessed a rank. The other side says whether that is right."""

    name = "guess"


@dataclass(frozen=True, slots=True)
class Standstill(_Talk):
    """A side says that it cannot move. The other one says whether it can."""

    name = "standstill"


@dataclass(frozen=True, slots=True)
class Clearing(State):
    """What a combat or a right guess has left has to be taken from the board, or taken back.

    If the board shows something else, both sides may agree that it is right.
    """

    name = "clearing"
    waits_for_board = True

    reveal: Combat | None = field()
    """None after a guess."""
    difference: Difference = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class Restoring(State):
    """What stood before a pause, or before something was taken back, has to stand again.

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
"""All there are."""
