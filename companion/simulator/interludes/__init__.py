"""Interludes: everything that simulated people can say and do at a table between their plies.

An interlude either does not fit the occasion; or it is completed and leaves the game as before; or
it has begun the coming turn in its own way, and the players continue from there.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from companion.simulator.interludes.arbiter import (
    break_seals,
    correct_long_move,
    correct_rank,
    exchange_pieces,
)
from companion.simulator.interludes.early_ends import (
    agree_draw_too_early,
    forfeit_too_early,
    resign_too_early,
    say_cannot_move_too_early,
)
from companion.simulator.interludes.false_words import insist_and_give_in, insist_and_take_back
from companion.simulator.interludes.mishaps import accept_board, carry_off
from companion.simulator.interludes.occasion import Answer, Occasion
from companion.simulator.interludes.second_thoughts import (
    move_on,
    strike_on,
    take_turn_back,
    withdraw_attack,
)

Interlude: TypeAlias = Callable[[Occasion], Answer]

INTERLUDES: Final[tuple[Interlude, ...]] = (
    take_turn_back,
    withdraw_attack,
    move_on,
    strike_on,
    insist_and_give_in,
    insist_and_take_back,
    correct_rank,
    exchange_pieces,
    correct_long_move,
    break_seals,
    accept_board,
    carry_off,
    resign_too_early,
    agree_draw_too_early,
    forfeit_too_early,
    say_cannot_move_too_early,
)
"""All interludes."""

OFTEN: Final = 0.5
"""Probability of an interlude before a ply."""


class Interludes:
    """Chooses interludes such that each has its turn."""

    def __init__(self, among: Iterable[Interlude]) -> None:
        """Choose among these; if empty, people only play."""
        self.done: Counter[str] = Counter()
        """Number of times each was done, by name."""
        self._among = tuple(among)

    def pause(self, arise: Callable[[], Occasion], dice: random.Random) -> Answer:
        """Possibly do an interlude on the occasion that `arise` returns."""
        if not self._among or dice.random() >= OFTEN:
            return Answer.UNFIT
        occasion = arise()
        shuffled = dice.sample(self._among, len(self._among))
        for interlude in sorted(shuffled, key=lambda each: self.done[name(each)]):
            answer = interlude(occasion)
            if answer is not Answer.UNFIT:
                self.done[name(interlude)] += 1
                return answer
        return Answer.UNFIT


def name(interlude: Interlude) -> str:
    return interlude.__name__.replace("_", "-")
