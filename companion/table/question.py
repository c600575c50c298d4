"""Questions to the players about their hands: which of several courses of events is right.

Some questions stop the game: a piece was moved, and the images do not show how. Others are offers:
an attack may have been meant; without an answer, the game just goes on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.table.story import Story, Turn
from engine.board.geometry import Side, Square
from engine.game.actions import Amend, Attack, Move, TakeBack
from engine.game.referee import Referee

Deed: TypeAlias = Move | Attack | Amend | TakeBack
TAKEN_BACK: Final = "taken-back"
"""Answer that the latest turn was taken back, in place of the turns in game notation."""


@dataclass(frozen=True)
class Answer:
    """One course of events, with the actions to submit to the referee if it is right."""

    side: Side
    """The side that made the last turn."""
    deeds: tuple[Deed, ...]
    text: str
    """The turns in game notation, ``e4-e5 f7xf5``; or `TAKEN_BACK`."""
    attack: Attack | Amend | None = None
    """The attack, if the answer consists of one attack."""

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares of its turns that are still to be made."""
        turns = [deed for deed in self.deeds if not isinstance(deed, TakeBack)]
        return tuple(square for turn in turns for square in (turn.source, turn.target))


@dataclass(frozen=True)
class Question:
    """The choice between several answers, or none of them."""

    answers: tuple[Answer, ...] = ()
    interrupts: bool = True
    """False if it goes away by itself, and nothing waits for it."""

    @property
    def attackers(self) -> Mapping[Side, Attack | Amend]:
        """The attacks in question, by side; empty if anything else is in question too."""
        attacks = {each.side: each.attack for each in self.answers if each.attack}
        return attacks if len(attacks) == len(self.answers) else {}


NOTHING_ASKED: Final = Question()


def answer_of(referee: Referee, deed: Deed) -> Answer:
    """Return one turn, or an amendment of the turn before, as an answer to a question."""
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
    """Return the actions to submit to the referee for a story, without those already ruled.

    None if there are none, or if the story contradicts too much of what was `ruled`.
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
