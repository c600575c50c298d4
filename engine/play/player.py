"""What a position remembers of one player."""

from collections.abc import Mapping
from typing import Final

from engine.knowledge.dossier import Dossier
from engine.legality.board import Piece
from engine.legality.more_squares import NO_CHASE, Chase
from engine.legality.two_squares import NO_STREAK, Streak
from engine.ranks import Rank
from engine.secrecy import Secret
from engine.squares import Square

_new: Final = object.__new__


class Player:
    """One player's army as far as it is known, its losses, and what the repetition rules count.

    A player is a value, like the position it belongs to.
    """

    __slots__ = ("captured", "chase", "dossier", "last", "streak", "unnamed")

    dossier: Dossier
    captured: Mapping[Rank, int]
    """The fallen pieces by rank: public, like the sorting trays of the rulebooks."""
    streak: Streak
    """The latest moves in a row by one piece, for the two-squares rule."""
    chase: Chase
    """The chase that this player is running, for the more-squares rule."""
    last: tuple[Square, Square] | None
    """The latest move or attack, None if there was none or the latest turn was something else."""
    unnamed: Mapping[Piece, Secret[Rank]]
    """The declared ranks of defenders that stayed unnamed."""

    def __init__(self, dossier: Dossier) -> None:
        """Begin a game with an army."""
        self.dossier = dossier
        self.captured, self.unnamed = {}, {}
        self.streak, self.chase, self.last = NO_STREAK, NO_CHASE, None

    def having(
        self, dossier: Dossier, streak: Streak, chase: Chase, last: tuple[Square, Square] | None
    ) -> "Player":
        """Return the player after a turn."""
        player = _new(Player)
        player.dossier, player.streak, player.chase, player.last = dossier, streak, chase, last
        player.captured, player.unnamed = self.captured, self.unnamed
        return player

    def knowing(self, dossier: Dossier) -> "Player":
        """Return the player of whose army something else is known."""
        return self.having(dossier, self.streak, self.chase, self.last)

    def chasing(self, chase: Chase) -> "Player":
        """Return the player with another chase."""
        return self.having(self.dossier, self.streak, chase, self.last)

    def losing(self, rank: Rank) -> "Player":
        """Return the player after the loss of a piece."""
        player = self.knowing(self.dossier)
        player.captured = {**self.captured, rank: self.captured.get(rank, 0) + 1}
        return player

    def keeping(self, unnamed: Mapping[Piece, Secret[Rank]]) -> "Player":
        """Return the player with other ranks that were declared and stayed unnamed."""
        player = self.knowing(self.dossier)
        player.unnamed = unnamed
        return player

    @property
    def informed(self) -> Dossier:
        """What is known to one who has also heard the declarations that were not named aloud."""
        if not self.unnamed:
            return self.dossier
        return self.dossier.knowing({p: rank.unseal() for p, rank in self.unnamed.items()})

    def _key(self) -> tuple[object, ...]:
        return (
            self.dossier,
            self.streak,
            self.chase,
            self.last,
            frozenset(self.captured.items()),
            frozenset((piece, rank.unseal()) for piece, rank in self.unnamed.items()),
        )

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Player) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.dossier, self.streak.piece, self.chase))
