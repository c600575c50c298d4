"""Copies of the table that receive the same input and must give the same output.

Sometimes, when the first side declares a rank, two more tables resume the game. One of the two
receives a different rank. Both must have the same output until the ranks are shown.
"""

from dataclasses import replace
from random import Random

from companion.core.game_context import Step
from companion.core.game_options import GameOptions
from companion.core.inputs import BoardFound, BoardSeen, CommandInput, Input
from companion.core.table import Table
from companion.speech.announcer import Announcer
from engine.board.geometry import Side
from engine.board.visibility import Secret
from engine.game.actions import Declare
from engine.game.game_state import Phase
from tests.soak.invariants import Invariant, check_alike


class TableCopy:
    """Copy of a table, created when the game begins or resumes."""

    def __init__(self, beginning: GameOptions) -> None:
        self._table = beginning.table()

    def note(self, given: Input, step: Step, table: Table, announcer: Announcer) -> None:
        """Pass the input to the copy, and compare the outputs."""
        own = self._table.handle(given)
        if step.is_news or own.is_news:
            one, other = (table, step), (self._table, own)
            check_alike(Invariant.REPEATS, one, other, announcer, (*Side,))


class DifferentialLies:
    """Two tables that differ in one declared rank until the attack is over."""

    def __init__(
        self, beginning: GameOptions, first: CommandInput, other: CommandInput, table: Table
    ) -> None:
        """Resume a game at a declaration. The second table receives a different rank."""
        self.is_over = False
        """Whether the comparison has ended."""
        self._pair = beginning.table(), beginning.table()
        for each in self._pair:
            each.handle(BoardFound(first.at, sees_colours=table.sees_colours))
            if table.observed:
                each.handle(BoardSeen(first.at, table.observed))
        self._words: tuple[CommandInput, CommandInput] | None = (first, other)
        assert isinstance(first.what, Declare)
        self._owner = first.what.rank.owner

    def note(self, given: Input, announcer: Announcer) -> None:
        """Pass the input to both tables, and compare their outputs."""
        words, self._words = self._words or (given, given), None
        one, other = ((t, t.handle(w)) for t, w in zip(self._pair, words, strict=True))
        if any(table.referee.phase is not Phase.ATTACK for table in self._pair):
            self.is_over = True
        else:
            check_alike(Invariant.PRIVATE, one, other, announcer, (self._owner.other,))


def lie(given: Input, table: Table, dice: Random) -> CommandInput | None:
    """Return the declaration with a different rank, or None if there is no suitable rank.

    The opponent must not be able to tell the two declarations apart. A sealed army has no suitable
    rank.
    """
    question, attack = table.conversation.question, table.referee.open_attack
    match given:
        case CommandInput(what=Declare(rank=Secret() as rank)) if question and attack:
            declared = rank.unseal()
            others = [each for each in question.tiles if each is not declared]
            is_first = len(attack.awaited) > 1 and not table.is_paused
            is_free = rank.owner not in table.view.sealed and declared in question.tiles
            if is_first and others and question.owner is rank.owner and is_free:
                return replace(given, what=Declare(Secret(rank.owner, dice.choice(others))))
    return None
