"""Transient effects over the screen. They never block the game."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.core.events import ArmiesSealed, Event
from engine.board.geometry import Side
from engine.game.rulings import Combat, Declared, GameOver, TakenBack


class Effect(Enum):
    """The kinds of effects."""

    SEAL = "seal"
    """A rank has been declared, or an army sealed: the same for every rank."""
    FLAG = "flag"
    """A side has won."""


SECONDS: Final = {Effect.SEAL: 0.9, Effect.FLAG: 3.4}


@dataclass(frozen=True)
class TransientEffects:
    """A transient effect with its start time."""

    show: Effect
    side: Side
    begins: float

    def age(self, now: float) -> float | None:
        """Return the age of the effect in seconds, or None if it is not visible."""
        age = now - self.begins
        return age if 0 <= age < SECONDS[self.show] else None


def effects_after(
    event: Event, before: TransientEffects | None, now: float
) -> TransientEffects | None:
    """Return the effect to show after an event."""
    match event:
        case Declared(side) | ArmiesSealed(side):
            return TransientEffects(Effect.SEAL, side, now)
        case GameOver(winner=Side() as winner):
            return TransientEffects(Effect.FLAG, winner, now)
        case Combat() | GameOver() | TakenBack():
            return None  # the ranks or the board must be visible now
    return before
