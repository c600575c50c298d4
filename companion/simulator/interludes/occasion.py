"""The moment before a turn, at which people may do something else."""

import random
from enum import Enum

from companion.simulator.people import People
from companion.simulator.simulated_games import Turn
from engine.game.actions import Touch


class Answer(Enum):
    """The result of an interlude."""

    UNFIT = "unfit"
    """It does not fit the occasion, and nothing was done."""
    DONE = "done"
    """It was done, and the game is as before."""
    BEGUN = "begun"
    """The turn has been begun and has to be completed."""
    MISSED = "missed"
    """The table did not notice an action."""
    WRONG = "wrong"
    """The game is not as before, although it should be."""


class Occasion:
    """All pieces are where the table expects them, and the next turn is known."""

    def __init__(self, people: People, turn: Turn, dice: random.Random) -> None:
        """Record the current state."""
        self.people = people
        self.turn = turn
        self.dice = dice
        self._plies = people.referee.plies
        touched = people.referee.copy()
        self._as_before = [touched.position]
        if touched.can_touch(turn.source):
            # A lifted piece has to be moved, even after everything else was undone.
            touched.apply(Touch(turn.source))
            self._as_before.append(touched.position)

    def find_same(self) -> Answer:
        """Compare the game with the state before the interlude."""
        same = self.people.referee.position in self._as_before
        return Answer.DONE if same else Answer.WRONG

    def take_all_back(self) -> Answer:
        """Undo the interlude, and compare the game with the state before it."""
        if not self.people.take_back_to(self._plies, self.dice):
            return Answer.MISSED
        return self.find_same()
