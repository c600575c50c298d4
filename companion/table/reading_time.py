"""For how long the ranks of a combat may be read: then they are closed, and gone for good."""

from typing import Final

from companion.table.proceedings import Proceedings
from engine.play.actions import Action, TakeBack
from engine.play.referee import Referee
from engine.play.rulings import Combat, Moved, Ruling, TakenBack, Touched, refuses

READING_SECONDS: Final = 10.0
"""For how long the ranks of a combat can be read at least, however soon the board shows its result
and however fast the next move is. A touch ends it, and so does what has to be read next."""


class ReadingTime:
    """The combat that may be read, and until when."""

    def __init__(self, proceedings: Proceedings, *, unread: bool) -> None:
        """Begin with the latest combat of a game that is taken up, if it was still `unread`."""
        self.unread = latest_combat(proceedings.referee) if unread else None
        """The combat whose ranks may still be read; after that they are gone for good."""
        self._proceedings = proceedings
        self._until: float | None = None
        proceedings.listen(self._take_answer)

    @property
    def due(self) -> float | None:
        """The moment at which it is closed by itself, if nothing has to be cleared up then."""
        is_to_come = self._until is not None and self._until > self._proceedings.at
        return self._until if is_to_come else None

    def begin(self) -> None:
        """Take note that the players can read now; a game that was taken up begins so."""
        if self.unread and self._until is None:
            self._until = self._proceedings.at + READING_SECONDS

    def is_over(self) -> bool:
        """Whether the time to read has passed."""
        return self._until is not None and self._proceedings.at >= self._until

    def close(self) -> None:
        """Somebody has read the ranks, or has to read something else now."""
        self.unread = self._until = None

    def _take_answer(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        """Open the ranks of a combat. Anything but a move means that the last ones were read."""
        if refuses(rulings):
            return
        if not isinstance(rulings[0], Moved | Touched | TakenBack):
            self.close()
        for ruling in rulings:
            if isinstance(ruling, Combat):
                self.unread = ruling
                self._until = self._proceedings.at + READING_SECONDS
        last = self._proceedings.referee.position.last_combat
        if isinstance(action, TakeBack) and self.unread != last:  # it never took place
            self.close()


def latest_combat(referee: Referee) -> Combat | None:
    """Return the latest combat of a game that was not taken back, None if there was none."""
    again, latest = Referee.waiting(referee.edition), None
    for action in referee.in_force:
        for ruling in again.apply(action):
            latest = ruling if isinstance(ruling, Combat) else latest
    return latest
