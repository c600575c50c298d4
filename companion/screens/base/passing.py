"""What passes over the screen by itself, for its own sake: nothing waits for it."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.table.events import Event, SealsTaken
from engine.play.rulings import Combat, Declared, GameOver, TakenBack
from engine.sides import Side


class Show(Enum):
    """What there is to be seen."""

    SEAL = "seal"
    """A rank has been declared, or an army sealed: the same for every rank."""
    FLAG = "flag"
    """A side has won."""


SECONDS: Final = {Show.SEAL: 0.9, Show.FLAG: 3.4}


@dataclass(frozen=True)
class Passing:
    """Something that passes over the screen from a moment on."""

    show: Show
    side: Side
    begins: float

    def age(self, now: float) -> float | None:
        """For how long it has been seen, None if it is not seen."""
        age = now - self.begins
        return age if 0 <= age < SECONDS[self.show] else None


def passing_after(event: Event, before: Passing | None, now: float) -> Passing | None:
    """Tell what passes over the screen once this has happened."""
    match event:
        case Declared(side) | SealsTaken(side):
            return Passing(Show.SEAL, side, now)
        case GameOver(winner=Side() as winner):
            return Passing(Show.FLAG, winner, now)
        case Combat() | GameOver() | TakenBack():
            return None  # the ranks, or the board, are to be seen now
    return before
