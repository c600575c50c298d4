"""Handicaps: advantages that a stronger player gives a weaker one, such as a parent a child.

The text of a handicap names the favoured side and its advantages: ``red+marshal+time``. Red then
has twice the time, and Blue plays without its marshal. Records, positions, settings and the command
line use this text.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from engine.board import NotationError
from engine.board.geometry import Side, Square
from engine.board.ranks import Army, Rank


class Omission(Enum):
    """Pieces that the other side plays without."""

    NOTHING = "nothing"
    SPY = "spy"
    """The spy, the only piece that is dangerous to the favoured side's marshal."""
    SCOUTS = "scouts"
    """All scouts."""
    HALF_THE_BOMBS = "bombs"
    """Half of the bombs, rounded up: 3 of 6, and the only bomb of barrage."""
    MARSHAL = "marshal"
    MARSHAL_AND_GENERAL = "general"
    """The two highest ranks."""


@dataclass(frozen=True)
class Handicap:
    """The advantages of the favoured side, at least one."""

    favoured: Side
    """The weaker side, which has the advantages."""
    omission: Omission = Omission.NOTHING
    open_army: bool = False
    """Whether the ranks of the other side are open from the beginning, as far as they are known."""
    take_backs: bool = False
    """Whether the favoured side may take back a move without the agreement of the other side."""
    double_time: bool = False
    """Whether the favoured side has twice the time, if the game is played with a clock."""

    def __post_init__(self) -> None:
        """Reject a handicap without advantages: a game has `None` instead."""
        if self.omission is Omission.NOTHING and not any(
            getattr(self, switch) for switch in SWITCHES.values()
        ):
            raise NotationError(_EXPECTED, self.favoured.value)

    @classmethod
    def parse(cls, text: str) -> "Handicap":
        """Return the handicap with this text; NotationError if it is malformed."""
        side, *others = text.split("+")
        omissions = {each.value: each for each in Omission if each is not Omission.NOTHING}
        omission = omissions.get(others[0]) if others else None
        switched = {field: word in others for word, field in SWITCHES.items()}
        if side not in (each.value for each in Side) or not (omission or any(switched.values())):
            raise NotationError(_EXPECTED, text)
        found = cls(Side(side), omission or Omission.NOTHING, **switched)
        if str(found) != text:  # an unknown word, a word given twice, or another order
            raise NotationError(_EXPECTED, text)
        return found

    def __str__(self) -> str:
        omitted = [] if self.omission is Omission.NOTHING else [self.omission.value]
        switched = [word for word, field in SWITCHES.items() if getattr(self, field)]
        return "+".join([self.favoured.value, *omitted, *switched])

    def exchanged(self) -> "Handicap":
        """Return the handicap for players who have swapped their colours."""
        return replace(self, favoured=self.favoured.other)

    def alone(self) -> "Handicap | None":
        """Return the part that matters against the computer, which always agrees to take-backs.

        Such a game has no clock.
        """
        if self.omission is Omission.NOTHING and not self.open_army:
            return None
        return replace(self, take_backs=False, double_time=False)

    def reduce(self, army: Army) -> Army:
        """Return the army of the other side: `army` without the omitted pieces."""
        return Army(
            army.name,
            {rank: count - self._omitted(rank, count) for rank, count in army.counts.items()},
        )

    def thin_out(self, setup: Mapping[Square, Rank]) -> dict[Square, Rank]:
        """Remove the omitted pieces from a setup of a whole army, given on Red's squares.

        If only some pieces of a rank are omitted, the pieces in front are removed: the bombs at the
        back protect the flag.
        """
        counts = Counter(setup.values())
        left = {rank: self._omitted(rank, count) for rank, count in counts.items()}
        kept = {}
        for square in sorted(setup, reverse=True):
            if left[setup[square]]:
                left[setup[square]] -= 1
            else:
                kept[square] = setup[square]
        return kept

    def _omitted(self, rank: Rank, count: int) -> int:
        if self.omission is Omission.HALF_THE_BOMBS and rank is Rank.BOMB:
            return (count + 1) // 2
        return count if rank in _OMITTED.get(self.omission, ()) else 0


SWITCHES: Final = {"open": "open_army", "take-backs": "take_backs", "time": "double_time"}
"""Words of the advantages other than omitted pieces, and the fields of a handicap."""
_OMITTED: Final = {
    Omission.SPY: (Rank.SPY,),
    Omission.SCOUTS: (Rank.SCOUT,),
    Omission.MARSHAL: (Rank.MARSHAL,),
    Omission.MARSHAL_AND_GENERAL: (Rank.MARSHAL, Rank.GENERAL),
}
"""Ranks of which all pieces are omitted."""
_EXPECTED: Final = (
    "the favoured side, the pieces that the other side plays without "
    f"({', '.join(each.value for each in Omission if each is not Omission.NOTHING)}) and "
    f"the other advantages ({', '.join(SWITCHES)}), in this order, such as red+marshal+time"
)
