"""Contradictions between a turn and an earlier secret declaration of the same player.

With silent defence a declared rank may stay hidden. If its piece then moves as that rank never
could, the owner has lied or errs, and has to be told; everyone else has seen a legal turn and must
not even learn that a notice exists. So it waits for the next time that this player declares in
private anyway, and is removed after that.
"""

from collections.abc import Iterable

from engine.board.geometry import Side
from engine.game.actions import Action, Amend, Declare, Insist, TakeBack
from engine.game.referee import Referee
from engine.game.rulings import Contradiction, Ruling


class PrivateWords:
    """The notice that waits for each side, if any."""

    def __init__(self, referee: Referee) -> None:
        """Begin from the present state of a game."""
        self._referee = referee
        self._waiting = _find(referee)

    def of(self, side: Side) -> Contradiction | None:
        """Return the notice for a side, if any."""
        return self._waiting.get(side)

    def take(self, action: Action, rulings: Iterable[Ruling]) -> None:
        """Update after an accepted action."""
        if isinstance(action, TakeBack | Amend):  # the turn was taken back, and its notice with it
            self._waiting = _find(self._referee)
        else:
            _note(self._waiting, action, rulings)


def _find(referee: Referee) -> dict[Side, Contradiction]:
    """Return the notices of a game, from the actions that are in force."""
    waiting: dict[Side, Contradiction] = {}
    if not referee.edition.silent_defence:
        return waiting  # every declared rank is revealed
    again = Referee.waiting(referee.edition)
    for action in referee.in_force:
        _note(waiting, action, again.apply(action))
    return waiting


def _note(waiting: dict[Side, Contradiction], action: Action, rulings: Iterable[Ruling]) -> None:
    if isinstance(action, Declare | Insist):  # its owner has read the notice
        waiting.pop(action.rank.owner, None)
    for ruling in rulings:
        if isinstance(ruling, Contradiction):
            waiting[ruling.owner] = ruling
