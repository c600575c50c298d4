"""The line of a game: where it stands, what has led there, and the way back.

Every accepted action is kept with the moment before it. So going back is taking a moment that was,
and nothing is ever played again.
"""

from dataclasses import dataclass

from engine.play.actions import Action
from engine.play.moment import Moment, OutOfPhaseError


@dataclass(frozen=True)
class Step:
    """An action in force, and the moment at which it was done."""

    action: Action
    before: Moment


class Game:
    """A line of moments, to which actions are pushed and from which they are popped."""

    __slots__ = ("_steps", "actions", "moment")

    def __init__(self, moment: Moment) -> None:
        """Begin at a moment."""
        self.moment = moment
        self._steps: list[Step] = []
        self.actions: list[Action] = []
        """Every accepted action, also those that have gone back: playing them again gives the same
        game."""

    @property
    def in_force(self) -> list[Action]:
        """The accepted actions without those that were taken back, withdrawn or amended."""
        return [step.action for step in self._steps]

    @property
    def latest(self) -> Step | None:
        """The latest action in force."""
        return self._steps[-1] if self._steps else None

    def push(self, action: Action, after: Moment) -> None:
        """Go on to the moment to which an action leads. Trusts the caller that it does."""
        self._steps.append(Step(action, self.moment))
        self.moment = after

    def pop(self) -> Action:
        """Go back to before the latest action in force, and return it.

        Raises OutOfPhaseError if there is none.
        """
        if not self._steps:
            raise OutOfPhaseError("nothing has been done that could be taken back")
        step = self._steps.pop()
        self.moment = step.before
        return step.action

    def copy(self) -> "Game":
        """Return a game of its own that stands at the same moment and has the same way back."""
        copy = Game(self.moment)
        copy._steps, copy.actions = [*self._steps], [*self.actions]
        return copy
