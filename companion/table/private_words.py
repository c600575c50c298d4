"""What a turn has disproved of a rank that its player had declared in silence.

With silent defence a declared rank may stay unnamed. If its piece then moves as it never could, the
owner has lied or errs, and has to be told; everybody else has seen a legal turn and must not even
notice that there is something to tell. So it waits for the next time that this player declares in
private anyway, and is gone after that.
"""

from collections.abc import Iterable

from engine.play.actions import Action, Amend, Declare, Insist, TakeBack
from engine.play.referee import Referee
from engine.play.rulings import Contradiction, Ruling
from engine.sides import Side


class PrivateWords:
    """The word that waits for each side, if one does."""

    def __init__(self, referee: Referee) -> None:
        """Take up a game where it stands."""
        self._referee = referee
        self._waiting = _find(referee)

    def of(self, side: Side) -> Contradiction | None:
        """What waits for a side."""
        return self._waiting.get(side)

    def take(self, action: Action, rulings: Iterable[Ruling]) -> None:
        """Take note of an accepted action."""
        if isinstance(action, TakeBack | Amend):  # what was said of the turn is unsaid
            self._waiting = _find(self._referee)
        else:
            _note(self._waiting, action, rulings)


def _find(referee: Referee) -> dict[Side, Contradiction]:
    """Find what waits in a game, from the actions that are in force."""
    waiting: dict[Side, Contradiction] = {}
    if not referee.edition.silent_defence:
        return waiting  # every rank that was declared is shown
    again = Referee.waiting(referee.edition)
    for action in referee.in_force:
        _note(waiting, action, again.apply(action))
    return waiting


def _note(waiting: dict[Side, Contradiction], action: Action, rulings: Iterable[Ruling]) -> None:
    if isinstance(action, Declare | Insist):  # its owner has read what there was
        waiting.pop(action.rank.owner, None)
    for ruling in rulings:
        if isinstance(ruling, Contradiction):
            waiting[ruling.owner] = ruling
