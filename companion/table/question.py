"""What the players are asked about their hands: which of several courses of events it was.

Some questions stop the game: something was done, and nobody can tell what. Others are offers: it
may be that an attack was meant, and if nobody says so, the game just goes on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.table.story import Story, Turn
from engine.play.actions import Amend, Attack, Move, TakeBack
from engine.play.referee import Referee
from engine.sides import Side
from engine.squares import Square

Deed: TypeAlias = Move | Attack | Amend | TakeBack
TAKEN_BACK: Final = "taken-back"
"""That the latest turn was taken back, where turns are written down else."""


@dataclass(frozen=True)
class Answer:
    """One course of events: what has to be put to the referee if it was that one."""

    side: Side
    """The side that made the last turn."""
    deeds: tuple[Deed, ...]
    text: str
    """The turns as they would be written down, ``e4-e5 f7xf5``; or `TAKEN_BACK`."""
    attack: Attack | Amend | None = None
    """The attack that it is, if it is nothing else."""

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares of its turns, as far as they are still to be made."""
        turns = [deed for deed in self.deeds if not isinstance(deed, TakeBack)]
        return tuple(square for turn in turns for square in (turn.source, turn.target))


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


def answer_of(referee: Referee, deed: Deed) -> Answer:
    """One turn, or what became of the turn before, as an answer to a question."""
    mover = referee.to_move
    if isinstance(deed, TakeBack):
        return Answer(mover.other, (deed,), TAKEN_BACK)
    if not isinstance(deed, Amend):
        return Answer(mover, (deed,), str(deed), deed if isinstance(deed, Attack) else None)
    began = referee.turn_began_on(deed.source)
    assert began is not None
    is_attack = referee.position.board.side_at(deed.target) is mover
    if is_attack:
        return Answer(mover.other, (deed,), str(Attack(began, deed.target)), deed)
    return Answer(mover.other, (deed,), str(Move(began, deed.target)))


def answer_of_story(story: Story, ruled: Sequence[Turn]) -> Answer | None:
    """What has to be put to the referee so that a story is what has happened, and no more.

    None if nothing has, or if too much that was `ruled` is told otherwise in it.
    """
    told = story.turns
    same = sum(1 for a, b in zip(ruled, told, strict=False) if a.way == b.way)
    if not told or len(ruled) - same > 1:
        return None
    deeds: list[Deed] = []
    rest = told[same:]
    if len(ruled) > same:
        old = ruled[-1]
        if rest and rest[0].piece == old.piece and rest[0].source == old.source:
            deeds, rest = [Amend(old.target, rest[0].target)], rest[1:]
        else:
            deeds = [Amend(old.target, old.source)]
    deeds += [turn.action for turn in rest]
    if not deeds:
        return None
    text = " ".join(str((Attack if t.is_attack else Move)(*t.way)) for t in told[same:])
    latest = told[-1]
    attack = deeds[0] if len(deeds) == 1 and latest.is_attack else None
    assert not isinstance(attack, Move | TakeBack)
    return Answer(latest.piece.side, tuple(deeds), text, attack)
