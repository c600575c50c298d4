"""The history of a game: its current state, the actions that led there, and undo.

Every accepted action is stored with the state before it. Undo therefore restores a stored state,
and no action is ever replayed.
"""

from dataclasses import dataclass

from engine.play.actions import Action
from engine.play.moment import Moment, OutOfPhaseError


@dataclass(frozen=True)
class Step:
    """An action in force, and the state in which it was taken."""

    action: Action
    before: Moment


class Game:
    """Stack of game states, to which actions are pushed and from which they are popped."""

    __slots__ = ("_steps", "actions", "moment")

    def __init__(self, moment: Moment) -> None:
        """Begin at a state."""
        self.moment = moment
        self._steps: list[Step] = []
        self.actions: list[Action] = []
        """All accepted actions, including undone ones; replaying them reproduces the game."""

    @property
    def in_force(self) -> list[Action]:
        """Accepted actions without those that were taken back, withdrawn or amended."""
        return [step.action for step in self._steps]

    @property
    def latest(self) -> Step | None:
        """Latest action in force."""
        return self._steps[-1] if self._steps else None

    def push(self, action: Action, after: Moment) -> None:
        """Push an action with the state after it. The caller guarantees that they match."""
        self._steps.append(Step(action, self.moment))
        self.moment = after

    def pop(self) -> Action:
        """Undo the latest action in force, and return it.

        Raises OutOfPhaseError if there is none.
        """
        if not self._steps:
            raise OutOfPhaseError("nothing has been done that could be taken back")
        step = self._steps.pop()
        self.moment = step.before
        return step.action

    def copy(self) -> "Game":
        """Return an independent game with the same state and history."""
        copy = Game(self.moment)
        copy._steps, copy.actions = [*self._steps], [*self.actions]
        return copy
