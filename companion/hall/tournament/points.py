"""Points for a win, a draw and a loss."""

import re
from dataclasses import dataclass
from typing import Final

from companion.hall.tournament.marks import Mark, TournamentError

_MOST: Final = 99


@dataclass(frozen=True)
class Points:
    """The points of a game, as integers. Prints in the form that is read: ``6-3-1``."""

    win: int
    draw: int
    loss: int

    def __post_init__(self) -> None:
        if not _MOST >= self.win > self.draw >= self.loss >= 0:
            raise TournamentError(
                f"Points of {self} make no order: a win counts more than a draw, a draw no less "
                f"than a loss, and none more than {_MOST}."
            )

    def __str__(self) -> str:
        return f"{self.win}-{self.draw}-{self.loss}"

    def of(self, mark: Mark) -> int:
        """Return the points for a mark. A bye counts as a win; an absent player gets nothing."""
        match mark:
            case Mark.WIN | Mark.WIN_UNPLAYED | Mark.BYE:
                return self.win
            case Mark.DRAW:
                return self.draw
            case Mark.LOSS:
                return self.loss
            case Mark.LOSS_UNPLAYED | Mark.ABSENT | Mark.OPEN:
                return 0


FEDERATION: Final = Points(6, 3, 1)
"""The federation's points since 2001: a draw is worth less than half of a win and a loss."""


def read_points(text: str) -> Points:
    """Read ``6-3-1``; TournamentError if it is malformed."""
    found = re.fullmatch(r"(\d{1,2})-(\d{1,2})-(\d{1,2})", text, re.ASCII)
    if not found:
        raise TournamentError(
            f"{text!r} are no points: write those for win, draw and loss, such as 6-3-1; for "
            "halves double them all, such as 2-1-0."
        )
    return Points(*map(int, found.groups()))
