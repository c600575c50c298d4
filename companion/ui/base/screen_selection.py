"""Selects the screen for a table's state, and the effects for its events.

The screen depends only on the table, so the program cannot get stuck on a screen. Effects are
transient and never block the game.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.core import state
from companion.core.events import ArmiesSealed, Event
from companion.core.table import Table
from engine.board.geometry import Side
from engine.game.rulings import Combat, Declared, GameOver, Infiltrated, TakenBack


class ScreenId(Enum):
    """The screens. Each value is the name of a Kivy screen."""

    START = "start"
    SETUP = "setup"
    TURN = "turn"
    RECOVERY = "recovery"
    WHO_ATTACKS = "who-attacks"
    CHOOSE_MOVE = "choose-move"
    DECLARATION = "declaration"
    DISPUTE = "dispute"
    GUESS = "guess"
    STALEMATE = "stalemate"
    REVEAL = "reveal"
    END = "end"


_BY_STATE: Final = {
    state.SettingUp: ScreenId.SETUP,
    state.Disturbed: ScreenId.RECOVERY,
    state.LossPending: ScreenId.RECOVERY,
    state.AttackOpen: ScreenId.DECLARATION,
    state.DisputeOpen: ScreenId.DISPUTE,
    state.GuessOpen: ScreenId.GUESS,
    state.StalemateOpen: ScreenId.STALEMATE,
    state.Finished: ScreenId.END,
}
"""Table states that always lead to the same screen."""


def select_screen(table: Table | None, fresh: Combat | Infiltrated | None = None) -> ScreenId:
    """Return the screen to show.

    `fresh` is a combat or infiltration that has just been revealed. Its screen comes first, so that
    the players can read the ranks, even if the board already shows the result or the combat has
    ended the game.
    """
    if table is None:
        return ScreenId.START
    if fresh:
        return ScreenId.REVEAL
    match table.state:
        case state.Clearing(reveal=Combat()):
            return ScreenId.REVEAL
        case state.AwaitingAnswer(attackers=attackers):
            return ScreenId.WHO_ATTACKS if attackers else ScreenId.CHOOSE_MOVE
        case state.MovePending() as pending:
            return ScreenId.TURN if pending.is_plain else ScreenId.RECOVERY
        case state.ToMove() | state.WrongMove() | state.Clearing() | state.Restoring() as shown:
            return ScreenId.RECOVERY if shown.difference else ScreenId.TURN
        case current:
            return _BY_STATE[type(current)]


class Effect(Enum):
    """The kinds of transient effects."""

    SEAL = "seal"
    """A rank has been declared or an army sealed. The effect is the same for every rank."""
    FLAG = "flag"


SECONDS: Final = {Effect.SEAL: 0.9, Effect.FLAG: 3.4}


@dataclass(frozen=True)
class TransientEffects:
    """A transient effect with its start time."""

    show: Effect
    side: Side
    begins: float

    def age(self, now: float) -> float | None:
        """Return the age of the effect in seconds, or None if the effect is not visible."""
        age = now - self.begins
        return age if 0 <= age < SECONDS[self.show] else None


def effects_after(
    event: Event, before: TransientEffects | None, now: float
) -> TransientEffects | None:
    match event:
        case Declared(side) | ArmiesSealed(side):
            return TransientEffects(Effect.SEAL, side, now)
        case GameOver(winner=Side() as winner):
            return TransientEffects(Effect.FLAG, winner, now)
        case Combat() | GameOver() | TakenBack():
            return None  # an effect would hide the ranks or the board
    return before
