"""Time for which the ranks of a combat can be read before they are hidden for good."""

from typing import Final

from companion.table.proceedings import Proceedings
from engine.game.actions import Action, TakeBack
from engine.game.referee import Referee
from engine.game.rulings import Combat, Moved, Ruling, TakenBack, Touched, refuses

READING_SECONDS: Final = 10.0
"""Minimum time for which the ranks of a combat can be read, in seconds, however soon the board
shows its result and however fast the next move is. A touch ends it, and so does the next text that
has to be read."""


class ReadingTime:
    """The combat that may be read, and the deadline."""

    def __init__(self, proceedings: Proceedings, *, unread: bool) -> None:
        """Begin with the latest combat of a resumed game, if it was still `unread`."""
        self.unread = latest_combat(proceedings.referee) if unread else None
        """The combat whose ranks may still be read; later they are hidden for good."""
        self._proceedings = proceedings
        self._until: float | None = None
        proceedings.listen(self._take_answer)

    @property
    def due(self) -> float | None:
        """Deadline at which it is hidden without a touch, if nothing has to be cleared up then."""
        is_to_come = self._until is not None and self._until > self._proceedings.at
        return self._until if is_to_come else None

    def begin(self) -> None:
        """Start the time to read; a resumed game begins with it."""
        if self.unread and self._until is None:
            self._until = self._proceedings.at + READING_SECONDS

    def is_over(self) -> bool:
        """Whether the time to read has passed."""
        return self._until is not None and self._proceedings.at >= self._until

    def close(self) -> None:
        """Hide the ranks: a player has read them, or has to read something else now."""
        self.unread = self._until = None

    def _take_answer(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        """Show the ranks of a combat. Any action but a move means that the last ones were read."""
        if refuses(rulings):
            return
        if not isinstance(rulings[0], Moved | Touched | TakenBack):
            self.close()
        for ruling in rulings:
            if isinstance(ruling, Combat):
                self.unread = ruling
                self._until = self._proceedings.at + READING_SECONDS
        last = self._proceedings.referee.position.last_combat
        if isinstance(action, TakeBack) and self.unread != last:  # the combat was taken back
            self.close()


def latest_combat(referee: Referee) -> Combat | None:
    """Return the latest combat of a game that was not taken back, if any."""
    again, latest = Referee.waiting(referee.edition), None
    for action in referee.in_force:
        for ruling in again.apply(action):
            latest = ruling if isinstance(ruling, Combat) else latest
    return latest
