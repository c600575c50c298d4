"""The moment before a turn, at which people may do something else."""

import random
from enum import Enum

from companion.simulator.people import People
from companion.simulator.simulated_games import Turn
from engine.play.actions import Touch


class Answer(Enum):
    """What came of an interlude."""

    UNFIT = "unfit"
    """It does not fit the occasion, and nothing was done."""
    DONE = "done"
    """The game stands as before."""
    BEGUN = "begun"
    """The turn has been begun, and is to be concluded."""
    MISSED = "missed"
    """The table has taken no notice of something."""
    WRONG = "wrong"
    """The game does not stand as before, though it should."""


class Occasion:
    """All pieces stand as the table expects them, and it is clear what the next turn will be."""

    def __init__(self, people: People, turn: Turn, dice: random.Random) -> None:
        """Take the present moment."""
        self.people = people
        self.turn = turn
        self.dice = dice
        self._plies = people.referee.plies
        touched = people.referee.copy()
        self._as_before = [touched.position]
        if touched.can_touch(turn.source):
            # Who has lifted a piece has to move it, also after all else was taken back.
            touched.apply(Touch(turn.source))
            self._as_before.append(touched.position)

    def find_same(self) -> Answer:
        """Say whether the game stands as before."""
        same = self.people.referee.position in self._as_before
        return Answer.DONE if same else Answer.WRONG

    def take_all_back(self) -> Answer:
        """Take back what was done meanwhile, and say whether the game stands as before."""
        if not self.people.take_back_to(self._plies, self.dice):
            return Answer.MISSED
        return self.find_same()
