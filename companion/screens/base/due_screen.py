"""Which screen is due: a pure function of the table, so that no screen can get stuck."""

from enum import Enum

from companion.table import Table
from engine.play.moment import Phase
from engine.play.rulings import Combat, Infiltrated


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


def choose(table: Table | None, fresh: Combat | Infiltrated | None = None) -> View:
    """Say which screen is due.

    `fresh` is a combat or infiltration that was revealed only just now. A board may show the result
    at once, and what was revealed may end the game: the players want to read the ranks first.
    """
    if table is None:
        return View.START
    if fresh:
        return View.REVEAL
    match table.view.phase:
        case Phase.SETUP:
            return View.SETUP
        case Phase.ATTACK:
            return View.DECLARATION
        case Phase.DISPUTE:
            return View.DISPUTE
        case Phase.GUESS:
            return View.GUESS
        case Phase.STANDSTILL:
            return View.STANDSTILL
        case Phase.OVER:
            return View.END
    if table.reveal:
        return View.REVEAL
    if table.attackers:
        return View.WHO_ATTACKS
    if table.is_asking:
        return View.WHICH_COURSE
    return View.WAY_BACK if table.difference else View.TURN
