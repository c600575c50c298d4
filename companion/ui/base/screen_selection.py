"""Screen selection as a pure function of the table, so that no screen can get stuck."""

from enum import Enum
from typing import Final

from companion.core import Table
from companion.core.state import (
    Asked,
    AttackOpen,
    Clearing,
    Disturbed,
    Guessing,
    InDispute,
    LossLooms,
    Over,
    Restoring,
    SettingUp,
    Standstill,
    ToMove,
    WrongMove,
)
from engine.game.rulings import Combat, Infiltrated


class View(Enum):
    """The screens; the value is the screen's name."""

    START = "start"
    SETUP = "setup"
    TURN = "turn"
    WAY_BACK = "way-back"
    WHO_ATTACKS = "who-attacks"
    WHICH_COURSE = "which-course"
    DECLARATION = "declaration"
    DISPUTE = "dispute"
    GUESS = "guess"
    STANDSTILL = "standstill"
    REVEAL = "reveal"
    END = "end"


_OF_STATES: Final = {
    SettingUp: View.SETUP,
    Disturbed: View.WAY_BACK,
    LossLooms: View.WAY_BACK,
    AttackOpen: View.DECLARATION,
    InDispute: View.DISPUTE,
    Guessing: View.GUESS,
    Standstill: View.STANDSTILL,
    Over: View.END,
}
"""The table states that have a screen of their own, whatever else is pending."""


def choose(table: Table | None, fresh: Combat | Infiltrated | None = None) -> View:
    """Return the screen to show.

    `fresh` is a combat or infiltration that was revealed only just now. A board may show the result
    at once, and the reveal may end the game, but the players want to read the ranks first.
    """
    if table is None:
        return View.START
    if fresh:
        return View.REVEAL
    match table.state:
        case Clearing(reveal=Combat()):
            return View.REVEAL
        case Asked(attackers=attackers):
            return View.WHO_ATTACKS if attackers else View.WHICH_COURSE
        case ToMove() | WrongMove() | Clearing() | Restoring() as state:
            return View.WAY_BACK if state.difference else View.TURN
        case state:
            return _OF_STATES[type(state)]
