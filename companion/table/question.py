"""What the players are asked about their hands: which of several courses of events it was.

Some questions stop the game: something was done, and nobody can tell what. Others are offers: it
may be that an attack was meant, and if nobody says so, the game just goes on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.play.actions import Amend, Attack, Move
from engine.sides import Side

Deed: TypeAlias = Move | Attack | Amend


@dataclass(frozen=True)
class Answer:
    """One course of events: what has to be put to the referee if it was that one."""

    side: Side
    """Who has done the last of it."""
    deeds: tuple[Deed, ...]
    text: str
    """The turns as they would be written down, ``e4-e5 f7xf5``."""

    @property
    def attack(self) -> Attack | Amend | None:
        """The attack that it is, if it is nothing else."""
        match self.deeds:
            case (Attack() | Amend() as attack,):
                return attack
        return None


@dataclass(frozen=True)
class Question:
    """Which of the answers is it, or none?"""

    answers: tuple[Answer, ...] = ()
    interrupts: bool = True
    """False if it goes away by itself, and nothing waits for it."""

    @property
    def attackers(self) -> Mapping[Side, Attack | Amend]:
        """By side the attacks it asks about; empty if it asks about anything else too."""
        attacks = {each.side: each.attack for each in self.answers if each.attack}
        return attacks if len(attacks) == len(self.answers) else {}


NOTHING_ASKED: Final = Question()
